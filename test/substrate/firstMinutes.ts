// The first ten minutes of the incident's world, with a restart of the daemon in the fourth.

import type { Scenario } from "../../src/contract/scenario.ts";
import { minutes } from "../../src/machines/units.ts";
import type { SimulateOptions } from "../../src/run/simulate.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import type { Input } from "../../src/substrate/port.ts";
import { simulate } from "../builtIn.ts";
import { loadScenario } from "../builtInScenarios.ts";

export const untilMs = minutes(10);

export function firstMinutes(): Scenario {
  const { scenario } = loadScenario("safe-file-executor");
  const restart = { id: "restart", atMs: minutes(4), does: "daemon.restart" } as const;
  const hello = {
    id: "hello",
    atMs: minutes(4) + 5_000,
    does: "host.message",
    agent: "vault",
    text: "Said while nobody was up.",
  } as const;
  return { ...scenario, events: [...scenario.events, restart, hello] };
}

/** A run with everything it said. */
export function simulated(options: SimulateOptions = {}) {
  const log: Delivery[] = [];
  const inputs: Input[] = [];
  const checkpoints: [number, string][] = [];
  const result = simulate(firstMinutes(), {
    untilMs,
    onDelivery: (delivery) => log.push(delivery),
    onInput: (input) => inputs.push(input),
    onCheckpoint: (seq, digest) => checkpoints.push([seq, digest]),
    ...options,
  });
  return { result, log, inputs, checkpoints };
}
