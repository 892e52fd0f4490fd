import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import {
  goalLedgerService,
  type LedgerInput,
  type PlainLedger,
} from "../../../../src/machines/agents/suffering/goalLedger.ts";
import { policyWith } from "../../../builtIn.ts";
import { mailIn } from "../../../mail.ts";
import { served } from "../../served.ts";

const AGENTS = ["cedar", "cipher", "vault"];
const stressors = AGENTS.map((agent) => ({
  agent,
  type: "repeated_failure",
  address: `stressor/${agent}/repeated_failure`,
  agentAddress: `agent/${agent}`,
}));

function ledger(
  overrides: { readonly [path: string]: PolicyValue } = {},
  input: Partial<LedgerInput> = {},
) {
  const service = goalLedgerService(policyWith(overrides));
  const full: LedgerInput = { ended: [], claims: [], stressors, unseen: [], ...input };
  const one = served(service, full);
  return {
    send: one.send,
    ended: (agent: string, failed: boolean) =>
      one.send({
        type: "goal.ended",
        agent,
        n: one.seq,
        status: failed ? "abandoned" : "completed",
        text: "Write the page",
        artifact: `/agentOS/workspace/${agent}/page.md`,
        misses: 0,
        failedSteps: 0,
        reason: null,
        notes: [],
        facts: [],
      }).letters,
    claims: (agent: string) =>
      mailIn(one.send({ type: "peers.asked", agent }).letters, "peers.answered")[0]?.claims,
    window: () => (service.kept?.plain(one.state) as PlainLedger | undefined)?.window ?? [],
    get seq() {
      return one.seq;
    },
  };
}

const many = (count: number, agent: string, failed: boolean) =>
  Array.from({ length: count }, (_, n) => ({ agent, n, failed }));

describe("the window of the world", () => {
  it("[ST3] every ended goal is told to the stressors of all agents", () => {
    const one = ledger();

    const letters = one.ended("cedar", true);

    expect(letters.map(({ to }) => to)).toEqual(stressors.map(({ address }) => address));
    expect(letters[0]?.event).toEqual({ type: "window.assessed", failed: 1, total: 1 });
  });

  it("[ST3] holds everybody's last 40 goals: with the 41st the first is gone", () => {
    const one = ledger();
    one.ended("vault", true);
    for (let times = 0; times < 38; times++) one.ended("cedar", false);

    expect(one.ended("cipher", false)[0]?.event).toMatchObject({ failed: 1, total: 40 });
    expect(one.ended("cipher", false)[0]?.event).toMatchObject({ failed: 0, total: 40 });
    expect(one.window()).toHaveLength(40);
  });

  it("[ST3] an assessment rests on the goals that failed, no others", () => {
    const one = ledger();
    one.ended("cedar", true);
    const first = one.seq;
    one.ended("cipher", false);

    const [assessed] = one.ended("vault", true);

    expect(assessed?.because).toEqual([first, one.seq]);
    for (let times = 0; times < 8; times++) one.ended("vault", true);
    expect(one.ended("cipher", false)[0]?.because).toHaveLength(10);
  });
});

describe("the window of one agent", () => {
  const own = { "stressors.failureWindow": "agent" };

  it("[ST3] only its own stressors hear of its own goals", () => {
    const one = ledger(own);
    one.ended("cedar", true);

    const letters = one.ended("cipher", false);

    expect(letters).toMatchObject([
      {
        to: "stressor/cipher/repeated_failure",
        event: { type: "window.assessed", failed: 0, total: 1 },
      },
    ]);
  });

  it("[ST3] each agent has its own last 40", () => {
    const one = ledger(own);
    one.ended("cedar", true);
    for (let times = 0; times < 60; times++) one.ended("cipher", false);

    for (let times = 0; times < 38; times++) one.ended("cedar", false);
    expect(one.ended("cedar", false)[0]?.event).toMatchObject({ failed: 1, total: 40 });
    expect(one.ended("cedar", false)[0]?.event).toMatchObject({ failed: 0, total: 40 });
    expect(one.window()).toHaveLength(80);
  });
});

describe("at the start", () => {
  it("[DA5] it takes over the goals that ended before, as many as its window holds", () => {
    const ended = [...many(30, "cedar", true), ...many(30, "cipher", false)];

    expect(ledger({}, { ended }).window()).toHaveLength(40);
    expect(ledger({}, { ended }).ended("vault", false)[0]?.event).toMatchObject({
      failed: 9,
      total: 40,
    });
    expect(ledger({ "stressors.failureWindow": "agent" }, { ended }).window()).toHaveLength(60);
  });

  it("[DA5] taking over is the same as having been there", () => {
    const goals = fc.array(
      fc.record({ agent: fc.constantFrom(...AGENTS), n: fc.nat(9), failed: fc.boolean() }),
      { maxLength: 30 },
    );

    fc.assert(
      fc.property(
        goals,
        fc.constantFrom("world", "agent"),
        fc.integer({ min: 1, max: 8 }),
        (ended, failureWindow, window) => {
          const policy = {
            "stressors.failureWindow": failureWindow,
            "stressors.repeatedFailure.window": window,
          };
          const there = ledger(policy);
          for (const { agent, failed } of ended) there.ended(agent, failed);
          const facts = (one: ReturnType<typeof ledger>) =>
            one.window().map(({ agent, failed }) => [agent, failed]);
          const lengths = AGENTS.map(
            (agent) => there.window().filter((one) => one.agent === agent).length,
          );

          expect(facts(ledger(policy, { ended }))).toEqual(facts(there));
          expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(window);
        },
      ),
    );
  });
});

describe("claims", () => {
  it("[AG6] the latest claim of every other agent, by name", () => {
    const one = ledger();
    one.send({ type: "work.claimed", agent: "vault", n: 1, path: "/agentOS/v.md" });
    one.send({ type: "work.claimed", agent: "cedar", n: 1, path: "/agentOS/old.md" });
    one.send({ type: "work.claimed", agent: "cedar", n: 2, path: "/agentOS/c.md" });
    const fact = one.seq;

    expect(one.claims("cipher")).toEqual([
      { agent: "cedar", n: 2, path: "/agentOS/c.md", fact },
      { agent: "vault", n: 1, path: "/agentOS/v.md", fact: fact - 2 },
    ]);
    expect(one.claims("cedar")).toMatchObject([{ agent: "vault" }]);
  });

  it("[AG6] nobody has checked them: a claim stands though the goal failed", () => {
    const one = ledger();
    one.send({ type: "work.claimed", agent: "cedar", n: 1, path: "/agentOS/c.md" });
    one.ended("cedar", true);

    expect(one.claims("vault")).toMatchObject([{ path: "/agentOS/c.md" }]);
  });
});

it("[DA2] ends with its daemon", () => {
  expect(ledger().send({ type: "daemon.stopped" }).done).toBe(true);
});
