// Faults of tools, call by call. SPEC, "Faults of tools (FT)".
import { expect, it } from "vitest";
import { FAULT_NAMES, type Fault, type FaultName } from "../../src/faults/faults.ts";
import { faultyPorts } from "../../src/faults/faultyPorts.ts";
import type { Json } from "../../src/machines/letter.ts";
import {
  NEVER_MS,
  type PortReply,
  type PortRequest,
  type Provider,
} from "../../src/substrate/port.ts";
import { namedRandom } from "../../src/substrate/random.ts";

const PORT = "port/sandbox.run";

const fault = (does: FaultName, more: Partial<Fault> = {}): Fault => ({
  ...{ id: "f", does, tool: null, fromMs: 0, toMs: null, perMille: 1_000 },
  ...{ times: null, byMs: null },
  ...more,
});

const asking = (name: string, seq: number, nowMs = 0): PortRequest => ({
  ...{ port: PORT, from: "engine", purpose: "call", nth: seq, seq, nowMs, request: null },
  event: { type: "sandbox.run", purpose: "call", name, code: "", params: {}, limitMs: 1_000 },
});

const ran = (name: string, seq: number): PortReply => ({
  latencyMs: 7,
  event: {
    ...{ type: "sandbox.replied", ok: true, result: [name, seq], isNone: false },
    changed: { "/agentOS/a": "text" },
  },
});

/** A sandbox behind faults: what each call is answered, and which calls reached the tool itself. */
function facing(faults: readonly Fault[], without: readonly string[] = [], seed = 1) {
  const reached: number[] = [];
  const inner: Provider<"sandbox.run"> = {
    answer: ({ event, seq }) => {
      reached.push(seq);
      return ran(event.name, seq);
    },
  };
  const provider = faultyPorts({ [PORT]: inner }, faults, namedRandom(seed), new Set(without))[
    PORT
  ] as Provider;
  const call = (name: string, seq: number, nowMs?: number): PortReply =>
    provider.answer(asking(name, seq, nowMs)) as PortReply;
  /** Which of so many calls met a fault. */
  const met = (count: number, name = "a"): readonly number[] =>
    Array.from({ length: count }, (_, at) => at + 1).filter(
      (seq) => call(name, seq).choice !== undefined,
    );
  return { provider, reached, call, met };
}

const FAILED = "the operation failed: permission denied";
const DONE = { changed: { "/agentOS/a": "text" } };

it.each<[FaultName, object, boolean]>([
  ["nothing", { ok: true, result: null, isNone: true }, false],
  ["fails", { ok: false, error: FAILED }, false],
  ["stale", { ok: true, result: ["a", 1], isNone: false }, false],
  ["empty", { ok: true, result: "", isNone: false, ...DONE }, true],
  ["another", { ok: true, result: ["b", 2], isNone: false, ...DONE }, true],
  ["truncated", { ok: true, result: ["a"], isNone: false, ...DONE }, true],
  ["wrong-type", { ok: true, result: 0, isNone: false, ...DONE }, true],
  ["told-as-success", { ok: true, result: "ok", isNone: false, ...DONE }, true],
  ["told-as-error", { ok: false, error: FAILED, ...DONE }, true],
  ["late", { ok: true, result: ["a", 3], isNone: false, ...DONE }, true],
  ["twice", { ok: true, result: ["a", 3], isNone: false, ...DONE }, true],
  ["never", { ok: false, error: FAILED }, false],
])("[FT2] %s gives its answer, and what it changed stays where it ran", (does, event, runs) => {
  const { call, reached } = facing([fault(does, { fromMs: 5, byMs: does === "late" ? 60 : null })]);
  call("a", 1);
  call("b", 2);
  const reply = call("a", 3, 5);

  expect(reply).toMatchObject({ choice: "fault:f", event: { type: "sandbox.replied", ...event } });
  expect(Object.keys(reply.event).sort()).toEqual(["type", ...Object.keys(event)].sort());
  expect(reached.includes(3)).toBe(runs);
});

it("[FT2] the table of this file has every fault", () => {
  expect(FAULT_NAMES).toHaveLength(12);
});

