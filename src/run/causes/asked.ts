/** What a search for causes is asked: about which run, and which effect of it; what was in reach of it, and who plays trials. */
import type { Part } from "../../contract/part.ts";
import { partsIn } from "../../contract/partsIn.ts";
import type { Overrides } from "../../contract/policy.ts";
import { policyLeaves } from "../../contract/policyTree.ts";
import { variantOf } from "../../contract/scenario.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { choicesIn, type Input } from "../../substrate/port.ts";
import type { Observed } from "../compare.ts";
import type { ChosenWorld } from "../simulate.ts";
import { choicesOf, nobodyChooses } from "../why.ts";
import { type AtMoment, blame, commitment, continuations, type Told } from "./blame.ts";
import { type Reach, singleChanges } from "./candidates.ts";
import { type Change, changesOf, changeText, undoing } from "./changes.ts";
import { certainMs, type Effect, occurs } from "./effect.ts";
import { type Prevented, prevent, preventBy } from "./prevent.ts";
import { type Shares, shares } from "./shares.ts";
import { type Suspect, suspectsOf, toolAnswering } from "./suspects.ts";
import { occurrence, type PlayTrials } from "./trial.ts";

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

/** What could have kept it from happening by then. */
export function reachOf(
  { parts, world, run }: Pick<Asked, "parts" | "world" | "run">,
  untilMs: number,
): Reach {
  const staged = variantOf(world.scenario, world.variant);
  const own = new Set(policyLeaves(partsIn(parts, staged)).map(([path]) => path));
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

/**
 * Ours: continuations that tell a half from none, suspects of which a person reads a table, moments of a curve; in how many
 * continuations, and how often, it is looked at what else would have done it; and inputs that the log does not connect. */
const BLAME = {
  runs: 30,
  most: 20,
  moments: 12,
  runsAtMoment: 10,
  runsInTime: 10_000,
  looked: 4,
  rounds: 3,
  beside: 6,
};

export interface BlameAsked extends Bounds {
  /** Of this run, with all its draws, in place of a probability. */
  readonly isExact: boolean;
  /** Also how often it comes about from each moment on. */
  readonly withCurve: boolean;
  /** Also how it is shared out among the suspects; not where `isExact`. */
  readonly withShares: boolean;
  /** Where it is not `isExact`: as in `blame`. */
  readonly hasTime?: (() => boolean) | undefined;
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
  const { isExact, withCurve, withShares, policy, hasTime, most = BLAME.most } = how;
  const { runs = hasTime ? BLAME.runsInTime : BLAME.runs } = how;
  const { deliveries, observed } = run;
  const { meter, result } = observed;
  const atMs = result.virtualMs;
  // A promise is watched in the trials alone: as it was, it is seen there.
  const isSeen = effect.kind === "broken";
  if (!isSeen && !occurs(parts, effect, { meter, atMs, deliveries, broken: {} })) return undefined;
  const untilMs = certainMs(parts, effect, meter, atMs);
  const { suspects, players, from, starts, unranked } = await ranked(asked, untilMs, {
    isExact,
    runs,
    most,
  });
  const reach = reachOf(asked, untilMs);
  const atStart = new Set(reach.leaves.flatMap(([path, leaf]) => (leaf.atStart ? [path] : [])));
  const near = singleChanges({ ...reach, events: [], choices: [], tools: [] }).filter(
    (one) => one.kind === "set" && typeof one.value !== "number",
  );
  const values = new Set(near.map(changeText));
  const undone = undoneOf(asked, reach).filter((one) => !values.has(changeText(one)));
  const leaves = [...undone, ...near].filter((one) =>
    one.kind === "set" ? policy && !atStart.has(one.path) : true,
  );
  const search = { seed: world.seed, play, onStep };
  const told = await blame({ ...search, suspects, leaves, from, isExact, runs, hasTime, onFound });
  const changes = players.map(({ change }) => change);
  const shared =
    withShares && changes.length > 0 ? await shares({ ...search, changes, from, runs }) : undefined;
  const curve = withCurve
    ? await commitment(moments(deliveries, untilMs), {
        ...search,
        runs: Math.min(runs, BLAME.runsAtMoment),
      })
    : undefined;
  return {
    ...{ told, curve, shared, starts, suspects: suspects.length, unranked },
    fromMs: deliveries[from]?.dueMs ?? atMs,
  };
}

/** Who is tried, and the common point that all of it comes after. */
async function ranked(
  asked: Asked,
  untilMs: number,
  {
    isExact,
    runs,
    most,
  }: Pick<BlameAsked, "isExact"> & { readonly runs: number; readonly most: number },
): Promise<{
  readonly suspects: readonly Suspect[];
  /** Those among whom the outcome is shared out: what it rests on, or would have. */
  readonly players: readonly Suspect[];
  readonly from: number;
  readonly starts: number;
  readonly unranked: number;
}> {
  const { parts, world, run, effect } = asked;
  const { deliveries, inputs } = run;
  const ran = { scenario: world.scenario, deliveries, inputs };
  const { suspects: all, mailFrom, besides, starts } = suspectsOf(parts, ran, effect, untilMs);
  const seeds = continuations({ seed: world.seed, isExact }, Math.min(runs, BLAME.looked));
  const waiting = await inWaiting(all, seeds, asked);
  const players = [...all.slice(0, most), ...waiting.slice(0, most)];
  const known = new Set(waiting.map(({ change }) => changeText(change)));
  const others = besides.filter(({ change }) => !known.has(changeText(change)));
  const beside = others.slice(0, BLAME.beside);
  // What rests on nothing is decided from the start on.
  const from = players.length === 0 ? 0 : firstOf([...players, ...beside]);
  const mail = players.length === 0 ? [] : mailFrom(from);
  // Of as many, what is chosen or comes from outside is ranked before mail.
  const rest = [...all, ...mail].sort((a, b) => b.behind - a.behind);
  const suspects = [...rest.slice(0, most), ...waiting.slice(0, most), ...beside];
  const unranked = rest.length + waiting.length + others.length - suspects.length;
  return { suspects, players, from, starts, unranked };
}

/** What the variant that was played changes, each undone. */
function undoneOf({ world }: Asked, { leaves, read }: Reach): readonly Change[] {
  const { scenario, variant } = world;
  if (variant === null) return [];
  const before = Object.fromEntries(
    leaves
      .filter(([path]) => read.has(path) && world.set[path] === undefined)
      .map(([path, leaf]) => [path, scenario.policy[path] ?? leaf.default]),
  );
  const own = scenario.variants[variant];
  return own === undefined ? [] : undoing(own, before);
}

const firstOf = (suspects: readonly Suspect[]): number =>
  Math.min(...suspects.map(({ place }) => place));

/**
 * What would have done it had the others not: where it comes about without any of the suspects, what it rests on there. The
 * run itself shows nothing of a cause that another came before.
 */
async function inWaiting(
  all: readonly Suspect[],
  seeds: readonly number[],
  { play, onStep }: Pick<Asked, "play" | "onStep">,
): Promise<readonly Suspect[]> {
  const known = new Map(all.map((one) => [changeText(one.change), one]));
  const found: Suspect[] = [];
  onStep("looking for what else would have done it", 0);
  for (let round = 0; round < BLAME.rounds && known.size > 0; round += 1) {
    const suspects = [...known.values()];
    const changes = suspects.map(({ change }) => change).filter(({ kind }) => kind !== "fault");
    const from = firstOf(suspects);
    const tried = await play(
      seeds.map((seed) => ({ seed, changes, from, isWhole: false, isTelling: true })),
    );
    const before = known.size;
    for (const one of tried.filter(occurrence).flatMap((tells) => tells.suspects ?? [])) {
      const id = changeText(one.change);
      if (known.has(id)) continue;
      // It has no part in what happened.
      const suspect = { ...one, behind: 0 };
      known.set(id, suspect);
      found.push(suspect);
    }
    if (known.size === before) break;
  }
  return found;
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
  const { meter, result } = run.observed;
  const variants = Object.entries(world.scenario.variants)
    .filter(([name]) => name !== world.variant && (by === undefined || by.includes(name)))
    .map(([variant, one]) => ({ variant, changes: changesOf(one, run.policy) }))
    .filter(({ changes }) => changes.length > 0);
  const reach = reachOf(asked, certainMs(parts, effect, meter, result.virtualMs));
  const singles = singleChanges(policy ? reach : { ...reach, leaves: [] });
  const options = { parts, seed: world.seed, play, onStep, onFound, variants, singles, runs, most };
  return by === undefined ? prevent(options) : preventBy(options);
}
