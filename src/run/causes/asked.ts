/** What a search for causes is asked: about which run, and which effect of it; what was in reach of it, and who plays trials. */
import type { Part } from "../../contract/part.ts";
import type { Overrides } from "../../contract/policy.ts";
import { policyLeaves } from "../../contract/policyTree.ts";
import { variantOf } from "../../contract/scenario.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { choicesIn, type Input } from "../../substrate/port.ts";
import type { Observed } from "../compare.ts";
import { judge } from "../expect.ts";
import type { ChosenWorld } from "../simulate.ts";
import { choicesOf, nobodyChooses } from "../why.ts";
import { type AtMoment, blame, commitment, type Told } from "./blame.ts";
import { type Reach, singleChanges } from "./candidates.ts";
import { changesOf } from "./changes.ts";
import { type Effect, occurs } from "./effect.ts";
import { type Prevented, prevent, preventBy } from "./prevent.ts";
import { type Shares, shares } from "./shares.ts";
import { suspectsOf, toolAnswering } from "./suspects.ts";
import type { PlayTrials } from "./trial.ts";

/** A run that was played once more, with everything that is in reach noted. */
export interface SearchedRun {
  readonly observed: Observed;
  readonly deliveries: readonly Delivery[];
  readonly inputs: readonly Input[];
  /** By leaf, when anything read it first, in virtual milliseconds. */
  readonly readMs: ReadonlyMap<string, number>;
  readonly policy: Overrides;
}

export interface Asked {
  readonly parts: readonly Part[];
  readonly world: ChosenWorld;
  readonly run: SearchedRun;
  readonly effect: Effect;
  readonly play: PlayTrials;
  /** What is going on now, and in how many runs. */
  readonly onStep: (says: string, runs: number) => void;
  /** What was found in the search, as soon as that is known. */
  readonly onFound: (says: readonly string[]) => void;
}

/** When the effect was there; the end where that cannot be told, or it was not. */
export function certainMs(effect: Effect, { observed }: SearchedRun): number {
  const { meter, result } = observed;
  if (effect.kind !== "measured" || !effect.holds) return result.virtualMs;
  const { ok, atMs } = judge({ ...effect.expectation, at: "ever" }, meter, result.virtualMs);
  return ok ? atMs : result.virtualMs;
}

/** What could have kept it from happening by then. */
export function reachOf(
  { parts, world, run }: Pick<Asked, "parts" | "world" | "run">,
  untilMs: number,
): Reach {
  const staged = variantOf(world.scenario, world.variant);
  const absent = parts.filter(({ isThere }) => isThere?.(staged) === false);
  const own = new Set(
    policyLeaves(parts.filter((part) => !absent.includes(part))).map(([path]) => path),
  );
  const early = run.inputs.filter((one) => one.deliveredAt <= untilMs);
  const left = new Set(staged.without.events);
  const nobody = nobodyChooses(parts);
  const choices = [...choicesOf(early).values()].flatMap((choice) => choicesIn(choice));
  return {
    leaves: policyLeaves(parts).filter(([path]) => own.has(path)),
    policy: run.policy,
    read: new Set([...run.readMs].flatMap(([path, atMs]) => (atMs <= untilMs ? [path] : []))),
    events: staged.events
      .filter(({ id, atMs }) => atMs <= untilMs && !left.has(id))
      .map(({ id }) => id),
    choices: [...new Set(choices)].filter((id) => !nobody.has(id)).sort(),
    tools: toolsHeard(run.deliveries.filter(({ dueMs }) => dueMs <= untilMs)),
  };
}

/** The tools that answered at ports as if all were well, in the order of their names. */
function toolsHeard(deliveries: readonly Delivery[]): readonly string[] {
  const toolOf = toolAnswering(deliveries);
  return [...new Set(deliveries.flatMap((one) => toolOf(one) ?? []))].sort();
}

/** How much is tried; ours where absent. */
interface Bounds {
  readonly runs?: number | undefined;
  readonly most?: number | undefined;
  /** Whether values of the policy are tried. */
  readonly policy: boolean;
}

/** Ours: continuations that tell a half from none, suspects of which a person reads a table, and moments of a curve. */
const BLAME = { runs: 30, most: 20, moments: 12, runsAtMoment: 10 };

export interface BlameAsked extends Bounds {
  /** Of this run, with all its draws, in place of a probability. */
  readonly isExact: boolean;
  /** Also how often it comes about from each moment on. */
  readonly withCurve: boolean;
  /** Also how it is shared out among the suspects; not where `isExact`. */
  readonly withShares: boolean;
}

