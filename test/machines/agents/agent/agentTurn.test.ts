import { describe, expect, it } from "vitest";
import {
  callQuestion,
  givenUpLetters,
  joined,
  judged,
  left,
  planQuestion,
  stepEnded,
  stepLetters,
} from "../../../../src/machines/agents/agent/agentTurn.ts";
import {
  choiceQuestion,
  fellBack,
  startGoalLetter,
} from "../../../../src/machines/agents/agent/choosing.ts";
import {
  type AgentContext,
  type AgentInput,
  openingContext,
} from "../../../../src/machines/agents/agent/context.ts";
import { emptyProfile } from "../../../../src/machines/agents/agent/profile.ts";
import { renderPrompt } from "../../../../src/machines/agents/model/prompts.ts";
import type { Delivered } from "../../../../src/machines/letter.ts";
import { policyWith } from "../../../builtIn.ts";

const input: AgentInput = {
  name: "cedar",
  engine: "engine",
  ledger: "goalLedger",
  lessons: null,
  peers: [],
  suffix: "",
  lastGoal: 0,
  goal: null,
  recent: [],
  done: [],
  profile: emptyProfile,
  journal: [],
};
const goal = {
  n: 9,
  slug: "page",
  text: "Write a page",
  artifact: "/agentOS/9.md",
  evidence: null,
  progress: 0,
  address: "goal/cedar/9",
};
const contextOf = (changes: Partial<AgentContext>): AgentContext => ({
  ...openingContext(input),
  ...changes,
});

const at = { nowMs: 0, seq: 7, from: "engine" };
const finished = {
  type: "call.finished",
  ok: true,
  capability: "fs_write",
  result: {},
  nothing: false,
  at,
} as const;
const verdict: Delivered<"goal.judged"> = {
  type: "goal.judged",
  status: "completed",
  progress: 1_000_000,
  misses: 0,
  reason: null,
  at,
};

describe("what an agent keeps in mind", () => {
  it("[AG1] the last five goals it ended", () => {
    const recent = [1, 2, 3, 4, 5].map((n) => ({ n, text: `goal ${n}`, status: "completed" }));

    const after = judged(contextOf({ goal, recent }), verdict);

    expect(after.recent?.map(({ n }) => n)).toEqual([2, 3, 4, 5, 9]);
  });

  it("[AG6] the artifacts of the last 20 it completed; an abandoned one is none", () => {
    const done = Array.from({ length: 20 }, (_, n) => `/agentOS/${n + 20}.md`);
    const context = contextOf({ goal, done });

    expect(judged(context, verdict).done).toEqual([...done.slice(1), "/agentOS/9.md"]);
    expect(judged(context, { ...verdict, status: "abandoned" }).done).toEqual(done);
  });
});

describe("a claim", () => {
  it("[AG6] is of the goal's file, once a write of it looked like success, whatever served it", () => {
    const claims = (changes: object, params: { readonly [name: string]: string } = {}) =>
      stepLetters(
        contextOf({ goal, next: 1, plan: [{ intent: "write", params }] }),
        { ...finished, ...changes },
        policyWith({}),
      ).flatMap(({ event }) => (event.type === "work.claimed" ? [event.path] : []));
    const page = { path: goal.artifact, content: "x" };

    // A tool says what it wrote, a builtin what it was given, be it a ghost that returned nothing.
    expect(claims({ capability: "printer", wrote: [goal.artifact] })).toEqual([goal.artifact]);
    expect(claims({}, page)).toEqual([goal.artifact]);
    expect(claims({ nothing: true }, page)).toEqual([goal.artifact]);
    expect(claims({ ok: false, error: "no" }, page)).toEqual([]);
    expect(claims({}, { ...page, path: "/agentOS/10.md" })).toEqual([]);
    expect(claims({}, { path: goal.artifact })).toEqual([]);
    expect(claims({ capability: "printer", wrote: ["/agentOS/10.md"] })).toEqual([]);
  });
});

describe("without a goal", () => {
  it("[AG7] there is nothing to report, to start or to judge", () => {
    const context = contextOf({});

    expect(stepLetters(context, finished, policyWith({}))).toEqual([]);
    expect(startGoalLetter(context)).toEqual([]);
    expect(judged(context, verdict)).toEqual({});
  });
});

