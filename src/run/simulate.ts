/** Runs a scenario: (scenario, seed, policy, ports) → what happened. Synchronous, no IO. */

import type { Part, Ports, Scripted } from "../contract/part.ts";
import { partsIn } from "../contract/partsIn.ts";
import { type Overrides, type Policy, policyWith } from "../contract/policyTree.ts";
import { promptText } from "../contract/purposeTable.ts";
import { type Scenario, variantOf } from "../contract/scenario.ts";
import type { Stage } from "../contract/stage.ts";
import type { Fault } from "../faults/faults.ts";
import { faultyPorts } from "../faults/faultyPorts.ts";
import type { Json } from "../machines/letter.ts";
import type { LiveIdentity } from "../machines/livePolicy.ts";
import { assert } from "../substrate/assert.ts";
import type { Checkpoint } from "../substrate/checkpoint.ts";
import type { Delivery, SeenDelivery } from "../substrate/envelope.ts";
import { Kernel } from "../substrate/kernel.ts";
import type { KernelOptions } from "../substrate/kernelOptions.ts";
import type { Level } from "../substrate/level.ts";
import { type LimitName, LimitReached, limitsFor } from "../substrate/limits.ts";
import type { Input, PromptProvider, Provider } from "../substrate/port.ts";
import { namedRandom } from "../substrate/random.ts";
import { type RecordedOptions, RecordingMiss, recordedPorts } from "../substrate/recordedPort.ts";
import type { Interpreter } from "../substrate/statechart.ts";
import { castOf } from "./cast.ts";
import { type Turn, turned } from "./fork.ts";
import { openStage } from "./openStage.ts";
import { mailWithout } from "./otherwise.ts";
import { overheard } from "./overheard.ts";
import type { Stem } from "./stem.ts";

/** A world that is chosen to be played: a scenario, and what is different from it as it stands. */
export interface ChosenWorld {
  readonly scenario: Scenario;
  readonly variant: string | null;
  readonly seed: number;
  /** Overrides by path, checked by the caller; they win over scenario and variant. */
  readonly set: Overrides;
  /** An earlier end than the scenario's, in virtual milliseconds. */
  readonly untilMs: number | null;
  /** What drives the statecharts; tables when absent. What happens is the same. */
  readonly interpreter?: Interpreter | undefined;
}

export interface SimulateOptions extends Partial<Omit<ChosenWorld, "scenario">> {
  /** In a live run: which models serve the tiers of synt. */
  readonly live?: LiveIdentity;
  /** Takes out outside events, model choices and mail by its name, besides those of the variant. */
  readonly without?: { readonly events?: readonly string[]; readonly choices?: readonly string[] };
  /** Serves every port from these inputs instead of the scripted providers. */
  readonly recorded?: readonly Input[];
  /** Before those of the scenario. */
  readonly faults?: readonly Fault[];
  /**
   * What the edge provides by port, in place of the scripted provider. To `port/sandbox.run` goes only
   * code that an agent wrote: a tool of the scenario keeps its scripted answer.
   */
  readonly ports?: { readonly [port: string]: Provider };
  /** How a recording serves, and which provider answers what it does not hold; none when absent. */
  readonly serving?: RecordedOptions;
  /** What changes on the way, in the order of its moments. */
  readonly turns?: readonly Turn[];
  /** At such a moment, before anything is changed. */
  readonly onTurn?: (turn: Turn, kernel: Kernel) => void;
  /** How far time may move while a call is open; in a replay, without limit when absent. */
  readonly horizonMs?: () => number;
  /** What is made for readers, and never what happens; `full` when absent. */
  readonly level?: Level;
  /** Every delivery, on any level. */
  readonly onSeen?: (delivery: SeenDelivery) => void;
  /** Every delivery as the log holds it: of a full run. */
  readonly onDelivery?: (delivery: Delivery, start: Uint8Array) => void;
  /** Everything that came from outside: of a run that is not bare. */
  readonly onInput?: (input: Input) => void;
  readonly onCheckpoint?: (seq: number, digest: string, saved: Checkpoint) => void;
  /** Every leaf of the policy that anything reads, by its path, as often as it is read. */
  readonly onLeafRead?: (path: string) => void;
  /** Runs that are played with it. */
  readonly stem?: Stem | undefined;
}

/** `waiting`: left for later at a question that a person has to decide. */
export type Outcome = "ended" | `limit:${LimitName}` | "interrupted" | "waiting" | "bug" | "miss";

/** How a run ended, and the digest over everything that happened in it. */
export interface RunResult {
  readonly outcome: Outcome;
  /** What went wrong, for every outcome but `ended`, `interrupted` and `waiting`. */
  readonly error?: Error;
  /** Null for a bare run, which has none. */
  readonly digest: string | null;
  /** Deliveries made. */
  readonly envelopes: number;
  readonly virtualMs: number;
  readonly policy: Policy;
  /** Port calls that a recording served. */
  readonly recordedCalls: number;
}

/** The digest of a run that is not bare. */
export function lastDigest({ digest }: Pick<RunResult, "digest">): string {
  assert(digest !== null, "a bare run has no digest");
  return digest;
}

