import { describe, expect, it } from "vitest";
import { exchangeOf } from "../../../src/actors/imported/edge/readers/exchange.ts";
import type { Fields } from "../../../src/actors/imported/edge/readers/fields.ts";
import { brief, fileOf, gathered, lines, recordsOf } from "./gathered.ts";

const told = async (value: unknown, name?: string) => {
  const { records, unread, format } = await recordsOf(JSON.stringify(value), name);
  return { records: records.map(brief), unread, format };
};
const call = (id: string, args: unknown = "{}") => ({
  id,
  type: "function",
  function: { name: "look", arguments: args },
});

it("[IM2, IM3] OpenAI's messages are what was said, called and returned, each with its step", async () => {
  const { records, unread, format } = await told([
    { role: "user", content: "Where?" },
    { role: "assistant", content: "I look.", tool_calls: [call("c1", '{"at":1}')] },
    { role: "tool", tool_call_id: "c1", name: "look", content: '{"found":[]}' },
    { role: "assistant", name: "Ann", content: [{ type: "text", text: "Nowhere." }] },
  ]);

  expect(format).toBe("openai");
  expect(unread).toEqual([]);
  expect(records).toEqual([
    { step: 0, kind: "said", speaker: "user", role: "user", text: "Where?" },
    { step: 1, kind: "said", speaker: "assistant", role: "agent", text: "I look." },
    { step: 1, kind: "called", agent: "assistant", tool: "look", call: "c1", args: { at: 1 } },
    { step: 2, kind: "returned", tool: "look", call: "c1", result: '{"found":[]}' },
    { step: 3, kind: "said", speaker: "Ann", role: "agent", text: "Nowhere." },
  ]);
});

it("[IM3] arguments that are no JSON stay a text, and a call without a text stands alone", async () => {
  const { records } = await told([
    { role: "assistant", content: null, tool_calls: [call("c1", "{at: 1")] },
    { role: "assistant", content: null, function_call: { name: "old", arguments: "{}" } },
  ]);

  expect(records).toEqual([
    { step: 0, kind: "called", agent: "assistant", tool: "look", call: "c1", raw: "{at: 1" },
    { step: 1, kind: "called", agent: "assistant", tool: "old", args: {} },
  ]);
});

it("[IM2] each line with messages is a log, with its tools, labels and other fields", async () => {
  const episode = {
    task_id: 7,
    reward: 0.5,
    tools: [
      {
        type: "function",
        function: { name: "look", description: "Looks.", parameters: { type: "object" } },
      },
    ],
    messages: [{ role: "user", content: "Hi" }],
  };
  const { logs, unread } = await gathered([
    fileOf("tau.jsonl", lines([{ ...episode, reward: true, mistake_step: 0 }, episode])),
  ]);

  expect(unread).toEqual([]);
  expect([...logs.keys()]).toEqual(["tau.1", "tau.2"]);
  expect(logs.get("tau.1")?.map(brief).slice(-2)).toMatchObject([
    { kind: "judged", reward: 1, mistake: { step: 0 } },
    { what: "log", data: { task_id: 7 } },
  ]);
  expect(logs.get("tau.1")?.at(-1)).not.toHaveProperty("data.mistake_step");
  expect(logs.get("tau.2")?.map(brief)).toEqual([
    { kind: "offered", tool: "look", description: "Looks.", schema: { type: "object" } },
    { step: 0, kind: "said", speaker: "user", role: "user", text: "Hi" },
    { kind: "judged", reward: 0.5 },
    { id: "7", kind: "noted", what: "log", data: { task_id: 7 } },
  ]);
});

it("[IM2] lines that are messages are one log, or one for each id that they name", async () => {
  const one = await recordsOf(
    lines([
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
    ]),
  );
  const { logs } = await gathered([
    fileOf(
      "x.jsonl",
      lines(
        ["p", "q", "p"].map((session_id) => ({ session_id, role: "user", content: session_id })),
      ),
    ),
  ]);

  expect([one.count, one.name, one.records.length]).toEqual([1, "log", 2]);
  expect([...logs].map(([name, records]) => [name, records.length])).toEqual([
    ["x.p", 2],
    ["x.q", 1],
  ]);
});

