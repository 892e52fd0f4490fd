// Deliveries written by hand: a log as small as the question it answers.
import type { EventType, Mail, MailOf } from "../src/machines/letter.ts";
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

/** What is different in a delivery and in its event. */
type Given<K extends EventType> = Partial<Omit<Delivery, "event">> & {
  readonly event?: Partial<MailOf<K>>;
};

export function goalEnded(
  seq: number,
  status: Mail["goal.ended"]["status"],
  { event, ...given }: Given<"goal.ended"> = {},
): Delivery {
  const ended: MailOf<"goal.ended"> = {
    ...{ type: "goal.ended", agent: "cedar", n: 1, status, text: "Write", reason: "no file" },
    ...{ artifact: "/agentOS/workspace/cedar/1.md" },
    ...{ misses: 0, failedSteps: 0, notes: [], facts: [] },
    ...event,
  };
  return delivery({ seq, to: "agent/cedar", from: "goal/cedar/1", ...given, event: ended });
}

export function felt(
  seq: number,
  sinceMs: number | null,
  { event, to = "agent/cedar", ...given }: Given<"stressor.changed"> = {},
): Delivery {
  const agent = /^agent\/([^/#]+)/.exec(to)?.[1] ?? "cedar";
  const changed: MailOf<"stressor.changed"> = {
    ...{ type: "stressor.changed", agent, stressor: "repeated_failure", sinceMs },
    ...{ start: 200_000, growthPerDay: 0, condition: "five steps in a row succeed" },
    ...event,
  };
  const from = "stressor/cedar/repeated_failure";
  return delivery({ seq, from, ...given, to, event: changed });
}

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

export const routed = (
  seq: number,
  capability: string,
  given: Partial<Mail["call.routed"]> = {},
): Delivery =>
  delivery({
    seq,
    to: "engine",
    event: {
      ...{ type: "call.routed", call: seq - 1, agent: "cedar", intent: "do it", capability },
      ...{ score: 1_000_000, runnerUp: null, runnerUpScore: 0 },
      ...given,
    },
  });

export const finished = (seq: number, ok: boolean, nothing = false): Delivery =>
  delivery({ seq, event: { type: "call.finished", ok, capability: null, result: null, nothing } });
