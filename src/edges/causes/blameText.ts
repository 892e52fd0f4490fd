/** What `blame` found, as a person reads it: on a terminal, and as a page shows it. */

import { markdownTable } from "markdown-table";
import { countOf, percent } from "../../contract/countOf.ts";
import type { Answered } from "../../run/causes/asked.ts";
import { type Blamed, jumpsIn, type Together } from "../../run/causes/blame.ts";
import type { Effect } from "../../run/causes/effect.ts";
import type { Shares } from "../../run/causes/shares.ts";
import type { Suspect } from "../../run/causes/suspects.ts";
import type { Estimate } from "../../studies/statistics/intervals.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { ViewBlame, ViewBlamed } from "../../viewer/viewData.ts";
import { clock } from "../duration.ts";
import { escapedText } from "../escapedText.ts";
import { tableCell } from "../report/tableCell.ts";

/** Ours: what a person reads. `--json` has all. */
const CELL_CHARS_MAX = 100;
const BAR = 20;

export interface ToldBlame extends Answered {
  readonly effect: Effect;
  readonly isExact: boolean;
}

/** `deliveries` are those of the run that was asked about. */
export function blameShown(said: ToldBlame, deliveries: readonly Delivery[]): ViewBlame {
  const { told, effect, shared, curve = [] } = said;
  return {
    ...{ outcome: effect.says, head: headText(said) },
    ranking: told.ranking.map((one) => blamedShown(one, said, deliveries)),
    notes: [
      ...setTexts(said),
      ...(shared === undefined ? [] : [sharesText(shared)]),
      ...(curve.length === 0 ? [] : [jumpsText(curve)]),
    ],
    curve: curve.map(({ atMs, hits, n }) => ({ atMs, hits, n })),
    closing: closingText(said),
  };
}

function blamedShown(
  { says, suspect, hits, n, effect }: Blamed,
  { isExact, starts, fromMs }: ToldBlame,
  deliveries: readonly Delivery[],
): ViewBlamed {
  const { estimate = 0, low = null, high = null } = effect ?? {};
  return {
    ...{ says, atMs: suspect?.atMs ?? fromMs },
    first: suspect === null ? "from there on" : (suspect.first ?? "from outside"),
    place: suspect === null ? null : placeOf(suspect, deliveries),
    behind: suspect === null ? "" : `${suspect.behind} of ${starts}`,
    still: n === 0 ? "unknown" : isExact ? (hits === 0 ? "no" : "yes") : `${hits} of ${n}`,
    effect: effect === null || n === 0 ? "" : `${percent(estimate)} ${interval(effect)}`,
    bar: low === null || high === null ? null : [estimate, low, high],
    decides: effect === null ? n > 0 && hits === 0 : (effect.low ?? 0) > 0,
  };
}

/** Where it was heard first; null of what had no part in the run. */
function placeOf({ place, atMs, behind }: Suspect, deliveries: readonly Delivery[]): number | null {
  if (behind === 0) return null;
  const asked = deliveries[place]?.seq;
  const heard = deliveries.findIndex(({ re, dueMs }) => re === asked && dueMs === atMs);
  return heard < 0 ? place : heard;
}

export function blameText(shown: ViewBlame): string {
  const { notes, curve } = shown;
  if (curve.length === 0) return shownText(shown);
  const last = `${curveText(curve)}\n${notes.at(-1)}`;
  return shownText({ ...shown, notes: [...notes.slice(0, -1), last] });
}

/** All of it but the curve, in Markdown. */
export const shownText = ({ head, ranking, notes, closing }: ViewBlame): string =>
  [head, tableOf(ranking), ...notes, closing].join("\n\n");

/** How its section begins, in a report and on a page without a script. */
export const DECIDED = "## What decided: ";

/** Of suspects only those that decide, where any does. */
export function decidedText(shown: ViewBlame): string {
  const { outcome, ranking, notes } = shown;
  const deciding = ranking.filter(({ decides }) => decides);
  const others = deciding.length === 0 ? 0 : ranking.length - deciding.length;
  const more = `${countOf(others, "more suspect")}, whose effect cannot be told from chance.`;
  const short = others === 0 ? shown : { ...shown, ranking: deciding, notes: [more, ...notes] };
  return escapedText(`${DECIDED}${tableCell(outcome, 240)}\n\n${shownText(short)}`);
}

/** Of plays that count for nothing; empty where there are none. */
export const unknownText = (unknown: number, plays: number): string =>
  unknown === 0
    ? ""
    : `The outcome of ${unknown} of ${countOf(plays, "play")} is unknown: a stand-in left its recording, and they count for nothing. `;

function headText(said: ToldBlame): string {
  const { told, shared, curve = [] } = said;
  const unknown = [told, ...curve, shared].reduce((sum, one) => sum + (one?.unknown ?? 0), 0);
  return `${unknownText(unknown, runsOf(said))}${ownText(said)}`;
}

