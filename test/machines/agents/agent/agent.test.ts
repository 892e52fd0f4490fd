import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parts } from "../../../../src/builtIn/parts.ts";
import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import { agentMachine } from "../../../../src/machines/agents/agent/agent.ts";
import type { AgentContext, AgentInput } from "../../../../src/machines/agents/agent/agentTurn.ts";
import { emptyProfile } from "../../../../src/machines/agents/agent/profile.ts";
import { longestGoalGateMs } from "../../../../src/machines/agents/goal/goalGateParts.ts";
import type { Letter, Mail, MailEvent, MailOf } from "../../../../src/machines/letter.ts";
import { minutes, seconds } from "../../../../src/machines/units.ts";
import { openStage } from "../../../../src/run/openStage.ts";
import { policyWith } from "../../../builtIn.ts";
import { carrying, mailIn } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";
import { village } from "../../village.ts";

const PAGE = "/agentOS/workspace/cedar/1-page.md";
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
const open = {
  n: 3,
  slug: "page",
  text: "Write a page",
  artifact: PAGE,
  evidence: null,
  progress: 400_000,
  address: "goal/cedar/3",
};

const agentOf = (
  changes: Partial<AgentInput> = {},
  overrides: { readonly [path: string]: PolicyValue } = {},
) =>
  driven<AgentContext>(
    // What is heard is judged elsewhere: test/machines/agent/judging.test.ts.
    agentMachine(policyWith({ "stressors.enabled": ["repeated_failure"], ...overrides })),
    { ...input, ...changes },
  );
type Agent = ReturnType<typeof agentOf>;

const goal = {
  action: "goal",
  slug: "page",
  content: "Write a page",
  artifact: PAGE,
  evidence: null,
};
const write = { intent: "file write", params: { path: PAGE, content: "x" } };
const look = { intent: "list entries", params: { path: "/agentOS/workspace" } };
const said = (answer: object): MailOf<"llm.replied"> => ({
  type: "llm.replied",
  text: JSON.stringify(answer),
});
const answered: {
  readonly peers: MailOf<"peers.answered">;
  readonly tools: MailOf<"tools.answered">;
} = {
  peers: { type: "peers.answered", claims: [] },
  tools: { type: "tools.answered", broken: [], capabilities: [] },
};
const finished = (more: Partial<Mail["call.finished"]> = {}): MailOf<"call.finished"> => ({
  type: "call.finished",
  ok: true,
  capability: "fs_write",
  result: {},
  nothing: false,
  ...more,
});
const refused = finished({
  ok: false,
  capability: null,
  result: null,
  error: "no capability matches",
});
const judged = (
  status: Mail["goal.judged"]["status"] = "active",
  more: Partial<Mail["goal.judged"]> = {},
): MailOf<"goal.judged"> => ({
  type: "goal.judged",
  status,
  progress: 200_000,
  misses: 0,
  reason: null,
  ...more,
});

/** Wakes it up until it thinks about a goal, or about a plan when it has one. */
function think(agent: Agent): readonly Letter[] {
  agent.fire("heartbeat");
  agent.send(answered.peers);
  return agent.send(answered.tools);
}

function act(agent: Agent, steps: readonly object[] = [write, look]): readonly Letter[] {
  if (agent.value === "resting") think(agent);
  if (agent.value === "choosing") agent.send(said(goal));
  return agent.send(said({ steps }));
}

const view = (letters: readonly Letter[]) =>
  mailIn(lettersTo(letters, "port/llm.chat"), "llm.asked")[0]?.view;
const asked = (letters: readonly Letter[]) =>
  letters.filter(({ ask }) => ask !== undefined).map(({ to, event }) => [to, event.type]);