export interface Answered {
  readonly told: Told;
  /** Where it was asked for. */
  readonly curve: readonly AtMoment[] | undefined;
  readonly shared: Shares | undefined;
  /** Deliveries that make the outcome, of which it was asked on what they rest. */
  readonly starts: number;
  /** Ranked ones, and those that were left out. */
  readonly suspects: number;
  readonly unranked: number;
  /** The common point, in virtual milliseconds. */
  readonly fromMs: number;
}

/** Which choice or input decided; undefined where the effect did not come about in this run. */
export async function blameOf(asked: Asked, how: BlameAsked): Promise<Answered | undefined> {
  const { parts, world, run, effect, play, onStep, onFound } = asked;
  const { isExact, withCurve, withShares, policy, runs = BLAME.runs, most = BLAME.most } = how;
  const { deliveries, inputs, observed } = run;
  const { meter, result } = observed;
  const atMs = result.virtualMs;
  // A promise is watched in the trials alone: as it was, it is seen there.
  const isSeen = effect.kind === "broken";
  if (!isSeen && !occurs(parts, effect, { meter, atMs, deliveries, broken: {} })) return undefined;
  const untilMs = certainMs(effect, run);
  const ran = { scenario: world.scenario, deliveries, inputs };
  const { suspects: all, starts } = suspectsOf(parts, ran, effect, untilMs);
  const suspects = all.slice(0, most);
  const first = suspects.reduce((least, { place }) => Math.min(least, place), deliveries.length);
  const from = suspects.length === 0 ? 0 : first;
  const reach = reachOf(asked, untilMs);
  const atStart = new Set(reach.leaves.flatMap(([path, leaf]) => (leaf.atStart ? [path] : [])));
  const leaves = singleChanges({
    ...{ ...reach, events: [], choices: [], tools: [] },
    ...(!policy && { leaves: [] }),
  }).filter((one) => one.kind === "set" && !atStart.has(one.path) && typeof one.value !== "number");
  const search = { seed: world.seed, play, onStep };
  const told = await blame({ ...search, suspects, leaves, from, isExact, runs, onFound });
  const changes = suspects.map(({ change }) => change);
  const shared =
    withShares && changes.length > 0 ? await shares({ ...search, changes, from, runs }) : undefined;
  const curve = withCurve
    ? await commitment(moments(deliveries, untilMs), {
        ...search,
        runs: Math.min(runs, BLAME.runsAtMoment),
      })
    : undefined;
  return {
    ...{
      told,
      curve,
      shared,
      starts,
      suspects: suspects.length,
      unranked: all.length - suspects.length,
    },
    fromMs: deliveries[from]?.dueMs ?? atMs,
  };
}

/** Evenly in time, from the start to when the outcome was certain. */
function moments(deliveries: readonly Delivery[], untilMs: number) {
  return Array.from({ length: BLAME.moments }, (_, at) => {
    const atMs = Math.floor((untilMs * at) / (BLAME.moments - 1));
    const place = deliveries.findIndex(({ dueMs }) => dueMs > atMs);
    return { atMs, place: place === -1 ? deliveries.length : place };
  });
}

/** Ours: seeds that tell a share from none to within 17 %, and answers of which a person reads a table. */
const PREVENT = { runs: 20, most: 8 };

export interface PreventAsked extends Bounds {
  /** Only what these variants prevent; the least changes when absent. */
  readonly by: readonly string[] | undefined;
}

/** The least changes after which the effect is gone. */
export function preventOf(
  asked: Asked,
  { by, policy, runs = PREVENT.runs, most = PREVENT.most }: PreventAsked,
): Promise<Prevented> {
  const { parts, world, run, effect, play, onStep, onFound } = asked;
  const variants = Object.entries(world.scenario.variants)
    .filter(([name]) => name !== world.variant && (by === undefined || by.includes(name)))
    .map(([variant, one]) => ({ variant, changes: changesOf(one, run.policy) }))
    .filter(({ changes }) => changes.length > 0);
  const reach = reachOf(asked, certainMs(effect, run));
  const singles = singleChanges(policy ? reach : { ...reach, leaves: [] });
  const options = { parts, seed: world.seed, play, onStep, onFound, variants, singles, runs, most };
  return by === undefined ? prevent(options) : preventBy(options);
}