it("[FT11] twice is two runs of the tool and the second's answer, after the time of both; what either changed stays", () => {
  let runs = 0;
  const inner: Provider<"sandbox.run"> = {
    answer: ({ event, seq }) => {
      runs += 1;
      const reply = ran(event.name, seq);
      return {
        ...reply,
        event: {
          ...reply.event,
          result: runs,
          changed: { [`/agentOS/${runs}`]: "text", "/agentOS/both": `${runs}` },
        },
      } as PortReply;
    },
  };
  const ports = faultyPorts(
    { [PORT]: inner },
    [fault("twice", { times: 1 })],
    namedRandom(1),
    new Set(),
  );
  const reply = ports[PORT]?.answer(asking("a", 1));

  expect(reply).toMatchObject({ choice: "fault:f", latencyMs: 14 });
  expect(reply?.event).toMatchObject({
    result: 2,
    changed: { "/agentOS/1": "text", "/agentOS/2": "text", "/agentOS/both": "2" },
  });
  expect([ports[PORT]?.answer(asking("a", 2))?.choice, runs]).toEqual([undefined, 3]);
});

it("[FT11] a recording's call that was run twice counts twice for what goes on from there", () => {
  let passed = 0;
  const inner: Provider<"sandbox.run"> = {
    answer: () => null,
    passedOver: () => {
      passed += 1;
    },
  };
  const ports = faultyPorts({ [PORT]: inner }, [fault("twice")], namedRandom(1), new Set());
  ports[PORT]?.passedOver?.(asking("a", 1), { ...ran("a", 1), choice: "fault:f" });
  ports[PORT]?.passedOver?.(asking("a", 2), ran("a", 2));

  expect(passed).toBe(3);
});

it("[FT11] a tool that answers later from outside runs once, and has met no fault", () => {
  const inner: Provider<"sandbox.run"> = { answer: () => null };
  const ports = faultyPorts({ [PORT]: inner }, [fault("twice")], namedRandom(1), new Set());
  const provider = ports[PORT];

  expect(provider?.answer(asking("a", 1))).toBeNull();
  expect(provider?.completed?.(asking("a", 1), ran("a", 1))).toEqual(ran("a", 1));
});

it("[FT4] a late answer comes later by just that", () => {
  expect(facing([fault("late", { byMs: 60 })]).call("a", 1).latencyMs).toBe(67);
});

it("[FT4] one that never comes lies behind every end", () => {
  expect(facing([fault("never")]).call("a", 1).latencyMs).toBe(NEVER_MS);
});

it.each<[FaultName, string, number]>([
  ["stale", "a", 1],
  ["another", "b", 2],
])("[FT3] %s repeats an earlier answer, of %s", (does, tool, seq) => {
  const { call } = facing([fault(does, { fromMs: 5 })]);
  call("c", 0);
  call("a", 1);
  call("b", 2);

  expect(call("a", 3, 5).event).toMatchObject({ ok: true, result: [tool, seq] });
});

it.each<FaultName>(["stale", "another"])(
  "[FT3] the first call has nothing before it that %s could repeat, and is as it was",
  (does) => {
    const { call, reached } = facing([fault(does, { times: 1 })]);

    expect(call("a", 1)).toEqual(ran("a", 1));
    expect(reached).toEqual([1]);
    expect(call(does === "stale" ? "a" : "b", 2).choice).toBe("fault:f");
  },
);

it("[FT3] what is repeated is what was heard, after another fault too", () => {
  const { call } = facing([
    fault("truncated", { id: "once", times: 1 }),
    fault("stale", { id: "then" }),
  ]);
  call("a", 1);

  expect(call("a", 2).event).toMatchObject({ result: ["a"] });
});

it("[FT3] an answer that never came is none that is repeated", () => {
  const { call } = facing([
    fault("never", { id: "once", times: 1 }),
    fault("stale", { id: "then" }),
  ]);
  call("a", 1);

  expect(call("a", 2)).toEqual(ran("a", 2));
});

