// What readers of messages hold at the edges of their rules: one step before, and what must not be told.
import { Readable } from "node:stream";
import { deflateRawSync, zstdCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { LINE_BYTES_MAX } from "../../../src/actors/imported/edge/input/byteLines.ts";
import { MESSAGE_LISTS } from "../../../src/actors/imported/edge/input/items.ts";
import { WideDocument } from "../../../src/actors/imported/edge/input/wideDocument.ts";
import type { ReadOptions } from "../../../src/actors/imported/edge/readLogs.ts";
import { brief, fileOf, gathered, lines, recordsOf } from "./gathered.ts";

type Brief = { readonly [field: string]: unknown };

/** The records of each log that these values, a line each, come to. */
const told = async (values: readonly unknown[], options?: ReadOptions) => {
  const { logs, unread, formats } = await gathered([fileOf("x.jsonl", lines(values))], options);
  return {
    logs: [...logs.values()].map((all) => all.map((one): Brief => ({ ...brief(one) }))),
    unread: unread.map(({ reason }) => reason),
    formats: [...formats.values()],
  };
};
const kinds = (all: readonly Brief[] | undefined) => all?.map(({ kind }) => kind);
const ask = (content: string) => ({ role: "user", content });
const say = (content: string) => ({ role: "assistant", content });
const call = (id: string | null) => ({
  ...{ role: "assistant", content: null },
  tool_calls: [{ ...(id && { id }), function: { name: "look", arguments: "{}" } }],
});
const use = (id: string) => ({ type: "tool_use", id, name: "look", input: {} });
const got = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "nothing" });
const asked = (messages: readonly object[], response: object) => ({
  ...{ request: { model: "m", messages }, response },
});
const answered = (content: string, more: object = {}) => ({
  choices: [{ message: say(content), ...more }],
});

it("[IM1] a mapping goes before what the content is known by, and a file of no known format gives no log", async () => {
  const mapped = await told([ask("Hi")], { map: { text: "content" } });
  const unknown = await told([{ a: 1 }, { b: 2 }]);

  expect(mapped.formats).toEqual(["mapped"]);
  for (const { logs, unread } of [unknown, await told([{ a: 1 }])])
    expect([logs, unread]).toEqual([
      [],
      [expect.stringMatching(/^no log: JSON of no known format/)],
    ]);
});

it("[IM2] JSON lines and a list read alike: a conversation each, whose other fields are one note", async () => {
  const values = [1, 2].map((n) => ({ messages: [ask(`Hi ${n}`)], task: n, place: "here" }));
  const logsOf = async (text: string) => {
    const { logs } = await gathered([fileOf("x.json", text)]);
    return [...logs.values()].map((all) => all.map(brief));
  };
  const logs = await logsOf(lines(values));

  expect(logs).toHaveLength(2);
  expect(logs[1]?.at(-1)).toEqual({ kind: "noted", what: "log", data: { task: 2, place: "here" } });
  expect(await logsOf(JSON.stringify(values))).toEqual(logs);
  const bare = values.map(({ messages }) => messages);
  const said = (n: number) => [
    { step: 0, kind: "said", speaker: "user", role: "user", text: `Hi ${n}` },
  ];
  expect(await logsOf(lines(bare))).toEqual([said(1), said(2)]);
  expect(await logsOf(JSON.stringify(bare))).toEqual([said(1), said(2)]);
  expect(await logsOf(JSON.stringify(bare.slice(1)))).toEqual([said(2)]);
  expect(await gathered([fileOf("x.json", "[]")])).toMatchObject({
    unread: [{ reason: "an empty list" }],
  });
});

it("[IM3] an answer without a text is told where it cost something, and by its calls alone where not", async () => {
  const calls = { ...call("c"), content: "" };
  const kindsOf = async (response: object) =>
    kinds((await told([{ request: { messages: [ask("Go")] }, response }])).logs[0]);
  const choices = [{ message: calls }];

  expect(await kindsOf({ choices })).toEqual(["said", "called"]);
  expect(await kindsOf({ choices, usage: { prompt_tokens: 3 } })).toEqual([
    "said",
    "said",
    "called",
  ]);
  expect(await kindsOf({ choices, latency_ms: 5 })).toEqual(["said", "said", "called"]);
});

