import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/substrate/canonicalJson.ts";
import { changesBetween, withChanges } from "../../src/substrate/changes.ts";

const anyJson = fc.jsonValue({ maxDepth: 3 });
const object = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("a", "__proto__")), anyJson);

/** The same value with some parts replaced, some removed and some texts longer. */
function altered(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === "string") {
    return fc.oneof(
      { weight: 2, arbitrary: fc.string().map((more) => value + more) },
      { weight: 1, arbitrary: anyJson },
    );
  }
  if (Array.isArray(value)) return fc.oneof(fc.tuple(...value.map(altered)), anyJson);
  if (typeof value !== "object" || value === null) {
    return fc.oneof(
      { weight: 3, arbitrary: fc.constant(value) },
      { weight: 1, arbitrary: anyJson },
    );
  }
  const members = Object.entries(value).map(([key, member]) =>
    fc.option(altered(member), { freq: 5 }).map((next) => [key, next] as const),
  );
  return fc
    .tuple(object, ...members)
    .map(([added, ...kept]) =>
      Object.fromEntries([
        ...kept.filter((entry) => entry[1] !== null),
        ...Object.entries(added).slice(0, 1),
      ]),
    );
}

const pair = object.chain((before) =>
  fc.tuple(fc.constant(before), altered(before) as fc.Arbitrary<object>),
);

describe("changesBetween", () => {
  it("[KN18] is what leads from one context to the next", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const made = withChanges(before, changesBetween(before, after));
        expect(canonicalJson(made)).toBe(canonicalJson(after));
      }),
      { numRuns: 200 },
    );
  });

  it("[KN18] is what leads from one context to a quite different one", () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        const made = withChanges(before, changesBetween(before, after));
        expect(canonicalJson(made)).toBe(canonicalJson(after));
      }),
      { numRuns: 200 },
    );
  });

  it("[KN18] of the same context is nothing", () => {
    const context = { a: [1, { b: "c" }] };

    expect(changesBetween(context, context)).toEqual([]);
  });

  it("[KN18] names the path of what changed, and nothing else", () => {
    const before = { goal: { n: 1, steps: [1, 2] }, notes: "same", old: true };

    expect(changesBetween(before, { goal: { n: 2, steps: [1, 3] }, notes: "same" })).toEqual([
      { path: ["goal", "n"], to: 2 },
      { path: ["goal", "steps", "1"], to: 3 },
      { path: ["old"], removed: true },
    ]);
  });

  it("[KN18] keeps only the end of a text that grew", () => {
    expect(changesBetween({ log: "one\n" }, { log: "one\ntwo\n" })).toEqual([
      { path: ["log"], appended: "two\n" },
    ]);
  });

  it("[KN18] does not compare a text that is said to have grown", () => {
    const grown = { text: "one\ntwo\n", by: "two\n" };
    const before = { log: "one\n", other: "ten\n" };

    expect(changesBetween(before, { log: grown.text, other: "two\n" }, grown)).toEqual([
      { path: ["log"], appended: "two\n" },
      { path: ["other"], to: "two\n" },
    ]);
  });

  it.each([
    ["another beginning", "one", "two one"],
    ["a shorter text", "one", "on"],
    ["an empty one before", "", "one"],
  ])("[KN18] writes a text anew: %s", (_why, log, to) => {
    expect(changesBetween({ log }, { log: to })).toEqual([{ path: ["log"], to }]);
  });

  it("[KN18] writes a list of another length anew", () => {
    expect(changesBetween({ all: [1, 2] }, { all: [1, 2, 3] })).toEqual([
      { path: ["all"], to: [1, 2, 3] },
    ]);
  });

  it("[KN18] tells null from removed", () => {
    expect(changesBetween({ a: 1, b: 1 }, { a: null })).toEqual([
      { path: ["a"], to: null },
      { path: ["b"], removed: true },
    ]);
  });
});
