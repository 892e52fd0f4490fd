// Worlds with synt whose Python is stood in for, so that a test can play many of them at once.

import { standInParser } from "../src/actors/agents/properties/standInPython.ts";
import type { Policy } from "../src/contract/policyTree.ts";
import type { Scenario } from "../src/contract/scenario.ts";
import type { EventType, Json } from "../src/machines/letter.ts";
import type { SimulateOptions } from "../src/run/simulate.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import type { PromptProvider } from "../src/substrate/port.ts";
import { type AuditLine, auditLines } from "./auditLines.ts";
import { metricChecks, simulate } from "./builtIn.ts";
import { firstViolation, properties } from "./builtInPromises.ts";
import { loadScenario } from "./builtInScenarios.ts";
import { carrying } from "./mail.ts";

/** Does what the scenarios' own code does: works through a list of items. */
export const items: PromptProvider<"sandbox.run"> = {
  answer({ event: { params } }) {
    const { args } = params as { args: { items?: Json } };
    const list = args.items;
    const result = Array.isArray(list)
      ? { ok: true, entries: list.map((value) => ({ value })), ok_count: list.length }
      : { ok: false, error: "items must be a list", error_class: "invalid_args" };
    return { event: { type: "sandbox.replied", ok: true, timedOut: false, result }, latencyMs: 1 };
  },
};

/** Who runs and who reads Python in these worlds. */
export const pythonPorts = { "port/sandbox.run": items, "port/python.parse": standInParser };

export const syntScenario = (name: string): Scenario => loadScenario(name, metricChecks).scenario;

/** Everything delivered in one world. */
export function played(scenario: Scenario, options: SimulateOptions = {}) {
  const log: Delivery[] = [];
  const result = simulate(scenario, {
    ...options,
    ports: { ...pythonPorts, ...options.ports },
    onDelivery: (delivery) => log.push(delivery),
  });
  return { log, result };
}

/** The audit, request by request. */
export function auditOf(log: readonly Delivery[]): ReadonlyMap<string, readonly AuditLine[]> {
  const lines = auditLines(log).filter((line) => line.request_id !== undefined);
  return Map.groupBy(lines, (line) => line.request_id);
}

/** What breaks a promise of the product's properties, in one log; nothing when all are kept. */
export function broken(log: readonly Delivery[], policy: Policy): readonly string[] {
  return properties
    .filter((one) => one.kind === "world")
    .flatMap((one) => firstViolation(one, policy, log)?.says ?? []);
}

export const eventsOf = <K extends EventType>(log: readonly Delivery[], type: K) =>
  carrying(log, type);