describe("a cycle", () => {
  it("[U9] begins after a rest of 6 s", () => {
    expect(agentOf().timers()).toMatchObject([{ delayMs: 6_000 }]);
    expect(agentOf({}, { "planner.heartbeatMs": 50 }).timers()).toMatchObject([{ delayMs: 50 }]);
  });

  it("[AG1] asks for the peers' claims, then for the broken tools, then its model for a goal", () => {
    const agent = agentOf();

    expect(asked(agent.fire("heartbeat"))).toEqual([["goalLedger", "peers.asked"]]);
    expect(agent.value).toEqual({ perceiving: "peers" });
    expect(asked(agent.send(answered.peers))).toEqual([["engine", "tools.asked"]]);
    expect(asked(agent.send(answered.tools))).toEqual([["port/llm.chat", "llm.asked"]]);
    expect(agent.value).toBe("choosing");
    expect(agent.context.cycle).toBe(1);
  });

  it("[AG1] a goal is started as an island of its own, and planned at once", () => {
    const agent = agentOf({ suffix: "#2", lastGoal: 6 });
    think(agent);

    const letters = agent.send(said(goal));

    expect(agent.value).toBe("planning");
    expect(
      lettersTo(letters, "kernel").find(({ event }) => event.type === "actor.start")?.event,
    ).toEqual({
      type: "actor.start",
      machine: "goal",
      address: "goal/cedar/7#2",
      input: {
        slug: "page",
        text: "Write a page",
        artifact: PAGE,
        evidence: null,
        n: 7,
        agent: "cedar",
        ledger: "goalLedger",
        lessons: null,
      },
    });
    expect(view(letters)).toMatchObject({
      purpose: "plan",
      n: 7,
      slug: "page",
      progress: 0,
      notes: [],
      stepsMax: 6,
    });
  });

  it("[AG1] with a goal it plans without choosing again", () => {
    const agent = agentOf({ goal: open });

    expect(view(think(agent))).toMatchObject({ purpose: "plan", n: 3, progress: 400_000 });
    expect(agent.value).toBe("planning");
  });

  it("[AG1] acts step by step: a call, a report to the goal, the next call", () => {
    const agent = agentOf({ goal: open });

    expect(lettersTo(act(agent), "engine")[0]?.event).toEqual({
      type: "call.requested",
      agent: "cedar",
      cycle: 1,
      ...write,
    });
    expect(lettersTo(agent.send(finished()), "goal/cedar/3")[0]?.event).toEqual({
      type: "step.ended",
      ok: true,
      capability: "fs_write",
      wrote: [],
      nothing: false,
      error: null,
      fact: agent.seq,
    });
    expect(agent.value).toEqual({ acting: "reporting" });
    expect(lettersTo(agent.send(judged()), "engine")[0]?.event).toMatchObject(look);
    expect(agent.context.goal?.progress).toBe(200_000);
  });

  it("[GO5] reports a step that left the artifact unwritten as one that gave nothing", () => {
    const agent = agentOf({ goal: open });
    act(agent);

    const letters = agent.send(finished({ capability: "guard", unwritten: [open.artifact] }));

    expect(lettersTo(letters, "goal/cedar/3")[0]?.event).toMatchObject({ ok: true, nothing: true });
  });

  it("[U9] has at most six steps", () => {
    const agent = agentOf({ goal: open });
    act(agent, Array(10).fill(look));

    for (let step = 1; step <= 5; step++) {
      agent.send(finished());
      agent.send(judged());
      expect(agent.value).toEqual({ acting: "calling" });
    }
    agent.send(finished());
    agent.send(judged());

    expect(agent.value).toBe("resting");
    expect(agent.context.goal).not.toBeNull();
  });

  it("[U9] has at most six steps, those of a new plan of the same cycle too", () => {
    const agent = agentOf({ goal: open });
    act(agent, [look]);
    agent.send({ ...finished(), ok: false, error: "no such file" });
    agent.send(judged());
    // The plan was over with its only step.
    expect(agent.value).toBe("resting");

    act(agent, [look, look]);
    agent.send({ ...finished(), ok: false, error: "no such file" });
    agent.send(judged());
    agent.send(said({ steps: Array(10).fill(look) }));
    for (let step = 2; step <= 6; step++) {
      expect(agent.value).toEqual({ acting: "calling" });
      agent.send(finished());
      agent.send(judged());
    }
    expect(agent.value).toBe("resting");
  });

  it("[AG1] ends with its plan, and the next one plans anew", () => {
    const agent = agentOf({ goal: open });
    act(agent, [look]);
    agent.send(finished());

    agent.send(judged());
    expect(agent.value).toBe("resting");
    expect(view(think(agent))).toMatchObject({ purpose: "plan", n: 3 });
    expect(agent.context.cycle).toBe(2);
    expect(agent.context.steps).toBe(0);
  });

  it("[AG1] a goal that is over is remembered, and the next cycle chooses another", () => {
    const agent = agentOf({ goal: open });
    act(agent);
    agent.send(finished());
    agent.send(judged("completed"));

    expect(agent.value).toBe("resting");
    expect(agent.context).toMatchObject({
      goal: null,
      done: [PAGE],
      recent: [{ n: 3, text: "Write a page", status: "completed" }],
    });
    expect(view(think(agent))).toMatchObject({ purpose: "goal.choose", recent: [{ n: 3 }] });
  });

  it("[AG1] a missed gate is a note for the next plan", () => {
    const agent = agentOf({ goal: open });
    act(agent);
    agent.send(finished());
    agent.send(judged("missed", { progress: 850_000, reason: "the page does not exist" }));
    agent.send(finished());
    agent.send(judged());

    expect(view(think(agent))).toMatchObject({ notes: ["the page does not exist"] });
    expect(agent.context.done).toEqual([]);
  });
});