it("[IM4] what a request repeats is told once, and one that repeats nothing begins a log", async () => {
  const user = { role: "user", content: "Hi" };
  const answer = { role: "assistant", content: "Yes?" };
  const more = { role: "user", content: "Go on" };
  const exchange = (messages: unknown[], content: string) => ({
    request: { model: "m", messages },
    response: {
      model: "m",
      created: 1_700_000_000,
      choices: [{ message: { role: "assistant", content } }],
      usage: { prompt_tokens: 3, completion_tokens: 1 },
    },
  });
  const text = lines([
    exchange([user], "Yes?"),
    exchange([user, answer, more], "So"),
    exchange([{ role: "user", content: "Other" }], "No"),
  ]);
  const { logs, unread } = await gathered([fileOf("api.jsonl", text)]);
  const texts = [...logs.values()].map((records) =>
    records.flatMap((record) => (record.kind === "said" ? [record.text] : [])),
  );

  expect(unread).toEqual([]);
  expect(texts).toEqual([
    ["Hi", "Yes?", "Go on", "So"],
    ["Other", "No"],
  ]);
  expect(logs.get("api.1")?.map(brief)[1]).toEqual({
    atMs: 1_700_000_000_000,
    step: 1,
    kind: "said",
    speaker: "assistant",
    role: "agent",
    text: "Yes?",
    model: "m",
    usage: { promptTokens: 3, answerTokens: 1 },
  });
});

it("[IM5] Anthropic's blocks give calls, results and thoughts", async () => {
  const { records, unread, format } = await told({
    system: "Be kind.",
    tools: [{ name: "look", description: "Looks.", input_schema: { type: "object" } }],
    messages: [
      { role: "user", content: "Where?" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm." },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "u1", name: "look", input: { at: 1 } },
          { type: "server_tool_use", id: "u2", name: "web_search", input: { query: "it" } },
          { type: "web_search_tool_result", tool_use_id: "u2", content: [] },
          { type: "mcp_tool_use", id: "u3", name: "far", input: {} },
          { type: "mcp_tool_result", tool_use_id: "u3", content: [] },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "u1",
            is_error: true,
            content: [{ type: "text", text: "gone" }],
          },
        ],
      },
    ],
  });

  expect([format, unread]).toEqual(["anthropic", []]);
  expect(records).toEqual([
    { kind: "offered", tool: "look", description: "Looks.", schema: { type: "object" } },
    { kind: "said", speaker: "system", role: "system", text: "Be kind." },
    { step: 0, kind: "said", speaker: "user", role: "user", text: "Where?" },
    { step: 1, kind: "said", speaker: "assistant", role: "agent", text: "I look." },
    { step: 1, kind: "noted", who: "assistant", what: "thought", data: "Hm." },
    { step: 1, kind: "called", agent: "assistant", tool: "look", call: "u1", args: { at: 1 } },
    {
      ...{ step: 1, kind: "called", agent: "assistant", tool: "web_search" },
      ...{ call: "u2", args: { query: "it" } },
    },
    { step: 1, kind: "returned", call: "u2", result: [] },
    { step: 1, kind: "called", agent: "assistant", tool: "far", call: "u3", args: {} },
    { step: 1, kind: "returned", call: "u3", result: [] },
    { step: 2, kind: "returned", call: "u1", result: "gone", ok: false },
  ]);
});

it("[IM5] Ollama's requests and streamed responses give one answer with what it cost", async () => {
  const asked = { model: "q", messages: [{ role: "user", content: "Hi" }], stream: true };
  const piece = (content: string, done: boolean, more = {}) => ({
    model: "q",
    created_at: "2026-01-01T00:00:00.5Z",
    message: { role: "assistant", content },
    done,
    ...more,
  });
  const called = {
    model: "q",
    created_at: "2026-01-01T00:00:02Z",
    done: true,
    message: {
      role: "assistant",
      content: "",
      tool_calls: [{ function: { name: "look", arguments: { at: 1 } } }],
    },
  };
  const again = {
    model: "q",
    messages: [
      asked.messages[0],
      { role: "assistant", content: "Hello" },
      { role: "user", content: "Look" },
    ],
  };
  const result = {
    model: "q",
    messages: [...again.messages, called.message, { role: "tool", tool_name: "look", content: "" }],
  };
  const { records, unread, format, count } = await recordsOf(
    lines([
      asked,
      piece("Hel", false),
      piece("lo", true, { total_duration: 1_500_000_000, prompt_eval_count: 4, eval_count: 2 }),
      again,
      called,
      result,
      piece("Done", true),
    ]),
  );

  expect([format, unread, count]).toEqual(["ollama", [], 1]);
  expect(records.filter(({ kind }) => kind !== "noted").map(brief)).toMatchObject([
    { kind: "said", text: "Hi" },
    {
      kind: "said",
      text: "Hello",
      latencyMs: 1_500,
      usage: { promptTokens: 4, answerTokens: 2 },
      atMs: Date.UTC(2026, 0, 1, 0, 0, 0, 500),
    },
    { kind: "said", text: "Look" },
    { kind: "said", text: "", model: "q" },
    { kind: "called", tool: "look", args: { at: 1 } },
    { kind: "returned", tool: "look", result: "" },
    { kind: "said", text: "Done" },
  ]);
});

