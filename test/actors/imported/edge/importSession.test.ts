// Bundles of imported logs: what they hold, what is refused, and what is left when an import is cut off.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { writeTexts } from "../../../../src/actors/imported/edge/importedReport.ts";
import { ImportSession } from "../../../../src/actors/imported/edge/importSession.ts";
import { LogWriter } from "../../../../src/actors/imported/edge/logWriter.ts";
import type { LogPiece } from "../../../../src/actors/imported/record.ts";
import { parts } from "../../../../src/builtIn/parts.ts";
import { scenarioParts } from "../../../../src/builtIn/scenarioParts.ts";
import { anyText } from "../../../../src/contract/anyText.ts";
import { readBundle } from "../../../../src/edges/bundle/bundleReader.ts";
import { deliveriesOf } from "../../../../src/edges/bundle/derive.ts";
import { partsFor, readerNotes } from "../../../../src/edges/bundle/importedBundle.ts";
import { diff } from "../../../../src/run/diff.ts";
import { newFolder } from "../../../folders.ts";
import { called, pieces, returned, said } from "../pieces.ts";

const lists = { parts, scenarioParts };
const read = (folder: string) => {
  const bundle = readBundle(lists, folder);
  return { bundle, deliveries: deliveriesOf(partsFor(parts, bundle), bundle) };
};

/** Imports these pieces into a folder of its own. */
async function imported(all: Iterable<LogPiece>, isWhole = true, sources: readonly string[] = []) {
  const out = newFolder();
  const session = new ImportSession({ out, sources, tell: writeTexts });
  for (const piece of all) await session.piece(piece);
  if (isWhole) await session.finish("ended");
  else session.abandon();
  return { out, session };
}

const talk = [
  said("user", "I am mia_li_3668."),
  called("find", { user: "mia_li_3668" }, { call: "a" }),
  returned("Error: no such user", { call: "a" }),
  said("assistant", "All done."),
];

it("[IM52] one log becomes the bundle itself, sealed, with an empty recording and a report", async () => {
  const folder = newFolder();
  // More than is read of a file at once.
  const file = Buffer.alloc(1_048_577, "x");
  writeFileSync(join(folder, "log.jsonl"), file);
  const { out } = await imported(pieces("talk", talk), true, [folder]);
  const { bundle, deliveries } = read(out);

  expect(readdirSync(out).sort()).toEqual([
    ...["events.jsonl", "inputs.jsonl", "manifest.json", "metrics.csv", "picture.svg"],
    ...["report.html", "report.md"],
  ]);
  expect(bundle.manifest).toMatchObject({
    origin: "imported:openai",
    imported: { clock: "steps" },
  });
  const sha256 = createHash("sha256").update(file).digest("hex");
  expect(bundle.manifest.imported?.files).toEqual([
    { file: "log.jsonl", bytes: 1_048_577, sha256 },
  ]);
  expect(bundle.inputs).toEqual([]);
  expect(deliveries.map(({ event }) => event.type)).toEqual([
    ...["log.opened", "log.said", "log.called", "log.returned", "log.said", "log.closed"],
  ]);
});

it("[IM52] several logs become bundles in folders of their names, with an index", async () => {
  const { out, session } = await imported([
    ...[...pieces("one", talk), ...pieces("..", talk)],
    ...pieces("logs.json", [said("ann", "Hi")]),
  ]);
  const index = JSON.parse(readFileSync(join(out, "logs.json"), "utf8"));

  expect(readdirSync(out).sort()).toEqual(["log-2", "logs.json", "logs.json-log", "one"]);
  expect(index.logs).toMatchObject([
    { log: "one", bundle: "one", records: 4, calls: 1, errors: 1 },
    { log: "..", bundle: "log-2" },
    { log: "logs.json", bundle: "logs.json-log" },
  ]);
  expect(session.links.told()).toEqual({
    stated: { "result-of": 2 },
    inferred: { "last-heard": 2, quotes: 2 },
  });
});

