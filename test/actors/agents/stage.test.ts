// How a world of agents begins, what the outside does to it, what is seen of it live, and how its mail could be otherwise.
import { expect, it } from "vitest";
import { glance } from "../../../src/actors/agents/glance.ts";
import { otherwise } from "../../../src/actors/agents/otherwise.ts";
import { questions, trail } from "../../../src/actors/agents/questions.ts";
import { stage } from "../../../src/actors/agents/stage.ts";
import type { OutsideEvent } from "../../../src/contract/scenario.ts";
import type { Stage } from "../../../src/contract/stage.ts";
import { policyWith } from "../../builtIn.ts";
import { choosing, delivery, felt, finished, goalEnded } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

const world = {
  agents: ["cedar", "vault"],
  startsAtMs: 7,
  files: {},
  events: [],
} as unknown as Stage;

it("[SC9] a daemon has the agents born; without agents there is none", () => {
  expect(stage.opening?.(world)).toEqual([
    {
      id: "stage",
      letter: {
        to: "kernel",
        event: {
          ...{ type: "actor.start", machine: "daemon", address: "daemon" },
          input: { agents: ["cedar", "vault"], startsAtMs: 7 },
        },
      },
    },
  ]);
  expect(stage.opening?.({ ...world, agents: [] })).toEqual([]);
});

it.each<[object, object]>([
  [
    { does: "host.message", agent: "cedar", text: "Go" },
    { type: "host.message", agent: "cedar", text: "Go" },
  ],
  [
    { does: "outside.signal", text: "Fire" },
    { type: "outside.signal", agents: ["cedar", "vault"], text: "Fire" },
  ],
  [
    { does: "outside.signal", text: "Fire", agents: ["vault"] },
    { type: "outside.signal", agents: ["vault"], text: "Fire" },
  ],
  [{ does: "daemon.restart" }, { type: "daemon.restarted" }],
])("[SC8] the outside event %j goes to the daemon", (event, sent) => {
  expect(stage.letterOf?.({ id: "x", atMs: 1, ...event } as OutsideEvent, world)).toEqual({
    to: "daemon",
    event: sent,
  });
});

it("[SC8] a tool is there as its two files, a profile as its own; what others' events do is theirs", () => {
  const tools = [{ name: "look", description: "Looks.", implementation: "def look(): pass\n" }];
  const files =
    stage.files?.(
      { ...world, tools, profiles: { cedar: {} } } as unknown as Stage,
      policyWith({}),
    ) ?? {};
  const folder = "/agentOS/tools/dynamic";

  expect(Object.keys(files)).toEqual([
    ...[`${folder}/look.py`, `${folder}/look.json`, expect.stringContaining("cedar")],
  ]);
  expect(JSON.parse(files[`${folder}/look.json`] ?? "")).toEqual({
    ...{ name: "look", description: "Looks.", proposed_by: "agent" },
    inputSchema: { type: "object", properties: {}, additionalProperties: true },
  });
  expect(stage.files?.(world, policyWith({}))).toEqual({});
  expect(stage.letterOf?.({ id: "x", atMs: 1, does: "other" } as never, world)).toBeUndefined();
});

it("[LD1] a person who watches sees each agent's load, goal, and for what it waits", () => {
  const goal = (text: string) => ({ goal: { text, address: "goal/cedar/1" }, suffering: [] });
  const contexts = {
    "agent/cedar": goal("Write"),
    "agent/vault#2": { goal: null, suffering: [] },
    engine: {},
  };
  const waits = (address: string) => new Map([[address, { purpose: "plan", forMs: 1_250 }]]);

  expect(glance(contexts, 0, new Map())).toEqual([
    ...["cedar (load 0.00): Write", "vault#2 (load 0.00): no goal"],
  ]);
  expect(glance(contexts, 0, waits("agent/vault#2"))[1]).toBe(
    "vault#2 (load 0.00): waits 1.3 s for plan; no goal",
  );
  expect(glance(contexts, 0, waits("goal/cedar/1"))[0]).toBe(
    "cedar (load 0.00): waits 1.3 s for plan; Write",
  );
  expect(glance({ "agent/a": goal("😀".repeat(201)) }, 0, new Map())).toEqual([
    `a (load 0.00): ${"😀".repeat(200)}`,
  ]);
});

it("[BL29] a call could go to the router's second, a tool not be registered, a synthesis not be born", () => {
  const of = (type: string, fields: object, to = "engine") =>
    otherwise({ to, from: "x", cause: 1, event: strangeEvent(type, fields) });
  const routed = { capability: "a", score: 3, runnerUp: "b", runnerUpScore: 2, call: 1 };
  const spec = { path: "/agentOS/tools/dynamic/look.json", text: "{}" };

  expect(of("call.routed", routed)).toEqual({
    id: "route:a",
    event: {
      type: "call.routed",
      call: 1,
      capability: "b",
      score: 2,
      runnerUp: null,
      runnerUpScore: 0,
    },
  });
  expect(of("call.routed", { ...routed, runnerUp: null })).toBeUndefined();
  expect(of("folder.changed", spec)).toEqual({ id: "registration:look", event: null });
  expect(of("folder.changed", { ...spec, text: null })).toBeUndefined();
  expect(of("folder.changed", spec, "pool")).toBeUndefined();
  expect(of("folder.changed", { ...spec, path: "/agentOS/tools/dynamic/look.py" })).toBeUndefined();
  expect(of("xstate.after.x", {}, "synthesis/7")).toBeNull();
  expect(of("xstate.after.x", {}, "agent/cedar")).toBeUndefined();
});

it("[VB12] goals that failed and stressors that came up can be asked for, and any call by its number", () => {
  const log = [
    goalEnded(1, "completed"),
    goalEnded(2, "abandoned", { event: { n: 2 } }),
    goalEnded(3, "abandoned", { event: { n: 3 }, to: "lessons/cedar" }),
    felt(4, 4_000),
    felt(5, null),
    felt(6, 4_000, { to: "engine" }),
    { ...finished(7, true), re: 6 },
  ];
  const find = (question: string) => questions.find(log, question)?.seq;

  expect(questions.all(log)).toEqual(["goal:cedar/2", "stressor:cedar/repeated_failure"]);
  expect(["goal:cedar/1", "goal:cedar/2", "stressor:cedar/repeated_failure"].map(find)).toEqual([
    ...[1, 2, 4],
  ]);
  expect(["call:6", "call:7", "call:x", "call:99"].map(find)).toEqual([7, 7, undefined, undefined]);
  expect(questions.failures?.(log).map(({ seq }) => seq)).toEqual([2]);
  expect(questions.symptom?.(log)?.seq).toBe(4);
  expect(questions.symptom?.(log.slice(4))).toBeUndefined();
  expect(questions.trouble(log)).toBeUndefined();
});

it("[VB12] a goal that a model chose goes back to the last word from outside, and to nothing else", () => {
  const asked = delivery({ seq: 9, event: choosing() });
  const fact = (seq: number, type: string) => delivery({ seq, event: strangeEvent(type) });
  const facts = [fact(1, "host.message"), fact(2, "outside.signal"), fact(3, "goal.ended")];

  expect(trail.behind?.(asked, facts, undefined)?.map(({ seq }) => seq)).toEqual([2]);
  expect(trail.behind?.(asked, facts.slice(2), undefined)).toEqual([]);
  const plan = delivery({ seq: 9, event: strangeEvent("llm.asked", { purpose: "plan" }) });
  expect(trail.behind?.(plan, facts, undefined)).toBeUndefined();
});
