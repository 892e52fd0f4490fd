import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  DETAIL_EVENTS,
  NAMES,
} from "../../../src/actors/imported/edge/readers/otlp/attributeNames.ts";
import { Spool } from "../../../src/actors/imported/edge/readers/otlp/spool.ts";
import { brief, fileOf, gathered, lines } from "./gathered.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const typed = (value: unknown): object => {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return { intValue: String(value) };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(typed) } };
  return { kvlistValue: { values: attributes(value as object) } };
};
const attributes = (fields: object) =>
  Object.entries(fields).map(([key, value]) => ({ key, value: typed(value) }));
interface Given {
  id: string;
  parent?: string;
  name?: string;
  from: number;
  to: number;
  has: object;
  trace?: string;
  more?: object;
}
const span = ({ id, parent, name = "", from, to, has, trace = TRACE, more = {} }: Given) => ({
  traceId: trace,
  spanId: id,
  ...(parent === undefined ? {} : { parentSpanId: parent }),
  name,
  startTimeUnixNano: `1700000000${String(from).padStart(3, "0")}000001`,
  endTimeUnixNano: `1700000000${String(to).padStart(3, "0")}000001`,
  attributes: attributes(has),
  ...more,
});
const request = (spans: readonly object[]) => ({
  resourceSpans: [
    { resource: { attributes: attributes({ "service.name": "shop" }) }, scopeSpans: [{ spans }] },
  ],
});

const asks = { role: "user", parts: [{ type: "text", content: "Rain?" }] };
const calls = {
  role: "assistant",
  parts: [{ type: "tool_call", id: "c1", name: "sky", arguments: { at: 1 } }],
  finish_reason: "tool_call",
};
const returns = {
  role: "tool",
  parts: [{ type: "tool_call_response", id: "c1", response: "wet" }],
};
const says = {
  role: "assistant",
  parts: [{ type: "text", content: "It rains." }],
  finish_reason: "stop",
};
const agentRun = [
  span({
    id: "s1",
    name: "invoke_agent Bot",
    from: 0,
    to: 600,
    has: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "Bot",
      "gen_ai.output.messages": JSON.stringify([says]),
    },
  }),
  span({
    id: "s2",
    parent: "s1",
    from: 100,
    to: 200,
    has: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.input.messages": JSON.stringify([asks]),
      "gen_ai.output.messages": [calls],
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.tool.definitions": JSON.stringify([
        { type: "function", name: "sky", description: "Looks up.", parameters: {} },
      ]),
    },
  }),
  span({
    id: "s3",
    parent: "s1",
    name: "execute_tool sky",
    from: 250,
    to: 350,
    has: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "sky",
      "gen_ai.tool.call.id": "c1",
      "gen_ai.tool.call.arguments": '{"at":1}',
      "gen_ai.tool.call.result": "wet",
    },
  }),
  span({
    id: "s4",
    parent: "s1",
    from: 400,
    to: 500,
    has: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.input.messages": JSON.stringify([asks, calls, returns]),
      "gen_ai.output.messages": JSON.stringify([says]),
    },
  }),
];
const at = (ms: number) => ({ atMs: 1_700_000_000_000 + ms });
const agentRecords = [
  {
    ...at(0),
    id: "s1",
    kind: "noted",
    who: "Bot",
    what: "resource",
    data: { "service.name": "shop" },
  },
  {
    ...at(0),
    id: "s1",
    kind: "noted",
    who: "Bot",
    what: "invoke_agent Bot",
    data: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "Bot" },
  },
  { ...at(100), kind: "offered", tool: "sky", description: "Looks up.", schema: {} },
  {
    ...at(100),
    id: "s2",
    parent: "s1",
    kind: "said",
    speaker: "user",
    role: "user",
    text: "Rain?",
  },
  {
    ...at(200),
    id: "s2",
    parent: "s1",
    kind: "said",
    speaker: "Bot",
    role: "agent",
    text: "",
    model: "m",
    usage: { promptTokens: 12, answerTokens: null },
    latencyMs: 100,
  },
  {
    ...at(200),
    id: "s2",
    parent: "s1",
    kind: "called",
    agent: "Bot",
    tool: "sky",
    call: "c1",
    args: { at: 1 },
  },
  {
    ...at(350),
    id: "s3",
    parent: "s1",
    kind: "returned",
    tool: "sky",
    call: "c1",
    result: "wet",
    latencyMs: 100,
  },
  {
    ...at(500),
    id: "s4",
    parent: "s1",
    kind: "said",
    speaker: "Bot",
    role: "agent",
    text: "It rains.",
    model: "m",
    latencyMs: 100,
  },
];

