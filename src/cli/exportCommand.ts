/** `ghostlight export`: a bundle as something that others open. */
import { countOf } from "../contract/countOf.ts";
import { clock } from "../edges/duration.ts";
import { badInput } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import { exportedRun } from "../edges/export/exportedRun.ts";
import { FORMS, type Form } from "../edges/export/forms.ts";
import type { PartLists } from "../edges/parts/partLists.ts";
import { exportPage } from "../edges/view/exportPage.ts";
import { refuseFolder, sizeText, writeWhole } from "../edges/wholeFile.ts";
import type { JsonFlag } from "./bundles.ts";
import { partLists } from "./chosenParts.ts";
import { checkTimes, isOf, isWithin, type TimeFlags } from "./logFilters.ts";
import { clearProgress, note, print, printJson, progress } from "./output.ts";
import { interruptible } from "./signals.ts";

export interface ExportFlags extends JsonFlag, TimeFlags {
  readonly html?: string;
  /** False with `--no-texts`. */
  readonly texts: boolean;
  /** Variants that are played for the page. */
  readonly with?: readonly string[];
  readonly perfetto?: string;
  readonly otlp?: string;
  readonly mermaid?: string;
  /** Of a sequence diagram. */
  readonly actor?: string;
}

/** A file that was written. */
interface Written {
  readonly form: Form | "html";
  readonly file: string;
  readonly bytes: number;
  readonly says: string;
}

export async function exportCommand(
  folder: string,
  other: string | undefined,
  flags: ExportFlags,
): Promise<number> {
  const forms = (Object.keys(FORMS) as readonly Form[]).flatMap((form) => {
    const file = flags[form];
    return file === undefined ? [] : [{ form, file }];
  });
  const { html } = flags;
  refuse(flags, other, forms.length);
  for (const { form, file } of [...forms, ...(html ? [{ form: "html", file: html }] : [])]) {
    refuseFolder(`--${form}`, file);
  }
  progress(`reading and checking the bundle${other === undefined ? "" : "s"}`);
  const lists = await partLists(flags);
  const missing: string[] = [];
  const written: Written[] = [];
  if (html !== undefined) {
    const { with: variants = [] } = flags;
    const stop = interruptible("stopping; no page is written");
    const page = await exportPage(lists, [folder, other], {
      ...{ withTexts: flags.texts, variants, signal: stop.signal },
      onMs: (variant, ms) => progress(`${variant}: ${clock(ms - (ms % 1000))} of virtual time`),
    }).finally(stop.dispose);
    missing.push(...page.missing);
    const beside = variants.length === 0 ? "" : ` beside ${countOf(variants.length, "variant")}`;
    const says = `${other === undefined ? `the run${beside}` : "both runs"} on one page; open it in a browser`;
    written.push({
      form: "html",
      file: html,
      bytes: writeWhole("--html", html, [page.html]),
      says,
    });
  }
  if (forms.length > 0) written.push(...writeForms(lists, folder, forms, flags));
  clearProgress();
  missing.forEach(note);
  if (flags.json) {
    const files = written.map(({ form, file, bytes }) => ({ form, file, bytes }));
    printJson({ bundle: folder, ...(other && { other }), files, missing });
  } else {
    for (const { file, bytes, says } of written) print(`${file}, ${sizeText(bytes)}: ${says}.`);
  }
  return EXIT.ok;
}

function refuse(flags: ExportFlags, other: string | undefined, forms: number): void {
  checkTimes(flags);
  const names = ["html", ...Object.keys(FORMS)].map((form) => `--${form} FILE`).join(" | ");
  if (flags.html === undefined && forms === 0) {
    throw badInput(
      "export",
      "no form to export it in",
      names,
      "Name the file of the page: --html page.html.",
    );
  }
  if (flags.with !== undefined && (other !== undefined || flags.html === undefined)) {
    throw badInput(
      "--with",
      other === undefined ? "a variant for no page" : "a variant beside two runs",
      "--html FILE of one bundle",
      "Name the file of a page, and one bundle.",
    );
  }
  if (other !== undefined && forms > 0) {
    throw badInput(
      other,
      "a second bundle beside a form that holds one run",
      "--html FILE, which shows two",
      "Export each bundle by itself.",
    );
  }
}

function writeForms(
  lists: PartLists,
  folder: string,
  forms: readonly { readonly form: Form; readonly file: string }[],
  flags: ExportFlags,
): readonly Written[] {
  const run = exportedRun(lists, folder);
  const { actor } = flags;
  const isShown = ({ dueMs, from, to }: { dueMs: number; from: string; to: string }): boolean =>
    isWithin(dueMs, flags) && (actor === undefined || isOf(from, actor) || isOf(to, actor));
  return forms.map(({ form, file }) => {
    const { pieces, says } = FORMS[form];
    return { form, file, bytes: writeWhole(`--${form}`, file, pieces(run, isShown)), says };
  });
}
