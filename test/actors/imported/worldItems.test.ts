// A log as a row of words and calls, with what came back; and which paths, names and values it has.
import { expect, it } from "vitest";
import { plainName } from "../../../src/actors/imported/addresses.ts";
import { Importer } from "../../../src/actors/imported/importer.ts";
import type { LogRecord } from "../../../src/actors/imported/record.ts";
import { itemsOf } from "../../../src/actors/imported/worldItems.ts";
import { errorWords } from "../../../src/actors/imported/worldTables.ts";
import { Cutter, durationOf } from "../../../src/actors/imported/worldValues.ts";
import { pathUse, shownPath } from "../../../src/actors/imported/writtenPaths.ts";
import type { Json } from "../../../src/machines/letter.ts";
import { called, offered, returned, said } from "./pieces.ts";

function items(records: readonly LogRecord[], hasTimes = false) {
  const importer = new Importer({ name: "talk", format: "openai", file: "log.jsonl" });
  return itemsOf([...records.flatMap((one) => importer.add(one)), ...importer.end()], hasTimes);
}
const outcomes = (records: readonly LogRecord[], hasTimes?: boolean) =>
  items(records, hasTimes).items.flatMap((one) => (one.kind === "call" ? [one.outcome] : []));

it("[IM83] of a log there are its words and calls in their order, instructions and tools apart", () => {
  const log = items([
    said("system", "Be brief."),
    offered("find", "finds"),
    offered("find", "finds anew"),
    said("user", "Go", { to: "ann", step: 7 }),
    said("ann", "I go", { to: "bob" }),
    called("find", { a: 1 }, { agent: "ann", place: { file: "other.jsonl", line: 9 } }),
  ]);

  expect(log).toEqual({
    items: [
      { kind: "heard", to: "ann", text: "Go", seq: 4, file: null, line: 1, step: 7, atMs: 3_000 },
      {
        ...{ kind: "sent", agent: "ann", to: "bob", text: "I go" },
        ...{ seq: 5, file: null, line: 1, step: null, atMs: 4_000 },
      },
      {
        ...{ kind: "call", agent: "ann", tool: "find", args: { a: 1 }, raw: null, outcome: null },
        ...{ seq: 6, file: "other.jsonl", line: 9, step: null, atMs: 5_000 },
      },
    ],
    offered: new Map([["find", { description: "finds", schema: null }]]),
    ...{ beyond: null, faults: [], instructions: "Be brief.".length },
  });
});

it("[IM83] a call has the first result that is of it, and took what the log says, else what its times do", () => {
  const at = <T extends LogRecord>(atMs: number, one: T): T => ({ ...one, atMs });
  const log = [
    at(0, called("find", {}, { call: "a" })),
    at(700, returned([], { call: "a" })),
    at(800, returned("late", { call: "a" })),
    at(900, returned("lone", { call: "z" })),
  ];
  const took = (hasTimes: boolean, latencyMs: number | null = null) =>
    outcomes(
      [
        called("find", {}, { call: "a", atMs: 0 }),
        returned("x", { call: "a", latencyMs, atMs: 7 }),
      ],
      hasTimes,
    )[0]?.latencyMs;

  expect(outcomes(log, true)).toEqual([{ result: [], error: null, isEmpty: true, latencyMs: 700 }]);
  expect([took(true), took(false), took(false, 3), took(true, 3)]).toEqual([7, null, 3, 3]);
});

it("[IM92] an error is no empty result, nor is what holds something", () => {
  const of = (result: Json, error: string | null = null) =>
    outcomes([called("find", {}, { call: "a" }), returned(result, { call: "a", error })])[0];

  expect([of([])?.isEmpty, of("none")?.isEmpty, of([0])?.isEmpty]).toEqual([true, true, false]);
  expect(of(null, "gone")).toMatchObject({ error: "gone", isEmpty: false });
  expect(of("Error: x")).toMatchObject({ error: "Error: x", isEmpty: false });
});

