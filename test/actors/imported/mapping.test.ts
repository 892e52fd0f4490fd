import { expect, it } from "vitest";
import {
  guessedMapping,
  mappingFile,
  mappingText,
} from "../../../src/actors/imported/edge/mapping.ts";
import { DETECTION, explainLogs, readLogs } from "../../../src/actors/imported/edge/readLogs.ts";
import { FORMATS } from "../../../src/actors/imported/record.ts";
import { BadInput } from "../../../src/edges/errors.ts";
import { brief, fileOf, gathered, lines, recordsOf } from "./gathered.ts";

const own = [
  { ts: "2026-01-02 03:04:05", run_id: "r1", who: { agent: "Ann" }, msg: "I look.", n: 0 },
  {
    ts: "2026-01-02T03:04:06Z",
    run_id: "r1",
    who: { agent: "Ann" },
    tool: "look",
    params: { at: 1 },
    call_id: "c1",
    n: 1,
  },
  {
    ts: 1767323047,
    run_id: "r1",
    who: { agent: "Ann" },
    tool: "look",
    output: "",
    call_id: "c1",
    error: "gone",
    n: 2,
  },
  {
    ts: 1767323048000,
    run_id: "r2",
    who: { agent: "Bo" },
    tool: "look",
    params: {},
    output: { ok: true },
    extra: "two words",
    n: 3,
  },
];
const MAP = {
  time: "ts",
  speaker: "who.agent",
  text: "msg",
  tool: "tool",
  args: "params",
  result: "output",
  call: "call_id",
  error: "error",
  log: "run_id",
  step: "n",
};

it("[IM11, IM19] lines of any shape are read by the paths of a mapping", async () => {
  const { logs, unread, formats } = await gathered([fileOf("x.jsonl", lines(own))], { map: MAP });
  const start = Date.UTC(2026, 0, 2, 3, 4, 5);

  expect([...formats.values()]).toEqual(["mapped", "mapped"]);
  expect(logs.get("x.r1")?.map(brief)).toEqual([
    { atMs: start, step: 0, kind: "said", speaker: "Ann", role: "agent", text: "I look." },
    {
      atMs: start + 1_000,
      step: 1,
      kind: "called",
      agent: "Ann",
      tool: "look",
      call: "c1",
      args: { at: 1 },
    },
    {
      atMs: start + 2_000,
      step: 2,
      kind: "returned",
      tool: "look",
      call: "c1",
      result: "",
      ok: false,
      error: "gone",
    },
  ]);
  expect(logs.get("x.r2")?.map(({ kind }) => kind)).toEqual(["called", "returned"]);
  expect(unread.map(({ place, reason }) => [place.line, reason])).toEqual([
    [4, expect.stringContaining('"extra"')],
  ]);
});

it("[IM11] a line that holds a call and its result states which call the result is of", async () => {
  const all = [
    { tool: "look", params: { at: 1 }, output: "one" },
    { tool: "look", params: { at: 2 } },
    { tool: "look", output: "two" },
  ];
  const { logs } = await gathered([fileOf("x.jsonl", lines(all))], { map: MAP });

  const [log = []] = logs.values();
  expect(log.map((one) => [one.kind, "call" in one && one.call])).toEqual([
    ["called", "line 1"],
    ["returned", "line 1"],
    ["called", null],
    ["returned", null],
  ]);
});

it("[IM11] a line that holds nothing of the mapping is unread, and so is a time that is none", async () => {
  const { unread } = await recordsOf(
    lines([{ ts: "soon", msg: "Hi" }, { other: 1 }, 5]),
    "x.jsonl",
    { map: { time: "ts", text: "msg" } },
  );

  expect(unread).toEqual([
    expect.stringMatching(/^1: a time that is none/),
    expect.stringMatching(/^2: a line without a text/),
    "3: a value that is no object",
  ]);
});

it.each([
  ["tex: a", /m\.yaml:1:1 tex: found "tex"; allowed: time \| speaker .*Did you mean "text"\?/s],
  ["time: ts", /m\.yaml:1: found none of text, tool, result/],
  ["text: 5", /m\.yaml:1:7 text: found 5; allowed: a path/],
  ["text: ''", /allowed: a path/],
  ["- a", /allowed: a map of time/],
  ["tex: a\nrole: 5\ntext: b", /m\.yaml:1:1 tex: .*m\.yaml:2:7 role: found 5/s],
  ["text: a\ntext: b", /again/],
  ["", /an empty file/],
])("[IM11] the mapping %j is refused with its place", (text, message) => {
  expect(() => mappingText(text, "m.yaml")).toThrow(message);
});

