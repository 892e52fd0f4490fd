/**
 * Puts properties to the test: on drawn worlds, one for each seed, and on drawn inputs. A world that
 * breaks a promise is shrunk to a small one that still does. No IO.
 */
import fc from "fast-check";
import type { Ports } from "../../contract/part.ts";
import type { Policy } from "../../contract/policyTree.ts";
import type {
  Property,
  RunProperty,
  UnitProperty,
  Violation,
  WorldProperty,
} from "../../contract/property.ts";
import type { Scenario } from "../../contract/scenario.ts";
import type { WorldSource } from "../../contract/worldSource.ts";
import { assert } from "../../substrate/assert.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { Input, Provider } from "../../substrate/port.ts";
import { SEED_MAX } from "../../substrate/random.ts";
import type { Interpreter } from "../../substrate/statechart.ts";
import {
  lastDigest,
  type Run,
  type RunResult,
  type SimulateOptions,
  simulate,
  startRun,
} from "../simulate.ts";
import { watchman } from "./onlooker.ts";
import type { Promised } from "./promises.ts";

export interface Worlds {
  /** The parts they are made of. */
  readonly promised: Promised;
  /** What the world of a seed is drawn from. */
  readonly drawing: (seed: number) => Drawing;
  /** Makes a scenario of any that is drawn. */
  readonly compile: (source: WorldSource) => Scenario;
  /** The same world with an earlier end, and without what would come after it. */
  readonly cut: (source: WorldSource, endMs: number) => WorldSource;
  /** What runs the Python and the command lines that agents and models wrote in these worlds. */
  readonly python: "stand-in" | "sandbox";
  /** What one run needs from the edge; a new one for each run. */
  readonly stage: (scenario: Scenario) => Stage;
  /** See SimulateOptions. */
  readonly interpreter?: Interpreter;
}

/** Worlds of one kind. */
export interface Drawing {
  /** Always valid. */
  readonly drawn: fc.Arbitrary<WorldSource>;
  /** Whether they put this property to the test: another part's they do not. */
  readonly tests: (property: Property) => boolean;
}

export interface Stage {
  /** What runs Python, parses it, and does whatever else only a host can do. */
  readonly ports: Ports;
  /** Waits a while for an open call and hands its reply to the run; absent where no reply comes late. */
  readonly arrival?: (run: Run) => Promise<void>;
}

/** How one property fared in one world, or over the inputs of one seed. */
export interface Fared {
  /** How often it was put to the test. */
  readonly moments: number;
  readonly violation: Violation | null;
}

export interface Tried {
  readonly seed: number;
  readonly deliveries: number;
  readonly outcome: string;
  /** Calls of Python that agents or models wrote, whether a sandbox or a stand-in ran them. */
  readonly pythonCalls: number;
  /** Command lines that agents gave to a shell, counted the same way. */
  readonly shellCalls: number;
  readonly fared: { readonly [property: string]: Fared };
}

/** The world of a seed: `check --seed S --runs 1` plays it alone. */
export function worldOf({ drawing }: Worlds, seed: number): WorldSource {
  const { drawn } = drawing(seed);
  const [world] = fc.sample(drawn, { seed: seed | 0, numRuns: 1, unbiased: true });
  if (world === undefined) throw new Error("an arbitrary always draws something");
  return world;
}

/** `first`, `first + 1`, … around the end of the seeds. */
export const seedAfter = (first: number, count: number): number => (first + count) % (SEED_MAX + 1);

/** Plays the world of one seed, and puts to the test what it tests of these properties. */
export async function tryWorld(
  worlds: Worlds,
  seed: number,
  properties: readonly Property[],
): Promise<Tried> {
  const scenario = worlds.compile(worldOf(worlds, seed));
  const asked = properties.filter(worlds.drawing(seed).tests);
  const watched = asked.filter((one) => one.kind === "world");
  const judges = asked.filter((one) => one.kind === "run");
  const inputs: Input[] = [];
  const { result, fared, pythonCalls, shellCalls } = await watchedRun(worlds, scenario, watched, {
    onInput: (input) => inputs.push(input),
  });
  const judged = judges.map(
    (one) => [one.id, judgedBy(worlds, one, scenario, result, inputs)] as const,
  );
  return {
    seed,
    deliveries: result.envelopes,
    outcome: result.outcome,
    pythonCalls,
    shellCalls,
    fared: { ...fared, ...Object.fromEntries(judged) },
  };
}

