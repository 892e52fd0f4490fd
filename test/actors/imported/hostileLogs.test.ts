import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ByteLines } from "../../../src/actors/imported/edge/input/byteLines.ts";
import { MESSAGE_LISTS } from "../../../src/actors/imported/edge/input/items.ts";
import { WideDocument } from "../../../src/actors/imported/edge/input/wideDocument.ts";
import { timeOf } from "../../../src/actors/imported/edge/readers/time.ts";
import { newFolder } from "../../folders.ts";
import { fileOf, gathered, lines, recordsOf } from "./gathered.ts";

const hi = { role: "user", content: "Hi" };
const hiText = JSON.stringify(hi);
const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

it.each([
  ["a torn last line", `${hiText}\n{"role":"us`, /^2: no JSON: Unterminated string.*torn/],
  ["no JSON", `${hiText}\nhello\n${hiText}\n`, /^2: no JSON/],
  [
    "a number past all bounds",
    `${hiText}\n{"role":"user","content":1e999}\n`,
    /^2: a number past all bounds/,
  ],
  ["__proto__", `${hiText}\n{"__proto__":{"role":"user"}}\n`, /^2: a key __proto__/],
  [
    "nesting too deep",
    `${hiText}\n{"role":"user","content":${deep(200)}}\n`,
    /^2: nesting deeper than 128/,
  ],
  [
    "no content",
    `${hiText}\n{"role":"assistant","content":""}\n`,
    /^2: a message without content and calls/,
  ],
  [
    "an unknown role",
    `${hiText}\n{"role":"tool_manager"}\n`,
    /^2: a message of the unknown role "tool_manager"/,
  ],
  [
    "no role",
    `${hiText}\n{"messages":[${hiText},{"content":"a"}]}\n`,
    /^2: a message that names no role and no speaker/,
  ],
  [
    "no message",
    `${hiText}\n{"a":1}\n`,
    /^2: an object that is neither a message nor a conversation/,
  ],
  [
    "an unknown field with words",
    `${hiText}\n{"role":"user","content":"a","aside":"two words"}\n`,
    /^2: the field "aside"/,
  ],
  [
    "an unknown part",
    `${hiText}\n{"role":"user","content":[{"type":"hologram"}]}\n`,
    /^2: .*"hologram"/,
  ],
])("[IM14] %s is unread with its line, and the rest is read", async (_, text, reason) => {
  const { records, unread, format } = await recordsOf(text, "x.jsonl");

  expect(format).toBe("openai");
  expect(records[0]).toMatchObject({ kind: "said", text: "Hi", place: { line: 1 } });
  expect(unread).toContainEqual(expect.stringMatching(reason));
});

it("[IM14] bytes that are no UTF-8 spoil their line alone", async () => {
  const bytes = Buffer.concat([
    Buffer.from(`${hiText}\n{"role":"user","content":"`),
    Buffer.from([0xff]),
    Buffer.from(`"}\n${hiText}\n`),
  ]);
  const { logs, unread } = await gathered([fileOf("x.jsonl", bytes)]);

  expect(logs.get("x")?.length).toBe(2);
  expect(unread).toEqual([
    { place: { file: expect.any(String), line: 2 }, reason: "bytes that are no UTF-8" },
  ]);
});

it("[IM14] a line over the bound is unread, one at the bound is not", () => {
  const splitter = new ByteLines(5);
  const found = [
    ...splitter.push(Buffer.from("12345\n123")),
    ...splitter.push(Buffer.from("456\n\n7")),
    ...splitter.end(),
  ];

  expect(found.map(({ line, text, fault }) => [line, text ?? fault])).toEqual([
    [1, "12345"],
    [2, "a line of more than 5 bytes"],
    [4, "7"],
  ]);
});

it("[IM15] a broken document is read up to its fault", async () => {
  const { records, unread } = await recordsOf(`[${hiText},\n${hiText},\n{"role":`);

  expect(records.length).toBe(2);
  expect(unread).toEqual([
    expect.stringMatching(/^null: no JSON: .*nothing behind that place was read/),
  ]);
});

