/** `ghostlight export`: a bundle as something that others open. */
import { statSync, writeFileSync } from "node:fs";
import { badInput, OutputRefused } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import { exportPage } from "../edges/view/exportPage.ts";
import type { JsonFlag } from "./bundles.ts";
import { partLists } from "./chosenParts.ts";
import { clearProgress, note, print, printJson, progress } from "./output.ts";

export interface ExportFlags extends JsonFlag {
  readonly html?: string;
  /** False with `--no-texts`. */
  readonly texts: boolean;
}

export async function exportCommand(
  folder: string,
  other: string | undefined,
  flags: ExportFlags,
): Promise<number> {
  const { html: file } = flags;
  if (file === undefined) {
    throw badInput(
      "export",
      "no form to export it in",
      "--html FILE",
      "Name the file of the page: --html page.html.",
    );
  }
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) {
    throw new OutputRefused({
      where: { path: "--html", file },
      found: "something there that is no file",
      allowed: "a file, new or to be replaced",
      todo: "Name another file.",
    });
  }
  progress(`reading and checking the bundle${other === undefined ? "" : "s"}`);
  const { html, missing } = await exportPage(await partLists(flags), [folder, other], {
    withTexts: flags.texts,
  });
  clearProgress();
  write(file, html);
  const bytes = Buffer.byteLength(html);
  missing.forEach(note);
  if (flags.json) printJson({ bundle: folder, ...(other && { other }), file, bytes, missing });
  else
    print(
      `${file} holds ${other === undefined ? "the run" : "both runs"} on one page, ${sizeText(bytes)}; open it in a browser.`,
    );
  return EXIT.ok;
}

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OutputRefused({
      where: { path: "--html", file },
      found: `a file that cannot be written (${code})`,
      allowed: "a file in a folder that is there and can be written",
      todo: "Name another file, or make its folder.",
    });
  }
}