async function watchedRun(
  { promised, stage: stageFor, interpreter }: Pick<Worlds, "promised" | "stage" | "interpreter">,
  scenario: Scenario,
  properties: readonly WorldProperty[],
  options: SimulateOptions,
) {
  const watching = watchman(promised, properties);
  const { ports, arrival } = stageFor(scenario);
  const calls = { "port/sandbox.run": 0, "port/shell.run": 0 };
  const counted = (port: keyof typeof calls): Ports => {
    const provider = ports[port];
    if (provider === undefined) return {};
    const answer: Provider["answer"] = (request) => {
      calls[port]++;
      return provider.answer(request);
    };
    return { [port]: { ...provider, answer } };
  };
  const run = startRun(promised.parts, scenario, {
    ...options,
    // Only who judges the run itself reads its recording and digest.
    level: options.onInput === undefined ? "bare" : "recorded",
    interpreter,
    ports: {
      ...ports,
      ...counted("port/sandbox.run"),
      ...counted("port/shell.run"),
    },
    onSeen: watching.observe,
  });
  watching.begin(run.policy);
  // Nothing is left to be seen once every promise is broken, unless the caller needs the whole run.
  const isWhole = options.onInput !== undefined || properties.length === 0;
  let state = run.advance(SLICE);
  while (typeof state !== "object") {
    if (state === "waiting") {
      assert(arrival !== undefined, "ports of a stage without arrivals answer at once");
      await arrival(run);
    }
    state = !isWhole && watching.isDone() ? run.interrupt() : run.advance(SLICE);
  }
  const { "port/sandbox.run": pythonCalls, "port/shell.run": shellCalls } = calls;
  return { result: state, fared: watching.end(), pythonCalls, shellCalls };
}

/** Deliveries between two looks at whether anything is left to be seen. */
const SLICE = 200;

function judgedBy(
  { promised, interpreter }: Pick<Worlds, "promised" | "interpreter">,
  property: RunProperty,
  scenario: Scenario,
  result: RunResult,
  inputs: readonly Input[],
): Fared {
  const { error, virtualMs } = result;
  const ended = (one: RunResult) => ({ outcome: one.outcome, digest: lastDigest(one) });
  const again = () =>
    ended(simulate(promised.parts, scenario, { recorded: inputs, level: "recorded", interpreter }));
  const verdict = property.judge({ ...ended(result), error: error?.message ?? null, again });
  const violation =
    typeof verdict === "string" ? { seq: null, atMs: virtualMs, says: verdict } : null;
  return { moments: verdict === undefined ? 0 : 1, violation };
}

/** The first violation in a log that is already there. */
export function firstViolation(
  promised: Promised,
  property: WorldProperty,
  policy: Policy,
  deliveries: readonly Delivery[],
): Violation | undefined {
  const watching = watchman(promised, [property]);
  watching.begin(policy);
  for (const delivery of deliveries) {
    watching.observe(delivery);
    if (watching.isDone()) break;
  }
  return watching.end()[property.id]?.violation ?? undefined;
}

export interface Shrunk {
  readonly world: WorldSource;
  readonly violation: Violation;
  /** Worlds played on the way. */
  readonly plays: number;
}

export interface ShrinkOptions {
  readonly playsMax: number;
  /** Between two plays; true ends the search with what was found so far. */
  readonly onPlay: (plays: number) => boolean | Promise<boolean>;
}