describe("answers that are none", () => {
  it.each(["", "{", '{"action":"goal"}', '{"action":"rest"}', "null"])(
    "[AG2] for a goal: %j is a rest",
    (text) => {
      const agent = agentOf();
      think(agent);

      agent.send({ type: "llm.replied", text });

      expect(agent.value).toBe("resting");
      expect(agent.context).toMatchObject({ goal: null, lastGoal: 0 });
    },
  );

  it.each(["", "{", '{"steps":[]}', '{"steps":[{"params":{}}]}', "null"])(
    "[AG2] for a plan: %j is a rest",
    (text) => {
      const agent = agentOf({ goal: open });
      think(agent);

      agent.send({ type: "llm.replied", text });

      expect(agent.value).toBe("resting");
      expect(agent.context.goal).toEqual(open);
    },
  );

  it("[AG2] so is a model that fails", () => {
    for (const agent of [agentOf(), agentOf({ goal: open })]) {
      think(agent);
      agent.send({ type: "llm.failed", error: "refused" });
      expect(agent.value).toBe("resting");
    }
  });
});

describe("time-outs", () => {
  const reaching: { readonly [timer: string]: [string, number, (agent: Agent) => unknown] } = {
    peersTimeout: ["peers", seconds(60), (agent) => agent.fire("heartbeat")],
    toolsTimeout: [
      "tools",
      seconds(60),
      (agent) => {
        agent.fire("heartbeat");
        agent.send(answered.peers);
      },
    ],
    callTimeout: ["call", minutes(2), (agent) => act(agent)],
    goalTimeout: [
      "verdict",
      // The longest gate, and a minute.
      minutes(10) + 3 * seconds(60) + seconds(60),
      (agent) => {
        act(agent);
        agent.send(finished());
      },
    ],
    givingUpTimeout: [
      "verdict",
      seconds(60),
      (agent) => agent.send({ type: "crisis.reset", agent: "cedar" }),
    ],
  };

  it.each(Object.entries(reaching))(
    "[AG3] %s ends the cycle and forgets the question",
    (name, [key, delayMs, reach]) => {
      const agent = agentOf({ goal: open });
      reach(agent);
      expect(agent.timers()).toMatchObject([{ id: expect.stringContaining(`.${name}.`), delayMs }]);

      const letters = agent.fire(name);

      expect(agent.value).toBe("resting");
      expect(lettersTo(letters, "kernel")).toEqual([
        { to: "kernel", event: { type: "ask.cancelled", key } },
      ]);
      expect(agent.context.goal).toEqual(open);
    },
  );

  it.each([
    ["choosing", null],
    ["planning", open],
  ])("[AG3] modelTimeout does so while %s", (state, mine) => {
    const agent = agentOf({ goal: mine });
    think(agent);
    expect(agent.value).toBe(state);
    expect(agent.timers()).toMatchObject([{ delayMs: minutes(10) }]);

    expect(lettersTo(agent.fire("modelTimeout"), "kernel")).toEqual([
      { to: "kernel", event: { type: "ask.cancelled", key: "model" } },
    ]);
    expect(agent.value).toBe("resting");
  });

  it("[AG3] every state that asks has exactly one", () => {
    const agent = agentOf();
    const seen: unknown[] = [];
    const check = () => {
      seen.push(agent.value);
      expect(agent.timers()).toHaveLength(1);
    };

    check();
    for (const event of [
      answered.peers,
      answered.tools,
      said(goal),
      said({ steps: [write] }),
      finished(),
    ]) {
      if (agent.value === "resting") agent.fire("heartbeat");
      check();
      agent.send(event);
    }
    check();

    expect(seen).toEqual([
      "resting",
      { perceiving: "peers" },
      { perceiving: "tools" },
      "choosing",
      "planning",
      { acting: "calling" },
      { acting: "reporting" },
    ]);
  });
});