it("[IM8, IM9] a run of an agent is told in the order of time, each call, result and answer once", async () => {
  const { logs, unread, formats } = await gathered([
    fileOf("t.json", JSON.stringify(request(agentRun))),
  ]);

  expect(unread).toEqual([]);
  expect([...formats]).toEqual([[`t.${TRACE}`, "otlp"]]);
  expect([...logs.values()][0]?.map(brief)).toEqual(agentRecords);
});

it("[IM9] a result that a message told before its span ended is told once", async () => {
  const late = agentRun.map((one) =>
    one.spanId === agentRun[2]?.spanId ? { ...one, endTimeUnixNano: "1700000000550000000" } : one,
  );
  const { logs, unread } = await gathered([fileOf("t.json", JSON.stringify(request(late)))]);
  const results = [...logs.values()].flat().filter(({ kind }) => kind === "returned");

  expect(unread).toEqual([]);
  expect(results).toMatchObject([{ call: "c1", id: "s4" }]);
});

it("[IM8] the order of spans and lines does not matter", async () => {
  const shuffled = fc.shuffledSubarray(agentRun, { minLength: agentRun.length });
  await fc.assert(
    fc.asyncProperty(shuffled, fc.boolean(), async (spans, isByLine) => {
      const requests = isByLine ? spans.map((one) => request([one])) : [request(spans)];
      const { logs } = await gathered([fileOf("t.jsonl", lines(requests))]);
      expect([...logs.values()][0]?.map(brief)).toEqual(agentRecords);
    }),
    { seed: 7, numRuns: 20 },
  );
});

it("[IM8] of spans that begin within one millisecond the first is told first, whatever its id", async () => {
  const chat = (id: string, nanos: number) =>
    span({
      ...{ id, from: 1, to: 1 },
      more: { startTimeUnixNano: `170000000000100000${nanos}` },
      has: {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.messages": JSON.stringify([says]),
      },
    });
  const { logs } = await gathered([
    fileOf("t.json", JSON.stringify(request([chat("a", 2), chat("b", 1)]))),
  ]);

  expect([...logs.values()].flat().map(brief)).toMatchObject([
    ...[{ what: "resource" }, { id: "b", kind: "said" }, { id: "a", kind: "said" }],
  ]);
});

it("[IM8] of spans that begin at once the outer is told first, of those that end at once the inner", async () => {
  const told = async (begins: number) => {
    const chat = (id: string, from: number, parent?: string) =>
      span({
        ...{ id, from, to: 5, ...(parent && { parent }) },
        has: {
          "gen_ai.operation.name": "chat",
          "gen_ai.output.messages": JSON.stringify([
            { ...says, parts: [{ type: "text", content: id }] },
          ]),
        },
      });
    const spans = [chat("z", 1), chat("a", begins, "z")];
    const { logs } = await gathered([fileOf("t.json", JSON.stringify(request(spans)))]);
    return [...logs.values()].flat().flatMap((one) => (one.kind === "said" ? [one.id] : []));
  };

  expect([await told(1), await told(2)]).toEqual([
    ["a", "z"],
    ["a", "z"],
  ]);
});