it.each([
  ...["length", "max_tokens", "content_filter", "refusal"].map((one) => [one, "noted"]),
  ...["stop", "tool_calls", "function_call", "end_turn", "tool_use", "stop_sequence", "STOP"].map(
    (one) => [one, "said"],
  ),
])("[IM3] of an answer that ended by %s the last record is %s", async (finish_reason, kind) => {
  const { logs } = await told([asked([ask("Tell.")], answered("Once", { finish_reason }))]);

  expect(kinds(logs[0])?.at(-1)).toBe(kind);
});

it.each<[string, object, object]>([
  [
    "Anthropic's",
    { type: "message", role: "assistant", content: "Once", stop_reason: "max_tokens" },
    { stop_reason: "end_turn" },
  ],
  [
    "Ollama's",
    { message: say("Once"), done: true, done_reason: "length" },
    { done_reason: "stop" },
  ],
  [
    "OpenAI's Responses",
    {
      object: "response",
      output: [{ type: "message", ...say("Once") }],
      incomplete_details: { reason: "max_output_tokens" },
    },
    { incomplete_details: null },
  ],
])(
  "[IM3] that an answer did not end of its own accord is noted in %s words",
  async (_, response, ended) => {
    const last = async (of: object) =>
      (await told([asked([ask("Tell.")], of)])).logs[0]?.at(-1)?.["what"];

    expect([await last(response), await last({ ...response, ...ended })]).toEqual([
      ...["answer ended", undefined],
    ]);
  },
);

it("[IM3] a result that a message holds behind its own call comes after its words", async () => {
  const text = { type: "text", text: "I look." };
  const { logs } = await told([
    { role: "assistant", content: [use("u")] },
    { role: "assistant", content: [got("u"), text, use("v"), got("v"), use("w")] },
    { role: "user", content: [text, got("w")] },
  ]);

  expect(kinds(logs[0])).toEqual([
    ...["called", "returned", "said", "called", "returned", "called", "returned", "said"],
  ]);
});

it("[IM4] requests of one conversation's id are one log, whatever they repeat", async () => {
  const one = (conversation_id: string, content: string) => ({
    ...{ conversation_id, ...asked([ask(content)], answered(`${content}!`)) },
  });
  const { logs } = await told([one("a", "Hi"), one("b", "Hi"), one("a", "Other")]);

  expect(logs.map((all) => all.flatMap(({ text }) => text ?? []))).toEqual([
    ["Hi", "Hi!", "Other", "Other!"],
    ["Hi", "Hi!"],
  ]);
});

it("[IM4] a request goes on with the one that it repeats, also where it has another answer in place of the given one", async () => {
  const { logs } = await told([
    asked([ask("Be kind."), ask("Hi")], answered("A")),
    asked([ask("Be kind."), ask("Hi"), say("B"), ask("More")], answered("C")),
  ]);

  expect(logs.map((all) => all.map(({ text }) => text))).toEqual([
    ["Be kind.", "Hi", "A", "B", "More", "C"],
  ]);
});

it("[IM4] what a person says again is told again, though the request repeats it once", async () => {
  const { logs } = await told([
    asked([ask("Hi")], answered("A")),
    asked([ask("Hi"), say("A"), ask("Hi")], answered("B")),
  ]);

  expect(logs.map((all) => all.map(({ text }) => text))).toEqual([["Hi", "A", "Hi", "B"]]);
});

it("[IM4, IM14] a response of several messages has what it cost at the first, and one without any is unread", async () => {
  const choices = ["A", "B"].map((content) => ({ message: say(content) }));
  const usage = { prompt_tokens: 3, completion_tokens: 1 };
  const { logs } = await told([asked([ask("Hi")], { choices, usage })]);
  const none = await told([asked([ask("Hi")], { choices: [] })]);

  expect(logs[0]?.map(({ text, usage: cost }) => [text, cost !== undefined])).toEqual([
    ["Hi", false],
    ["A", true],
    ["B", false],
  ]);
  expect(none.unread).toEqual([expect.stringMatching(/^a response in which no message was found/)]);
});

it("[IM4] a log that went on is no longer the one quiet longest", async () => {
  const one = (n: number) => asked([ask(`Hi ${n}`)], answered(`A${n}`));
  const on = (n: number, more: readonly string[]) =>
    asked(
      [ask(`Hi ${n}`), say(`A${n}`), ...more.flatMap((text) => [ask(text), say(`${text}!`)])].slice(
        0,
        -1,
      ),
      answered(`${more.at(-1)}!`),
    );
  const open = Array.from({ length: 1_000 }, (_, n) => one(n));
  const { logs } = await told([...open, on(0, ["B"]), one(1_000), on(0, ["B", "C"]), on(1, ["B"])]);

  expect(logs.map(({ length }) => length).filter((length) => length > 2)).toEqual([6, 4]);
  expect(logs).toHaveLength(1_002);
});