it("[FT1] a fault begins at its moment, and is over at its end", () => {
  const { call } = facing([fault("fails", { fromMs: 1_000, toMs: 2_000 })]);
  const choices = [999, 1_000, 1_999, 2_000].map((ms, at) => call("a", at + 1, ms).choice);

  expect(choices).toEqual([undefined, "fault:f", "fault:f", undefined]);
});

it("[FT1] it meets so many calls and no more, of its tool alone", () => {
  const { call, met } = facing([fault("fails", { tool: "a", times: 2 })]);

  expect([call("b", 100).choice, call("ab", 101).choice]).toEqual([undefined, undefined]);
  expect(met(4)).toEqual([1, 2]);
});

it("[FT1] of several that fit, the first meets the call", () => {
  const { call } = facing([
    fault("fails", { id: "once", times: 1 }),
    fault("nothing", { id: "then" }),
  ]);

  expect([1, 2].map((seq) => call("a", seq).choice)).toEqual(["fault:once", "fault:then"]);
});

it("[FT1, FT5] of a thousand calls about so many meet it, and another fault moves none of them", () => {
  const few = fault("fails", { perMille: 200 });
  const alone = facing([few]).met(1_000);
  const beside = facing([fault("nothing", { id: "g", tool: "b" }), few]).met(1_000);

  expect(facing([{ ...few, perMille: 1 }]).met(5_000).length).toBeGreaterThan(0);
  expect(alone.length).toBeGreaterThan(150);
  expect(alone.length).toBeLessThan(250);
  expect(beside).toEqual(alone);
  expect(facing([few], [], 2).met(1_000)).not.toEqual(alone);
  expect(facing([few]).met(1_000, "b")).not.toEqual(alone);
  expect(facing([{ ...few, id: "other" }]).met(1_000)).not.toEqual(alone);
});

it("[FT12] of calls that are named by their numbers, those of its own tool meet it", () => {
  const some = facing([fault("fails", { tool: "a", calls: [2, 4] })]);

  // Calls of another tool before them have numbers of their own.
  expect(some.met(5, "b")).toEqual([]);
  expect(some.met(5)).toEqual([2, 4]);
});

it("[FT6] a fault whose choice is left out meets nothing", () => {
  expect(facing([fault("fails")], ["fault:f"]).met(3)).toEqual([]);
});

it("[FT7] what a recording answered counts, and a checkpoint keeps all that was counted", () => {
  const faults = [fault("fails", { id: "twice", times: 2 }), fault("stale", { id: "old" })];
  const { provider, call } = facing(faults);
  const failed: PortReply = {
    ...{ latencyMs: 1, choice: "fault:twice" },
    event: { type: "sandbox.replied", ok: false, error: FAILED },
  };
  provider.passedOver?.(asking("a", 1), failed);
  expect(call("a", 2).choice).toBe("fault:twice");
  expect(call("a", 3).choice).toBe("fault:old");

  const later = facing(faults);
  later.provider.restore?.(JSON.parse(JSON.stringify(provider.persist?.())) as Json);
  expect(later.call("a", 4)).toEqual(call("a", 4));
  expect(later.call("a", 5)).toMatchObject({
    choice: "fault:old",
    event: { ok: false, error: FAILED },
  });
});

it("[FT7] of a recorded call the number and the answer count", () => {
  const numbered = facing([fault("fails", { calls: [2] })]);
  numbered.provider.passedOver?.(asking("a", 1), ran("a", 1));
  expect(numbered.met(1)).toEqual([1]);

  const repeated = facing([fault("stale")]);
  repeated.provider.passedOver?.(asking("a", 1), ran("a", 1));
  expect(repeated.call("a", 2).event).toMatchObject({ result: ["a", 1] });
});

it("[FT7] faults that begin at a checkpoint of a run without any leave alone what stands behind them", () => {
  const kept: Json[] = [];
  const inner: Provider = { answer: () => null, restore: (json) => void kept.push(json) };
  const faulty = (faults: readonly Fault[]) =>
    faultyPorts({ [PORT]: inner }, faults, namedRandom(1), new Set())[PORT];
  faulty([fault("fails")])?.restore?.({ calls: { a: 2 } });

  expect(kept).toEqual([{ calls: { a: 2 } }]);
  expect(faulty([])).toBe(inner);
});

