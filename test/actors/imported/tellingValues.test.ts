import { expect, it } from "vitest";
import { bounds } from "../../../src/actors/imported/bounds.ts";
import { errorIn } from "../../../src/actors/imported/errorText.ts";
import { Importer } from "../../../src/actors/imported/importer.ts";
import {
  BoundedMap,
  isTelling,
  Linker,
  tellingValues,
} from "../../../src/actors/imported/linker.ts";
import { ValueIndex } from "../../../src/actors/imported/valueIndex.ts";
import { emptyText } from "../../../src/contract/nothing.ts";
import { called, noted, said } from "./pieces.ts";

it.each([
  ...["HAT136", "7447", "512.40", "mia_li_3668", "a@b.example", "round_trip", "A1b2"],
  ...["counterrevolution", "b2c5:9a7e1f", "abcde_gh", "abc@de.f", "abcdefghijklmnop", "51.25"],
])("[IM46] %j tells where it comes from", (value) => {
  expect(isTelling(value)).toBe(true);
});

it.each([
  ...["744", "2024", "2024-05-20", "15:30", "15:30:00", "1000", "50000", "1st", "a_b@c", "12/05"],
  ...["transportation", "one-way", "2024-05-15T10:00:00", "abcde_g", "abc@d.f", "abcdefghijklmno"],
  ...["1999", "A12", "51.2", "long-hyphenated-words"],
])("[IM46] %j may stand anywhere", (value) => {
  expect(isTelling(value)).toBe(false);
});

it("[IM46] values are taken from texts and JSON without the names of fields or the dot of a sentence", () => {
  expect(tellingValues('{"field_name_1": "HAT136", "n": 7447}')).toEqual(["HAT136", "7447"]);
  expect(tellingValues("It is HAT136. See https://a.example/x/99!")).toEqual([
    "HAT136",
    "https://a.example/x/99",
  ]);
});

it("[IM51] the first one that held a value stays, however many values there are", () => {
  const index = new ValueIndex(4_096);
  for (let n = 0; n < 2_500; n++) index.note(`value-${n}`, n, "result");
  for (let n = 0; n < 2_500; n++) index.note(`value-${n}`, n + 10_000, "result");

  const wrong = Array.from({ length: 2_500 }, (_, n) => index.first(`value-${n}`)?.seq).filter(
    (seq, n) => seq !== n,
  );
  expect(wrong).toEqual([]);
  expect(index.forgotten).toBe(0);
});

it("[IM51] of each value it is known who held it first, and how many results since, 63 at most", () => {
  const index = new ValueIndex();
  const first = (...holders: readonly Parameters<ValueIndex["note"]>[2][]) => {
    const value = holders.join();
    holders.forEach((holder, seq) => void index.note(value, seq, holder));
    return index.first(value);
  };

  expect(first("result")).toEqual({ seq: 0, holder: "result", results: 1 });
  expect(first("person")).toEqual({ seq: 0, holder: "person", results: 0 });
  expect(first("other")).toEqual({ seq: 0, holder: "other", results: 0 });
  expect(first("other", "result", "person", "result")).toEqual({
    ...{ seq: 0, holder: "other", results: 2 },
  });
  expect(first(...new Array<"result">(63).fill("result"))?.results).toBe(63);
  expect(first(...new Array<"result">(64).fill("result"))?.results).toBe(63);
});

it("[IM51] beyond the bound the oldest values are let go of, and counted", () => {
  const index = new ValueIndex(1_024);
  for (let n = 0; n < 10_000; n++) index.note(`value-${n}`, n, "person");

  expect(index.first("value-0")).toBeUndefined();
  expect(index.first("value-9999")).toEqual({ seq: 9_999, holder: "person", results: 0 });
  expect(index.forgotten).toBeGreaterThan(7_000);
});

it("[IM51] a map lets go of what was set first, one more than it holds", () => {
  const map = new BoundedMap<string, number>(2);
  for (const [n, key] of ["a", "b", "a", "c"].entries()) map.set(key, n);

  expect([map.get("a"), map.get("b"), map.get("c"), map.forgotten]).toEqual([2, undefined, 3, 1]);
});

it.each([
  ["Error: no such user", true],
  ["  error - none", true],
  ["ValueError: x", true],
  ["Traceback (most recent call last):", true],
  ["exit code: 1", true],
  ["exitcode: 0 (execution succeeded)", false],
  ["No errors were found", false],
  ["The Error: field is empty", false],
])("[IM49] %j reads as an error: %j", (result, isError) => {
  expect(errorIn({ result, ok: null, error: null }) !== null).toBe(isError);
  expect(errorIn({ result, ok: true, error: null })?.stated).toBe(isError ? false : undefined);
});

it("[IM49, FI44] what the log says of a result goes before how it reads", () => {
  expect(errorIn({ result: "fine", ok: false, error: null })).toEqual({
    text: "fine",
    stated: true,
  });
  expect(errorIn({ result: null, ok: null, error: "gone" })).toEqual({
    text: "gone",
    stated: true,
  });
  expect(errorIn({ result: { error: "gone" }, ok: null, error: null })?.stated).toBe(false);
  expect(errorIn({ result: { error: null, rows: 1 }, ok: null, error: null })).toBeNull();
});

it.each([null, "", " \n", "{ }", "null", "None", {}, { a: null }])(
  "[IM49] %j is nothing",
  (result) => {
    expect(emptyText(result)).toBe("nothing");
  },
);

it.each([[], "[]", " [ ] "])(
  "[FI4, FI44] %j is an empty list: an answer, which says that there is none",
  (result) => {
    expect(emptyText(result)).toBe("an empty list");
  },
);

it.each([0, false, "0", "none of them", [0], [[]], "[] rows"])(
  "[IM49, FI4, FI44] %j is something",
  (result) => {
    expect(emptyText(result)).toBeNull();
  },
);

it("[IM51] what is let go of, or searched in part, is counted by what it is", () => {
  const linker = new Linker();
  const many = <T>(count: number, of: (n: number) => T): T[] =>
    Array.from({ length: count }, (_, n) => of(n));
  const records = [
    ...[
      said("a", "x".repeat(bounds.searchedChars)),
      said("a", "x".repeat(bounds.searchedChars + 1)),
    ],
    ...many(bounds.ids + 2, (n) => noted(null, "x", { id: `${n}` })),
    ...many(bounds.agents + 2, (n) => said(`agent ${n}`, "")),
    ...many(bounds.openCalls + 3, (n) => called("save", { path: `/data/${n}` }, { agent: "a" })),
  ];
  for (const [seq, record] of records.entries()) linker.linked(record, seq + 1);

  expect(linker.forgotten).toEqual({
    "calls that waited for a result": 3,
    "ids of records": 2,
    "paths that were written": 3,
    "agents and what they heard": 3,
    "texts that were searched in part": 1,
  });
});

it("[IM51] values that are let go of are counted among it", () => {
  const linker = new Linker(new ValueIndex(256));
  for (let n = 0; n < 1_000; n++) linker.linked(said("user", `value-${n}`), n + 1);

  expect(linker.forgotten).toEqual({ "values that may be quoted": expect.any(Number) });
});

it("[IM51] the end of a log says what was let go of", () => {
  const importer = new Importer({ name: "talk", format: "openai", file: "log.jsonl" });
  importer.add(said("a", "x".repeat(bounds.searchedChars + 1)));

  expect(importer.end().at(-1)?.event).toMatchObject({
    forgotten: { "texts that were searched in part": 1 },
  });
});