it("[IM4] a system prompt that two requests have in common is no beginning of one log", async () => {
  const system = { role: "system", content: "Be kind." };
  const { logs } = await told([
    asked([system], answered("A")),
    asked([system, ask("Hi")], answered("B")),
  ]);

  expect(logs).toHaveLength(2);
});

it("[IM5] OpenAI's legacy functions give what its tools give", async () => {
  const { logs, unread } = await told([
    ask("Go"),
    { role: "assistant", content: null, function_call: { name: "look", arguments: '{"at":1}' } },
    { role: "function", name: "look", content: "nothing" },
  ]);

  expect(unread).toEqual([]);
  expect(logs[0]).toMatchObject([
    { kind: "said" },
    { kind: "called", tool: "look", args: { at: 1 } },
    { kind: "returned", tool: "look", result: "nothing" },
  ]);
});

it("[IM5] of a streamed answer thoughts and calls are told with its words, from whatever piece", async () => {
  const piece = (message: object, done: boolean) => ({
    ...{ model: "q", done, message: { role: "assistant", content: "", ...message } },
  });
  const calls = [{ function: { name: "look", arguments: { at: 1 } } }];
  const { logs, unread } = await told([
    { model: "q", messages: [ask("Hi")] },
    piece({ thinking: "H" }, false),
    piece({ thinking: "m" }, false),
    piece({ content: "I look", tool_calls: calls }, false),
    piece({ content: "." }, true),
  ]);

  expect(unread).toEqual([]);
  expect(logs[0]).toMatchObject([
    { kind: "said", text: "Hi" },
    { kind: "noted", what: "thought", data: "Hm" },
    { kind: "said", text: "I look." },
    { kind: "called", tool: "look", args: { at: 1 } },
  ]);
});

it("[IM6] the name of a role has it, whether it stands in the role, beside it, or beside `user`", async () => {
  const { logs } = await told([
    {
      history: [
        { role: "Ann (-> Bo)", content: "Go" },
        { name: "user", content: "Hi" },
        { role: "user", name: "assistant", content: "Yes" },
        { role: "system", name: "Rules", content: "Be kind." },
        { role: "Planner", name: "human", content: "Me" },
      ],
    },
  ]);

  expect(logs[0]?.map(({ speaker, role, to }) => [speaker, role, to])).toEqual([
    ["Ann", "agent", "Bo"],
    ["user", "user", undefined],
    ["user", "user", undefined],
    ["Rules", "system", undefined],
    ["human", "user", undefined],
  ]);
});

it("[IM7] results without an id are of the calls that are open, with an id or without, and of no others", async () => {
  const result = (n: number) => ({ role: "tool", name: "look", content: `${n}` });
  const named = { ...result(0), tool_call_id: "c" };
  const kindsOf = async (...all: readonly object[]) => kinds((await told(all)).logs[0]);

  expect(await kindsOf(call(null), result(1), result(2))).toEqual(["called", "returned", "noted"]);
  expect(await kindsOf(call("c"), result(1))).toEqual(["called", "returned"]);
  expect(await kindsOf(call("c"), named, result(1))).toEqual(["called", "returned", "noted"]);
});

it("[IM7] a result without a call is kept whole as a note, and a call under an open id has none", async () => {
  const lost = { role: "tool", tool_call_id: "c9", name: "look", content: "of c9" };
  const { logs } = await told([call("c1"), call("c1"), lost]);

  expect(logs[0]).toMatchObject([
    { kind: "called", call: "c1" },
    { kind: "called", tool: "look" },
    { kind: "noted", data: { tool: "look", call: "c9", result: "of c9" } },
  ]);
  const content = [{ type: "tool_result", tool_use_id: "u9", is_error: true, content: "gone" }];
  const refused = await told([{ role: "user", content }]);
  expect(refused.logs[0]).toMatchObject([{ data: { call: "u9", result: "gone", ok: false } }]);
  expect(logs[0]?.[1]).not.toHaveProperty("call");
});