it("[IM8] a log is a conversation, else a trace", async () => {
  const chat = (id: string, trace: string, conversation?: string) =>
    span({
      id,
      trace,
      from: 1,
      to: 2,
      has: {
        "gen_ai.operation.name": "chat",
        ...(conversation && { "gen_ai.conversation.id": conversation }),
      },
    });
  const spans = [
    chat("a", "1a", "talk"),
    chat("b", "2b", "talk"),
    chat("c", "2b"),
    chat("d", "3d"),
  ];
  const { logs } = await gathered([fileOf("t.jsonl", lines([request(spans)]))]);

  expect([...logs.keys()].sort()).toEqual(["t.3d", "t.talk"]);
});

it("[IM8] a span of no conversation is of the only one of its trace, and of the trace where there are two", async () => {
  const chat = (id: string, conversation?: string) =>
    span({
      ...{ id, from: 1, to: 2 },
      has: {
        "gen_ai.operation.name": "chat",
        ...(conversation && { "gen_ai.conversation.id": conversation }),
      },
    });
  const logsOf = async (...spans: readonly object[]) =>
    [...(await gathered([fileOf("t.json", JSON.stringify(request(spans)))])).logs.keys()].sort();

  expect(await logsOf(chat("a", "talk"), chat("b"))).toEqual(["t.talk"]);
  expect(await logsOf(chat("a", "talk"), chat("b", "talk"), chat("c"))).toEqual(["t.talk"]);
  expect(await logsOf(chat("a", "talk"), chat("b"), chat("c", "walk"))).toEqual([
    ...[`t.${TRACE}`, "t.talk", "t.walk"],
  ]);
});

it("[IM9] a span without an agent's name is that of the nearest span around it that has one", async () => {
  const run = (id: string, agent: string | null, parent?: string) =>
    span({
      ...{ id, from: 1, to: 9, ...(parent && { parent }) },
      has: {
        "gen_ai.operation.name": "invoke_agent",
        ...(agent && { "gen_ai.agent.name": agent }),
      },
    });
  const chat = span({
    ...{ id: "s4", parent: "s3", from: 2, to: 3 },
    has: { "gen_ai.operation.name": "chat", "gen_ai.output.messages": JSON.stringify([says]) },
  });
  const spans = [run("s1", "Outer"), run("s2", "Inner", "s1"), run("s3", null, "s2"), chat];
  const { logs } = await gathered([fileOf("t.json", JSON.stringify(request(spans)))]);

  expect([...logs.values()].flat().filter(({ kind }) => kind === "said")).toMatchObject([
    { speaker: "Inner", text: "It rains." },
  ]);
});

it.each([
  [
    "numbered attributes",
    {
      "gen_ai.system": "openai",
      "llm.request.type": "chat",
      "gen_ai.prompt.0.role": "user",
      "gen_ai.prompt.0.content": "Rain?",
      "gen_ai.completion.0.role": "assistant",
      "gen_ai.completion.0.content": "It rains.",
      "gen_ai.completion.0.tool_calls.0.id": "c1",
      "gen_ai.completion.0.tool_calls.0.name": "sky",
      "gen_ai.completion.0.tool_calls.0.arguments": '{"at":1}',
    },
    [],
  ],
  [
    "JSON under the previous names",
    {
      "gen_ai.prompt": JSON.stringify([{ role: "user", content: "Rain?" }]),
      "gen_ai.completion": JSON.stringify([
        {
          role: "assistant",
          content: "It rains.",
          tool_calls: [{ id: "c1", function: { name: "sky", arguments: '{"at":1}' } }],
        },
      ]),
    },
    [],
  ],
  [
    "OpenInference",
    {
      "openinference.span.kind": "LLM",
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "Rain?",
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.content": "It rains.",
      "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
      "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "sky",
      "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"at":1}',
    },
    [],
  ],
  [
    "events",
    { "gen_ai.operation.name": "chat" },
    [
      { name: "gen_ai.user.message", attributes: attributes({ content: "Rain?" }) },
      {
        name: "gen_ai.choice",
        attributes: attributes({
          message: JSON.stringify({
            role: "assistant",
            content: "It rains.",
            tool_calls: [{ id: "c1", function: { name: "sky", arguments: '{"at":1}' } }],
          }),
        }),
      },
    ],
  ],
])("[IM10] %s give what current names give", async (_, has, events) => {
  const { logs, unread } = await gathered([
    fileOf(
      "t.json",
      JSON.stringify(request([span({ id: "a", from: 1, to: 2, has, more: { events } })])),
    ),
  ]);
  const records = [...logs.values()][0]?.filter(({ kind }) => kind !== "noted").map(brief);

  expect(unread).toEqual([]);
  expect(records).toMatchObject([
    { kind: "said", role: "user", text: "Rain?" },
    { kind: "said", role: "agent", text: "It rains." },
    { kind: "called", tool: "sky", call: "c1", args: { at: 1 } },
  ]);
});