it("[IM15] a document gives the same members, however it is cut", () => {
  const value = {
    a: { "": [1, "ü", null, true, -0.5] },
    messages: [hi, { x: [] }],
    resourceSpans: [{ resource: { r: 1 }, scopeSpans: [{ spans: [{ s: 1 }] }] }],
  };
  const bytes = Buffer.from(JSON.stringify(value));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: bytes.length }), (size) => {
      const document = new WideDocument(MESSAGE_LISTS);
      const members = [];
      for (let at = 0; at < bytes.length; at += size)
        members.push(...document.push(bytes.subarray(at, at + size)));
      members.push(...document.end());
      expect(document.fault).toBeNull();
      expect(members).toEqual([
        { of: "messages", is: "member", value: hi },
        { of: "messages", is: "member", value: { x: [] } },
        {
          of: "resourceSpans",
          is: "member",
          value: { resourceSpans: [{ resource: { r: 1 }, scopeSpans: [{ spans: [{ s: 1 }] }] }] },
        },
        {
          of: null,
          is: "rest",
          value: {
            a: value.a,
            messages: [],
            resourceSpans: [{ resource: { r: 1 }, scopeSpans: [{ spans: [] }] }],
          },
        },
      ]);
    }),
    { seed: 3 },
  );
});

it("[IM15] a text of a document that is longer than the bound ends the reading at once; one at the bound does not", () => {
  const faultAfter = (bytes: number) => {
    const document = new WideDocument(MESSAGE_LISTS, 100);
    document.push(Buffer.from('["'));
    for (let at = 0; at < bytes; at += 1) document.push(Buffer.from("x"));
    document.push(Buffer.from('",1]'));
    document.end();
    return document.fault;
  };

  expect(faultAfter(100)).toBeNull();
  expect(faultAfter(101)).toBe("a text of more than 100 bytes");
});

it("[IM16] a folder is read in the order of its paths; what is no log is named", async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "b"));
  for (const name of ["c.json", "D.json"]) writeFileSync(join(folder, name), JSON.stringify([hi]));
  writeFileSync(join(folder, "a.txt"), JSON.stringify([hi]));
  writeFileSync(join(folder, "b", "a.json"), JSON.stringify([hi]));
  writeFileSync(join(folder, "empty.json"), "");
  writeFileSync(join(folder, "notes.md"), "# Notes\n");
  writeFileSync(join(folder, "other.json"), '{"a":1}');
  symlinkSync("c.json", join(folder, "link.json"));
  const { logs, unread, formats } = await gathered([folder]);

  const files = [...formats.keys()].map((name) => logs.get(name)?.[0]?.place.file);
  expect(files.map((file) => file?.slice(folder.length + 1))).toEqual([
    "D.json",
    "a.txt",
    "b/a.json",
    "c.json",
  ]);
  expect(
    unread.map(({ place, reason }) => [place.file.slice(folder.length + 1), reason.slice(0, 24)]),
  ).toEqual([
    ["empty.json", "no log: an empty file"],
    ["link.json", "a link; not followed"],
    ["notes.md", "no log: no JSON"],
    ["other.json", "no log: JSON of no known"],
  ]);
});

it("[IM16] a source that is not there is bad input before anything is read", async () => {
  await expect(gathered([fileOf("a.json", "[]"), "/nowhere/at-all.json"])).rejects.toThrow(
    /no such file or folder/,
  );
});

it("[IM16] a source that cannot be opened is bad input before anything is read, whoever asks", async () => {
  const socket = join(newFolder(), "log.json");
  const server = createServer().listen(socket);
  await once(server, "listening");
  // Neither can root: nobody opens a socket as a file, and the kernel lets this file be written only.
  const closed = [socket, "/proc/sys/vm/drop_caches"].filter((file) => existsSync(file));

  for (const file of closed) {
    await expect(gathered([fileOf("a.json", "["), file])).rejects.toThrow(
      expect.objectContaining({ exitCode: 2, where: { file } }),
    );
  }
  server.close();
});