const CHECKPOINT_EVERY = 1_000;

/** One run that can be advanced piece by piece. */
export interface Run {
  readonly kernel: Kernel;
  readonly endMs: number;
  readonly policy: Policy;
  /**
   * Delivers up to `deliveries` envelopes; the result once the run is over, `waiting` when it needs
   * the reply to an open call.
   */
  advance(deliveries: number): RunResult | "waiting" | undefined;
  interrupt(as?: "interrupted" | "waiting"): RunResult;
}

export function startRun(
  parts: readonly Part[],
  scenario: Scenario,
  options: SimulateOptions = {},
): Run {
  const { kernelOptions, staged, policy, served } = prepare(parts, scenario, options);
  const kernel = new Kernel(kernelOptions);
  const reached = limitOf(() => openStage(kernel, parts, policy, staged));
  const { turns = [], onTurn } = options;
  let now = options;
  const ahead = turns.map((turn) => ({
    at: turn.at,
    from: (before: Kernel): Stretch => {
      onTurn?.(turn, before);
      now = turnedTo(now, turn);
      const next = prepare(parts, scenario, now);
      return { ...next, kernel: turned(before.checkpoint(), next.kernelOptions, turn.drop) };
    },
  }));
  return runOf({ kernel, policy, served }, kernelOptions.endMs, ahead, reached);
}

/** What is in force from a turn on. */
const turnedTo = (before: SimulateOptions, { set, reseed }: Omit<Turn, "at">): SimulateOptions => ({
  ...before,
  set: { ...before.set, ...set },
  ...(reseed !== undefined && { seed: reseed }),
});

/** The same run from a checkpoint on, with something changed there; `without` and the rest of the options hold from then on. */
export function startFrom(
  parts: readonly Part[],
  scenario: Scenario,
  options: SimulateOptions,
  saved: Checkpoint,
  turn: Omit<Turn, "at">,
): Run {
  const { kernelOptions, policy, served } = prepare(parts, scenario, turnedTo(options, turn));
  const kernel = turned(saved, kernelOptions, turn.drop);
  return runOf({ kernel, policy, served }, kernelOptions.endMs);
}

/** The limit that the opening itself reaches. */
function limitOf(open: () => void): LimitReached | undefined {
  try {
    open();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof LimitReached) return thrown;
    throw thrown;
  }
}

/** Runs to the end. */
export const simulate = (
  parts: readonly Part[],
  scenario: Scenario,
  options: SimulateOptions = {},
): RunResult => runToEnd(startRun(parts, scenario, options));

/** Every port must answer at once: scripted ones and recordings do. */
export function runToEnd(run: Run, deliveries: number = Number.MAX_SAFE_INTEGER): RunResult {
  const result = run.advance(deliveries) ?? run.interrupt();
  assert(result !== "waiting", "a port that answers later needs playRun, which can wait");
  return result;
}

/** What a kernel needs for this run; also for restoring one of its checkpoints. */
export function prepare(parts: readonly Part[], scenario: Scenario, options: SimulateOptions) {
  const varied = variantOf(scenario, options.variant ?? null);
  const plain = policyWith(parts, { ...varied.policy, ...options.set });
  const { onLeafRead, stem } = options;
  const policy = onLeafRead ? overheard(plain, onLeafRead) : (stem?.heard(plain) ?? plain);
  const without = new Set([...varied.without.events, ...(options.without?.events ?? [])]);
  const staged = stagedFor(parts, varied, without, options.live);
  const left = new Set([...varied.without.choices, ...(options.without?.choices ?? [])]);
  const scripted = scriptedPorts(parts, { scenario: varied, policy, without: left }, options);
  const otherwise = mailWithout(parts, left);
  const recorded = options.recorded && recordedPorts(options.recorded, scripted, options.serving);
  // What a recording leaves unanswered stays so: nothing waits for it.
  const horizonMs =
    options.horizonMs ?? (recorded && !options.serving ? () => Number.MAX_SAFE_INTEGER : undefined);
  // To make the machines of a part takes longer than a short run, and a world without the part starts none of them.
  const there = partsIn(parts, varied);
  const cast = castOf(there, policy, varied, options.interpreter);
  const kernelOptions: KernelOptions = {
    cast: stem?.asking(cast, (own) => castOf(there, own, varied, options.interpreter)) ?? cast,
    ports: recorded?.ports ?? scripted,
    limits: { ...limitsFor(varied.agents.length), ...varied.limits },
    endMs: Math.min(varied.runsForMs, options.untilMs ?? varied.runsForMs),
    checkpointEvery: CHECKPOINT_EVERY,
    ...(horizonMs && { horizonMs }),
    ...(otherwise && { otherwise }),
    ...(options.level && { level: options.level }),
    ...(options.onSeen && { onSeen: options.onSeen }),
    ...(options.onDelivery && { onDelivery: options.onDelivery }),
    ...(options.onInput && { onInput: options.onInput }),
    ...(options.onCheckpoint && { onCheckpoint: options.onCheckpoint }),
  };
  return { kernelOptions, staged, policy, served: recorded?.served ?? (() => 0) };
}