/** A small world that breaks the promise, from the world of a seed that does. */
export async function shrunk(
  worlds: Worlds,
  property: WorldProperty | RunProperty,
  seed: number,
  { playsMax, onPlay }: ShrinkOptions,
): Promise<Shrunk> {
  let plays = 0;
  let isOver = false;
  let best: { world: WorldSource; violation: Violation } | undefined;
  const breaks = async (world: WorldSource): Promise<boolean> => {
    // A world that breaks it much later is not smaller, and takes longer to play.
    const untilMs = best && best.violation.atMs * 2;
    const violation = await violationIn(worlds, world, property, untilMs);
    if (violation !== null) best = { world, violation };
    return violation !== null;
  };
  const smaller = fc.asyncProperty(worlds.drawing(seed).drawn, async (world) => {
    // Worlds drawn after the end count as harmless, which ends fast-check's search.
    isOver ||= (plays >= playsMax || (await onPlay(plays))) && best !== undefined;
    if (isOver) return true;
    plays++;
    return !(await breaks(world));
  });
  await fc.check(smaller, { seed: seed | 0, numRuns: 1, unbiased: true });
  if (best === undefined) throw new Error(`the world of seed ${seed} breaks nothing`);
  const { world, violation } = best;
  // Always the last step: it makes the world smaller in one play.
  if (violation.seq !== null) await breaks(worlds.cut(world, Math.max(1, violation.atMs)));
  return { ...best, plays };
}

async function violationIn(
  worlds: Worlds,
  world: WorldSource,
  property: WorldProperty | RunProperty,
  untilMs: number | undefined,
): Promise<Violation | null> {
  const scenario = worlds.compile(world);
  if (property.kind === "world") {
    const options = untilMs === undefined ? {} : { untilMs };
    const { fared } = await watchedRun(worlds, scenario, [property], options);
    return fared[property.id]?.violation ?? null;
  }
  const inputs: Input[] = [];
  const { result } = await watchedRun(worlds, scenario, [], { onInput: (one) => inputs.push(one) });
  return judgedBy(worlds, property, scenario, result, inputs).violation;
}

/* Puts a property of one function to the test, on drawn inputs. */

/** Draws `runs` inputs; fast-check shrinks one that breaks the promise. */
export function tryUnit(property: UnitProperty, seed: number, runs: number): Fared {
  const details = fc.check(property.draw(), { seed: seed | 0, numRuns: runs });
  if (!details.failed) return { moments: details.numRuns, violation: null };
  const { errorInstance, counterexample } = details;
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const says = `${reason} (for ${fc.stringify(counterexample).slice(0, EXAMPLE_CHARS_MAX)})`;
  return { moments: details.numRuns, violation: { seq: null, atMs: 0, says } };
}

const EXAMPLE_CHARS_MAX = 300;

/* A check: many worlds and draws, and how each property fared in them. No IO. */

export interface CheckPlan {
  readonly worlds: Worlds;
  readonly chosen: readonly Property[];
  /** The first world's seed; each next world has the next one. */
  readonly first: number;
  readonly runs: number;
  /** Smaller worlds that are tried for one that breaks a promise. */
  readonly playsMax: number;
}

/** Ours: a world takes some ten milliseconds, one near a scenario as long as the scenario. */
export const RUNS = { random: 100, near: 10 };
export const PLAYS_MAX = { random: 300, near: 60 };
/** Ours: drawing inputs costs next to nothing. */
const drawsOf = (runs: number): number => Math.min(2_000, Math.max(200, runs * 10));

/**
 * `found`: broken as a ruling says it is; `not found`: it should be, and no world showed it. `seen` and `unseen` are said of
 * findings on any log, which promise nothing.
 */
export type Status = "held" | "untested" | "broken" | "found" | "not found" | "seen" | "unseen";

export interface Line {
  readonly property: Property;
  readonly status: Status;
  /** How often it was put to the test. */
  readonly moments: number;
  /** The seed of the first world or draw that broke it; `brokenIn` says how many did. */
  readonly seed: number | null;
  readonly violation: Violation | null;
  readonly brokenIn: number;
}

export interface Checked {
  readonly tried: readonly Tried[];
  /** In the order of the chosen properties. */
  readonly lines: readonly Line[];
}

/** Between two plays, with how many there were; true ends the check. */
export type OnPlay = (plays: number) => Promise<boolean>;