it("[IM16] standard input is a file", async () => {
  const { logs } = await gathered(["-"], {
    input: Readable.from([Buffer.from(lines([hi]).slice(0, 9)), Buffer.from(lines([hi]).slice(9))]),
  });

  expect([...logs.keys()]).toEqual(["stdin"]);
});

it("[IM17] secrets are taken out of texts, arguments, results, keys and reasons, and counted", async () => {
  const key = "sk-abcdefghijklmnopqrstuvwx";
  const text = lines([
    { role: "user", content: `Use ${key}` },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "c", function: { name: "look", arguments: JSON.stringify({ [key]: [key] }) } },
      ],
    },
    { role: "tool", tool_call_id: "c", content: key },
    { role: key, content: "x" },
  ]);
  const { pieces, redacted } = await gathered([fileOf("x.jsonl", text)], { format: "openai" });

  expect(JSON.stringify(pieces)).not.toContain("abcdefghij");
  expect(redacted.get("x")).toBe(4);
});

it.each([
  ['{"password": "hunter2"}', '{"password": "[secret removed]"}'],
  ['{\\"password\\":\\"hunter2\\"}', '{\\"password\\":\\"[secret removed]\\"}'],
  ["user=ada&password=hunter&next=/", "user=ada&password=[secret removed]&next=/"],
  ["API_KEY='abcdef' run", "API_KEY='[secret removed]' run"],
  ["The password: hunter2, please", "The password: [secret removed], please"],
  ["Your password: please choose one", "Your password: please choose one"],
  ["Passwords are kept in a safe.", "Passwords are kept in a safe."],
  ['{"password": ""}', '{"password": ""}'],
  ['{"token": "abcdefg8"}', '{"token": "[secret removed]"}'],
  ['{"secret": "abcdefgh"}', '{"secret": "abcdefgh"}'],
])("[IM17] what a text calls a password is taken out: %s", async (content, clean) => {
  const { pieces } = await gathered([fileOf("x.jsonl", lines([{ role: "user", content }]))], {
    format: "openai",
  });

  expect(pieces.flatMap((one) => (one.kind === "record" ? [one.record] : []))).toMatchObject([
    { kind: "said", text: clean },
  ]);
});

it("[IM17] what a field is called a secret by is taken out, whatever it looks like", async () => {
  const args = { user: "ada", password: "a b", pin: 1234, client_secret: "x", max_tokens: 5 };
  const call = { id: "c", function: { name: "login", arguments: JSON.stringify(args) } };
  const text = lines([{ role: "assistant", content: null, tool_calls: [call] }]);
  const { pieces, redacted } = await gathered([fileOf("x.jsonl", text)], { format: "openai" });

  expect(pieces.flatMap((one) => (one.kind === "record" ? [one.record] : []))).toMatchObject([
    {
      args: {
        ...{ user: "ada", pin: 1234, max_tokens: 5 },
        ...{ password: "[password removed]", client_secret: "[client_secret removed]" },
      },
    },
  ]);
  expect(redacted.get("x")).toBe(2);
});

it("[IM18] any JSON value whatsoever is read or named, alone, in a list or as lines", async () => {
  const words = fc.constantFrom(
    "role",
    "content",
    "messages",
    "history",
    "tool_calls",
    "function",
    "arguments",
    "id",
    "name",
    "type",
    "request",
    "response",
    "choices",
    "message",
    "done",
    "resourceSpans",
    "scopeSpans",
    "spans",
    "attributes",
    "traceId",
    "key",
    "value",
    "events",
    "parts",
    "tools",
    "goal_id",
    "capability_id",
    "execution_result",
    "steps",
    "goals",
    "broken",
    "system",
    "mistake_step",
    "reward",
    "__proto__",
  );
  const leaf = fc.oneof(
    fc.constantFrom(
      "user",
      "assistant",
      "tool",
      "text",
      "tool_use",
      "tool_result",
      "function_call",
      "",
      "a b",
    ),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.string(),
  );
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 5, depthSize: "large" },
      leaf,
      fc.array(tie("any"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(words, fc.string({ maxLength: 3 })), tie("any"), { maxKeys: 5 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(any, { maxLength: 4 }),
      fc.constantFrom("lines", "list", "one"),
      async (values, how) => {
        const text =
          how === "lines"
            ? lines(values)
            : JSON.stringify(how === "list" ? values : (values[0] ?? null));
        const { pieces } = await gathered(["-"], { input: Readable.from([Buffer.from(text)]) });
        expect(pieces.length).toBeGreaterThan(0);
        expect(() => JSON.stringify(pieces)).not.toThrow();
      },
    ),
    { seed: 11, numRuns: 400 },
  );
});