describe("failed steps", () => {
  /** One failed step and the verdict on it. */
  const fail = (agent: Agent) => {
    const letters = agent.send(refused);
    agent.send(judged());
    return letters;
  };

  it("[AG4] a failure asks for a new plan at once, with a note of what failed", () => {
    const agent = agentOf({ goal: open });
    act(agent);
    agent.send(refused);

    const letters = agent.send(judged());

    expect(agent.value).toBe("planning");
    expect(view(letters)).toMatchObject({ notes: ['"file write" failed: no capability matches'] });
    agent.send(said({ steps: [look] }));
    expect(agent.context).toMatchObject({ next: 0, steps: 1, cycle: 1 });
  });

  it("[AG4] it keeps the five latest notes", () => {
    const agent = agentOf(
      { goal: open },
      { "planner.consecutiveFailures": 9, "planner.stepsPerCycle": 9 },
    );
    act(agent, [look, look]);
    for (let times = 1; times <= 6; times++) {
      agent.send(finished({ ok: false, error: `e${times}` }));
      agent.send(judged());
      agent.send(said({ steps: [look, look] }));
    }

    expect(agent.context.notes.map((note) => note.slice(-2))).toEqual([
      "e2",
      "e3",
      "e4",
      "e5",
      "e6",
    ]);
  });

  it("[AG4] the fourth in a row gives the goal up, the third does not", () => {
    const agent = agentOf({ goal: open });
    act(agent);
    for (let times = 1; times <= 3; times++) {
      expect(lettersTo(fail(agent), "goal/cedar/3")[0]?.event.type).toBe("step.ended");
      agent.send(said({ steps: [look, look] }));
    }
    const facts = [...agent.context.failedInRow];

    const letters = agent.send(refused);

    expect(lettersTo(letters, "goal/cedar/3")[0]).toMatchObject({
      event: {
        type: "goal.givenUp",
        reason: '4 steps failed in a row; the last: "list entries" failed: no capability matches',
        facts: [...facts, agent.seq],
      },
      because: [...facts, agent.seq],
    });
    agent.send(judged("abandoned", { reason: "4 steps failed in a row" }));
    expect(agent.context).toMatchObject({
      goal: null,
      failedInRow: [],
      notes: [],
      done: [],
      recent: [{ status: "abandoned" }],
    });
  });

  it("[AG4] after the last step of a plan the new one comes with the next cycle", () => {
    const agent = agentOf({ goal: open });
    act(agent, [look]);
    fail(agent);

    expect(agent.value).toBe("resting");
    expect(view(think(agent))).toMatchObject({
      notes: ['"list entries" failed: no capability matches'],
    });
  });

  it("[AG4] the row goes on over cycles, and a success ends it", () => {
    const agent = agentOf({ goal: open }, { "planner.stepsPerCycle": 1 });
    for (let times = 1; times <= 3; times++) {
      act(agent);
      fail(agent);
      expect(agent.value).toBe("resting");
    }
    expect(agent.context.failedInRow).toHaveLength(3);

    act(agent);
    agent.send(finished());

    expect(agent.context.failedInRow).toEqual([]);
  });
});

