// Deliveries written by hand: a log as small as the question it answers.
import type { GoalInput } from "../src/machines/agents/goal/goalContext.ts";
import type { ExistenceView } from "../src/machines/agents/model/prompts.ts";
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
    ...given,
  };
}

/** What a kernel would have written of its line. */
export function startOf(delivery: Delivery): Uint8Array {
  const { digest: _, changes: __, ...rest } = delivery;
  return Buffer.from(JSON.stringify(rest).slice(0, -1));
}

type Given<K extends EventType> = Partial<Omit<Delivery, "event">> & {
  readonly event?: Partial<Mail[K]>;
};

export function goalEnded(
  seq: number,
  status: "completed" | "abandoned",
  given: Given<"goal.ended"> = {},
): Delivery {
  const event: MailOf<"goal.ended"> = {
    type: "goal.ended",
    ...{ agent: "cedar", n: 1, status, text: "Write", artifact: "/agentOS/workspace/cedar/a.md" },
    ...{ misses: 0, failedSteps: 0, reason: "no file", notes: [], facts: [] },
    ...given.event,
  };
  return delivery({ seq, to: "agent/cedar", from: "goal/cedar/1", ...given, event });
}

export function felt(
  seq: number,
  sinceMs: number | null,
  given: Given<"stressor.changed"> = {},
): Delivery {
  const event: MailOf<"stressor.changed"> = {
    type: "stressor.changed",
    ...{ agent: "cedar", stressor: "repeated_failure", sinceMs, start: 200_000 },
    ...{ growthPerDay: 0, condition: "a goal is completed" },
    ...given.event,
  };
  const from = "stressor/cedar/repeated_failure";
  return delivery({ seq, to: "agent/cedar", from, ...given, event });
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

export function routed(
  seq: number,
  capability: string,
  given: Given<"call.routed"> = {},
): Delivery {
  const event: MailOf<"call.routed"> = {
    type: "call.routed",
    ...{ call: seq - 1, agent: "cedar", intent: "write", capability },
    ...{ score: 2_500_000, runnerUp: null, runnerUpScore: 0 },
    ...given.event,
  };
  return delivery({ seq, to: "engine", ...given, event });
}

export function finished(
  seq: number,
  ok: boolean,
  given: Partial<Mail["call.finished"]> = {},
): Delivery {
  const event: MailOf<"call.finished"> = {
    type: "call.finished",
    ...{ ok, capability: "tool", result: null, nothing: false },
    ...given,
  };
  return delivery({ seq, event });
}

/** The question for a goal, at a calm moment. */
export const choosing = (given: Partial<ExistenceView> = {}): MailOf<"llm.asked"> => ({
  type: "llm.asked",
  purpose: "goal.choose",
  view: {
    purpose: "goal.choose",
    ...{ agent: "cedar", n: 1, load: 0, level: "calm", stressors: [], locks: [] },
    ...{ rules: [], traits: [], worldview: "", opinions: [], questions: [], journal: [] },
    ...{ peers: [], claims: [], messages: [], heard: [], lastOutcome: null, recent: [] },
    ...{ capabilities: [], broken: [] },
    ...given,
  },
});

/** The birth of a goal. */
export function goalStarted(seq: number, given: Partial<GoalInput>): Delivery {
  const input: GoalInput = {
    ...{ agent: "cedar", n: 1, slug: "write", text: "Write", ledger: "goalLedger" },
    ...{ artifact: "/agentOS/workspace/cedar/a.md", evidence: null },
    ...given,
  };
  const address = `goal/${input.agent}/${input.n}`;
  const event = { type: "actor.start", machine: "goal", address, input } as const;
  return delivery({ seq, to: "kernel", event });
}