/** Who else plays worlds of a check. */
export interface Sharing {
  /** The number of the next world that nobody has taken. */
  take(): number;
  /** How many worlds the others have played. */
  done(): number;
  /** No world is taken any more. */
  stop(): void;
  /** What the others played, by number, once they are through. */
  rest(): Promise<ReadonlyMap<number, Tried>>;
}

/** Nobody. */
function unshared(): Sharing {
  let next = 0;
  return { take: () => next++, done: () => 0, stop: () => {}, rest: async () => new Map() };
}

/**
 * Plays world after world, and draws for each property of drawn inputs. Whoever played a world, it comes out
 * the same and stands in its place.
 */
export async function checkAll(
  plan: CheckPlan,
  onPlay: OnPlay,
  sharing: Sharing = unshared(),
): Promise<Checked> {
  const { chosen, first, runs } = plan;
  const own = new Map<number, Tried>();
  let isOver = false;
  const play = async (at: number): Promise<void> => {
    own.set(at, await triedAt(plan, at));
    isOver = await onPlay(own.size + sharing.done());
  };
  for (let at = sharing.take(); at < runs && !isOver; at = sharing.take()) await play(at);
  sharing.stop();
  const others = await sharing.rest();
  isOver ||= await onPlay(own.size + others.size);
  const tried: Tried[] = [];
  for (let at = 0; at < runs; at++) {
    // A world that failed elsewhere.
    if (!own.has(at) && !others.has(at) && !isOver) await play(at);
    const one = own.get(at) ?? others.get(at);
    if (one !== undefined) tried.push(one);
  }
  const lines = chosen.map((property) =>
    lineOf(
      property,
      tried,
      property.kind === "unit" ? tryUnit(property, first, drawsOf(runs)) : undefined,
    ),
  );
  return { tried, lines };
}

/** The world of this number. */
export function triedAt(
  { worlds, chosen, first }: Pick<CheckPlan, "worlds" | "chosen" | "first">,
  at: number,
): Promise<Tried> {
  const played = chosen.filter(({ kind }) => kind !== "unit");
  const seed = seedAfter(first, at);
  return played.length === 0 ? Promise.resolve(unplayed(seed)) : tryWorld(worlds, seed, played);
}

/** For a check of drawn inputs alone, which plays no world. */
const unplayed = (seed: number): Tried => ({
  ...{ seed, deliveries: 0, outcome: "not played", fared: {} },
  ...{ pythonCalls: 0, shellCalls: 0 },
});

/** A small world that breaks the promise of this line; undefined where no world does. */
export async function smallest(
  { worlds, playsMax }: CheckPlan,
  { property, seed }: Line,
  onPlay: OnPlay,
): Promise<Shrunk | undefined> {
  if (property.kind === "unit" || seed === null) return undefined;
  const played: WorldProperty | RunProperty = property;
  return shrunk(worlds, played, seed, { playsMax, onPlay });
}

/** How often each name occurs. */
export function countsOf(names: readonly string[]): { readonly [name: string]: number } {
  const counts: { [name: string]: number } = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** `unit` is how a property of drawn inputs fared; the others fared in the worlds. */
export function lineOf(property: Property, tried: readonly Tried[], unit?: Fared): Line {
  const first = tried[0]?.seed ?? 0;
  const all = unit
    ? [{ seed: first, ...unit }]
    : tried.flatMap(({ seed, fared }) => {
        const one = fared[property.id];
        return one === undefined ? [] : [{ seed, ...one }];
      });
  const moments = all.reduce((sum, one) => sum + one.moments, 0);
  const broken = all.filter(({ violation }) => violation !== null);
  const { seed = null, violation = null } = broken[0] ?? {};
  const { broken: isSo, kept, untested } = STATUSES[property.expected];
  const status = violation !== null ? isSo : moments > 0 ? kept : untested;
  return { property, status, moments, seed, violation, brokenIn: broken.length };
}

const STATUSES: {
  readonly [expected in Property["expected"]]: {
    readonly [how in "broken" | "kept" | "untested"]: Status;
  };
} = {
  holds: { broken: "broken", kept: "held", untested: "untested" },
  violated: { broken: "found", kept: "not found", untested: "not found" },
  noted: { broken: "seen", kept: "unseen", untested: "untested" },
};