it.each([
  ["write_file", { path: "a.txt" }, { does: "writes", paths: ["a.txt"] }],
  ["readFile", { file_path: "./a//b.txt" }, { does: "reads", paths: ["a/b.txt"] }],
  ["cat", { source_path: "/a", targetFile: "/b.c" }, { does: "reads", paths: ["/b.c"] }],
  ["save", { PATH: "a/b", Filename: "c.d" }, { does: "writes", paths: ["a/b", "c.d"] }],
  ["read_and_update", { path: "a.txt" }, undefined],
  ["look", { path: "a.txt" }, undefined],
  ["read", { name: "a.txt" }, undefined],
  ["read", { profile: "a.txt" }, undefined],
  ["read", { path_style: "a.b" }, undefined],
  ["read", { path: "ab" }, undefined],
  ["read", { path: "abc" }, undefined],
  ["read", { path: "a.b" }, { does: "reads", paths: ["a.b"] }],
  ["read", { path: "a.b\nc" }, undefined],
  ["read", { path: 7 }, undefined],
  ["read", { path: `/${"x".repeat(1_000)}` }, undefined],
  ["read", ["a.txt"], undefined],
])("[IM47] %s of %j uses %j", (tool, args, use) => {
  expect(pathUse(tool, args as Json)).toEqual(use);
});

it("[IM47] each verb in a tool's name says whether it writes or reads", () => {
  const does = (verbs: string) =>
    new Set(verbs.split(" ").map((verb) => pathUse(`my_${verb}_tool`, { path: "a.txt" })?.does));

  expect([
    ...does(
      "write save create append edit put store upload export dump update insert replace patch",
    ),
  ]).toEqual(["writes"]);
  expect([
    ...does("read open cat load get view fetch show head tail parse download import run execute"),
  ]).toEqual(["reads"]);
});

it("[IM47] of a path a link shows 120 characters", () => {
  expect(shownPath("x".repeat(121))).toBe("x".repeat(120));
  expect(shownPath(`${"x".repeat(119)}😀`)).toBe(`${"x".repeat(119)}\ufffd`);
});

it.each([
  ["a b/c #1", "a_b_c_1"],
  ["x".repeat(81), "x".repeat(80)],
  ["", "unnamed"],
  [" / ", "unnamed"],
  ["_a_", "_a_"],
  ["😀".repeat(90), "😀".repeat(80)],
  [`${"é".repeat(400)}`, "é".repeat(80)],
])("[IM40] %j stands in an address as %j", (name, plain) => {
  expect(plainName(name)).toBe(plain);
});

it.each([
  [0, "0s"],
  [-5, "0s"],
  [0.4, "0s"],
  [0.5, "1ms"],
  [999, "999ms"],
  [1_000, "1s"],
  [61_001, "1m1s1ms"],
  [3_600_000, "1h"],
  [90_061_001, "1d1h1m1s1ms"],
])("[IM83] %j ms are written as %s", (ms, text) => {
  expect(durationOf(ms)).toBe(text);
});

it("[IM83] a text is kept whole up to its bound, and cut where it is longer; each cut is counted", () => {
  const cutter = new Cutter(5);

  expect([cutter.text("12345"), cutter.cuts]).toEqual(["12345", 0]);
  expect(cutter.text("123456")).toBe("12345… (cut: 6 characters in the log)");
  expect(cutter.text("123456", 6)).toBe("123456");
  expect(cutter.value([1, 2])).toEqual([1, 2]);
  expect(cutter.value([1, 23])).toBe("[1,23… (cut: 6 characters in the log)");
  expect(cutter.value("123456")).toContain("cut: 6");
  expect(cutter.cuts).toBe(3);
  expect(errorWords("", cutter)).toBe("the call failed");
});

it("[IM83] what is nested 16 deep, or has more than 100 names, stands as JSON in a text", () => {
  const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, n]));
  const cutter = new Cutter(10_000);

  expect(cutter.value(nested(16))).toEqual(nested(16));
  expect(cutter.value(nested(17))).toBe(JSON.stringify(nested(17)));
  expect(cutter.arguments(names(100), null)).toEqual(names(100));
  expect(cutter.arguments(names(101), null)).toEqual({ json: JSON.stringify(names(101)) });
  expect(cutter.arguments({ ["n".repeat(101)]: 1 }, null)).toHaveProperty("json");
  expect(cutter.arguments(null, null)).toEqual({});
  // Each that is too long is cut for itself.
  expect(new Cutter(4).arguments({ a: "12345", b: 1 }, null)).toEqual({
    ...{ a: "1234… (cut: 5 characters in the log)", b: 1 },
  });
});
