/** `ghostlight blame`: which choice or input decided, by leaving each out. */

import { markdownTable } from "markdown-table";
import { countOf, percent } from "../../contract/countOf.ts";
import { isFolder } from "../../edges/bundle/bundleFolders.ts";
import { baseOfBundle } from "../../edges/causes/baseRun.ts";
import { noShares, noTime, notThere } from "../../edges/causes/effectNamed.ts";
import { clock } from "../../edges/duration.ts";
import { BadInput } from "../../edges/errors.ts";
import { escapedText } from "../../edges/escapedText.ts";
import { EXIT } from "../../edges/exit.ts";
import { tableCell } from "../../edges/report/tableCell.ts";
import { defined } from "../../machines/defined.ts";
import { type Answered, blameOf } from "../../run/causes/asked.ts";
import { type AtMoment, type Blamed, jumpsIn, type Together } from "../../run/causes/blame.ts";
import type { Effect } from "../../run/causes/effect.ts";
import type { Shares } from "../../run/causes/shares.ts";
import { Interrupted } from "../../run/causes/trial.ts";
import { whyCommand } from "../bundles.ts";
import { partLists } from "../chosenParts.ts";
import { note, print, printJson } from "../output.ts";
import { refuseFolder, sizeText, writeWhole } from "../wholeFile.ts";
import { interval, list, type SearchFlags, searching } from "./searching.ts";

export interface BlameFlags extends SearchFlags {
  readonly exact?: true;
  readonly when?: true;
  readonly shares?: true;
  readonly most?: number;
  readonly minutes?: number;
  readonly html?: string;
}

export async function blameCommand(
  named: string,
  outcome: string | undefined,
  flags: BlameFlags,
): Promise<number> {
  let found: readonly string[] = [];
  if (flags.html !== undefined) refuseFolder("--html", flags.html);
  if (flags.exact && flags.shares) throw noShares("--shares");
  if (flags.exact && flags.minutes !== undefined) throw noTime("--minutes");
  try {
    const told = await searching(named, outcome, flags, async (search): Promise<ToldBlame> => {
      const { world, effect } = search;
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
      const { virtualMs: endMs } = search.run.observed.result;
      const { name: scenario, startsAt } = world.scenario;
      return { named, scenario, startsAt, endMs, effect, isExact, ...answered };
    });
    if (flags.html !== undefined) await writePage(flags.html, told);
    if (flags.json) printJson(blameJson(told));
    else print(blameText(told));
    return EXIT.ok;
  } catch (error) {
    if (error instanceof BadInput && (await isOnlyRead(named, flags))) {
      const { part, json } = flags;
      note("Nothing can be left out of it; where to look instead:");
      await whyCommand(named, undefined, { suspects: true, ...defined({ part, json }) });
    }
    if (!(error instanceof Interrupted)) throw error;
    if (flags.json) printJson({ of: named, interrupted: true, stillThere: found });
    else if (found.length > 0)
      print(`What was known by then, as still there without it:\n${list(found)}`);
    note("interrupted before all of it was known.");
    return EXIT.interrupted;
  }
}