describe("what its letters rest on", () => {
  it("[AG1] a plan's question on the answer that chose the goal, a call on the one that made the plan", () => {
    const context = contextOf({
      goal,
      goalFact: 3,
      planFact: 5,
      plan: [{ intent: "look", params: {} }],
    });

    expect(planQuestion(context, policyWith({})).because).toEqual([3]);
    expect(callQuestion(context).because).toEqual([5]);
    expect(callQuestion(contextOf({ goal })).because).toEqual([]);
  });
});

it("[ST15] a plan's question shows the load of the heartbeat that began the cycle", () => {
  const start = { start: 100_000, growthPerDay: 2_400_000 };
  const suffering = [{ type: "futility" as const, fact: 1, sinceMs: 0, ...start }];
  const views = [0, 3_600_000].map((nowMs) => {
    const { event } = planQuestion(contextOf({ goal, suffering, nowMs }), policyWith({}));
    return "view" in event && event.view;
  });
  expect(views).toMatchObject([{ load: 100_000 }, { load: 200_000 }]);
});

describe("the last call", () => {
  const plan = [{ intent: "pay", tool: "pay", params: { amount: 42 } }];
  const shown = policyWith({ "mind.callShown": true });
  const afterCall = (event: Partial<Delivered<"call.finished">>, policy = shown): AgentContext => {
    const context = contextOf({ goal, plan });
    return { ...context, ...stepEnded(context, { ...finished, ...event }, policy) };
  };
  const viewOf = (context: AgentContext, policy = shown) => {
    const { event, because } = choiceQuestion(context, policy);
    if (!("view" in event) || event.view.purpose !== "goal.choose") throw new Error("no choice");
    return { because, lastCall: event.view.lastCall, text: renderPrompt(event.view) };
  };

  it("[IM116] stands in a prompt for a goal with what it came to, and is what that rests on", () => {
    const well = viewOf(afterCall({ ok: true, result: "paid" }));
    const badly = viewOf(afterCall({ ok: false, error: "no money" }));

    expect(well.because).toEqual([7]);
    expect(well.lastCall).toEqual({
      ...{ tool: "pay", params: { amount: 42 }, result: "paid", error: null },
    });
    expect(well.text).toContain('LAST CALL:\n  - pay {"amount":42} returned "paid"');
    expect(badly.text).toContain('LAST CALL:\n  - pay {"amount":42} failed: no money');
    expect(viewOf(contextOf({})).text).not.toContain("LAST CALL");
  });

  it("[IM116] is not kept where no prompt shows it", () => {
    expect(afterCall({ ok: true, result: "paid" }, policyWith({}))).not.toHaveProperty("lastCall");
  });
});

it("[AG4] a failure without a reason says so", () => {
  const context = contextOf({ goal, plan: [{ intent: "look", params: {} }] });

  expect(stepEnded(context, { ...finished, ok: false }, policyWith({}))).toMatchObject({
    next: 1,
    steps: 1,
    failures: 1,
    failedInRow: [7],
    notes: ['"look" failed: no reason given'],
  });
});

it("[HK12, HK13] a peer that is born comes after those before it, and one that ends is taken out", () => {
  const context = openingContext({ ...input, peers: ["vault", "quill"] });
  const after = (change: Partial<AgentContext>) => change.input;

  expect(after(joined(context, { agent: "rook" } as Delivered<"agent.joined">))).toEqual({
    ...context.input,
    peers: ["vault", "quill", "rook"],
  });
  expect(after(left(context, { agent: "vault" } as Delivered<"agent.left">))).toEqual({
    ...context.input,
    peers: ["quill"],
  });
});

it("[U8] an agent without a goal, and without one to fall back on, begins and gives up none", () => {
  const context = openingContext(input);
  const givesUp = { reason: "crisis.reset", facts: [1] };

  expect(fellBack(context, { at: { seq: 1 } } as Delivered<"call.finished">)).toEqual({});
  expect(startGoalLetter(context)).toEqual([]);
  expect(givenUpLetters({ ...context, givesUp })).toEqual([]);
  expect(givenUpLetters({ ...context, goal: { ...goal, address: "goal/cedar/9" } })).toEqual([]);
});