/** What is put on the stage: without what was taken out, and with the models of a live run. */
function stagedFor(
  parts: readonly Part[],
  varied: Scenario,
  without: ReadonlySet<string>,
  live: LiveIdentity | undefined,
): Stage {
  let staged = {
    ...varied,
    startsAtMs: Date.parse(varied.startsAt),
    events: varied.events.filter(({ id }) => !without.has(id)),
  };
  for (const { stage } of parts) {
    staged = stage?.without?.(staged, without) ?? staged;
    if (live !== undefined) staged = stage?.served?.(staged, live) ?? staged;
  }
  return staged;
}

/** The scripted providers, each replaced by the edge's own where it has one. */
function scriptedPorts(
  parts: readonly Part[],
  given: Omit<Scripted, "random">,
  { seed = given.scenario.seed, ports = {}, faults = [] }: SimulateOptions,
): Ports {
  const setting: Scripted = { ...given, random: namedRandom(seed) };
  const of = (share: (part: Part) => Ports | undefined): Ports =>
    Object.assign({}, ...parts.map(share));
  const own: { [port: string]: Ports[string] } = {};
  for (const part of parts) Object.assign(own, part.scriptedPorts?.(setting, { ...own }));
  const answering = {
    "port/llm.chat": modelOf(parts, setting),
    ...own,
    ...ports,
    ...of(({ fronts }) => fronts?.(setting, ports)),
  };
  const all = [...faults, ...(given.scenario.faults ?? [])];
  return faultyPorts(answering, all, setting.random, given.without);
}

/** Each part's questions go to its own model. */
function modelOf(parts: readonly Part[], setting: Scripted): PromptProvider<"llm.asked"> {
  const models = parts.flatMap(({ purposes = {}, scriptedModel }) => {
    const model = scriptedModel?.(setting);
    return model === undefined ? [] : [{ purposes, model }];
  });
  const of = (purpose: string): PromptProvider<"llm.asked"> => {
    const found = models.find(({ purposes }) => Object.hasOwn(purposes, purpose));
    assert(found !== undefined, `no part asks models for ${purpose}`);
    return found.model;
  };
  return {
    text: (request) => promptText(parts, request),
    answer: (request) => of(request.purpose).answer(request),
    persist: () => models.map(({ model }) => model.persist?.() ?? null),
    restore: (kept) => {
      for (const [index, one] of (kept as readonly Json[]).entries()) {
        if (one !== null) models[index]?.model.restore?.(one);
      }
    },
  };
}

/** Wraps a kernel, new or restored, and the ones that follow it. */
export function runOf(
  first: Stretch,
  endMs: number,
  ahead: readonly StretchAhead[] = [],
  reached?: LimitReached,
): Run {
  const course = new Course(first, ahead);
  const result = (outcome: Outcome, error?: Error): RunResult => {
    const { kernel, policy } = course.now;
    kernel.recordUnanswered();
    return {
      outcome,
      ...(error && { error }),
      digest: kernel.digest,
      envelopes: kernel.delivered,
      virtualMs: outcome === "ended" ? endMs : kernel.nowMs,
      policy,
      recordedCalls: course.served(),
    };
  };
  return {
    get kernel() {
      return course.now.kernel;
    },
    endMs,
    get policy() {
      return course.now.policy;
    },
    advance(deliveries) {
      try {
        if (reached !== undefined) throw reached;
        for (let count = 0; count < deliveries; count++) {
          const state = course.step();
          if (state === "waiting") return state;
          if (state === "ended") return result("ended");
        }
        return undefined;
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (error instanceof LimitReached) return result(`limit:${error.limit}`, error);
        return result(error instanceof RecordingMiss ? "miss" : "bug", error);
      }
    },
    interrupt: (as = "interrupted") => result(as),
  };
}

/* The kernels of a run, one after the other: each goes on where something changed on the way. */

/** A kernel with what it was made of, up to the next change. */
interface Stretch {
  readonly kernel: Kernel;
  readonly policy: Policy;
  /** Calls that a recording served in it. */
  readonly served: () => number;
}

interface StretchAhead {
  /** Deliveries before it. */
  readonly at: number;
  from(before: Kernel): Stretch;
}

class Course {
  now: Stretch;
  readonly #ahead: StretchAhead[];
  #servedBefore = 0;

  /** `ahead` in the order of their moments. */
  constructor(first: Stretch, ahead: readonly StretchAhead[]) {
    this.now = first;
    this.#ahead = [...ahead];
  }

  /** Calls that a recording served so far. */
  served(): number {
    return this.#servedBefore + this.now.served();
  }

  /** See Kernel. What is to change by now changes first. */
  step(): ReturnType<Kernel["step"]> {
    while (this.#ahead[0]?.at === this.now.kernel.delivered) {
      const next = this.#ahead.shift()?.from(this.now.kernel);
      if (next === undefined) break;
      this.#servedBefore += this.now.served();
      this.now = next;
    }
    return this.now.kernel.step();
  }
}
