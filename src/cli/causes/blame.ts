/** `ghostlight blame`: which choice or input decided, by leaving each out. */

import { markdownTable } from "markdown-table";
import { countOf } from "../../contract/countOf.ts";
import { policyLeaves } from "../../contract/policyTree.ts";
import { certainMs, reachOf } from "../../edges/causes/baseRun.ts";
import { clock } from "../../edges/duration.ts";
import { BadInput } from "../../edges/errors.ts";
import { EXIT } from "../../edges/exit.ts";
import { tableCell } from "../../edges/report/tableCell.ts";
import {
  type AtMoment,
  type Blamed,
  blame,
  commitment,
  type Told,
} from "../../run/causes/blame.ts";
import { singleChanges } from "../../run/causes/candidates.ts";
import { type Effect, occurs } from "../../run/causes/effect.ts";
import { suspectsOf } from "../../run/causes/suspects.ts";
import { Interrupted } from "../../run/causes/trial.ts";
import { note, print, printJson } from "../output.ts";
import { interval, percent, type SearchFlags, type Searching, searching } from "./searching.ts";

export interface BlameFlags extends SearchFlags {
  readonly exact?: true;
  readonly when?: true;
  readonly most?: number;
}

/** Ours: continuations that tell a half from none, suspects of which a person reads a table, and moments of a curve. */
const RUNS = 30;
const MOST = 20;
const MOMENTS = 12;
const RUNS_AT_MOMENT = 10;

export async function blameCommand(
  named: string,
  outcome: string | undefined,
  flags: BlameFlags,
): Promise<number> {
  let found: readonly string[] = [];
  try {
    const told = await searching(named, outcome, flags, (search) =>
      blamed(named, search, flags, (says) => {
        found = says;
      }),
    );
    if (flags.json) printJson(blameJson(told));
    else print(blameText(told));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (flags.json) printJson({ of: named, interrupted: true, stillThere: found });
    else if (found.length > 0)
      print(`What was known by then, as still there without it:\n${list(found)}`);
    note("interrupted before all of it was known.");
    return EXIT.interrupted;
  }
}

const list = (all: readonly string[]): string => all.map((one) => `  ${one}`).join("\n");

async function blamed(
  named: string,
  { lists, base, run, effect, play, onStep }: Searching,
  flags: BlameFlags,
  onFound: (says: readonly string[]) => void,
): Promise<ToldBlame> {
  const { parts } = lists;
  const { deliveries, inputs, observed } = run;
  const atMs = observed.result.virtualMs;
  const seen = { meter: observed.meter, atMs, deliveries, broken: {} };
  // A promise is watched in the trials alone: as it was, it is seen there.
  if (effect.kind !== "broken" && !occurs(parts, effect, seen)) throw notThere(effect);
  const untilMs = certainMs(effect, run);
  const ran = { scenario: base.scenario, deliveries, inputs };
  const { suspects: all, starts } = suspectsOf(parts, ran, effect, untilMs);
  const suspects = all.slice(0, flags.most ?? MOST);
  const from = suspects.reduce((least, { place }) => Math.min(least, place), deliveries.length);
  const place = suspects.length === 0 ? 0 : from;
  const atStart = new Set(
    policyLeaves(parts).flatMap(([path, leaf]) => (leaf.atStart ? [path] : [])),
  );
  const reach = reachOf(lists, base, run, untilMs);
  const leaves = singleChanges({
    ...reach,
    ...{ events: [], choices: [], ...(!flags.policy && { leaves: [] }) },
  }).filter((one) => one.kind === "set" && !atStart.has(one.path) && typeof one.value !== "number");
  const runs = flags.runs ?? RUNS;
  const shared = { seed: base.seed, play, onStep };
  const isExact = flags.exact === true;
  const told = await blame({ ...shared, suspects, leaves, from: place, isExact, runs, onFound });
  const curve = flags.when
    ? await commitment(moments(deliveries, untilMs), {
        ...shared,
        runs: Math.min(runs, RUNS_AT_MOMENT),
      })
    : undefined;
  return {
    ...{ named, scenario: base.scenario.name, effect, told, curve, isExact, starts },
    suspects: suspects.length,
    unranked: all.length - suspects.length,
    fromMs: deliveries[place]?.dueMs ?? atMs,
  };
}