/** The words and the picture; the curve is drawn. */
async function writePage(file: string, told: ToldBlame): Promise<void> {
  const [{ reportPage }, { drawPicture }, { blamePicture }] = await Promise.all([
    import("../../edges/report/reportPage.ts"),
    import("../../edges/report/picture.ts"),
    import("../../edges/causes/blamePicture.ts"),
  ]);
  const { scenario, startsAt, endMs, effect } = told;
  const title = `What decided: ${scenario}`;
  const svg = drawPicture(blamePicture(told, effect.says, endMs), { title, startsAt, endMs });
  const markdown = `# ${title}\n\n${escapedText(blameText({ ...told, curve: undefined }))}`;
  const bytes = writeWhole("--html", file, [reportPage({ title, markdown, svg })]);
  note(`${file}, ${sizeText(bytes)}: what was found, on one page.`);
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

/** Whether so many minutes are not over yet. */
function timeFor(minutes: number | undefined): (() => boolean) | undefined {
  if (minutes === undefined) return undefined;
  const endMs = performance.now() + minutes * 60_000;
  return () => performance.now() < endMs;
}

/* What `blame` says, as a person reads it and as a program does. */

/** Ours: what a person reads. `--json` has all. */
const CELL_CHARS_MAX = 100;
const BAR = 20;

interface ToldBlame extends Answered {
  /** The bundle or scenario as the user named it. */
  readonly named: string;
  readonly scenario: string;
  readonly startsAt: string;
  readonly endMs: number;
  readonly effect: Effect;
  readonly isExact: boolean;
}

function blameText(said: ToldBlame): string {
  const { told, isExact, curve, shared, unranked, starts } = said;
  const { ranking, joint, withoutAll, indifferent } = told;
  const onCurve = (curve ?? []).reduce((sum, { n }) => sum + n, 0);
  const runs = told.runs + onCurve + (shared?.runs ?? 0);
  const lines = [headText(said), tableOf(said)];
  for (const set of joint) lines.push(jointText(set, ranking));
  if (withoutAll !== null && withoutAll.hits > 0 && said.suspects > 0) {
    const { hits, n } = withoutAll;
    const how = hits === n ? "" : ` in ${hits} of ${n}`;
    // Mail is left out alone.
    const isMail = ranking.some(({ change }) => change.kind === "mail");
    const all = isMail ? "all that is chosen or comes from outside" : "all of them together";
    lines.push(
      `Even without ${all} it came about${how}: ${hits === n ? "what" : "what else"} decided is not among them.`,
    );
  }
  if (shared !== undefined) lines.push(sharesText(shared));
  if (curve !== undefined) lines.push(curveText(curve));
  const unseen =
    unranked > 0 ? ` ${countOf(unranked, "more suspect")} had a part in less of it (--most).` : "";
  lines.push(
    `${countOf(runs, "run")}. Suspects are what ${starts} deliveries that make the outcome rest on.${unseen} ` +
      `${countOf(indifferent, "other value")} of the policy changed nothing. ` +
      (isExact
        ? "All draws that a change does not touch were held: this says what decided this run, not what would happen again."
        : `Effects have simultaneous 95 % intervals: all of them hold at once that often${told.looks > 1 ? `, however often it was looked (${told.looks} times)` : ""}.`),
  );
  return lines.join("\n\n");
}

function headText({ told, fromMs, isExact, effect }: ToldBlame): string {
  const { hits, n, share } = told.asItWas;
  if (isExact) {
    return `This run, from ${clock(fromMs)} on with all its draws: ${effect.says}.`;
  }
  return (
    `Would it happen again? From ${clock(fromMs)} on, before the first suspect, every draw was made anew (model, tools, times, persons); outside inputs stayed. ` +
    `As it was, it came about in ${hits} of ${n} ${interval(share)}.`
  );
}

function tableOf({ told, isExact, starts }: ToldBlame): string {
  const { ranking } = told;
  if (ranking.length === 0) return "No suspect is in reach.";
  const rows = ranking.map((one) => [
    tableCell(one.says, CELL_CHARS_MAX),
    tableCell(firstText(one), CELL_CHARS_MAX),
    one.suspect === null ? "" : `${one.suspect.behind} of ${starts}`,
    isExact ? (one.hits === 0 ? "no" : "yes") : `${one.hits} of ${one.n}`,
    ...(one.effect === null ? [] : [`${percent(one.effect.estimate)} ${interval(one.effect)}`]),
  ]);
  const head = ["Changed", "First", "Behind", "Still there", ...(isExact ? [] : ["Effect"])];
  return markdownTable([head, ...rows], { align: ["l", "l", "r", "r", "r"] });
}

function firstText({ suspect }: Blamed): string {
  if (suspect === null) return "from there on";
  const { first, atMs } = suspect;
  return `${clock(atMs - (atMs % 1_000))} ${first ?? "from outside"}`;
}

/** Whether each alone changes nothing is for the ranking to say. */
function jointText({ says: set, hits, n }: Together, ranking: readonly Blamed[]): string {
  const own = ranking.filter(({ says }) => set.includes(says));
  const isNothing = own.every((one) => one.hits === one.n);
  const isTwo = set.length === 2;
  const which = set.map((one) => one.replace(/^without /, "")).join(" and ");
  const alone = isNothing
    ? `${isTwo ? "Either" : "Each"} alone changes nothing`
    : "None alone is enough";
  const then = hits === 0 ? "it does not happen" : `it happens in ${hits} of ${n}`;
  return `${alone}; without ${isTwo ? "both" : "all of"} ${which} ${then}.`;
}

function sharesText({ shares, whole, isExact, n }: Shares): string {
  const how = isExact
    ? `over all subsets in ${countOf(n, "continuation")}`
    : `over ${countOf(n, "drawn order")}, one in each continuation`;
  const rows = shares
    .filter(({ share }) => share.estimate !== 0)
    .map(({ says, share }) => [
      tableCell(says, CELL_CHARS_MAX),
      `${percent(share.estimate)} ${interval(share)}`,
    ]);
  const head = `Leaving all of them out takes ${percent(whole)} off P(outcome). Shared out (Shapley, ${how}):`;
  if (rows.length === 0) return `${head} nobody has a share.`;
  return `${head}\n\n${markdownTable([["Changed", "Share"], ...rows], { align: ["l", "r"] })}`;
}

function curveText(curve: readonly AtMoment[]): string {
  const rows = curve.map(({ atMs, hits, n }) => {
    const filled = Math.round((hits / n) * BAR);
    return `  ${clock(atMs - (atMs % 1_000))}  ${"█".repeat(filled)}${"·".repeat(BAR - filled)}  ${hits} of ${n}`;
  });
  const jumps = jumpsIn(curve).map(
    ({ before, after }) =>
      `Between ${clock(before.atMs)} and ${clock(after.atMs)} it went from ${before.hits} to ${after.hits} of ${after.n}.`,
  );
  const said =
    jumps.length > 0 ? jumps : ["Nowhere does it jump: no single moment committed the run to it."];
  return [
    "When was it baked in? Gone on from each moment as it was, it came about in:",
    ...rows,
    ...said,
  ].join("\n");
}

function blameJson(said: ToldBlame): object {
  const {
    named,
    scenario,
    startsAt: _,
    endMs: __,
    effect,
    told,
    curve,
    shared,
    isExact,
    ...more
  } = said;
  return {
    ...{
      of: named,
      scenario,
      outcome: effect.says,
      question: isExact ? "this run" : "would it again",
    },
    ...more,
    ...told,
    ...(curve && { curve }),
    ...(shared && { shared }),
  };
}