it("[IM52] the manifest says the format, and each file in which records of the log stand", async () => {
  const head = { name: "spans", format: "otlp", file: "a.jsonl" } as const;
  const record = said("ann", "Hi", { place: { file: "b.jsonl", line: 1 } });
  const { out } = await imported([
    { kind: "opened", head },
    { kind: "record", log: "spans", record },
    { kind: "closed", log: "spans" },
  ]);

  expect(read(out).bundle.manifest).toMatchObject({
    origin: "imported:otlp",
    imported: { format: "otlp", files: [{ file: "a.jsonl" }, { file: "b.jsonl" }] },
  });
});

it("[IM53] a log that was changed by one byte is refused: nothing else could tell what it was", async () => {
  const { out } = await imported(pieces("talk", talk));
  const path = join(out, "events.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").replace("All done", "All gone"));

  expect(() => read(out)).toThrow(expect.objectContaining({ _tag: "Divergence" }));
});

it("[IM53] a log that is not there is refused, too", async () => {
  const { out } = await imported(pieces("talk", talk));
  rmSync(join(out, "events.jsonl"));

  expect(() => read(out)).toThrow(expect.objectContaining({ _tag: "Divergence" }));
});

it("[IM53] a manifest whose origin and log disagree is no bundle", async () => {
  const { out } = await imported(pieces("talk", talk));
  const path = join(out, "manifest.json");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace("imported:openai", "scripted"));

  expect(() => read(out)).toThrow("a log, in a run that was played");
  const { imported: _, ...rest } = JSON.parse(text);
  writeFileSync(path, JSON.stringify(rest));
  expect(() => read(out)).toThrow("what was read, where the origin says imported");
});

it("[IM54] an import that was cut off leaves what it had read, and readers say so", async () => {
  const many = Array.from({ length: 300 }, (_, n) => said("assistant", `Word ${n}`));
  const all = pieces("talk", many).slice(0, -1);
  const { out } = await imported(all, false);
  const { bundle, deliveries } = read(join(out, "talk"));

  expect(bundle.manifest.final).toBeUndefined();
  expect(readerNotes(bundle)[0]).toContain("interrupted");
  expect(deliveries.length).toBe(301);
});

it("[IM54] in what a cut-off import left, a changed block is refused", async () => {
  const many = Array.from({ length: 300 }, (_, n) => said("assistant", `Word ${n}`));
  const { out } = await imported(pieces("talk", many).slice(0, -1), false);
  const path = join(out, "talk", "events.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").replace('Word 7"', 'Word 9"'));

  expect(() => read(join(out, "talk"))).toThrow(expect.objectContaining({ _tag: "Divergence" }));
});

it("[IM57] logs whose records alternate are each as if they came alone", async () => {
  // More than hold their files open.
  const names = Array.from({ length: 66 }, (_, n) => `log-${n}`);
  const own = new Map(names.map((name) => [name, pieces(name, talk)]));
  const mixed = [0, 1, 2, 3, 4, 5].flatMap((place) =>
    names.flatMap((name) => own.get(name)?.[place] ?? []),
  );
  const out = newFolder();
  const session = new ImportSession({ out, sources: [], tell: async () => {} });
  for (const piece of mixed) await session.piece(piece);
  await session.finish("ended");
  const alone = await imported(pieces("log-3", talk));

  const textOf = (folder: string) => readFileSync(join(folder, "events.jsonl"), "utf8");
  expect(textOf(join(out, "log-3"))).toBe(textOf(alone.out));
  expect(names.every((name) => read(join(out, name)).deliveries.length === 6)).toBe(true);
});

it("[IM52, IM57] a record of a log that was never opened is unread, and said to be", async () => {
  const place = { file: "log.jsonl", line: 1 };
  const { out, session } = await imported([
    ...pieces("talk", talk),
    { kind: "record", log: "other", record: said("a", "lost") },
    { kind: "unread", unread: { place, reason: "no JSON: torn" } },
  ]);

  expect(session.unread.byReason()).toEqual({
    "a record of the log other, which was never opened": 1,
    "no JSON": 1,
  });
  const lines = readFileSync(join(out, "unread.jsonl"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).reason)[1]).toBe("no JSON: torn");
});

