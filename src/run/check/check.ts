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
  Violation,
  Watch,
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
import { onlooker } from "./onlooker.ts";
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
  const see = onlooker(promised, properties);
  const books = new Map<string, { moments: number; violation: Violation | null; watch: Watch }>();
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
    ...(interpreter && { interpreter }),
    ports: {
      ...ports,
      ...counted("port/sandbox.run"),
      ...counted("port/shell.run"),
    },
    onSeen: (delivery) => {
      const seen = see(delivery);
      for (const book of books.values()) {
        if (book.violation !== null) continue;
        const verdict = book.watch(seen);
        if (verdict !== undefined) book.moments++;
        if (typeof verdict !== "string") continue;
        book.violation = { seq: delivery.seq, atMs: delivery.dueMs, says: verdict };
      }
    },
  });
  const { policy } = run;
  for (const { id, watch } of properties) {
    books.set(id, { moments: 0, violation: null, watch: watch(policy) });
  }
  const isDone = (): boolean => [...books.values()].every(({ violation }) => violation !== null);
  // Nothing is left to be seen once every promise is broken, unless the caller needs the whole run.
  const isWhole = options.onInput !== undefined || books.size === 0;
  let state = run.advance(SLICE);
  while (typeof state !== "object") {
    if (state === "waiting") {
      assert(arrival !== undefined, "ports of a stage without arrivals answer at once");
      await arrival(run);
    }
    state = !isWhole && isDone() ? run.interrupt() : run.advance(SLICE);
  }
  for (const book of books.values()) book.violation ??= book.watch.ended?.() ?? null;
  const fared: { [property: string]: Fared } = Object.fromEntries(
    [...books].map(([id, { moments, violation }]) => [id, { moments, violation }]),
  );
  const { "port/sandbox.run": pythonCalls, "port/shell.run": shellCalls } = calls;
  return { result: state, fared, pythonCalls, shellCalls };
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
    ended(
      simulate(promised.parts, scenario, {
        recorded: inputs,
        level: "recorded",
        ...(interpreter && { interpreter }),
      }),
    );
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
  const see = onlooker(promised, [property]);
  const watch = property.watch(policy);
  for (const delivery of deliveries) {
    const says = watch(see(delivery));
    if (typeof says === "string") return { seq: delivery.seq, atMs: delivery.dueMs, says };
  }
  return watch.ended?.();
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
