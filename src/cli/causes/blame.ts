/** `ghostlight blame`: which choice or input decided, by leaving each out. */

import { isFolder } from "../../edges/bundle/bundleFolders.ts";
import { kindOf, readBundle } from "../../edges/bundle/bundleReader.ts";
import { type Base, baseOfBundle, refuseLog } from "../../edges/causes/baseRun.ts";
import { blameShown, blameText, shownText, type ToldBlame } from "../../edges/causes/blameText.ts";
import { noShares, noTime, notThere, timeFor } from "../../edges/causes/effectNamed.ts";
import type { Searching } from "../../edges/causes/searched.ts";
import { BadInput, badInput } from "../../edges/errors.ts";
import { escapedText } from "../../edges/escapedText.ts";
import { EXIT } from "../../edges/exit.ts";
import type { Titled } from "../../edges/report/picture.ts";
import { isLog, openedOne } from "../../edges/view/viewSources.ts";
import { refuseFolder, sizeText, writeWhole } from "../../edges/wholeFile.ts";
import { defined } from "../../machines/defined.ts";
import { blameOf } from "../../run/causes/asked.ts";
import { Interrupted } from "../../run/causes/trial.ts";
import type { ViewBlame } from "../../viewer/viewData.ts";
import { tellSuspects } from "../bundles.ts";
import { partLists } from "../chosenParts.ts";
import { clearProgress, note, print, printJson, progress } from "../output.ts";
import { interruptible } from "../signals.ts";
import type { JudgeFlags } from "./judge.ts";
import { list, type SearchFlags, searching } from "./searching.ts";

export interface BlameFlags extends SearchFlags, JudgeFlags {
  readonly exact?: true;
  readonly when?: true;
  readonly shares?: true;
  readonly most?: number;
  readonly minutes?: number;
  readonly html?: string;
  readonly keep?: true;
}

interface ToldHere {
  readonly said: ToldBlame;
  readonly shown: ViewBlame;
  readonly head: Titled;
}

export async function blameCommand(
  named: string,
  outcome: string | undefined,
  flags: BlameFlags,
): Promise<number> {
  const { judge } = flags;
  if (judge === undefined && (flags.how ?? flags.host ?? flags.out) !== undefined) {
    const todo = "Name the model that is to judge, --judge ollama:NAME, or omit the option.";
    throw badInput("--judge", "--how, --host or --out without it", "them beside it", todo);
  }
  if (isLog(named)) return ofLog(named, outcome, flags);
  if (isMissingPath(named)) {
    const allowed = "a bundle, a log, or a scenario by its name or path";
    throw badInput({ file: named }, "nothing", allowed, "Check the spelling of the path.");
  }
  if (judge !== undefined) return (await import("./judge.ts")).judgeCommand(named, outcome, flags);
  let found: readonly string[] = [];
  if (flags.html !== undefined) refuseFolder("--html", flags.html);
  if (flags.exact && flags.shares) throw noShares("--shares");
  if (flags.exact && flags.minutes !== undefined) throw noTime("--minutes");
  try {
    const keptOf = (world: Base) => (flags.keep === true ? keptAt(world) : null);
    const asked = async (search: Searching): Promise<ToldHere> => {
      const { world, effect } = search;
      const keeps = keptOf(world);
      const isExact = flags.exact === true;
      const how = {
        ...{ isExact, withCurve: flags.when === true, withShares: flags.shares === true },
        hasTime: timeFor(flags.minutes),
      };
      const answered = await blameOf(
        { ...search, onFound: (says) => (found = says) },
        { ...flags, ...how },
      );
      if (answered === undefined) throw notThere("outcome", effect);
      const { deliveries, observed } = search.run;
      const { name: title, startsAt } = world.scenario;
      const said = { effect, isExact, ...answered };
      const shown = blameShown(said, deliveries);
      if (keeps !== null) {
        const { keepBlame } = await import("../../edges/causes/keepBlame.ts");
        const files = keepBlame(keeps.folder, keeps.digest, shown);
        note(`Kept in ${files.join(", ")}; \`view\` and \`export\` of the bundle show it.`);
      }
      return { said, shown, head: { title, startsAt, endMs: observed.result.virtualMs } };
    };
    const told = await searching(named, outcome, flags, asked, keptOf);
    if (flags.html !== undefined) await writePage(flags.html, told);
    if (flags.json) printJson(blameJson(named, told));
    else print(blameText(told.shown));
    return EXIT.ok;
  } catch (error) {
    if (error instanceof BadInput && (await isOnlyRead(named, flags))) {
      await whereToLook(named, flags);
    }
    if (!(error instanceof Interrupted)) throw error;
    if (flags.json) printJson({ of: named, interrupted: true, stillThere: found });
    else if (found.length > 0)
      print(`What was known by then, as still there without it:\n${list(found)}`);
    note("interrupted before all of it was known.");
    return EXIT.interrupted;
  }
}