describe("what it tells and hears", () => {
  const message = (text: string): MailOf<"host.message"> => ({ type: "host.message", text });

  it("[AG5] a message stands in the next question about a goal, once", () => {
    const agent = agentOf();
    agent.send(message("safer, please"));
    const fact = agent.seq;

    const first = think(agent);
    expect(view(first)).toMatchObject({ heard: ["safer, please"] });
    expect(lettersTo(first, "port/llm.chat")[0]?.because).toEqual([fact]);

    agent.send(said({ action: "rest" }));
    expect(view(think(agent))).toMatchObject({ heard: [] });
  });

  it("[AG5] a message that comes while the model is thinking stands in the question after that", () => {
    for (const answer of [goal, { action: "rest" }]) {
      const agent = agentOf();
      agent.send(message("first"));
      think(agent);
      agent.send(message("second"));
      agent.send(said(answer));

      expect(agent.context.heard.map(({ text }) => text)).toEqual(["second"]);
    }
  });

  it("[AG5] a question that got no answer is asked again with the same messages", () => {
    const agent = agentOf();
    agent.send(message("first"));
    think(agent);
    agent.fire("modelTimeout");

    expect(view(think(agent))).toMatchObject({ heard: ["first"] });
    agent.send({ type: "llm.failed", error: "HTTP 500" });
    expect(view(think(agent))).toMatchObject({ heard: ["first"] });
  });

  it("[AG5] an answer that is no goal is an answer: the message does not stand in the next one", () => {
    const agent = agentOf({}, { "planner.fallback": false });
    agent.send(message("first"));
    think(agent);
    agent.send({ type: "llm.replied", text: "I would rather not." });

    expect(view(think(agent))).toMatchObject({ heard: [] });
  });

  it("[AG5] a message waits while there is a goal", () => {
    const agent = agentOf({ goal: open });
    agent.send(message("first"));
    act(agent, [look]);
    agent.send(finished());
    agent.send(judged("completed"));

    expect(view(think(agent))).toMatchObject({ heard: ["first"] });
  });

  it.each([
    {},
    { "gate.judgeTimeoutMs": 1, "gate.filesTimeoutMs": 1 },
    { "gate.filesTimeoutMs": 3_600_000 },
    { "gate.parts": [] },
  ])("[GA11] it waits for a verdict longer than any gate can take: %j", (overrides) => {
    const agent = agentOf({ goal: open }, overrides);
    act(agent, [look]);
    agent.send(finished());

    expect(agent.value).toEqual({ acting: "reporting" });
    expect(agent.timers()).toMatchObject([{ delayMs: expect.any(Number) }]);
    const { gate } = policyWith(overrides);
    expect(agent.timers()[0]?.delayMs).toBeGreaterThan(longestGoalGateMs(gate));
  });

  it("[AG6] it claims the goal's file once a write of it looked like success, whoever served it", () => {
    const claims = (event: Partial<Mail["call.finished"]>, step: object = write) => {
      const agent = agentOf({ goal: open });
      act(agent, [step]);
      return lettersTo(agent.send({ ...finished(), ...event }), "goalLedger").map(({ event }) =>
        event.type === "work.claimed" ? [event.type, event.n, event.path] : event,
      );
    };

    expect(claims({})).toEqual([["work.claimed", 3, PAGE]]);
    expect(claims({ capability: "safe_file_executor", result: null, nothing: true })).toEqual([
      ["work.claimed", 3, PAGE],
    ]);
    expect(claims({ ok: false })).toEqual([]);
    expect(claims({}, look)).toEqual([]);
    expect(claims({}, { ...write, params: { path: "/agentOS/draft.md", content: "x" } })).toEqual(
      [],
    );
  });

  it("[AG6] the files that the engine says a call made are the goal's to delete", () => {
    const reported = (event: Partial<Mail["call.finished"]>) => {
      const agent = agentOf({ goal: open });
      act(agent);
      const letters = agent.send({ ...finished(), ...event });
      return mailIn(lettersTo(letters, "goal/cedar/3"), "step.ended")[0]?.wrote;
    };

    expect(reported({ wrote: [PAGE] })).toEqual([PAGE]);
    expect(reported({ capability: "safe_file_executor", nothing: true })).toEqual([]);
    expect(reported({ ok: false })).toEqual([]);
  });

  it("[AG6] the claims of peers stand in its question, except for files of goals it completed", () => {
    const agent = agentOf({ done: [PAGE] });
    agent.fire("heartbeat");
    agent.send({
      type: "peers.answered",
      claims: [
        { agent: "cedar", n: 1, path: PAGE, fact: 7 },
        { agent: "cipher", n: 1, path: "/agentOS/c.md", fact: 8 },
      ],
    });

    const letters = agent.send(answered.tools);

    expect(view(letters)).toMatchObject({ claims: [{ agent: "cipher", path: "/agentOS/c.md" }] });
    expect(lettersTo(letters, "port/llm.chat")[0]?.because).toEqual([8]);
  });

  it("[T11] what is listed as broken stands in both of its questions", () => {
    const broken = [{ name: "safe_file_executor", failures: 3, reason: "ghost: no .py found" }];
    const agent = agentOf();
    agent.fire("heartbeat");
    agent.send(answered.peers);

    expect(view(agent.send({ ...answered.tools, broken }))).toMatchObject({ broken });
    expect(view(agent.send(said(goal)))).toMatchObject({ broken });
  });

  it("[U2] it knows what it suffers from, and its load", () => {
    const agent = agentOf();
    const felt: MailOf<"stressor.changed"> = {
      type: "stressor.changed",
      agent: "cedar",
      stressor: "repeated_failure",
      sinceMs: 0,
      start: 200_000,
      growthPerDay: 40_000,
      condition: "fewer goals fail",
    };
    agent.send(felt);

    expect(view(think(agent))).toMatchObject({
      load: 200_002,
      stressors: [{ type: "repeated_failure", severity: 200_002 }],
    });
    agent.send(said({ action: "rest" }));
    agent.send({ ...felt, sinceMs: null });
    expect(view(think(agent))).toMatchObject({ load: 0, stressors: [] });
  });
});

