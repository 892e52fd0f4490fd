import { describe, expect, it } from "vitest";
import { parts } from "../src/builtIn/parts.ts";
import { metricsIn, WORLD } from "../src/contract/gauge.ts";
import type { Part } from "../src/contract/part.ts";
import type { GoalGatePart } from "../src/machines/agents/goal/goalGateParts.ts";
import { Meter as CoreMeter } from "../src/run/meter.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { Meter, metricChecks, metricNames, metricTable } from "./builtIn.ts";
import { delivery, engineBorn, felt, finished, goalEnded, goalStarted, routed } from "./handLog.ts";

const agents = ["cedar", "vault"];
function metered(log: readonly Delivery[]): Meter {
  const meter = new Meter(agents);
  for (const one of log) meter.observe(one);
  return meter;
}

const byVault = { event: { agent: "vault" }, to: "agent/vault" };

it("[VB16] has a first value for every metric, for the world and where it fits for each agent", () => {
  const finals = metered([]).finals();

  expect(Object.keys(finals)).toEqual(metricNames);
  for (const name of metricNames) {
    const isPerAgent = metricTable[name].perAgent;
    expect(Object.keys(finals[name] ?? {})).toEqual(isPerAgent ? ["world", ...agents] : ["world"]);
    expect(metricChecks.agentMetricNames.includes(name)).toBe(isPerAgent);
  }
  expect(finals["goals.doneShare"]).toEqual({ world: 1, cedar: 1, vault: 1 });
});

it("[VB16] what counts events goes up by one with each, and who lives by an install down with an end", () => {
  const steps = metricNames.flatMap((name) =>
    Object.entries(metricTable[name].counts ?? {}).flatMap(([type, by]) =>
      typeof by === "number" ? [[name, type, by] as const] : [],
    ),
  );

  expect(steps.length).toBeGreaterThan(10);
  expect(steps.filter(([, , by]) => by !== 1)).toEqual([
    ["installed.living", "installed.ended", -1],
  ]);
});

it("[VB16] an agent called world is told apart from the world", () => {
  const meter = new Meter(["world"]);
  meter.observe({ ...finished(1, false), to: "agent/world" });
  const { "calls.finished": ended } = meter.finals();

  expect(ended).toEqual({ world: 1, "agent:world": 1 });
  expect(meter.csv()).toContain("1000,agent:world,calls.finished,1\n");
});

it("[VB16] with a scenario, measures nothing of a part that its world lacks; without one, of every part", () => {
  const heard = (scenario?: object): number => {
    let count = 0;
    const observe = () => {
      count += 1;
    };
    const isThere: Part["isThere"] = ({ synt }) => synt !== undefined;
    const part: Part = { name: "tea", isThere, meter: () => ({ observe }) };
    new CoreMeter([part], [], scenario).observe(finished(1, true));
    return count;
  };

  expect([heard(), heard({}), heard({ synt: {} })]).toEqual([1, 0, 1]);
});

describe("a metric that counts events", () => {
  const finals = () => {
    const lost = metricsIn("calls", "agent")("Lost.", { "call.finished": ({ ok }) => !ok });
    const open = metricsIn("goals", "agent")("Open.", { "goal.ended": () => -1, "call.routed": 2 });
    const counting = { name: "counting", metrics: { lost, open } } as unknown as Part;
    const meter = new CoreMeter([counting], agents);
    const log = [
      { ...finished(1, false), to: "agent/vault" },
      finished(2, true),
      { ...finished(3, false), fate: "ignored" as const },
      goalEnded(4, "completed", byVault),
      routed(5, "read_file"),
    ];
    for (const one of log) meter.observe(one);
    return meter.finals();
  };

  it("[PT17] counts each by as many as it says, once it is handled", () => {
    expect(finals()).toMatchObject({ lost: { world: 1 }, open: { world: 2 - 1 } });
  });

  it("[PT17] counts for the agent that each names, else for the one that it goes to, and for the world", () => {
    expect(finals()).toEqual({
      lost: { world: 1, cedar: 0, vault: 1 },
      open: { world: 1, cedar: 2, vault: -1 },
    });
  });
});

it("[IM59] measures of a run nothing that only imported logs have, and of those nothing else", () => {
  const ofLogs = ({ name }: Part): boolean => name === "imported";
  const ofLog = new CoreMeter(parts.filter(ofLogs), []).csv();

  expect(metricNames.filter((name) => name.startsWith("log."))).toEqual([]);
  expect(metered([]).csv()).not.toContain("log.");
  expect(ofLog).toContain("\n0,world,log.records,0\n");
  expect(ofLog.match(/,world,(?!log\.)/)).toBeNull();
});