it("[IM5] OpenAI's Responses give calls and results", async () => {
  const { records, unread } = await told({
    request: {
      model: "m",
      input: [
        { role: "user", content: [{ type: "input_text", text: "Hi" }] },
        { type: "function_call", call_id: "f1", name: "look", arguments: "{}" },
        { type: "function_call_output", call_id: "f1", output: "x" },
        { type: "custom_tool_call", call_id: "f2", name: "see", input: "y" },
        { type: "custom_tool_call_output", call_id: "f2", output: "x" },
      ],
    },
    response: {
      object: "response",
      output: [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done" }] },
      ],
    },
  });

  expect(unread).toEqual([]);
  expect(records.map((record) => (record as { kind: string }).kind)).toEqual([
    ...["said", "called", "returned", "called", "returned", "said"],
  ]);
});

it("[IM6] speakers stand in the role or beside it, and labels are judged", async () => {
  const { records, unread, format } = await told({
    is_corrected: false,
    mistake_agent: "WebSurfer",
    mistake_step: "2",
    mistake_reason: "It clicks.",
    question: "Where to?",
    history: [
      { role: "human", content: "Where to?" },
      { role: "Orchestrator (thought)", content: "Hm" },
      { role: "Orchestrator (-> WebSurfer)", content: "Go" },
      { role: "Orchestrator (termination condition)", content: "Over" },
      { role: "Orchestrator (→ WebSurfer)", content: "Go" },
    ],
  });

  expect([format, unread]).toEqual(["speakers", []]);
  expect(records).toEqual([
    { step: 0, kind: "said", speaker: "human", role: "user", text: "Where to?" },
    {
      step: 1,
      kind: "said",
      speaker: "Orchestrator",
      role: "agent",
      to: "Orchestrator",
      text: "Hm",
    },
    { step: 2, kind: "said", speaker: "Orchestrator", role: "agent", to: "WebSurfer", text: "Go" },
    { step: 3, kind: "said", speaker: "Orchestrator", role: "agent", text: "Over" },
    { step: 3, kind: "noted", who: "Orchestrator", what: "label", data: "termination condition" },
    { step: 4, kind: "said", speaker: "Orchestrator", role: "agent", to: "WebSurfer", text: "Go" },
    {
      kind: "judged",
      success: false,
      mistake: { agent: "WebSurfer", step: 2, reason: "It clicks." },
    },
    { kind: "noted", what: "log", data: { question: "Where to?" } },
  ]);
});

it.each([
  [{ speaker: "Ann", text: "Hi" }],
  [{ from: "Ann", value: "Hi" }],
  [{ agent: "Ann", message: "Hi" }],
  [{ role: "user", name: "Ann", content: "Hi" }],
])("[IM6] %j is said by Ann", async (message) => {
  const { records } = await told({
    history: [
      message,
      { ...message, ...{ text: "Ho", value: "Ho", message: "Ho", content: "Ho" } },
    ],
  });

  expect(records[0]).toEqual({ step: 0, kind: "said", speaker: "Ann", role: "agent", text: "Hi" });
});