/** Evenly in time, from the start to when the outcome was certain. */
function moments(deliveries: Searching["run"]["deliveries"], untilMs: number) {
  const times = Array.from({ length: MOMENTS }, (_, at) =>
    Math.floor((untilMs * at) / (MOMENTS - 1)),
  );
  return times.map((atMs) => {
    const place = deliveries.findIndex(({ dueMs }) => dueMs > atMs);
    return { atMs, place: place === -1 ? deliveries.length : place };
  });
}

/* What `blame` says, as a person reads it and as a program does. */

/** Ours: what a person reads. `--json` has all. */
const CELL_CHARS_MAX = 100;
const BAR = 20;
/** Ours: a smaller step between two moments is no jump. */
const JUMP = 0.3;

interface ToldBlame {
  /** The bundle or scenario as the user named it. */
  readonly named: string;
  readonly scenario: string;
  readonly effect: Effect;
  readonly told: Told;
  /** Where it was asked for. */
  readonly curve: readonly AtMoment[] | undefined;
  readonly isExact: boolean;
  /** Deliveries that make the outcome, of which it was asked on what they rest. */
  readonly starts: number;
  /** Ranked ones, and those that --most left out. */
  readonly suspects: number;
  readonly unranked: number;
  /** The common point, in virtual milliseconds. */
  readonly fromMs: number;
}

const notThere = ({ says }: Effect): BadInput =>
  new BadInput({
    where: { path: "outcome" },
    found: `${says}, which did not come about in this run`,
    allowed: "an outcome of this run",
    todo: "`ghostlight prevent` looks for runs that show it.",
  });

function blameText(said: ToldBlame): string {
  const { told, isExact, curve, unranked, starts } = said;
  const { ranking, joint, goneWithoutAll, indifferent } = told;
  const runs = told.runs + (curve ?? []).reduce((sum, { n }) => sum + n, 0);
  const lines = [headText(said), tableOf(said)];
  for (const set of joint) lines.push(jointText(set, ranking));
  if (goneWithoutAll === false && said.suspects > 0) {
    lines.push("Even without all of them together it came about: what decided is not among them.");
  }
  if (curve !== undefined) lines.push(curveText(curve));
  const unseen =
    unranked > 0 ? ` ${countOf(unranked, "more suspect")} had a part in less of it (--most).` : "";
  lines.push(
    `${countOf(runs, "run")}. Suspects are what ${starts} deliveries that make the outcome rest on.${unseen} ` +
      `${countOf(indifferent, "other value")} of the policy changed nothing. ` +
      (isExact
        ? "All draws that a change does not touch were held: this says what decided this run, not what would happen again."
        : "Effects have simultaneous 95 % intervals: all of them hold at once that often."),
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
function jointText(set: readonly string[], ranking: readonly Blamed[]): string {
  const own = ranking.filter(({ says }) => set.includes(says));
  const isNothing = own.every(({ hits, n }) => hits === n);
  const which = set.map((one) => one.replace(/^without /, "")).join(" and ");
  const alone = set.length === 2 ? "Either" : "Each";
  return isNothing
    ? `${alone} alone changes nothing; without ${set.length === 2 ? "both" : "all of"} ${which} it does not happen.`
    : `None alone is enough; without ${set.length === 2 ? "both" : "all of"} ${which} it does not happen.`;
}

function curveText(curve: readonly AtMoment[]): string {
  const rows = curve.map(({ atMs, hits, n }) => {
    const filled = Math.round((hits / n) * BAR);
    return `  ${clock(atMs - (atMs % 1_000))}  ${"█".repeat(filled)}${"·".repeat(BAR - filled)}  ${hits} of ${n}`;
  });
  const jumps = curve.flatMap((one, at) => {
    const before = curve[at - 1];
    if (before === undefined) return [];
    const by = one.hits / one.n - before.hits / before.n;
    return Math.abs(by) < JUMP
      ? []
      : [
          `Between ${clock(before.atMs)} and ${clock(one.atMs)} it went from ${before.hits} to ${one.hits} of ${one.n}.`,
        ];
  });
  const said =
    jumps.length > 0 ? jumps : ["Nowhere does it jump: no single moment committed the run to it."];
  return [
    "When was it baked in? Gone on from each moment as it was, it came about in:",
    ...rows,
    ...said,
  ].join("\n");
}

function blameJson({ named, scenario, effect, told, curve, isExact, ...more }: ToldBlame): object {
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
  };
}
