// The whole of a scenario that is made of a log, field by field; and its files, times and bounds.
import { expect, it } from "vitest";
import { Importer, type LogClock } from "../../../src/actors/imported/importer.ts";
import type { LogRecord } from "../../../src/actors/imported/record.ts";
import { type World, worldsOf } from "../../../src/actors/imported/worldOf.ts";
import { policyOf } from "../../../src/actors/imported/worldPolicy.ts";
import { onlyRecording } from "../../../src/actors/imported/worldRecordings.ts";
import { called, offered, returned, said } from "./pieces.ts";

function worldOf(
  records: readonly LogRecord[],
  clock: LogClock = "steps",
  { name = "talk", file = "log.jsonl" } = {},
): World {
  const head = { name, format: "openai", file } as const;
  const importer = new Importer(head);
  const deliveries = [...records.flatMap((one) => importer.add(one)), ...importer.end()];
  const [world] = worldsOf(
    [onlyRecording({ ...head, startsAt: "2026-01-01T00:00:00Z", clock, deliveries })],
    [],
  );
  if (world === undefined) throw new Error("no world");
  return world;
}
const at = <T extends LogRecord>(seconds: number, one: T): T => ({ ...one, atMs: 1_000 * seconds });
const read = (path: string, result: string, id: string) => [
  called("read_file", { path }, { agent: "bob", call: id }),
  returned(result, { call: id }),
];

it("[IM81, IM83, IM85, IM91] a scenario has of its log who acts, what people say, what tools answer, and each turn as a goal", () => {
  const { source, notes } = worldOf([
    offered("find", "finds"),
    offered("walk", "walks"),
    said("user", "Book a table"),
    called("find", { day: "mon" }, { agent: "ann", call: "a" }),
    returned([], { call: "a", latencyMs: 3_000 }),
    called("find", { day: "mon" }, { agent: "ann", call: "b" }),
    returned("Error: full", { call: "b" }),
    said("ann", "Over to you", { to: "bob" }),
    ...read("/data/notes.txt", "a note", "c"),
    called("look", {}, { agent: "bob" }),
  ]);
  const plan = (...steps: readonly object[]) => [{ id: "as-recorded", weight: 1, steps }];

  expect(source).toEqual({
    why:
      "What the log talk holds, as a world that can be changed and played again. Its plan is played blindly: " +
      "what follows an answer that differs from the log's is unknown.",
    source: "imported: openai, log.jsonl",
    ...{ startsAt: "2026-01-01T00:00:00Z", seed: 1 },
    // Two turns, five acts, three seconds of a tool, and two turns' time at the end.
    runsFor: "52s",
    agents: ["ann", "bob"],
    policy: policyOf(3_000, ["/data"], false),
    events: [{ id: "turn-1", at: "0s", does: "host.message", agent: "ann", text: "Book a table" }],
    tools: [
      {
        ...{ name: "find", description: "finds", latency: "0ms" },
        answers: [
          {
            args: { day: "mon" },
            inTurn: [{ returns: [], latency: "3s" }, { error: "Error: full" }],
          },
        ],
      },
      {
        ...{ name: "read_file", description: "read_file of the log.", latency: "0ms" },
        answers: [{ args: { path: "/data/notes.txt" }, returns: "a note" }],
      },
      {
        ...{ name: "look", description: "look of the log.", latency: "0ms" },
        answers: [{ args: {}, returns: null }],
      },
    ],
    files: { "/data/notes.txt": "a note" },
    model: {
      inTurn: true,
      // A digest of each call: two of ann, two of bob.
      recorded: {
        ann: expect.stringMatching(/^[0-9a-f]{8} [0-9a-f]{8}$/),
        bob: expect.stringMatching(/^[0-9a-f]{8} [0-9a-f]{8}$/),
      },
      goals: [
        {
          ...{ slug: "turn-1", agents: ["ann"], weight: 1, heard: "Book a table" },
          text: "Do what was asked: turn-1 (from record #4 of the log)",
          artifact: "/agentOS/workspace/{agent}/turn-1.md",
          plans: plan(
            { tool: "find", args: { day: "mon" } },
            { tool: "find", args: { day: "mon" } },
            { tool: "message_send", args: { to: "bob", text: "Over to you" } },
          ),
        },
        {
          ...{ slug: "message-1", agents: ["bob"], weight: 1, message: "Over to you" },
          text: "Answer: message-1 (from record #9 of the log)",
          artifact: "/agentOS/workspace/{agent}/message-1.md",
          plans: plan(
            { tool: "read_file", args: { path: "/data/notes.txt" } },
            { tool: "look", args: {} },
          ),
        },
      ],
    },
    expect: [
      { name: "as many calls as in the log", metric: "calls.finished", op: "=", value: 5 },
      { name: "as many of them failed", metric: "calls.failed", op: "=", value: 1 },
    ],
    variants: expect.objectContaining({
      "empty-is-failure": expect.objectContaining({
        expect: [{ name: "calls that failed", metric: "calls.failed", op: "=", value: 3 }],
      }),
    }),
  });
  expect(notes).toMatchObject({
    ...{ cuts: 0, keptChars: 100_000, uncalled: ["walk"], withoutResult: 1, empty: 1, errors: 1 },
    ...{ shortened: 0, elsewhere: 0 },
  });
});