it("[FT1, FT9] an answer that comes later meets its fault then, once, also after a checkpoint", () => {
  const slow: Provider = { answer: () => null };
  const faults = [fault("told-as-error", { times: 1 })];
  const desk = () =>
    faultyPorts({ [PORT]: slow }, faults, namedRandom(1), new Set())[PORT] as Provider;
  const before = desk();
  expect([1, 2].map((seq) => before.answer(asking("a", seq)))).toEqual([null, null]);
  const after = desk();
  after.restore?.(before.persist?.() ?? null);
  expect([1, 2].map((seq) => after.answer(asking("a", seq)))).toEqual([null, null]);

  const replies = [2, 1].map((seq) => after.completed?.(asking("a", seq), ran("a", seq)));
  expect(replies.map((reply) => reply?.choice)).toEqual([undefined, "fault:f"]);
  expect(replies[1]?.event).toMatchObject({ ok: false, error: FAILED });
});

it("[FT9] each answer that comes later counts once", () => {
  const faults = [fault("told-as-error", { times: 2 })];
  const slow: Provider = { answer: () => null };
  const desk = faultyPorts({ [PORT]: slow }, faults, namedRandom(1), new Set())[PORT];
  const choices = [1, 2, 3].map((seq) => {
    desk?.answer(asking("a", seq));
    return desk?.completed?.(asking("a", seq), ran("a", seq)).choice;
  });

  expect(choices).toEqual(["fault:f", "fault:f", undefined]);
});

it("[FT6] a fault stands beside the choice that was there", () => {
  const inner: Provider = {
    answer: () => ({
      ...{ latencyMs: 1, choice: "answer:news" },
      event: { type: "tool.replied", ok: true, result: "news" },
    }),
  };
  const port = faultyPorts(
    { "port/tool.call": inner },
    [fault("empty")],
    namedRandom(1),
    new Set(),
  );
  const reply = port["port/tool.call"]?.answer({
    ...asking("a", 1),
    event: { type: "tool.called", purpose: "research_topic", agent: "cedar", params: {} },
  });

  expect(reply).toMatchObject({ choice: "answer:news fault:f", event: { result: "" } });
});

const LISTING: PortRequest["event"] = {
  type: "shell.run",
  purpose: "shell",
  agent: "a",
  command: "ls",
  cwd: "/",
  files: {},
  mtimesMs: {},
  limitMs: 1,
};
const LISTED: PortReply["event"] = { type: "shell.replied", exitCode: 0, stdout: "ab", stderr: "" };

it.each<[string, PortRequest["event"], PortReply["event"], FaultName, object]>([
  ["port/shell.run", LISTING, LISTED, "truncated", { exitCode: 0, stdout: "a", stderr: "" }],
  ["port/shell.run", LISTING, LISTED, "fails", { exitCode: 1, stdout: "", stderr: FAILED }],
  [
    "port/executor.run",
    { type: "executor.run", purpose: "turn", name: "x", params: {} },
    { type: "executor.ended", ok: false, cents: 3, error: "no" },
    "told-as-success",
    { ok: true, cents: 3 },
  ],
])("[FT2] %s says it in its own words", (port, event, answer, does, said) => {
  const inner: Provider = { answer: () => ({ latencyMs: 1, event: answer }) };
  const faulty = faultyPorts({ [port]: inner }, [fault(does)], namedRandom(1), new Set())[port];
  const reply = faulty?.answer({ ...asking("", 1), port, event });

  expect(reply?.event).toEqual({ type: answer.type, ...said });
});

it("[CL36, FT3] a tool that is called constructor has no calls before its first one", () => {
  const { call, provider } = facing([fault("stale", { tool: "constructor" })]);

  expect(call("constructor", 1).choice).toBeUndefined();
  expect(call("constructor", 2).choice).toBeDefined();
  expect(provider.persist?.()).toMatchObject({ faults: { calls: { constructor: 2 } } });
});