it("[IM14] 128 levels are read and one more is not; a line of blanks alone is no message", async () => {
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const unreadAt = async (levels: number) =>
    // The message is one level itself.
    (
      await recordsOf(`{"role":"user","content":"a","x":${deep(levels - 1)}}\n`, "x.jsonl", {
        format: "openai",
      })
    ).unread;

  expect(await unreadAt(128)).toEqual([]);
  expect(await unreadAt(129)).toEqual(["null: nesting deeper than 128"]);
  expect((await told([ask("Hi"), ask(" \n")])).unread[0]).toMatch(/^a message without content/);
});

it("[IM14] a field of one word says nothing that is lost, one of two words does", async () => {
  const unread = async (aside: unknown) => (await told([{ ...ask("Hi"), aside }])).unread;

  expect(await unread("word")).toEqual([]);
  for (const words of ["two words", { deep: ["two words"] }])
    expect(await unread(words)).toEqual([expect.stringMatching(/^the field "aside"/)]);
});

it("[IM14] a field that only tools tell is not known of anyone else's message", async () => {
  const { unread } = await told([{ ...ask("Hi"), result: "two words" }]);

  expect(unread).toEqual([expect.stringMatching(/^the field "result"/)]);
});

it("[IM17] what is taken out is told of its log alone, with file, line and step", async () => {
  const key = (n: number) => `sk-${`a${n}`.repeat(20)}`;
  const of = (session_id: string, n: number) => ({ session_id, role: "user", content: key(n) });
  const { pieces } = await gathered([
    fileOf("x.jsonl", lines([of("p", 1), of("q", 2), of("p", 3)])),
  ]);
  const removed = pieces.flatMap((one) => (one.kind === "redacted" ? [one] : []));

  expect(removed).toMatchObject([
    {
      log: "x.p",
      texts: 2,
      removed: [
        { line: 1, step: 0 },
        { line: 3, step: 1 },
      ],
    },
    { log: "x.q", texts: 1, removed: [{ line: 2, step: 0 }] },
  ]);
  expect(removed[0]?.removed[0]).toMatchObject({ file: expect.stringMatching(/x\.jsonl$/) });
});

it("[IM17] a number under a secret's name is taken out, and of each its length is told", async () => {
  const args = { password: 1234, api_key: "k" };
  const one = { id: "c", function: { name: "login", arguments: JSON.stringify(args) } };
  const { pieces } = await gathered([
    fileOf("x.jsonl", lines([{ role: "assistant", content: null, tool_calls: [one] }])),
  ]);
  const removed = pieces.flatMap((piece) => (piece.kind === "redacted" ? piece.removed : []));

  expect(removed).toMatchObject([
    { kind: "field", chars: 4 },
    { kind: "field", chars: 1 },
  ]);
});

it("[IM15] a document of 32 MiB is read whole, so that its tools come first; of one byte more its members are", async () => {
  const given = JSON.stringify({ messages: [ask("Hi")], tools: [{ name: "look" }] });
  const kindsOf = async (bytes: number) => {
    const blank = Buffer.alloc(bytes - given.length, 32);
    const input = Readable.from([
      Buffer.from(given.slice(0, 1)),
      blank,
      Buffer.from(given.slice(1)),
    ]);
    const { logs, unread } = await gathered(["-"], { input });
    expect(unread).toEqual([]);
    return kinds([...logs.values()][0]?.map((one) => ({ ...one })));
  };
  const bound = 32 * 1024 * 1024;

  expect(await kindsOf(bound)).toEqual(["offered", "said"]);
  expect(await kindsOf(bound + 1)).toEqual(["said", "offered"]);
});

it("[IM14, IM15] a line, and a text in a document, may have 64 MiB; a document is as deep as a line", () => {
  const faultOf = (levels: number) => {
    const document = new WideDocument(MESSAGE_LISTS);
    document.push(Buffer.from(`${"[".repeat(levels)}${"]".repeat(levels)}`));
    document.end();
    return document.fault;
  };

  expect(LINE_BYTES_MAX).toBe(64 * 1024 * 1024);
  expect(faultOf(128)).toBeNull();
  expect(faultOf(129)).toBe("nesting deeper than 128");
});

it("[IM16] nothing is read where a source that stands behind others is not there", async () => {
  const read: unknown[] = [];
  const reading = gathered([fileOf("a.json", "[]"), "/nowhere/b.json"], {
    onRead: (one) => void read.push(one),
  });

  await expect(reading).rejects.toThrow(/no such file or folder/);
  expect(read).toEqual([]);
});

