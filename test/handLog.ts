// Deliveries written by hand: a log as small as the question it answers.
import type { Delivery } from "../src/substrate/envelope.ts";

/** The next delivery; what a test does not care about is filled in. */
export function delivery(given: Partial<Delivery> & Pick<Delivery, "seq" | "event">): Delivery {
  return {
    dueMs: given.seq * 1_000,
    to: "agent/cedar",
    from: "engine",
    cause: given.seq - 1,
    fate: "handled",
    before: null,
    after: null,
    changes: [],
    letters: [],
    digest: `digest-${given.seq}`,
    ...given,
  };
}

export const goalEnded = (seq: number, status: string, given: Partial<Delivery> = {}): Delivery =>
  delivery({
    seq,
    to: "agent/cedar",
    from: "goal/cedar/1",
    ...given,
    event: {
      type: "goal.ended",
      ...{ agent: "cedar", n: 1, status, text: "Write", reason: "no file", misses: 0 },
      ...given.event,
    },
  });

export const felt = (
  seq: number,
  sinceMs: number | null,
  given: Partial<Delivery> = {},
): Delivery =>
  delivery({
    seq,
    to: "agent/cedar",
    from: "stressor/cedar/repeated_failure",
    event: {
      type: "stressor.changed",
      ...{ stressor: "repeated_failure", sinceMs, start: 200_000, growthPerDay: 0 },
      ...given.event,
    },
    ...without(given),
  });

const without = ({ event: _, ...rest }: Partial<Delivery>) => rest;

/** The engine is born with these capabilities; those with code have an implementation. */
export function engineBorn(
  seq: number,
  entries: readonly { readonly name: string; readonly hasCode: boolean }[],
): Delivery {
  const state = {
    entries: entries.map(({ name }) => ({ name, description: `does ${name}`, builtin: false })),
    implementations: Object.fromEntries(
      entries.filter(({ hasCode }) => hasCode).map(({ name }) => [name, { kind: "file" }]),
    ),
    ...{ broken: [], failures: {}, archived: [] },
  };
  return delivery({
    seq,
    to: "kernel",
    from: "daemon",
    event: { type: "actor.start", machine: "engine", address: "engine", input: {} },
    changes: Object.entries(state).map(([key, to]) => ({ path: [key], to })),
  });
}

export const routed = (seq: number, capability: string): Delivery =>
  delivery({ seq, to: "engine", event: { type: "call.routed", agent: "cedar", capability } });

export const finished = (seq: number, ok: boolean, nothing = false): Delivery =>
  delivery({ seq, event: { type: "call.finished", ok, nothing } });