/** Of a scenario's path the ending may be left out. */
const isMissingPath = (named: string): boolean =>
  /[\\/.]/.test(named) && ["", ".yaml", ".yml"].every((end) => kindOf(named + end) === "nothing");

/** Of a log that nobody imported, as `view` opens one: what a model says, else where to look. Throws BadInput in the end of that. */
async function ofLog(log: string, outcome: string | undefined, flags: BlameFlags): Promise<number> {
  const lists = await partLists(flags);
  const stop = interruptible("stopping; nothing was asked");
  progress("reading");
  const { signal } = stop;
  const { folder, notes, dispose } = await openedOne(lists, log, { signal }).finally(stop.dispose);
  clearProgress();
  notes.forEach(note);
  try {
    if (signal.aborted) return EXIT.interrupted;
    if (flags.judge === undefined) {
      await whereToLook(folder, flags, log);
      refuseLog({ ...readBundle(lists, folder), folder: log });
    }
    return await (await import("./judge.ts")).judgeCommand(folder, outcome, flags, log);
  } finally {
    dispose();
  }
}

async function whereToLook(folder: string, flags: BlameFlags, log?: string): Promise<void> {
  note("Nothing can be left out of it; where to look instead, or ask a model with --judge:");
  const { part, json } = flags;
  await tellSuspects(folder, defined({ part, json }), log);
}

/** The words and the picture; the curve is drawn. */
async function writePage(file: string, { shown, head }: ToldHere): Promise<void> {
  const [{ reportPage }, { drawPicture }, { blamePicture }] = await Promise.all([
    import("../../edges/report/reportPage.ts"),
    import("../../edges/report/picture.ts"),
    import("../../edges/causes/blamePicture.ts"),
  ]);
  const title = `What decided: ${head.title}`;
  const svg = drawPicture(blamePicture(shown, head.endMs), { ...head, title });
  const markdown = `# ${title}\n\n${escapedText(shownText(shown))}`;
  const bytes = writeWhole("--html", file, [reportPage({ title, markdown, svg })]);
  note(`${file}, ${sizeText(bytes)}: what was found, on one page.`);
}

/** Beside the run that is asked about. Throws BadInput where that lies in no bundle. */
function keptAt({ recorded }: Base): { readonly folder: string; readonly digest: string } {
  const { folder = "", digest } = recorded ?? {};
  if (digest !== undefined) return { folder, digest };
  const todo = "Record it first, or leave a page: `--html FILE`.";
  throw badInput("--keep", "a run that lies in no bundle", "a bundle", todo);
}

/** Whether it is a bundle that can be read, and not be played again. */
async function isOnlyRead(named: string, flags: BlameFlags): Promise<boolean> {
  if (!isFolder(named)) return false;
  const lists = await partLists(flags);
  try {
    baseOfBundle(lists, named);
    return false;
  } catch (error) {
    return error instanceof BadInput;
  }
}

/** What a program reads. */
function blameJson(named: string, { said, head }: ToldHere): object {
  const { effect, told, curve, shared, isExact, ...more } = said;
  return {
    ...{ of: named, scenario: head.title, outcome: effect.says },
    question: isExact ? "this run" : "would it again",
    ...more,
    ...told,
    ...(curve && { curve }),
    ...(shared && { shared }),
  };
}
