/** How long the incident takes: nothing kept, all kept in memory, all kept on disk, and replayed. */

import type { Scenario } from "../src/actors/scenario.ts";
import { builtIn } from "../src/builtIn.ts";
import { loadScenario } from "../src/edges/scenarioFile.ts";
import { parts } from "../src/parts.ts";
import { lastDigest, type SimulateOptions, simulate, startRun } from "../src/simulate.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { isEvent } from "../src/substrate/isEvent.ts";
import type { Input } from "../src/substrate/port.ts";
import { bundleLog } from "./bundleLog.ts";
import { inTemporaryFolder } from "./measure.ts";
import { median } from "./median.ts";
import { repeated } from "./repeated.ts";

export interface Incident {
  readonly scenario: string;
  readonly virtualMs: number;
  readonly envelopes: number;
  readonly digest: string;
  readonly ghost: { readonly fromMs: number; readonly toMs: number; readonly envelopes: number };
  readonly rounds: number;
  readonly ms: Times;
  /** The same with the plain run of each round as 1. */
  readonly timesPlain: Times;
}

/** Medians over the rounds, in milliseconds of the host. */
export interface Times {
  readonly plain: number;
  /** The part of the plain run in which the ghost was there. */
  readonly ghost: number;
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
    timesPlain: medians(timed, ({ plain }) => plain),
  };
}

function medians(rounds: readonly Times[], unitOf: (round: Times) => number): Times {
  const of = (name: keyof Times) => median(rounds.map((round) => round[name] / unitOf(round)));
  return {
    plain: of("plain"),
    ghost: of("ghost"),
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
    const started = performance.now();
    const { digest } = simulate(parts, scenario, options);
    const ms = performance.now() - started;
    if (digest !== known.digest) throw new Error(`${NAME} ran to another digest: ${digest}`);
    return ms;
  };
  const kept: unknown[] = [];
  const keep = (item: unknown) => void kept.push(item);
  return {
    ...inParts(scenario, known.ghost),
    memory: timed({ onDelivery: keep, onInput: keep }),
    disk: inTemporaryFolder((folder) => {
      const log = bundleLog(folder);
      const ms = timed({ onDelivery: log.onDelivery, onInput: log.onInput });
      const started = performance.now();
      log.close();
      return ms + performance.now() - started;
    }),
    replay: timed({ recorded: known.inputs }),
  };
}

/** A run with nothing kept, and the part of it in which the ghost was there. */
function inParts(scenario: Scenario, { before, during }: GhostHour) {
  globalThis.gc?.();
  const started = performance.now();
  const run = startRun(parts, scenario);
  run.advance(before);
  const born = performance.now();
  run.advance(during);
  const gone = performance.now();
  run.advance(Number.MAX_SAFE_INTEGER);
  return { plain: performance.now() - started, ghost: gone - born };
}