describe("results", () => {
  const called = (...ids: string[]) => ({
    ...{ role: "assistant", content: null, tool_calls: ids.map((id) => call(id)) },
  });
  const result = (id: string) => ({ role: "tool", tool_call_id: id, content: `of ${id}` });
  const kindsOf = async (...messages: object[]) => {
    const { records, unread } = await told(messages);
    return { unread, kinds: records.map((record) => (record as { kind: string }).kind) };
  };

  it("[IM7] goes to the open call of its id, also where the id was another's before", async () => {
    const two = [called("c1"), result("c1"), called("c1"), result("c1")];

    expect(await kindsOf(...two)).toEqual({
      ...{ unread: [], kinds: ["called", "returned", "called", "returned"] },
    });
  });

  it("[IM7] without a call, or a second time, is unread and kept as a note", async () => {
    expect(await kindsOf(called("c1"), result("c1"), result("c1"), result("c9"))).toEqual({
      kinds: ["called", "returned", "noted", "noted"],
      unread: [
        expect.stringContaining('a second result of one call, "c1"'),
        expect.stringContaining('a result without a call, "c9"'),
      ],
    });
  });

  it("[IM7] a call under an id that still waits is unread and told without an id", async () => {
    expect(await kindsOf(called("c1", "c1"), result("c1"))).toEqual({
      kinds: ["called", "called", "returned"],
      unread: [expect.stringContaining('still waits for its result, "c1"')],
    });
  });
});

it("[IM63] a field that nobody reads is unread where it holds calls or results", async () => {
  const messages = [{ role: "user", content: "Hi" }];
  const unreadOf = async (type: string) =>
    (await told({ messages, trace: [{ step: { type, name: "look" } }] })).unread;

  expect(await unreadOf("note")).toEqual([]);
  for (const type of ["tool_use", "tool_result", "function_call", "function_call_output"]) {
    expect(await unreadOf(type)).toEqual([
      expect.stringContaining('the field "trace", which holds calls or results'),
    ]);
  }
});

it("[IM4] a response without its request is told, as a batch leaves it", async () => {
  const body = { choices: [{ message: { role: "assistant", content: "Yes" } }] };
  const line = (custom_id: string) => ({ custom_id, response: { status_code: 200, body } });
  const { logs, unread } = await gathered([fileOf("batch.jsonl", lines([line("a"), line("b")]))]);

  expect(unread).toEqual([]);
  expect([...logs.values()].map((records) => records[1])).toMatchObject([
    { kind: "said", text: "Yes" },
    { kind: "said", text: "Yes" },
  ]);
});

it("[IM4] of 1,000 logs each may go on, and one more closes the one that was quiet longest", async () => {
  const ask = (n: number) => ({ role: "user", content: `Hi ${n}` });
  const exchange = (messages: object[], content: string) => ({
    ...{ messages, response: { role: "assistant", content } },
  });
  const logs = async (count: number) => {
    const begun = Array.from({ length: count }, (_, n) => exchange([ask(n)], `A${n}`));
    const first = [ask(0), { role: "assistant", content: "A0" }, ask(-1)];
    const text = lines([...begun, exchange(first, "C")]);
    return (await gathered([fileOf("api.jsonl", text)])).logs.size;
  };

  expect([await logs(1_000), await logs(1_001)]).toEqual([1_000, 1_002]);
});

it("[IM4] the same request again is a log of its own, and each goes on by its own answer", async () => {
  const ask = [
    { role: "system", content: "Be kind." },
    { role: "user", content: "Hi" },
  ];
  const say = (content: string) => ({ role: "assistant", content });
  const exchange = (messages: object[], content: string) => ({ messages, response: say(content) });
  const more = { role: "user", content: "More" };
  const text = lines([
    exchange(ask, "A"),
    exchange(ask, "B"),
    exchange([...ask, say("A"), more], "C"),
    exchange([...ask, say("B"), more], "D"),
  ]);
  const { logs, unread } = await gathered([fileOf("api.jsonl", text)]);
  const texts = [...logs.values()].map((records) =>
    records.map((record) => (record.kind === "said" ? record.text : "?")).join(),
  );

  expect(unread).toEqual([]);
  expect(texts).toEqual(["Be kind.,Hi,A,More,C", "Be kind.,Hi,B,More,D"]);
});

it("[CL36] a call whose id is constructor has the result that its agent sent, where the model got no other", () => {
  const result = { role: "tool", tool_call_id: "constructor", content: "as sent" };
  const wired = (got: object): Fields =>
    ({
      ...{ api: "chat", before: "", path: "/v1", status: 200, response: {}, got },
      request: { messages: [{ role: "user", content: "Go" }, result] },
    }) as unknown as Fields;
  const told = (got: object) => JSON.stringify(exchangeOf(wired(got))?.request);

  expect(told({})).toContain('"content":"as sent"');
  expect(told({ constructor: "as got" })).toContain('"content":"as got"');
});