it("[IM11] a mapping that cannot be read is bad input", () => {
  expect(() => mappingFile("/nowhere/m.yaml")).toThrow(BadInput);
  expect(() => mappingFile("/")).toThrow(/a folder/);
  expect(() => mappingFile(fileOf("m.yaml", Uint8Array.of(0xff)))).toThrow(/no text/);
  expect(mappingFile(fileOf("m.yaml", "text: msg\n"))).toEqual({ text: "msg" });
});

it("[IM12] a mapping is guessed by names and values, and its YAML reads back", () => {
  const guess = guessedMapping(own);

  expect(guess?.mapping).toEqual({ ...MAP, step: undefined });
  expect(guess?.yaml).toContain("time: ts # by its name; 4 of 4 are times\n");
  expect(mappingText(guess?.yaml ?? "", "m.yaml")).toEqual(guess?.mapping);
  // A path as YAML may not write it plainly.
  const odd = guessedMapping([{ "a: b": { text: "Hi" } }]);
  expect(odd?.mapping).toEqual({ text: "a: b.text" });
  expect(mappingText(odd?.yaml ?? "", "m.yaml")).toEqual(odd?.mapping);
  expect(guessedMapping([{ a: 1 }, 5])).toBeNull();
  // One field is no two things.
  expect(guessedMapping([{ name: "look", msg: "Hi" }])?.mapping).toEqual({
    ...{ speaker: "name", text: "msg" },
  });
  // A field that is called so and holds something else.
  expect(guessedMapping([{ ts: "soon", started: 1767323047, msg: "Hi" }])?.mapping).toEqual({
    ...{ time: "started", text: "msg" },
  });
});

it("[IM12] no field is guessed whose values are of another kind, however it is called", () => {
  const other = {
    ...{ time: "soon", speaker: "two\nlines", role: "boss", text: "", tool: "two words" },
    ...{ args: "plain", call_id: {}, step: -1, result: "x" },
  };
  const fitting = {
    ...{ time: 1767323047, speaker: "Ann", role: "user", text: "Hi", tool: "look" },
    ...{ args: '{"at":1}', call_id: 7, step: 0, result: "x" },
  };

  expect(guessedMapping([other])?.mapping).toEqual({ result: "result" });
  expect(guessedMapping([fitting])?.mapping).toEqual(
    Object.fromEntries(
      Object.keys(fitting).map((name) => [name === "call_id" ? "call" : name, name]),
    ),
  );
});

it("[IM12] of several fields that are called so the one is guessed of which most fits, else the shallower", () => {
  const line = (tool: string) => ({ data: { text: "deep" }, text: "Hi", tool, action: "look" });
  const lines = [...Array.from({ length: 4 }, () => line("look")), line("two words")];

  expect(guessedMapping(lines)?.mapping).toMatchObject({ text: "text", tool: "action" });
  expect(guessedMapping(lines.slice(0, 4))?.mapping).toMatchObject({ tool: "tool" });
});

it("[IM11] a role, an error and a step are read as what they say", async () => {
  const map = { role: "as", text: "msg", tool: "tool", args: "params", error: "err", step: "n" };
  const { records, unread } = await recordsOf(
    lines([
      { as: "system", msg: "Be kind." },
      { tool: "look", params: { at: 1 }, n: "x" },
      { as: "tool", tool: "look", msg: "seen" },
      { tool: "look", params: {}, err: true },
      { tool: "look", params: {}, err: { code: 1 } },
      { tool: "look", params: {}, err: "" },
    ]),
    "x.jsonl",
    { map },
  );

  expect(unread).toEqual(["2: a step that is no whole number from 0 (log x)"]);
  expect(records.map(brief)).toEqual([
    { kind: "said", speaker: "system", role: "system", text: "Be kind." },
    { kind: "called", agent: "agent", tool: "look", args: { at: 1 } },
    { kind: "returned", tool: "look", result: "seen" },
    { kind: "called", agent: "agent", tool: "look", call: "line 4", args: {} },
    { kind: "returned", tool: "look", call: "line 4", ok: false },
    { kind: "called", agent: "agent", tool: "look", call: "line 5", args: {} },
    { kind: "returned", tool: "look", call: "line 5", ok: false, error: '{"code":1}' },
    { kind: "called", agent: "agent", tool: "look", args: {} },
  ]);
});

it("[IM1, IM12] a file is explained: by which rule it is known, or with a mapping to begin with", async () => {
  const known = fileOf("a.txt", lines([{ role: "user", content: "Hi" }]));
  const unknown = fileOf("b.json", lines(own));
  const explained = [];
  for await (const one of explainLogs([known, unknown])) explained.push(one);

  expect(explained).toMatchObject([
    { file: known, format: "openai", because: { value: 1 }, guess: null },
    { file: unknown, format: null, because: null, guess: { mapping: { text: "msg" } } },
  ]);
  expect(DETECTION.map(({ format }) => format).toSorted()).toEqual(
    FORMATS.filter((format) => format !== "mapped").toSorted(),
  );
  // What any message looks like is asked last.
  expect(DETECTION.slice(-4).map(({ format }) => format)).toEqual([
    "anthropic",
    "ollama",
    "speakers",
    "openai",
  ]);
});