it("[IM81] what goes on by itself is said so, and the n-th word is told from those before it", () => {
  const { source } = worldOf([
    called("look", {}),
    said("user", "yes"),
    called("look", {}),
    said("user", "yes"),
    called("look", {}),
  ]);
  const { goals } = source["model"] as { readonly goals: readonly { readonly text: string }[] };

  expect(goals).toMatchObject([
    { slug: "opening-1", text: "Go on: opening-1 (from record #1 of the log)" },
    { slug: "turn-1", heard: "yes" },
    { slug: "turn-2", heard: "yes", nth: 2 },
  ]);
  expect(goals[0]).not.toHaveProperty("heard");
  expect(goals[1]).not.toHaveProperty("nth");
  for (const none of ["files", "variants"])
    expect(worldOf([called("a", {}), returned("x", { tool: "a" })]).source).not.toHaveProperty(
      none,
    );
  expect(worldOf([called("look", {})]).source).not.toHaveProperty("events");
});

it("[IM84] people speak at their times, but not before what was said earlier is done; of long logs pauses are a minute", () => {
  const talk = (second: number, third: number) => [
    at(0, said("user", "one")),
    at(1, called("look", {}, { call: "a" })),
    at(3, returned("x", { call: "a" })),
    at(second, said("user", "two")),
    at(second, called("look", {}, { call: "b" })),
    at(third, said("user", "three")),
  ];
  const times = (second: number, third: number, clock?: LogClock) => {
    const { source, notes } = worldOf(talk(second, third), clock);
    const events = source["events"] as readonly { readonly at: string }[];
    return [...events.map((one) => one.at), source["runsFor"], notes.shortened];
  };

  // A turn takes twelve seconds, a call a fifth of one and what its tool took.
  expect(times(60, 90, "log")).toEqual(["0s", "1m", "1m30s", "1m54s", 0]);
  expect(times(5, 6, "log")).toEqual(["0s", "14s200ms", "26s400ms", "50s400ms", 0]);
  expect(times(60, 90)).toEqual(["0s", "12s200ms", "24s400ms", "48s400ms", 0]);
  expect(times(60, 7_200, "log")[2]).toBe("2h");
  expect(times(60, 7_200.001, "log")).toEqual(["0s", "1m", "2m", "2m24s", 1]);
  expect(times(61, 7_201, "log").at(-1)).toBe(2);
});

it("[IM97] files that calls read first are there from the start, one result a path, where a world can have them", () => {
  const of = (...records: readonly LogRecord[]) => {
    const { source, notes } = worldOf([said("user", "Go"), ...records]);
    return [source["files"] ?? {}, notes.elsewhere];
  };
  const write = called("write_file", { path: "/data/a.txt" }, { agent: "bob" });
  const note = read("/data/a.txt", "a", "1");

  expect(of(...note, ...read("/data/a.txt", "b", "2"))).toEqual([{ "/data/a.txt": "a" }, 0]);
  expect(of(write, ...note)).toEqual([{}, 0]);
  expect(of(...read("/data/a.txt", "", "1"), ...note)).toEqual([{ "/data/a.txt": "a" }, 0]);
  expect(of(...read("/data/a.txt", "Error: no", "1"))).toEqual([{}, 0]);
  expect(of(...note, ...read("/data/a.txt/b", "b", "2"))).toEqual([{ "/data/a.txt": "a" }, 1]);
  expect(of(...read("/data/a.txt/b", "b", "2"), ...note)).toEqual([{ "/data/a.txt/b": "b" }, 1]);
  expect(of(...read("/agentOS/workspace/a.md", "a", "1"))).toEqual([
    { "/agentOS/workspace/a.md": "a" },
    0,
  ]);
  for (const none of ["/agentOS/core/a.md", "a.txt", "/usr/a.txt"]) {
    expect(of(...read(none, "a", "1"))).toEqual([{}, 1]);
  }
  const two = called("read_files", { path: "/data/a.txt", file: "/data/b.txt" }, { call: "9" });
  expect(of(two, returned("both", { call: "9" }), ...note)).toEqual([{}, 0]);
  const many = Array.from({ length: 201 }, (_, n) => read(`/data/${n}.txt`, "a", `${n}`)).flat();
  expect(of(...many)[1]).toBe(1);
});

it("[IM89] what the scenario says of itself is bounded, and a tool takes ten minutes at most", () => {
  const long = { name: "n".repeat(20_000), file: "f".repeat(20_000) };
  const { source } = worldOf([called("look", {})], "steps", long);
  const slow = worldOf([
    called("look", {}, { call: "a" }),
    returned("x", { call: "a", latencyMs: 700_000 }),
  ]);

  expect([String(source["why"]).length, String(source["source"]).length]).toEqual([9_000, 9_000]);
  expect(slow.source["policy"]).toEqual(policyOf(600_000, [], false));
  expect(slow.source["tools"]).toMatchObject([{ answers: [{ latency: "10m" }] }]);
  expect(slow.source["runsFor"]).toBe("10m36s200ms");
});