function runsOf({ told, curve = [], shared }: ToldBlame): number {
  const onCurve = curve.reduce((sum, { n, unknown = 0 }) => sum + n + unknown, 0);
  return told.runs + onCurve + (shared?.runs ?? 0);
}

function ownText({ told, fromMs, isExact, effect }: ToldBlame): string {
  const { hits, n, share } = told.asItWas;
  if (isExact) {
    return `This run, from ${clock(fromMs)} on with all its draws: ${effect.says}.`;
  }
  return (
    `Would it happen again? From ${clock(fromMs)} on, before the first suspect, every draw was made anew (model, tools, times, persons); outside inputs stayed. ` +
    `As it was, it came about in ${hits} of ${n} ${interval(share)}.`
  );
}

function tableOf(ranking: readonly ViewBlamed[]): string {
  if (ranking.length === 0) return "No suspect is in reach.";
  const rows = ranking.map(({ says, first, atMs, behind, still, effect }) => [
    tableCell(says, CELL_CHARS_MAX),
    tableCell(behind === "" ? first : `${clock(atMs - (atMs % 1_000))} ${first}`, CELL_CHARS_MAX),
    ...[behind, still],
    ...(effect === "" ? [] : [effect]),
  ]);
  const head = ["Changed", "First", "Behind", "Still there"];
  const isChance = ranking.some(({ effect }) => effect !== "");
  return markdownTable([[...head, ...(isChance ? ["Effect"] : [])], ...rows], {
    align: ["l", "l", "r", "r", "r"],
  });
}

/** Causes that only work together, and what is left without all of them. */
function setTexts({ told, suspects }: ToldBlame): string[] {
  const { joint, ranking, withoutAll } = told;
  const texts = joint.map((set) => jointText(set, ranking));
  if (withoutAll !== null && withoutAll.hits > 0 && suspects > 0) {
    const { hits, n } = withoutAll;
    const how = hits === n ? "" : ` in ${hits} of ${n}`;
    // Mail is left out alone.
    const isMail = ranking.some(({ change }) => change.kind === "mail");
    const all = isMail ? "all that is chosen or comes from outside" : "all of them together";
    texts.push(
      `Even without ${all} it came about${how}: ${hits === n ? "what" : "what else"} decided is not among them.`,
    );
  }
  if (withoutAll?.n === 0) texts.push("Without all of them together the outcome is unknown.");
  return texts;
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

function closingText(said: ToldBlame): string {
  const { told, isExact, unranked, starts } = said;
  const { unknownValues = 0 } = told;
  const unseen =
    unranked > 0 ? ` ${countOf(unranked, "more suspect")} had a part in less of it (--most).` : "";
  return (
    `${countOf(runsOf(said), "run")}. Suspects are what ${starts === 1 ? "the delivery that makes the outcome rests" : `${starts} deliveries that make the outcome rest`} on.${unseen} ` +
    (told.indifferent > 0
      ? `${countOf(told.indifferent, "other value")} of the policy changed nothing. `
      : "") +
    (unknownValues > 0 ? `Of ${unknownValues} the outcome is unknown. ` : "") +
    (isExact
      ? "All draws that a change does not touch were held: this says what decided this run, not what would happen again."
      : `Effects have simultaneous 95 % intervals: all of them hold at once that often${told.looks > 1 ? `, however often it was looked (${told.looks} times)` : ""}.`)
  );
}

function sharesText({ shares, whole, isExact, n }: Shares): string {
  if (n === 0) return "How it is shared out is unknown.";
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

function curveText(curve: ViewBlame["curve"]): string {
  const rows = curve.map(({ atMs, hits, n }) => {
    const filled = Math.round((hits / n) * BAR);
    return `  ${clock(atMs - (atMs % 1_000))}  ${"█".repeat(filled)}${"·".repeat(BAR - filled)}  ${hits} of ${n}`;
  });
  const head = "When was it baked in? Gone on from each moment as it was, it came about in:";
  return [head, ...rows].join("\n");
}

function jumpsText(curve: ViewBlame["curve"]): string {
  const jumps = jumpsIn(curve).map(
    ({ before, after }) =>
      `Between ${clock(before.atMs)} and ${clock(after.atMs)} P(outcome) went from ${before.hits} to ${after.hits} of ${after.n}.`,
  );
  return (
    jumps.join("\n") || "Nowhere does P(outcome) jump: no single moment committed the run to it."
  );
}

/** A share and its interval as tables say it; nothing where none can be claimed. */
export const interval = ({ low, high }: Pick<Estimate, "low" | "high">): string =>
  low === null || high === null ? "" : `(${Math.round(low * 100)} … ${Math.round(high * 100)} %)`;
