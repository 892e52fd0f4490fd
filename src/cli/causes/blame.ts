/** `ghostlight blame`: which choice or input decided, by leaving each out. */

import { policyLeaves } from "../../contract/policyTree.ts";
import { certainMs, reachOf } from "../../edges/causes/baseRun.ts";
import { EXIT } from "../../edges/exit.ts";
import { blame, commitment } from "../../run/causes/blame.ts";
import { singleChanges } from "../../run/causes/candidates.ts";
import { occurs } from "../../run/causes/effect.ts";
import { suspectsOf } from "../../run/causes/suspects.ts";
import { Interrupted } from "../../run/causes/trial.ts";
import { note, print, printJson } from "../output.ts";
import { blameJson, blameText, notThere, type ToldBlame } from "./blameText.ts";
import { type SearchFlags, type Searching, searching } from "./searching.ts";

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
