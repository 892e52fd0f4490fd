// Sections of SPEC.md: The page of a run, on exports for other viewers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { beforeAll, describe, expect, it } from "vitest";
import { mermaidSequence } from "../../src/edges/export/mermaidSequence.ts";
import { otlpSpans } from "../../src/edges/export/otlpSpans.ts";
import { newFolder } from "../folders.ts";
import { delivery } from "../handLog.ts";
import { ghostlight } from "./ghostlight.ts";

const cwd = newFolder();
const bundle = join(cwd, "run");
const text = (file: string): string => readFileSync(join(cwd, file), "utf8");
const events = (path: string): readonly Json[] =>
  readFileSync(join(path, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ seq }) => seq !== undefined);

// biome-ignore lint/suspicious/noExplicitAny: what a file of others holds is looked into.
type Json = any;

beforeAll(async () => {
  await ghostlight(["run", "tools-by-name", "--out", bundle], { cwd });
  const { code } = await ghostlight(
    ["export", bundle, "--perfetto", "p.json", "--otlp", "o.json", "--mermaid", "m.mmd"].concat([
      "--actor",
      "vault",
      ...["--from", "20s", "--to", "2m"],
    ]),
    { cwd },
  );
  expect(code).toBe(0);
});

it("[VW26] a variant is put on no form but a page, and beside no second run", async () => {
  const said = await Promise.all(
    [
      [bundle, "--perfetto", "q.json"],
      [bundle, bundle, "--html", "q.html"],
    ].map((words) => ghostlight(["export", ...words, "--with", "x"], { cwd })),
  );

  for (const { code, stderr } of said) {
    expect(code).toBe(2);
    expect(stderr).toContain("--with");
  }
});

describe("a trace for Perfetto", () => {
  it("[VW20] has a track for each actor and a slice for each delivery, in the order of the log", () => {
    const { traceEvents } = JSON.parse(text("p.json"));
    const tracks = new Map<number, string>(
      traceEvents
        .filter(({ name }: Json) => name === "thread_name")
        .map(({ tid, args }: Json) => [tid, args.name]),
    );
    const slices = traceEvents.filter(({ ph }: Json) => ph === "X");
    const log = events(bundle);

    expect(slices.map(({ tid, name }: Json) => [tracks.get(tid), name])).toEqual(
      log.map(({ to, event }) => [to, event.type]),
    );
    expect(slices.map(({ ts }: Json) => Math.floor(ts / 1_000))).toEqual(
      log.map(({ dueMs }) => dueMs),
    );
  });

  it("[VW20] has a flow from what caused a delivery to it", () => {
    const { traceEvents } = JSON.parse(text("p.json"));
    const slices = new Map(
      traceEvents
        .filter(({ ph }: Json) => ph === "X")
        .map(({ args, tid, ts }: Json) => [args.seq, `${tid} ${ts}`]),
    );
    const ends = (ph: string) =>
      traceEvents
        .filter((one: Json) => one.ph === ph)
        .map(({ id, tid, ts }: Json) => [id, `${tid} ${ts}`]);
    const caused = events(bundle).filter(({ cause }) => cause !== null);

    expect(ends("s")).toEqual(caused.map(({ seq, cause }) => [seq, slices.get(cause)]));
    expect(ends("f")).toEqual(caused.map(({ seq }) => [seq, slices.get(seq)]));
  });
});

it("[VW21] spans of OpenTelemetry are read back by import as the same calls", async () => {
  await ghostlight(["import", "o.json", "--out", "again"], { cwd });
  const results = (path: string, type: string) =>
    events(path)
      .map(({ event }) => event)
      .filter((event) => event.type === type);
  const own = results(bundle, "call.finished");
  const read = results(join(cwd, "again"), "log.returned");

  expect(own.length).toBeGreaterThan(20);
  // An attribute is a text.
  const value = (result: Json): Json => (typeof result === "string" ? JSON.parse(result) : result);
  expect(read.map(({ tool, result }) => [tool, value(result)])).toEqual(
    own.map(({ capability, result }) => [capability, result ?? null]),
  );
  const args = (path: string, type: string) =>
    results(path, type).map((event) => event.params ?? event.args);
  const asked = args(bundle, "call.requested");
  // The run ended in the middle of the last one, which is no span.
  expect(args(join(cwd, "again"), "log.called")).toEqual(asked.slice(0, own.length));
});

it("[VW21] spans bear OpenTelemetry's own names, and the JSON of OTLP", () => {
  const known = new Set<unknown>(Object.values(conventions));
  const { resourceSpans } = JSON.parse(text("o.json"));
  const spans: readonly Json[] = resourceSpans.flatMap(({ scopeSpans }: Json) =>
    scopeSpans.flatMap((one: Json) => one.spans),
  );
  const attributes: readonly Json[] = spans.flatMap((one) => one.attributes);
  const operations = attributes.filter(({ key }) => key === conventions.ATTR_GEN_AI_OPERATION_NAME);
  const names = [
    ...attributes.map(({ key }) => key),
    ...operations.map(({ value }) => value.stringValue),
  ];

  const answers = events(bundle).filter(
    ({ from, event }) => from === "port/llm.chat" && /^llm\.(replied|failed)$/.test(event.type),
  );
  const chats = operations.filter(({ value }) => value.stringValue === "chat");

  expect(chats).toHaveLength(answers.length);
  expect(chats.length).toBeGreaterThan(10);
  expect(names.filter((one) => !known.has(one))).toEqual([]);
  expect(new Set(names)).toContain(conventions.ATTR_GEN_AI_TOOL_CALL_RESULT);
  const isHex = (id: unknown, digits: number): boolean =>
    typeof id === "string" && id.length === digits && /^[0-9a-f]+$/.test(id);
  for (const { traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano, kind } of spans) {
    expect(isHex(traceId, 32) && isHex(spanId, 16)).toBe(true);
    expect(parentSpanId === undefined || isHex(parentSpanId, 16)).toBe(true);
    // 64 bits are a text of digits, an enumeration is a number.
    expect(`${startTimeUnixNano} ${endTimeUnixNano}`).toMatch(/^\d{19} \d{19}$/);
    expect(kind).toBe(1);
  }
});