it.each([
  ["messages", hi],
  ["a conversation", { messages: [hi] }],
  ["a request with its response", { request: { messages: [hi] }, response: { choices: [] } }],
  ["a span", { resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: "a", spanId: "b" }] }] }] }],
  ["a step", { capability_id: "look", execution_status: "ok" }],
])("[IM18] a log of %s is opened once and closed once", async (_, value) => {
  const { pieces } = await gathered([fileOf("x.jsonl", lines([value]))]);
  const ends = pieces.flatMap(({ kind }) => (/opened|closed/.test(kind) ? [kind] : []));

  expect(ends).toEqual(["opened", "closed"]);
});

it.each([
  [1_700_000_000, 1_700_000_000_000],
  [1_700_000_000.25, 1_700_000_000_250],
  [1_700_000_000_123, 1_700_000_000_123],
  [1_700_000_000_123_456, 1_700_000_000_123],
  ["1700000000123456789", 1_700_000_000_123],
  ["170000000123456789", 170_000_000_123],
  ["2026-01-02T03:04:05.5+01:00", Date.UTC(2026, 0, 2, 2, 4, 5, 500)],
  ["2026-01-02T03:04:05,25Z", Date.UTC(2026, 0, 2, 3, 4, 5, 250)],
  ["2026-01-02 03:04", Date.UTC(2026, 0, 2, 3, 4)],
  ["2026-01-02", Date.UTC(2026, 0, 2)],
  [12, null],
  ["soon", null],
  [null, null],
])("[IM19] the time %j", (written, time) => {
  expect(timeOf(written)).toBe(time);
});

it("[IM19] a number's unit is told by its size, and no zone means UTC wherever it is read", () => {
  const of = (number: number) => timeOf(number);

  // One less than each is of the larger unit; of the first it is no time.
  expect([1e8 - 1, 1e8, 1e11 - 1, 1e11].map(of)).toEqual([null, 1e11, 1e14 - 1_000, 1e11]);
  expect([1e14 - 1, 1e14, 1e17, 1.7e18].map(of)).toEqual([1e14 - 1, 1e11, 1e11, 1.7e12]);
  const parse = vi.spyOn(Date, "parse");
  for (const written of ["2026-01-02 03:04:05", "2026-01-02 03:04", "2026-01-02T03:04:05+02:00"])
    timeOf(written);
  expect(parse.mock.calls).toEqual([
    ...[["2026-01-02T03:04:05Z"], ["2026-01-02T03:04Z"], ["2026-01-02T03:04:05+02:00"]],
  ]);
  parse.mockRestore();
});

const TRACES = fileURLToPath(new URL("../../../../shared/traces", import.meta.url));
describe.skipIf(!existsSync(TRACES))("(skipped where shared/traces is absent)", () => {
  it("[IM2, IM6] real logs of strangers are read whole", async () => {
    const { logs, unread } = await gathered([TRACES]);
    const episodes = readdirSync(join(TRACES, "who-and-when")).length;

    expect(unread.map(({ place }) => place.file.slice(TRACES.length + 1))).toEqual(["README.md"]);
    expect(logs.size).toBe(50 + episodes);
    for (const records of logs.values())
      expect(records.some(({ kind }) => kind === "judged")).toBe(true);
  });
});