const whole = [
  {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "p",
    "gen_ai.response.model": "m",
    "gen_ai.conversation.id": "talk",
    "gen_ai.agent.name": "Bot",
    "gen_ai.agent.id": "b1",
    "gen_ai.input.messages": JSON.stringify([{ role: "user", content: "Rain?" }]),
    "gen_ai.output.messages": JSON.stringify([{ role: "assistant", content: "It rains." }]),
    "gen_ai.system_instructions": "Be kind.",
    "gen_ai.usage.input_tokens": 12,
    "gen_ai.usage.output_tokens": 3,
    "gen_ai.tool.definitions": JSON.stringify([
      { type: "function", function: { name: "sky", description: "Looks up.", parameters: {} } },
    ]),
  },
  {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.conversation.id": "talk",
    "gen_ai.agent.name": "Bot",
    "gen_ai.tool.name": "sky",
    "gen_ai.tool.description": "Looks up.",
    "gen_ai.tool.call.id": "c1",
    "gen_ai.tool.call.arguments": '{"at":1}',
    "gen_ai.tool.call.result": "wet",
  },
];
// What kind of span it is has no name of OpenTelemetry's beside its operation.
const { spanKind: _, ...renamedLater } = NAMES;
const names = Object.values(renamedLater).flatMap(([first, ...others]) =>
  others.map((other): [string, string] => [other, first]),
);
it("[IM10] the names of other times and of other libraries are these", () => {
  const later = Object.values(renamedLater).flatMap(([, ...others]) => others);

  expect([...later, ...NAMES.spanKind]).toEqual([
    ...["gen_ai.system", "llm.system", "llm.vendor", "llm.provider"],
    ...["gen_ai.request.model", "llm.response.model", "llm.request.model", "llm.model_name"],
    ...["session.id", "traceloop.association.properties.session_id"],
    ...["agent.name", "llm.agent.name", "gen_ai.prompt", "gen_ai.completion"],
    ...["llm.request.functions", "llm.tools", "tool.name", "tool_call.function.name"],
    ...["tool.description", "tool_call.id", "tool.id", "tool_call.function.arguments"],
    ...["tool.parameters", "traceloop.entity.input", "input.value"],
    ...["traceloop.entity.output", "output.value"],
    ...["gen_ai.usage.prompt_tokens", "llm.usage.prompt_tokens", "llm.token_count.prompt"],
    ...["gen_ai.usage.completion_tokens", "llm.usage.completion_tokens"],
    "llm.token_count.completion",
    ...["openinference.span.kind", "traceloop.span.kind", "llm.request.type"],
  ]);
});

