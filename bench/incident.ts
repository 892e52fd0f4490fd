/** What the incident costs: bare, with digests, all kept in memory, all kept on disk, and replayed. */

import { builtIn } from "../src/builtIn/lists.ts";
import { parts } from "../src/builtIn/parts.ts";
import type { Scenario } from "../src/contract/scenario.ts";
import { loadScenario } from "../src/edges/scenario/scenarioFile.ts";
import { lastDigest, type SimulateOptions, simulate, startRun } from "../src/run/simulate.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { isEvent } from "../src/substrate/isEvent.ts";
import type { Input } from "../src/substrate/port.ts";
import { bundleLog } from "./bundleLog.ts";
import { median } from "./median.ts";
import { processorMs } from "./processorTime.ts";
import { repeated } from "./repeated.ts";
import { inTemporaryFolder } from "./temporaryFolder.ts";

export interface Incident {
  readonly scenario: string;
  readonly virtualMs: number;
  readonly envelopes: number;
  readonly digest: string;
  readonly ghost: { readonly fromMs: number; readonly toMs: number; readonly envelopes: number };
  readonly rounds: number;
  readonly ms: Times;
  /** The same with the bare run of each round as 1. */
  readonly timesBare: Times;
}

/** Medians over the rounds, in milliseconds of the processor. */
export interface Times {
  readonly bare: number;
  /** The part of the bare run in which the ghost was there. */
  readonly ghost: number;
  /** With digests, and nothing kept. */
  readonly recorded: number;
  readonly memory: number;
  readonly disk: number;
  readonly replay: number;
}

const NAME = "safe-file-executor";
const GHOST_FILE = "/safe_file_executor.json";

export function measureIncident(rounds: number, budgetMs: number): Incident {
  const endsAt = performance.now() + budgetMs;
  const { scenario } = loadScenario(builtIn, NAME);
  const log: Delivery[] = [];
  const inputs: Input[] = [];
  const whole = simulate(parts, scenario, {
    onDelivery: (delivery) => void log.push(delivery),
    onInput: (input) => void inputs.push(input),
  });
  const { virtualMs, envelopes } = whole;
  const digest = lastDigest(whole);
  const ghost = ghostHour(log);
  log.length = 0;
  const timed = repeated(rounds, endsAt, () => timedRound(scenario, { ghost, inputs, digest }));
  const { fromMs, toMs, during } = ghost;
  return {
    scenario: scenario.name,
    virtualMs,
    envelopes,
    digest,
    ghost: { fromMs, toMs, envelopes: during },
    rounds: timed.length,
    ms: medians(timed, () => 1),
    timesBare: medians(timed, ({ bare }) => bare),
  };
}

function medians(rounds: readonly Times[], unitOf: (round: Times) => number): Times {
  const of = (name: keyof Times) => median(rounds.map((round) => round[name] / unitOf(round)));
  return {
    bare: of("bare"),
    ghost: of("ghost"),
    recorded: of("recorded"),
    memory: of("memory"),
    disk: of("disk"),
    replay: of("replay"),
  };
}

interface GhostHour {
  readonly fromMs: number;
  readonly toMs: number;
  /** Envelopes until the ghost's file is written, and from then until it is moved away. */
  readonly before: number;
  readonly during: number;
}

function ghostHour(log: readonly Delivery[]): GhostHour {
  const at = (type: "files.write" | "files.move") =>
    log.findIndex(
      (delivery) => isEvent(delivery, type) && delivery.event.path.endsWith(GHOST_FILE),
    );
  const [born, gone] = [at("files.write"), at("files.move")];
  const [first, last] = [log[born], log[gone]];
  if (first === undefined || last === undefined) throw new Error(`${NAME} shows no ghost`);
  return { fromMs: first.dueMs, toMs: last.dueMs, before: born, during: gone - born };
}

/** One run of each kind. Throws when one of them did something else. */
function timedRound(
  scenario: Scenario,
  known: {
    readonly ghost: GhostHour;
    readonly inputs: readonly Input[];
    readonly digest: string;
  },
): Times {
  const timed = (options: SimulateOptions): number => {
    globalThis.gc?.();
    let digest: string | null = null;
    const ms = processorMs(() => {
      digest = simulate(parts, scenario, options).digest;
    });
    if (digest !== known.digest) throw new Error(`${NAME} ran to another digest: ${digest}`);
    return ms;
  };
  const kept: unknown[] = [];
  const keep = (item: unknown) => void kept.push(item);
  return {
    ...inParts(scenario, known.ghost),
    recorded: timed({ level: "recorded" }),
    memory: timed({ onDelivery: keep, onInput: keep }),
    disk: inTemporaryFolder((folder) => {
      const log = bundleLog(folder);
      const ms = timed({ onDelivery: log.onDelivery, onInput: log.onInput });
      return ms + processorMs(() => log.close());
    }),
    replay: timed({ recorded: known.inputs, level: "recorded" }),
  };
}

/** A bare run, and the part of it in which the ghost was there. */
function inParts(scenario: Scenario, { before, during }: GhostHour) {
  globalThis.gc?.();
  const run = startRun(parts, scenario, { level: "bare" });
  const until = processorMs(() => run.advance(before));
  const ghost = processorMs(() => run.advance(during));
  return { bare: until + ghost + processorMs(() => run.advance(Number.MAX_SAFE_INTEGER)), ghost };
}