it("[IM17] where each secret stood, of what kind and how long it was, is a line of redacted.jsonl", async () => {
  const removed = [{ file: "log.jsonl", line: 7, step: 2, kind: "key", chars: 24 }];
  const { out } = await imported([
    ...pieces("one", talk).slice(0, -1),
    { kind: "redacted", log: "one", texts: 1, removed },
    { kind: "closed", log: "one" },
  ]);

  expect(readFileSync(join(out, "redacted.jsonl"), "utf8")).toBe(
    '{"log":"one","file":"log.jsonl","line":7,"step":2,"kind":"key","chars":24}\n',
  );
});

it("[IM63] what of a file belongs to nobody knows which log is told of each of its logs, and of no other's", async () => {
  const place = { file: "log.jsonl", line: 1 };
  const torn = { kind: "unread", unread: { place, reason: "no JSON: torn" } } as const;
  const elsewhere = { ...torn, unread: { ...torn.unread, place: { ...place, file: "b.jsonl" } } };
  const own = { ...torn, unread: { ...torn.unread, reason: "an unknown role", log: "one" } };
  const { out } = await imported([
    torn,
    elsewhere,
    own,
    ...pieces("one", talk),
    ...pieces("two", talk),
  ]);
  const unreadOf = (log: string) => read(join(out, log)).bundle.manifest.imported?.unread;

  expect(unreadOf("one")).toEqual({
    count: 2,
    first: ["an unknown role", "no JSON: torn"].map((reason) => ({ ...place, reason })),
  });
  expect(unreadOf("two")).toEqual({ count: 1, first: [{ ...place, reason: "no JSON: torn" }] });
});

it("[IM57] 64 logs hold their files open, and one more gives back those of the first", async () => {
  const park = vi.spyOn(LogWriter.prototype, "park");
  const session = new ImportSession({ out: newFolder(), sources: [], tell: async () => {} });
  const open = async (n: number) => {
    const name = `log-${n}`;
    await session.piece({ kind: "opened", head: { name, format: "openai", file: "log.jsonl" } });
    await session.piece({ kind: "record", log: name, record: said("a", "b") });
  };
  for (let n = 1; n <= 64; n++) await open(n);
  expect(park.mock.contexts).toEqual([]);

  await open(65);
  session.abandon();

  expect(park.mock.contexts.map((writer) => (writer as LogWriter).head.name)).toEqual(["log-1"]);
  park.mockRestore();
});

it("[IM57] 5,000 logs wait for more, and one more ends the one that waits longest", async () => {
  const session = new ImportSession({ out: newFolder(), sources: [], tell: async () => {} });
  const open = (name: string) =>
    session.piece({ kind: "opened", head: { name, format: "openai", file: "log.jsonl" } });
  const told = (log: string) => session.piece({ kind: "record", log, record: said("a", "b") });
  for (let n = 1; n <= 5_000; n++) await open(`log-${n}`);
  await told("log-1");
  await told("log-2");
  expect(session.unread.byReason()).toEqual({});

  await open("log-5001");
  for (const log of ["log-1", "log-2", "log-3"]) await told(log);
  session.abandon();

  expect(session.unread.byReason()).toEqual({
    "a record of the log log-3, which ended because 5000 others were open": 1,
  });
});