it("[VB16] counts goals for their agent and for the world, and the share that was done", () => {
  const meter = metered([
    goalEnded(1, "completed"),
    goalEnded(2, "abandoned"),
    goalEnded(3, "abandoned", byVault),
  ]);

  expect(meter.finals()).toMatchObject({
    "goals.completed": { world: 1, cedar: 1, vault: 0 },
    "goals.abandoned": { world: 2, cedar: 1, vault: 1 },
    "goals.doneShare": { world: 1 / 3, cedar: 0.5, vault: 0 },
  });
});

it("[VB16] an agent is new once: joining again, or leaving, makes its goals no better", () => {
  const moved = (seq: number, type: "agent.joined" | "agent.left", agent: string) =>
    delivery({ seq, event: { type, agent, address: `agent/${agent}` } as never });
  const failed = (seq: number, agent: string) =>
    goalEnded(seq, "abandoned", { event: { agent }, to: `agent/${agent}` });
  const shares = (...log: readonly Delivery[]) => metered(log).finals()["goals.doneShare"];

  expect(shares(moved(1, "agent.joined", "quill"))).toMatchObject({ quill: 1 });
  expect(
    shares(
      moved(1, "agent.joined", "quill"),
      failed(2, "quill"),
      moved(3, "agent.joined", "quill"),
    ),
  ).toMatchObject({ quill: 0 });
  const gone = [failed(1, "cedar"), moved(2, "agent.left", "cedar")];
  expect(shares(...gone)).toMatchObject({ cedar: 0 });
  expect(shares(...gone, moved(3, "agent.joined", "cedar"))).toMatchObject({ cedar: 1 });
});

it("[AG9] counts the goals that an agent made itself by their source, and those that got no plan", () => {
  const meter = metered([
    goalStarted(1, { agent: "vault", n: 1, slug: "fallback-journal", fallback: "journal" }),
    goalStarted(2, { agent: "vault", n: 2, slug: "fallback-peer-file", fallback: "peer-file" }),
    // A model may call its goal whatever it likes.
    goalStarted(3, { agent: "cedar", n: 1, slug: "fallback-journal" }),
    goalEnded(4, "abandoned", { event: { ...byVault.event, reason: "no plan: 4 answers …" } }),
    goalEnded(5, "abandoned", byVault),
  ]);

  expect(meter.finals()).toMatchObject({
    "goals.fallback": { world: 2, cedar: 0, vault: 2 },
    "goals.fallback.journal": { world: 1, cedar: 0, vault: 1 },
    "goals.fallback.peer-file": { vault: 1 },
    "goals.fallback.stressor": { vault: 0 },
    "goals.unplanned": { world: 1, vault: 1 },
    "goals.abandoned": { vault: 2 },
  });
});

it("[VB16] counts what was lost apart from what was seen to fail", () => {
  const meter = metered([
    ...[
      finished(1, true),
      finished(2, true, { nothing: true }),
      finished(3, false),
      finished(4, false),
    ],
  ]);

  expect(meter.finals()).toMatchObject({
    "calls.finished": { cedar: 4 },
    "calls.lost": { cedar: 1 },
    "calls.failed": { cedar: 2 },
  });
});

it("[VB16] knows a ghost by the registry, which it follows through the log alone", () => {
  const known = [
    { name: "real", hasCode: true },
    { name: "ghost", hasCode: false },
  ];

  const meter = metered([engineBorn(1, known), routed(2, "real"), routed(3, "ghost")]);

  expect(meter.finals()).toMatchObject({
    "ghost.registered": { world: 1 },
    "ghost.calls": { world: 1, cedar: 1, vault: 0 },
  });
});