it("[IM18] logs that alternate are opened once, told and closed once", async () => {
  const of = (session_id: string) => ({ ...ask("Hi"), session_id });
  const { pieces } = await gathered([fileOf("x.jsonl", lines([of("p"), of("q"), of("p")]))]);

  expect(
    pieces.map(
      (one) => `${one.kind} ${"head" in one ? one.head.name : "log" in one ? one.log : ""}`,
    ),
  ).toEqual([
    ...["opened x.p", "record x.p", "opened x.q", "record x.q", "record x.p"],
    ...["closed x.p", "closed x.q"],
  ]);
});

it("[IM21] shapes of messages may stand beside one another and beside a format, and nothing is said of that", async () => {
  const part = { type: "tool-call", toolCallId: "c", toolName: "look", input: {} };
  const read = async (content: object) => {
    const { formats, unread } = await told([ask("Hi"), { role: "assistant", content: [content] }]);
    return [formats, unread];
  };

  expect(await read(use("u"))).toEqual([["anthropic"], []]);
  expect(await read(part)).toEqual([["vercel"], []]);
  // What the format taken reads is its own, though it would be another's too.
  const both = { role: "assistant", content: [part], parts: [{ functionCall: { name: "look" } }] };
  expect((await told([both])).unread).toEqual([]);
});

it("[IM21] a piece of an event that follows whole is not told", async () => {
  const event = (text: string, partial: boolean) => ({
    ...{ author: "Clerk", invocationId: "e", partial, content: { parts: [{ text }] } },
  });
  const { logs } = await told([event("It", true), event("It rains.", false)]);

  expect(logs[0]).toMatchObject([{ kind: "said", text: "It rains." }]);
  expect(logs[0]).toHaveLength(1);
});

it("[IM22] members of an archive are stored, deflated or of Zstandard, and one without samples is unread", async () => {
  const sample = JSON.stringify({ epoch: 1, id: "s", messages: [ask("Hi")] });
  const archive = (name: string, method: number, packed: Buffer) => {
    const head = Buffer.alloc(30 + name.length);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(name.length, 26);
    head.write(name, 30);
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.write(name, 46);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(head.length + packed.length, 16);
    return Buffer.concat([head, packed, entry, end]);
  };
  const read = async (bytes: Buffer) => {
    const { logs, unread } = await gathered([fileOf("x.eval", bytes)]);
    return [logs.size, ...unread.map(({ reason }) => reason)];
  };
  const plain = Buffer.from(sample);
  const at = "samples/1.json";

  expect(await read(archive(at, 0, plain))).toEqual([1]);
  expect(await read(archive(at, 8, deflateRawSync(plain)))).toEqual([1]);
  expect(await read(archive(at, 93, zstdCompressSync(plain)))).toEqual([1]);
  expect(await read(archive(at, 12, plain))).toEqual([
    ...[0, `${at}: it cannot be taken out of the archive`],
  ]);
  const cut = archive(at, 0, plain);
  cut.writeUInt16LE(2, cut.length - 12);
  expect(await read(cut)).toEqual([
    ...[1, "no log: an archive whose directory is broken or absent"],
  ]);
  expect(await read(archive("other.json", 0, plain))).toEqual([
    ...[0, "no log: an archive without samples"],
  ]);
});

it("[IM21] an answer in several lines says in its first what it cost", async () => {
  const of = (n: number, content: object) => ({
    ...{ sessionId: "s", type: "assistant", uuid: `u${n}`, timestamp: "2026-01-02T03:04:05Z" },
    message: { id: "m", role: "assistant", content: [content], usage: { input_tokens: 3 } },
  });
  const { logs } = await told([of(1, { type: "text", text: "I look." }), of(2, use("c"))]);

  expect(logs[0]?.flatMap(({ usage }) => usage ?? [])).toEqual([
    { promptTokens: 3, answerTokens: null },
  ]);
});

it("[IM11] words under a path that the mapping does not name are unread once, numbers never", async () => {
  const map = { text: "msg" };
  const line = (n: number) => ({ msg: "Hi", aside: "two words", deep: { own: "and two", n } });

  expect((await told([line(1), line(2)], { map })).unread).toEqual([
    expect.stringMatching(/^the field "aside"/),
    expect.stringMatching(/^the field "deep.own"/),
  ]);
});