const chatOf = async (has: object, events: readonly object[] = []) => {
  const spans = [
    span({
      ...{ id: "a", from: 1, to: 2, more: { events } },
      has: { "gen_ai.operation.name": "chat", ...has },
    }),
  ];
  const { logs, unread } = await gathered([fileOf("t.json", JSON.stringify(request(spans)))]);
  expect(unread).toEqual([]);
  return [...logs.values()]
    .flat()
    .flatMap((one) =>
      one.kind === "said" ? [`${one.role}: ${one.text}`] : one.kind === "noted" ? [] : [one.kind],
    );
};
const LOOKS = { role: "assistant", content: "It rains." };

it.each([
  ["gen_ai.prompt", "gen_ai.completion"],
  ["llm.prompts", "llm.completions"],
  ["llm.input_messages", "llm.output_messages"],
])(
  "[IM10] numbered attributes under %s and %s are messages, in the order of their numbers",
  async (asked, answered) => {
    const words = Array.from({ length: 11 }, (_, at) => [`${asked}.${at}.content`, `Rain ${at}?`]);
    const has = { ...Object.fromEntries(words), [`${answered}.0.content`]: LOOKS.content };

    expect(await chatOf(has)).toEqual([
      ...words.map(([, text]) => `user: ${text}`),
      "agent: It rains.",
    ]);
  },
);

it("[IM10] an event is a message of the role in its name, or holds messages as a span does", async () => {
  const event = (name: string, has: object) => ({ name, attributes: attributes(has) });
  const asked = JSON.stringify([{ role: "user", content: "Rain?" }]);
  const answered = JSON.stringify([LOOKS]);
  const made = JSON.stringify([{ id: "c1", function: { name: "sky", arguments: "{}" } }]);
  const alone = [
    event("gen_ai.system.message", { content: "Be kind." }),
    event("gen_ai.user.message", { content: "Rain?" }),
    event("gen_ai.assistant.message", { content: "I look.", tool_calls: made }),
    event("gen_ai.tool.message", { id: "c1", content: "wet" }),
  ];
  const details = event("gen_ai.client.inference.operation.details", {
    ...{ "gen_ai.input.messages": asked, "gen_ai.output.messages": answered },
  });
  const halves = [
    event("gen_ai.content.prompt", { "gen_ai.prompt": asked }),
    event("gen_ai.content.completion", { "gen_ai.completion": answered }),
  ];

  expect(await chatOf({}, alone)).toEqual([
    ...["system: Be kind.", "user: Rain?", "agent: I look.", "called", "returned"],
  ]);
  expect(await chatOf({}, [details])).toEqual(["user: Rain?", "agent: It rains."]);
  expect(await chatOf({}, halves)).toEqual(["user: Rain?", "agent: It rains."]);
});

it.each(names)("[IM10] %s gives what %s gives", async (other, first) => {
  const told = async (has: readonly object[]) => {
    const spans = has.map((one, at) => span({ id: `s${at}`, from: at, to: at + 1, has: one }));
    const { logs } = await gathered([fileOf("t.json", JSON.stringify(request(spans)))]);
    return [...logs].map(([log, records]) => [
      log,
      records.filter(({ kind }) => kind !== "noted").map(brief),
    ]);
  };
  const renamed = whole.map((one) =>
    Object.fromEntries(
      Object.entries(one).map(([name, value]) => (name === first ? [other, value] : [name, value])),
    ),
  );

  expect(renamed).not.toEqual(whole);
  expect(await told(renamed)).toEqual(await told(whole));
});

it("[IM9] an answer that a span of a model around another one repeats is told once", async () => {
  const chat = (id: string, parent?: string) =>
    span({
      ...{ id, from: 1, to: 2, ...(parent && { parent }) },
      has: {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.messages": JSON.stringify([says]),
      },
    });
  const { logs } = await gathered([
    fileOf("t.json", JSON.stringify(request([chat("s1"), chat("s2", "s1")]))),
  ]);

  expect([...logs.values()].flat().filter(({ kind }) => kind === "said")).toHaveLength(1);
});

