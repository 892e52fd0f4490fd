/** Runs a scenario: (scenario, seed, policy, ports) → what happened. Synchronous, no IO. */

import { scriptedModel } from "./actors/agents/scriptedModel.ts";
import { scriptedWorld } from "./actors/agents/scriptedWorld.ts";
import { castFor } from "./actors/cast.ts";
import { type Policy, type PolicyValue, policyWith } from "./actors/policy.ts";
import { type Scenario, variantOf } from "./actors/scenario.ts";
import { liveTiers } from "./actors/synt/liveTiers.ts";
import {
  type SyntRepertoire,
  scriptedExecutors,
  scriptedPerson,
  scriptedSigner,
  syntModel,
} from "./actors/synt/scriptedSynt.ts";
import type { SyntWorld } from "./actors/synt/syntStage.ts";
import { openStage } from "./actors/world.ts";
import type { LiveIdentity } from "./bundle.ts";
import { renderPrompt } from "./machines/agents/model/prompts.ts";
import { terms } from "./machines/stemmer.ts";
import { renderSynt } from "./machines/synt/stagePrompts.ts";
import { latencyOf } from "./machines/synt/stageTable.ts";
import { assert } from "./substrate/assert.ts";
import type { Delivery } from "./substrate/envelope.ts";
import { Kernel, type KernelOptions } from "./substrate/kernel.ts";
import { defaultLimits, type LimitName, LimitReached } from "./substrate/limits.ts";
import type { Input, Provider } from "./substrate/port.ts";
import { namedRandom } from "./substrate/random.ts";
import { type RecordedOptions, RecordingMiss, recordedPorts } from "./substrate/recordedPort.ts";
import {
  noParser,
  noShell,
  scriptedEmbedding,
  scriptedSandbox,
} from "./substrate/scriptedTools.ts";

export interface SimulateOptions {
  readonly variant?: string | null;
  readonly seed?: number;
  /** Overrides by path, checked by the caller; they win over scenario and variant. */
  readonly set?: { readonly [path: string]: PolicyValue };
  /** Ends the run earlier than the scenario. */
  readonly untilMs?: number;
  /** Of a live run: whose models serve the tiers of synt. */
  readonly live?: LiveIdentity;
  /** Takes out outside events and model choices, besides those of the variant. */
  readonly without?: { readonly events?: readonly string[]; readonly choices?: readonly string[] };
  /** Serves every port from these inputs instead of the scripted providers. */
  readonly recorded?: readonly Input[];
  /**
   * What the edge provides by port, in place of the scripted provider. Behind `port/sandbox.run` only
   * code that an agent wrote is asked for: a tool of the scenario keeps its scripted answer.
   */
  readonly ports?: { readonly [port: string]: Provider };
  /** How a recording serves, and who answers what it does not hold; nobody when absent. */
  readonly serving?: RecordedOptions;
  /** How far time may move while a call is open; in a replay, without limit when absent. */
  readonly horizonMs?: () => number;
  readonly onDelivery?: (delivery: Delivery) => void;
  readonly onInput?: (input: Input) => void;
  readonly onCheckpoint?: (seq: number, digest: string) => void;
}

/** `waiting`: left for later at a question that a person has to decide. */
export type Outcome = "ended" | `limit:${LimitName}` | "interrupted" | "waiting" | "bug" | "miss";