it("[VW21] a question or a call that failed is a span with its error, and a question has its words", () => {
  const deliveries = [
    delivery({ seq: 1, to: "port/llm.chat", event: { type: "llm.asked" } as Json }),
    delivery({ seq: 2, re: 1, event: { type: "llm.failed", error: "busy" } }),
    ...[3, 4, 5, 6, 7, 8].map((seq) => delivery({ seq, event: { type: "tools.asked" } })),
  ] as never;
  const asked = { seq: 2, from: "agent/a", purpose: "plan", prompt: "Plan.", answer: null };
  const call = { agent: "a", tool: "find", args: {}, atMs: 3_000, seq: 3 };
  const back = { is: "returned", call: 3, atMs: 4_000, result: null };
  const facts = [
    { is: "called", ...call },
    { ...back, ok: false, error: "no" },
    { ...back, ok: true, error: null },
    // Which error it was, nobody said.
    { ...back, ok: false, error: null },
    // Called by words alone.
    { is: "called", ...call, seq: 7, tool: null, intent: "find water" },
    { ...back, call: 7, ok: true, error: null },
  ];
  const parts = [
    {
      trace:
        () =>
        ({ seq }: Json) =>
          facts.slice(Math.max(0, seq - 3), Math.max(0, seq - 2)),
    },
  ];
  const run = { parts, name: "r", deliveries, calls: new Map([[2, { ...asked, error: "busy" }]]) };
  const { resourceSpans } = JSON.parse([...otlpSpans({ ...run, startsAtMs: 0 } as never)].join(""));
  const { spans } = resourceSpans[0].scopeSpans[0];

  expect(JSON.stringify(spans[0].attributes)).toContain("Plan.");
  expect(spans.map(({ name, status }: Json) => [name, status])).toEqual([
    ["chat plan", { code: 2, message: "busy" }],
    ["execute_tool find", { code: 2, message: "no" }],
    ["execute_tool find", { code: 1 }],
    ["execute_tool find", { code: 2, message: "" }],
    ["execute_tool find water", { code: 1 }],
    ["invoke_agent a", { code: 1 }],
  ]);
  expect(spans[4].attributes).toContainEqual({
    key: conventions.ATTR_GEN_AI_TOOL_NAME,
    value: { stringValue: "find water" },
  });
});

it("[VW22] a sequence diagram has the letters of one actor within the time", () => {
  const [kind, ...lines] = text("m.mmd").trim().split("\n");
  const names = new Map(
    lines.flatMap((line) => {
      const [, id = "", address = ""] = /^ {2}participant (\w+) as (.+)$/.exec(line) ?? [];
      return id === "" ? [] : [[id, address] as const];
    }),
  );
  const letters = lines.flatMap((line) => {
    const [, from = "", to = "", says = ""] = /^ {2}(\w+)->>(\w+): (.+)$/.exec(line) ?? [];
    return from === "" ? [] : [[names.get(from), names.get(to), says.split(" ").at(-1)]];
  });
  const expected = events(bundle)
    .filter(({ dueMs }) => dueMs >= 20_000 && dueMs <= 120_000)
    .filter(({ from, to }) => [from, to].some((one) => one.split("/").includes("vault")))
    .map(({ from, to, event }) => [from, to, event.type]);

  expect(kind).toBe("sequenceDiagram");
  expect(letters).toEqual(expected.slice(0, 200));
  expect(lines.at(-1)).toMatch(expected.length > 200 ? /^ {2}%% \d+ more letters left out/ : /->>/);
});

it("[VW22] a diagram has 200 letters, and the one more is counted", () => {
  const letters = (count: number) => {
    const deliveries = Array.from({ length: count }, (_, at) =>
      delivery({ seq: at + 1, event: { type: "tools.asked" } }),
    );
    const lines = mermaidSequence({ deliveries } as never, () => true);
    return [lines.filter((line) => line.includes("->>")).length, lines.at(-1)?.trim()];
  };

  expect(letters(200)).toEqual([200, expect.stringContaining("->>")]);
  expect(letters(201)).toEqual([200, expect.stringMatching(/^%% 1 more letter left out/)]);
  expect(letters(203)).toEqual([200, expect.stringMatching(/^%% 3 more letters left out/)]);
});

it.each<[string, readonly string[], RegExp]>([
  ["no form", [], /--html FILE \| --perfetto FILE \| --otlp FILE \| --mermaid FILE/],
  ["two bundles", [bundle, "--otlp", "x.json"], /a second bundle beside a form that holds one run/],
  ["a folder that is not there", ["--otlp", "no/such/x.json"], /cannot be written \(ENOENT\)/],
  ["a folder as the file", ["--mermaid", "."], /something there that is no file/],
])("[VW23] %s is refused", async (_, words, says) => {
  const { code, stderr } = await ghostlight(["export", bundle, ...words], { cwd });

  expect(code).toBeGreaterThan(0);
  expect(stderr).toMatch(says);
});