describe("what is told of a log", () => {
  const toldOf = async () => {
    const place = { file: "log.jsonl", line: 9 };
    const [opened, ...rest] = pieces("talk", talk) as [LogPiece, ...LogPiece[]];
    const { out } = await imported([
      opened,
      { kind: "unread", unread: { place, reason: "no | JSON" } },
      { kind: "redacted", log: "talk", texts: 2, removed: [] },
      ...rest,
    ]);
    const of = (name: string): string => readFileSync(join(out, name), "utf8");
    return { out, report: of("report.md"), html: of("report.html"), picture: of("picture.svg") };
  };

  it("[IM41, IM58, IM99] the report says who spoke, what was called, what happened when, and why it went wrong", async () => {
    const { report, html } = await toldOf();

    for (const part of [
      "# talk",
      "1 agent, 2 messages, 1 call, 1 error",
      "each of its records counts one second",
      "| find | 1     | 1      |",
      "## Why: find returned what reads as an error",
    ])
      expect(report).toContain(part);
    expect(html).toContain("ghostlight-run");
  });

  it("[IM99] the report says first where to look, and what rules find, as untested", async () => {
    const again = [called("find", { user: "mia_li_3668" }, { call: "b" })];
    const same = returned("Error: no such user", { call: "b" });
    const { out } = await imported(pieces("talk", [...talk, ...again, same]));
    const report = readFileSync(join(out, "report.md"), "utf8");
    const places = ["## Where to look first", "## What rules find, untested", "## Why: "].map(
      (one) => report.indexOf(one),
    );

    expect(report).toContain("its call of find failed");
    const [, transcript = ""] = report.split("## Transcript");
    expect(transcript.match(/find returned what reads as an error/g)).toHaveLength(2);
    expect(report).toContain("| same-again ");
    expect(places[0]).toBeGreaterThan(0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it("[IM58, IM99] the report has what was said, called and returned in its order, up to 300", async () => {
    const transcript = async (count: number) => {
      const words = Array.from({ length: count }, (_, n) => said("assistant", `Word ${n}.`));
      const { out } = await imported(pieces("talk", words));
      const report = readFileSync(join(out, "report.md"), "utf8");
      const [, from = ""] = report.split("## Transcript");
      return [...from.matchAll(/Word (\d+)\./g)].map(([, n]) => Number(n));
    };
    const all = Array.from({ length: 300 }, (_, n) => n);

    expect(await transcript(300)).toEqual(all);
    expect(await transcript(301)).toEqual(all);
  });

  it("[IM58] the report has a row for each speaker, tool and moment, with errors, empty results and how long", async () => {
    const usage = { promptTokens: 10, answerTokens: 2 };
    const look = (n: number, result: ReturnType<typeof returned>) => [
      called("look", { n }, { call: `${n}`, atMs: 1_000 * n }),
      { ...result, call: `${n}`, atMs: 1_000 * n },
    ];
    const { out } = await imported(
      pieces("talk", [
        said("user", "Go", { atMs: 0 }),
        said("assistant", "I look.", { atMs: 1_000, usage }),
        ...look(2, returned("seen", { latencyMs: 100 })),
        ...look(3, returned("", { latencyMs: 300 })),
        ...look(4, returned("", { latencyMs: 700, error: "gone" })),
        ...look(5, returned("", { latencyMs: 300 })),
        called("walk", {}, { call: "9", atMs: 5_000 }),
      ]),
    );
    const report = readFileSync(join(out, "report.md"), "utf8");
    const rowsOf = (title: string) => {
      const [, from = ""] = report.split(`## ${title}\n\n`);
      const [table = ""] = from.split("\n\n");
      return table.split("\n").map((row) => row.replaceAll(/ +/g, " "));
    };

    expect(rowsOf("Who spoke")).toEqual([
      "| Who | Role | Messages | Calls | Tokens |",
      expect.any(String),
      "| user | user | 1 | 0 | |",
      "| assistant | agent | 1 | 5 | 10 + 2 |",
    ]);
    expect(rowsOf("Tools")).toEqual([
      "| Tool | Calls | Errors | Empty | Median latency |",
      expect.any(String),
      "| look | 4 | 1 | 2 | 300 ms |",
      "| walk | 1 | 0 | 0 | not in the log |",
    ]);
    expect(rowsOf("What happened when").slice(2)).toEqual([
      expect.stringMatching(/^\| 0:00:00 \| user said: "Go"/),
      expect.stringMatching(/^\| 0:00:02 \| assistant calls look first/),
      expect.stringMatching(/^\| 0:00:04 \| .*gone/),
      expect.stringMatching(/^\| 0:00:05 \| assistant calls walk first/),
    ]);
  });

  it("[IM58] the report says by which rules records hang together, what was unread, and what to do", async () => {
    const { report, out } = await toldOf();

    for (const part of [
      "result-of",
      "last-heard",
      "Secrets were replaced by marks in 2 texts.",
      "| log.jsonl:9 | no \\| JSON |",
      "for the picture. Next:\n```\nnpx ghostlight why ",
      `npx ghostlight events ${out} --type log.called`,
    ])
      expect(report).toContain(part);
  });

  it("[IM58] the picture has a lane for each speaker and tool", async () => {
    const { picture } = await toldOf();

    for (const lane of ["user", "assistant", "find"]) expect(picture).toContain(`>${lane}<`);
  });
});

it("[IM59] calls, errors, empty results, messages and tokens are measured by agent", async () => {
  const usage = { promptTokens: 7, answerTokens: 3 };
  const { out } = await imported(
    pieces("talk", [
      ...talk,
      said("b", "Hm", { usage }),
      called("see", {}, { agent: "b" }),
      returned("", { tool: "see" }),
    ]),
  );
  const csv = readFileSync(join(out, "metrics.csv"), "utf8");

  for (const line of [
    "world,log.calls,2",
    "b,log.calls,1",
    "b,log.empty,1",
    "assistant,log.errors,1",
  ])
    expect(csv).toContain(line);
  for (const line of ["world,log.messages,3", "b,log.tokens.prompt,7", "b,log.tokens.answer,3"])
    expect(csv).toContain(line);
});

it("[IM61] two imported logs differ where the first record does, and by their metrics", async () => {
  const [a, b] = await Promise.all([
    imported(pieces("talk", talk)),
    imported(pieces("talk", [...talk.slice(0, 3), said("assistant", "It failed.")])),
  ]);
  const side = ({ out }: typeof a) => {
    const { bundle, deliveries } = read(out);
    const { manifest, inputs, scenario } = bundle;
    return { manifest, inputs, deliveries, agents: scenario.agents, scenario };
  };
  const found = diff(partsFor(parts, read(a.out).bundle), side(a), side(b));

  expect(found.first).toMatchObject({
    delivery: 5,
    a: { says: expect.stringContaining("All done") },
  });
  expect(diff(partsFor(parts, read(a.out).bundle), side(a), side(a)).same).toBe(true);
});

it("[IM61] names of logs, places in files, ids, parents and dates are no difference", async () => {
  const one = [
    said("user", "Look."),
    called("find", { n: 1 }, { call: "a", id: "1", parent: "0", atMs: 1_700_000_000_000 }),
    returned("found", { call: "a", id: "2", parent: "1", atMs: 1_700_000_001_000 }),
  ];
  const other = [
    said("user", "Look."),
    called("find", { n: 1 }, { call: "b", id: "x", parent: "w", atMs: 1_750_000_000_000 }),
    returned("found", { call: "b", id: "y", parent: "x", atMs: 1_750_000_001_000 }),
  ].map((record) => ({ ...record, place: { file: "b.jsonl", line: 9 } }));
  const [a, b] = await Promise.all([
    imported(pieces("talk", one)),
    imported(pieces("chat", other)),
  ]);
  const side = ({ out }: typeof a) => {
    const { bundle, deliveries } = read(out);
    const { manifest, inputs, scenario } = bundle;
    return { manifest, inputs, deliveries, agents: scenario.agents, scenario };
  };

  expect(diff(partsFor(parts, read(a.out).bundle), side(a), side(b)).first).toBeNull();
});

it("[IM50] whatever is in the records, the seal of the bundle verifies", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyText(), fc.jsonValue()), { maxLength: 150 }),
      async (values) => {
        const records = values.flatMap(([text, value]) => [
          said(text, text),
          called(text, JSON.parse(JSON.stringify(value)), { agent: text }),
        ]);
        const { out } = await imported(pieces("talk", records));
        expect(read(out).deliveries.length).toBe(records.length + 2);
      },
    ),
    { numRuns: 15 },
  );
});

const shared = join("..", "shared", "traces");
const hasTraces = existsSync(shared);
describe.skipIf(!hasTraces)("real logs in ../shared/traces", () => {
  it("[IM46] values that agents took from results are found again, with few links to each record", async () => {
    const { readLogs } = await import("../../../../src/actors/imported/edge/readLogs.ts");
    const out = newFolder();
    const session = new ImportSession({ out, sources: [shared], tell: async () => {} });
    for await (const piece of readLogs([shared])) await session.piece(piece);
    await session.finish("ended");
    const { stated, inferred } = session.links.told();

    expect(stated["result-of"]).toBe(282);
    expect(inferred["quotes"]).toBeGreaterThan(300);
    expect(inferred["open-call"] ?? 0).toBe(0);
    expect(session.entries.length).toBe(97);
  });
});