it.each([
  ["without ids", false],
  ["with ids", true],
])(
  "[IM9] calls and results %s that stand in messages and in spans of their own are told once",
  async (_, hasIds) => {
    const id = (at: number) => (hasIds ? { id: `c${at}` } : {});
    const asking = (at: number) => ({
      role: "assistant",
      parts: [{ type: "tool_call", name: "sky", arguments: { at }, ...id(at) }],
    });
    const asked = asking(1);
    const back = (at: number) => ({
      role: "tool",
      parts: [{ type: "tool_call_response", response: "wet", ...id(at) }],
    });
    const chat = (id: string, from: number, input: readonly object[], output: object) =>
      span({
        ...{ id, from, to: from + 1 },
        has: {
          "gen_ai.operation.name": "chat",
          "gen_ai.input.messages": JSON.stringify(input),
          "gen_ai.output.messages": JSON.stringify([output]),
        },
      });
    const tool = (id: string, from: number) =>
      span({
        ...{ id, from, to: from + 1 },
        has: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "sky",
          "gen_ai.tool.call.arguments": '{"at":1}',
          "gen_ai.tool.call.result": "wet",
          ...(hasIds && { "gen_ai.tool.call.id": "c1" }),
        },
      });
    const once = [
      chat("s1", 1, [asks], asked),
      tool("s2", 3),
      chat("s3", 5, [asks, asked, back(1)], says),
    ];
    // No span ran the second one, whose result is the same.
    const again = [
      ...once.slice(0, 2),
      chat("s3", 5, [asks, asked, back(1)], asking(2)),
      chat("s4", 7, [asks, asked, back(1), asking(2), back(2)], says),
    ];
    // The span of the tool comes first, and the message says what it did.
    const before = [tool("s1", 1), chat("s2", 3, [asks, asked, back(1)], says)];
    const told = async (spans: readonly object[]) => {
      const { logs, unread } = await gathered([fileOf("t.json", JSON.stringify(request(spans)))]);
      expect(unread).toEqual([]);
      return [...logs.values()]
        .flat()
        .flatMap(({ kind }) => (/called|returned/.test(kind) ? [kind] : []));
    };

    expect(await told(once)).toEqual(["called", "returned"]);
    expect(await told(before)).toEqual(["called", "returned"]);
    expect(await told(again)).toEqual(["called", "returned", "called", "returned"]);
  },
);

it("[IM9] a tool's span without a message is a call of its own, with its error", async () => {
  const has = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "sky",
    "gen_ai.tool.call.arguments": "{}",
  };
  const more = { status: { code: 2, message: "no sky" } };
  const { logs } = await gathered([
    fileOf("t.json", JSON.stringify(request([span({ id: "a", from: 1, to: 3, has, more })]))),
  ]);

  expect([...logs.values()][0]?.filter(({ kind }) => kind !== "noted").map(brief)).toEqual([
    { ...at(1), id: "a", kind: "called", agent: "assistant", tool: "sky", call: "a", args: {} },
    {
      ...at(3),
      id: "a",
      kind: "returned",
      tool: "sky",
      call: "a",
      ok: false,
      error: "no sky",
      latencyMs: 2,
    },
  ]);
});

it("[IM10] OpenTelemetry's names are those of its own package", () => {
  const known = new Set<unknown>(Object.values(conventions));
  const ours = [...Object.values(NAMES).flat(), ...DETAIL_EVENTS].filter((name) =>
    name.startsWith("gen_ai."),
  );

  expect(ours.filter((name) => !known.has(name) && !/^gen_ai\.content\./.test(name))).toEqual([]);
});

it("[IM8] what is put aside reads back, in memory and in a file", () => {
  for (const memoryBytes of [1_000, 10]) {
    const spool = new Spool(memoryBytes);
    for (const text of ["one", "zwölf", "", "three"]) spool.add(text);
    expect([3, 0, 2, 1].map((at) => spool.at(at))).toEqual(["three", "one", "", "zwölf"]);
    spool.close();
  }
});