describe("which layer saw a ghost", () => {
  const known = engineBorn(1, [
    { name: "real", hasCode: true },
    { name: "ghost", hasCode: false },
  ]);

  it("[ST180] tells a call that the check before it refused from one whose None was taken for a failure", () => {
    const meter = metered([
      known,
      finished(2, false, { capability: "ghost" }),
      finished(3, false, { capability: "real", nothing: true }),
      { ...finished(4, false, { capability: "ghost" }), to: "agent/vault" },
      // Where the check before a call is off, a call without code returns nothing, too.
      { ...finished(5, false, { capability: "ghost", nothing: true }), to: "agent/vault" },
    ]);
    const steps = (metric: "ghost.refused" | "ghost.nulls", actor: string) =>
      meter.series(metric, actor).map(({ atMs, value }) => [atMs, value]);

    expect(meter.finals()).toMatchObject({
      "ghost.refused": { world: 2, cedar: 1, vault: 1 },
      "ghost.nulls": { world: 2, cedar: 1, vault: 1 },
    });
    expect(steps("ghost.refused", WORLD)).toEqual([
      [0, 0],
      [2_000, 1],
      [4_000, 2],
    ]);
    expect(steps("ghost.nulls", "vault")).toEqual([
      [0, 0],
      [5_000, 1],
    ]);
  });

  it("[ST180] is none of a silent call, one wrong by itself, a locked one and one routed nowhere", () => {
    const meter = metered([
      known,
      finished(4, true, { capability: "ghost", nothing: true }),
      finished(5, false, { capability: "real" }),
      finished(6, false, { capability: "ghost", locked: true }),
      finished(7, false, { capability: null }),
    ]);

    expect(meter.finals()).toMatchObject({
      ...{
        "ghost.refused": { world: 0 },
        "ghost.nulls": { world: 0 },
        "calls.failed": { world: 3 },
      },
    });
  });
});

it("[VB16, VB28] an answer to the engine, which is no agent's, counts once for the world", () => {
  const answer = delivery({ seq: 1, to: "engine", event: { type: "llm.replied", text: "yes" } });

  expect(metered([answer]).finals()).toMatchObject({
    "model.calls": { world: 1, cedar: 0, vault: 0 },
  });
});

it("[VB16] of severities that several agents feel at once the world has the highest, not their sum", () => {
  const worse = { start: 300_000 };

  const meter = metered([
    felt(1, 1_000),
    felt(2, 2_000, { to: "agent/vault", event: worse }),
    felt(3, null, { to: "agent/vault" }),
  ]);

  for (const metric of ["load", "stressor.repeated_failure"] as const) {
    expect(meter.series(metric, WORLD).map(({ value }) => value)).toEqual([0, 0.2, 0.3, 0.2]);
    expect(meter.series(metric, "cedar").map(({ value }) => value)).toEqual([0, 0.2]);
    expect(meter.series(metric, "vault").map(({ value }) => value)).toEqual([0, 0.3, 0]);
  }
});

it("[VB16] relief brings a severity down", () => {
  const meter = metered([
    felt(1, 1_000),
    felt(2, 2_000, { to: "agent/vault" }),
    felt(3, null),
    goalEnded(4, "completed"),
  ]);

  expect(meter.series("load", "cedar").map(({ value }) => value)).toEqual([0, 0.2, 0]);
  expect(meter.valueAt("stressor.repeated_failure", WORLD, 4_000)).toBe(0.2);
  expect(meter.valueAt("stressor.repeated_failure", "vault", 1_999)).toBe(0);
});

it.each([
  [50, [0, 0.2, 0.4, 0.6]],
  [51, [0, 0.2]],
])("[DA9] of %i agents, the end of another's goal adds to the load of one: %j", (count, loads) => {
  const others = Array.from({ length: count - 2 }, (_, at) => `a${at}`);
  const meter = new Meter([...agents, ...others]);
  const growing = { growthPerDay: 200_000 };
  const day = 24 * 3_600_000;
  const all = [
    felt(1, 0, { to: "agent/vault", event: growing }),
    felt(2, 0, { event: growing }),
    { ...goalEnded(3, "completed"), dueMs: day },
    { ...goalEnded(4, "completed"), dueMs: 2 * day },
  ];
  for (const one of all) meter.observe(one);
  const loadOf = (actor: string) =>
    meter.series("load", actor).map(({ value }) => Number(value.toFixed(3)));

  expect(loadOf("vault")).toEqual(loads);
  expect(loadOf("cedar")).toEqual([0, 0.2, 0.4, 0.6]);
  // The world has the highest of those that are known.
  expect(loadOf(WORLD).at(-1)).toBe(0.6);
});