it("[IM1] a file is known by one of its first 50 values, and by none behind them", async () => {
  const message = { role: "user", content: "Hi" };
  const behind = async (count: number) => {
    const others = Array.from({ length: count }, (_, n) => ({ n }));
    const explained = [];
    for await (const one of explainLogs([fileOf("a.txt", lines([...others, message]))]))
      explained.push(one);
    return explained[0]?.format;
  };

  expect([await behind(49), await behind(50)]).toEqual(["openai", null]);
});

it("[IM1] the format may be given, mapped only with a mapping", async () => {
  const { format } = await recordsOf(lines([{ role: "user", content: "Hi" }]), "x", {
    format: "speakers",
  });
  const reading = async () => {
    for await (const _ of readLogs([], { format: "mapped" }));
  };

  expect(format).toBe("speakers");
  await expect(reading).rejects.toThrow(/mapped without a mapping/);
});

it("[IM13] hollow-agentOS's chains, registries and broken tools", async () => {
  const step = {
    step_id: "s1",
    agent_id: "cedar",
    goal_id: "g1",
    execution_id: "e1",
    capability_id: "fs_write",
    reasoning_text: "planned: fs_write",
    execution_result: { ok: true, key: "a" },
    execution_status: "success",
    goal_progress_delta: 0.15,
    step_status: "done",
    timestamp: 1776108775.33,
  };
  const chain = await recordsOf(
    lines([
      step,
      {
        ...step,
        step_id: "s2",
        execution_id: "e2",
        execution_result: null,
        execution_status: "failed",
      },
    ]),
    "execution_chain.jsonl",
  );
  const goal = await recordsOf(
    lines([
      {
        goal_id: "g1",
        objective: "Write.",
        status: "completed",
        created_at: 1776108700,
        completed_at: 1776108800,
      },
    ]),
    "registry.jsonl",
  );
  const offers = await recordsOf(
    lines([
      { capability_id: "fs_write", name: "fs_write", description: "Writes.", input_schema: {} },
    ]),
    "registry.jsonl",
  );
  const broken = await recordsOf(
    '{"broken":["x"],"cross_cycle_failures":{"x":3}}',
    "broken_tools.json",
  );

  expect([chain.format, chain.unread]).toEqual(["hollow", []]);
  expect(chain.records.slice(0, 3).map(brief)).toEqual([
    {
      atMs: 1776108775330,
      id: "s1",
      parent: "g1",
      kind: "noted",
      who: "cedar",
      what: "thought",
      data: "planned: fs_write",
    },
    {
      atMs: 1776108775330,
      id: "s1",
      parent: "g1",
      kind: "called",
      agent: "cedar",
      tool: "fs_write",
      call: "e1",
    },
    {
      atMs: 1776108775330,
      id: "s1",
      parent: "g1",
      kind: "returned",
      tool: "fs_write",
      call: "e1",
      result: { ok: true, key: "a" },
      ok: true,
    },
  ]);
  expect(chain.records[6]).toMatchObject({ kind: "returned", result: null, ok: false });
  const refused = lines([{ ...step, execution_result: { ok: false, error: "full" } }]);
  const { records } = await recordsOf(refused, "execution_chain.jsonl");
  expect(records[2]).toMatchObject({ kind: "returned", ok: false, error: "full" });
  expect(goal.records.map(({ atMs, kind }) => [atMs, kind])).toEqual([
    [1776108700000, "noted"],
    [1776108800000, "noted"],
  ]);
  expect(offers.records[0]).toMatchObject({
    kind: "offered",
    tool: "fs_write",
    description: "Writes.",
  });
  expect(broken.records[0]).toMatchObject({ kind: "noted", what: "broken_tools" });
});

it.each([
  ["active", { active: [{ id: "debt", severity: 0.4 }], resolved: [] }],
  ["resolved", { active: [], resolved: [{ id: "debt", severity: 0.4 }] }],
])(
  "[IM13] hollow-agentOS's stressors are notes, also where there are only %s ones",
  async (_, file) => {
    const { format, records, unread } = await recordsOf(JSON.stringify(file), "stressors.json");

    expect([format, unread]).toEqual(["hollow", []]);
    expect(records).toMatchObject([{ kind: "noted", what: "stressors", data: file }]);
  },
);

it("[IM13] a list of what is active and resolved is no stressors, where nothing has a severity", async () => {
  const file = { active: [{ id: "debt" }], resolved: [] };

  expect((await recordsOf(JSON.stringify(file), "stressors.json")).format).not.toBe("hollow");
});