/** How a run ended, and the digest over everything that happened in it. */
export interface RunResult {
  readonly outcome: Outcome;
  /** What went wrong, for every outcome but `ended`, `interrupted` and `waiting`. */
  readonly error?: Error;
  readonly digest: string;
  /** Deliveries made. */
  readonly envelopes: number;
  readonly virtualMs: number;
  readonly policy: Policy;
  /** Port calls that a recording served. */
  readonly recordedCalls: number;
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

export function startRun(scenario: Scenario, options: SimulateOptions = {}): Run {
  const { kernelOptions, staged, policy, served } = prepare(scenario, options);
  const kernel = new Kernel(kernelOptions);
  openStage(kernel, staged);
  return runOf(kernel, kernelOptions.endMs, policy, served);
}

/** Runs to the end. */
export const simulate = (scenario: Scenario, options: SimulateOptions = {}): RunResult =>
  runToEnd(startRun(scenario, options));

/** Every port must answer at once: scripted ones and recordings do. */
export function runToEnd(run: Run, deliveries: number = Number.MAX_SAFE_INTEGER): RunResult {
  const result = run.advance(deliveries) ?? run.interrupt();
  assert(result !== "waiting", "a port that answers later needs playRun, which can wait");
  return result;
}

/** What a kernel needs for this run; also for restoring one of its checkpoints. */
export function prepare(scenario: Scenario, options: SimulateOptions) {
  const varied = variantOf(scenario, options.variant ?? null);
  const policy = policyWith({ ...varied.policy, ...options.set });
  const without = new Set([...varied.without.events, ...(options.without?.events ?? [])]);
  const { live } = options;
  const { synt } = varied;
  const staged = {
    ...varied,
    startsAtMs: Date.parse(varied.startsAt),
    events: varied.events.filter(({ id }) => !without.has(id)),
    ...(synt && { synt: stagedSynt(synt, without, live) }),
  };
  const scripted = scriptedPorts(varied, policy, options);
  const recorded = options.recorded && recordedPorts(options.recorded, scripted, options.serving);
  // What a recording leaves unanswered stays so: nothing waits for it.
  const horizonMs =
    options.horizonMs ?? (recorded && !options.serving ? () => Number.MAX_SAFE_INTEGER : undefined);
  const kernelOptions: KernelOptions = {
    cast: castFor(policy),
    ports: recorded?.ports ?? scripted,
    limits: { ...defaultLimits, ...varied.limits },
    endMs: Math.min(varied.runsForMs, options.untilMs ?? varied.runsForMs),
    checkpointEvery: CHECKPOINT_EVERY,
    ...(horizonMs && { horizonMs }),
    ...(options.onDelivery && { onDelivery: options.onDelivery }),
    ...(options.onInput && { onInput: options.onInput }),
    ...(options.onCheckpoint && { onCheckpoint: options.onCheckpoint }),
  };
  return { kernelOptions, staged, policy, served: recorded?.served ?? (() => 0) };
}

/** A user's turn comes from outside like an event, under its id. */
const stagedSynt = (
  world: SyntWorld,
  without: ReadonlySet<string>,
  live: LiveIdentity | undefined,
): SyntWorld => ({
  ...world,
  turns: world.turns.filter(({ turn }) => !without.has(turn)),
  tiers: live === undefined ? world.tiers : liveTiers(live, world.tiers),
});

function scriptedPorts(
  varied: ReturnType<typeof variantOf>,
  policy: Policy,
  options: SimulateOptions,
): Readonly<Record<string, Provider>> {
  const random = namedRandom(options.seed ?? varied.seed);
  const ports = options.ports ?? {};
  const without = new Set([...varied.without.choices, ...(options.without?.choices ?? [])]);
  const returns = Object.fromEntries(varied.tools.map((tool) => [tool.name, tool.returns]));
  const model = scriptedModel({
    repertoire: varied.model,
    policy: policy.model,
    random,
    without,
    render: renderPrompt,
    terms,
  });
  const synt = { repertoire: varied.synt?.repertoire ?? NO_SYNT, random, without };
  const { jitter } = policy.model;
  return {
    "port/llm.chat": syntModel(model, {
      ...synt,
      render: renderSynt,
      latencyOf: (purpose) => latencyOf(purpose, policy.synt.stages),
      jitter,
    }),
    "port/person.decide": scriptedPerson(synt),
    "port/executor.run": scriptedExecutors(synt),
    "port/sign": scriptedSigner(random),
    "port/llm.embed": scriptedEmbedding(terms, random),
    "port/shell.run": noShell,
    "port/tool.call": scriptedWorld({ world: varied.world, random, without }),
    "port/python.parse": noParser,
    ...ports,
    "port/sandbox.run": scriptedSandbox(returns, random, ports["port/sandbox.run"]),
  };
}

const NO_SYNT: SyntRepertoire = { answers: [], person: [], crafts: [] };

/** Wraps a kernel, new or restored. */
export function runOf(
  kernel: Kernel,
  endMs: number,
  policy: Policy,
  served: () => number = () => 0,
): Run {
  const over = (outcome: Outcome, error?: Error): RunResult => ({
    outcome,
    ...(error && { error }),
    digest: kernel.digest,
    envelopes: kernel.delivered,
    virtualMs: outcome === "ended" ? endMs : kernel.nowMs,
    policy,
    recordedCalls: served(),
  });
  const result = (outcome: Outcome, error?: Error): RunResult => {
    kernel.recordUnanswered();
    return over(outcome, error);
  };
  return {
    kernel,
    endMs,
    policy,
    advance(deliveries) {
      try {
        for (let count = 0; count < deliveries; count++) {
          const state = kernel.step();
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