it("[VB16] has a severity for each type, and counts a change once however many are told", () => {
  const vain = { event: { stressor: "futility" } } as const;

  const meter = metered([
    felt(1, 1_000),
    felt(2, 1_000, { to: "engine" }),
    felt(3, 1_000, { to: "goalLedger" }),
    felt(4, 4_000, vain),
    felt(5, 4_000, { ...vain, to: "goalLedger" }),
  ]);

  expect(meter.finals()).toMatchObject({
    "stressor.repeated_failure": { world: 0.2, cedar: 0.2, vault: 0 },
    "stressor.futility": { world: 0.2, cedar: 0.2, vault: 0 },
    "stressor.stagnation": { world: 0, cedar: 0, vault: 0 },
    load: { world: 0.4, cedar: 0.4, vault: 0 },
  });
});

it("[VB16] counts calls that a lock refused", () => {
  const meter = metered([finished(1, false), finished(2, false, { locked: true })]);

  expect(meter.finals()).toMatchObject({
    "locks.refused": { world: 1, cedar: 1, vault: 0 },
    "calls.failed": { cedar: 2 },
  });
});

it("[VB16] is a step function: a value holds from its moment until the next", () => {
  const meter = metered([goalEnded(2, "completed"), goalEnded(5, "completed")]);
  const at = (ms: number) => meter.valueAt("goals.completed", WORLD, ms);

  expect([0, 1_999, 2_000, 4_999, 5_000, 9_000].map(at)).toEqual([0, 0, 1, 1, 2, 2]);
});

it("[VB16] does not count what nobody handled", () => {
  const meter = metered([goalEnded(1, "completed", { fate: "ignored" })]);

  expect(meter.finals()["goals.completed"]).toMatchObject({ world: 0 });
});

it("[VB16] writes tidy lines in the order of time", () => {
  const [head, ...lines] = metered([goalEnded(1, "completed")])
    .csv()
    .trim()
    .split("\n");

  expect(head).toBe("virtual_ms,actor,metric,value");
  expect(lines).toContain("0,world,goals.doneShare,1");
  expect(lines.slice(-2)).toEqual(["1000,world,goals.completed,1", "1000,cedar,goals.completed,1"]);
  const times = lines.map((line) => Number(line.split(",")[0]));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

const gate = (
  seq: number,
  part: GoalGatePart | "progress",
  passed: boolean,
  agent = "cedar",
): Delivery =>
  delivery({
    ...{ seq, to: "goalLedger", fate: "ignored" },
    event: { type: "goalGate.judged", agent, n: 1, part, passed, verdict: "no", reason: "" },
  });

it("[VB16, GA1] counts missed gates by the part that was missed, and passed parts not at all", () => {
  const meter = metered([
    gate(1, "progress", true),
    gate(2, "semantic", false),
    gate(3, "facts", false),
    gate(4, "semantic", false, "vault"),
    gate(5, "output", false),
    gate(6, "mechanical", true),
  ]);

  expect(meter.finals()).toMatchObject({
    "gate.missed": { world: 4, cedar: 3, vault: 1 },
    "gate.missed.output": { world: 1, cedar: 1 },
    "gate.missed.mechanical": { world: 0 },
    "gate.missed.semantic": { world: 2, cedar: 1, vault: 1 },
    "gate.missed.facts": { world: 1, vault: 0 },
  });
});

function keeper(seq: number, candidates: number, promoted: number, agent = "cedar"): Delivery {
  const counted = { agent, candidates, promoted };
  const none = { n: seq, outcome: "none", lesson: null, category: null } as const;
  return delivery({
    ...{ seq, to: "goalLedger", fate: "ignored" },
    event:
      seq === 1
        ? { type: "lessons.read", ...counted }
        : { type: "lesson.noted", ...counted, ...none },
  });
}

it("[VB16, LE4] knows how many lessons there are, those read after a restart too", () => {
  const meter = metered([keeper(1, 2, 1), keeper(2, 0, 3, "vault"), keeper(3, 1, 2)]);

  expect(meter.finals()).toMatchObject({
    "lessons.candidates": { world: 1, cedar: 1, vault: 0 },
    "lessons.promoted": { world: 5, cedar: 2, vault: 3 },
  });
  expect(meter.valueAt("lessons.candidates", "cedar", 2_000)).toBe(2);
});

it("[VB16, GO6] counts an end once, though the keeper of lessons hears it too", () => {
  const meter = metered([
    goalEnded(1, "completed", { to: "goalLedger" }),
    goalEnded(2, "completed", { to: "lessons/cedar" }),
  ]);

  expect(meter.finals()["goals.completed"]).toEqual({ world: 1, cedar: 1, vault: 0 });
});
