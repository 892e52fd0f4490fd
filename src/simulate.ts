/** Runs a scenario: (scenario, seed, policy, ports) → what happened. Synchronous, no IO. */
import { castFor } from "./actors/cast.ts";
import { openStage } from "./actors/world.ts";
import { type Policy, type PolicyValue, policyWith } from "./machines/policy.ts";
import { renderPrompt } from "./machines/prompts.ts";
import { terms } from "./machines/stemmer.ts";
import { type Scenario, variantOf } from "./scenario.ts";
import type { Delivery } from "./substrate/envelope.ts";
import { Kernel, type KernelOptions } from "./substrate/kernel.ts";
import { defaultLimits, type LimitName, LimitReached } from "./substrate/limits.ts";
import type { Input, Provider } from "./substrate/port.ts";
import { namedRandom } from "./substrate/random.ts";
import { RecordingMiss, recordedPorts } from "./substrate/recordedPort.ts";
import { scriptedModel } from "./substrate/scriptedModel.ts";
import { scriptedEmbedding, scriptedSandbox } from "./substrate/scriptedTools.ts";

export interface SimulateOptions {
  readonly variant?: string | null;
  readonly seed?: number;
  /** Overrides by path, checked by the caller; they win over scenario and variant. */
  readonly set?: { readonly [path: string]: PolicyValue };
  /** Ends the run earlier than the scenario. */
  readonly untilMs?: number;
  /** Takes out outside events and model choices, besides those of the variant. */
  readonly without?: { readonly events?: readonly string[]; readonly choices?: readonly string[] };
  /** Serves every port from these inputs instead of the scripted providers. */
  readonly recorded?: readonly Input[];
  readonly onDelivery?: (delivery: Delivery) => void;
  readonly onInput?: (input: Input) => void;
  readonly onCheckpoint?: (seq: number, digest: string) => void;
}

export type Outcome = "ended" | `limit:${LimitName}` | "interrupted" | "bug" | "miss";

export interface RunResult {
  readonly outcome: Outcome;
  /** What went wrong, for every outcome but `ended` and `interrupted`. */
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
  /** Delivers up to `deliveries` envelopes; the result once the run is over. */
  advance(deliveries: number): RunResult | undefined;
  interrupt(): RunResult;
}

export function startRun(scenario: Scenario, options: SimulateOptions = {}): Run {
  const { kernelOptions, staged, policy, served } = prepare(scenario, options);
  const kernel = new Kernel(kernelOptions);
  openStage(kernel, staged);
  return runOf(kernel, kernelOptions.endMs, policy, served);
}

/** Runs to the end. */
export function simulate(scenario: Scenario, options: SimulateOptions = {}): RunResult {
  const run = startRun(scenario, options);
  for (;;) {
    const result = run.advance(Number.MAX_SAFE_INTEGER);
    if (result !== undefined) return result;
  }
}

/** What a kernel needs for this run; also for restoring one of its checkpoints. */
export function prepare(scenario: Scenario, options: SimulateOptions) {
  const varied = variantOf(scenario, options.variant ?? null);
  const policy = policyWith({ ...varied.policy, ...options.set });
  const without = new Set([...varied.without.events, ...(options.without?.events ?? [])]);
  const staged = { ...varied, events: varied.events.filter(({ id }) => !without.has(id)) };
  const scripted = scriptedPorts(varied, policy, options);
  const recorded = options.recorded && recordedPorts(options.recorded, scripted);
  const kernelOptions: KernelOptions = {
    cast: castFor(policy),
    ports: recorded?.ports ?? scripted,
    limits: { ...defaultLimits, ...varied.limits },
    endMs: Math.min(varied.runsForMs, options.untilMs ?? varied.runsForMs),
    checkpointEvery: CHECKPOINT_EVERY,
    ...(options.onDelivery && { onDelivery: options.onDelivery }),
    ...(options.onInput && { onInput: options.onInput }),
    ...(options.onCheckpoint && { onCheckpoint: options.onCheckpoint }),
  };
  return { kernelOptions, staged, policy, served: recorded?.served ?? (() => 0) };
}

function scriptedPorts(
  varied: ReturnType<typeof variantOf>,
  policy: Policy,
  options: SimulateOptions,
): Readonly<Record<string, Provider>> {
  const random = namedRandom(options.seed ?? varied.seed);
  const returns = Object.fromEntries(varied.tools.map((tool) => [tool.name, tool.returns]));
  return {
    "port/llm.chat": scriptedModel({
      repertoire: varied.model,
      policy: policy.model,
      random,
      without: new Set([...varied.without.choices, ...(options.without?.choices ?? [])]),
      render: renderPrompt,
    }),
    "port/llm.embed": scriptedEmbedding(terms, random),
    "port/sandbox.run": scriptedSandbox(returns, random),
  };
}

/** Wraps a kernel, new or restored. */
export function runOf(
  kernel: Kernel,
  endMs: number,
  policy: Policy,
  served: () => number = () => 0,
): Run {
  const result = (outcome: Outcome, error?: Error): RunResult => ({
    outcome,
    ...(error && { error }),
    digest: kernel.digest,
    envelopes: kernel.delivered,
    virtualMs: outcome === "ended" ? endMs : kernel.nowMs,
    policy,
    recordedCalls: served(),
  });
  return {
    kernel,
    endMs,
    advance(deliveries) {
      try {
        for (let count = 0; count < deliveries; count++) {
          if (kernel.step() === "ended") return result("ended");
        }
        return undefined;
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (error instanceof LimitReached) return result(`limit:${error.limit}`, error);
        return result(error instanceof RecordingMiss ? "miss" : "bug", error);
      }
    },
    interrupt: () => result("interrupted"),
  };
}