describe("start and stop", () => {
  it("[DA3] it takes up the goal that its input names, and numbers on from there", () => {
    const agent = agentOf({
      goal: open,
      lastGoal: 3,
      recent: [{ n: 2, text: "Older", status: "completed" }],
    });
    act(agent);
    agent.send(finished());
    agent.send(judged("completed"));
    think(agent);

    agent.send(said(goal));

    expect(agent.context.goal).toMatchObject({ n: 4, address: "goal/cedar/4" });
    expect(agent.context.recent.map(({ n }) => n)).toEqual([2, 3]);
  });

  it("[DA2] it stops its goal when it stops, wherever it is", () => {
    const agent = agentOf({ goal: open });
    act(agent);

    const letters = agent.send({ type: "daemon.stopped" });

    expect(lettersTo(letters, "goal/cedar/3").map(({ event }) => event)).toEqual([
      { type: "daemon.stopped" },
    ]);
    expect(agent.ended).toBe(true);
    expect(agentOf().send({ type: "daemon.stopped" })).toEqual([]);
  });
});

it("[AG7] in a world of its own it chooses, plans, takes six steps and rests, with everybody real", () => {
  const content = "x".repeat(200);
  const steps = [
    look,
    { intent: "write content to path", params: { path: PAGE, content } },
    { intent: "read contents at the path", params: { path: PAGE } },
    { intent: "write content to path", params: { path: PAGE, content } },
    { intent: "sets key to a value in memory, replacing", params: { key: "last", value: 1 } },
    look,
  ];
  const world = village({
    model: ({ purpose }) => JSON.stringify(purpose === "plan" ? { steps } : goal),
    policy: { "gate.parts": ["output", "mechanical"], "lessons.enabled": false },
  });
  const files = { "/agentOS/workspace/cedar/notes.md": "x" };
  openStage(world.kernel, parts, policyWith({}), {
    startsAtMs: 0,
    agents: ["cedar"],
    tools: [],
    files,
    events: [],
  });

  world.wait(seconds(60));

  const told = carrying(world.log, "goal.judged").filter(({ to }) => to === "agent/cedar");
  expect(told.slice(0, 6).map(({ event }) => event.progress)).toEqual([
    100_000, 300_000, 400_000, 600_000, 800_000, 900_000,
  ]);
  // Rest 6 s, goal 6 s, plan 6 s, six steps of 1 s, rest 6 s, plan 6 s, one step.
  expect(told.map(({ dueMs }) => dueMs / 1_000).slice(0, 7)).toEqual([19, 20, 21, 22, 23, 24, 37]);
  expect(told[6]?.event).toMatchObject({ status: "completed" });
  expect(world.file(PAGE)).toBe(content);
});

it("[AG7] no event in any state makes it throw, and its goal and its counters stay sound", () => {
  const event = fc.oneof(
    fc.constantFrom<MailEvent>(
      answered.peers,
      answered.tools,
      said(goal),
      said({ action: "rest" }),
      said({ steps: [write, look] }),
      { type: "llm.failed", error: "refused" },
      finished(),
      refused,
      judged(),
      judged("missed", { reason: "no" }),
      judged("completed"),
      judged("abandoned", { reason: "no" }),
      { type: "ask.bounced", address: "engine" },
      { type: "host.message", text: "hello" },
    ),
    fc.constant("timer" as const),
  );

  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), fc.boolean(), (events, hasLessons) => {
      const agent = agentOf(hasLessons ? { lessons: "lessons/cedar" } : {});
      for (const each of events) {
        const [timer] = agent.timers();
        if (each !== "timer") agent.send(each);
        else agent.fire(/(heartbeat|[a-z]+Timeout)/.exec(timer?.id ?? "")?.[0] ?? "");
        const { steps, failedInRow, lastGoal, goal: mine, notes } = agent.context;
        expect(agent.timers()).toHaveLength(1);
        expect(steps).toBeLessThanOrEqual(6);
        expect(failedInRow.length).toBeLessThanOrEqual(4);
        expect(notes.length).toBeLessThanOrEqual(5);
        expect(mine === null || mine.n === lastGoal).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});
