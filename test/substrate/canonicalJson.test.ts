import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../src/contract/anyText.ts";
import { nodeSha256Hex } from "../../src/edges/bundle/nodeSha256.ts";
import {
  canonicalJson,
  inCanonicalOrder,
  NotJsonError,
} from "../../src/substrate/canonicalJson.ts";
import {
  chained,
  digestOf,
  GENESIS,
  hashWith,
  portableSha256Hex,
  sha256Hex,
} from "../../src/substrate/digest.ts";
import { letter, office } from "./office.ts";

class Point {
  readonly x = 1;
}

describe("canonicalJson", () => {
  it("[KN16] agrees with another implementation of RFC 8785", () => {
    const anyJson = fc.oneof(fc.jsonValue(), fc.jsonValue({ stringUnit: "grapheme" }));

    fc.assert(
      fc.property(anyJson, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: 300 },
    );
  });

  it("[KN16] is a text of the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });

  it("[KN16] sorts keys by code unit and writes numbers as ECMAScript does", () => {
    const value = { "\u{1f600}": 1, "\ufb33": 2, é: 3, "10": 4, "9": 5, a: [1e21, 1e-7, 0.1, 100] };

    expect(canonicalJson(value)).toBe(
      '{"10":4,"9":5,"a":[1e+21,1e-7,0.1,100],"é":3,"\u{1f600}":1,"\ufb33":2}',
    );
  });

  it("[KN16] writes -0 as 0", () => {
    expect(canonicalJson({ change: -0 })).toBe('{"change":0}');
  });

  it("[KN16] does not depend on the order in which keys were set", () => {
    expect(digestOf({ a: 1, b: { c: 2, d: 3 } })).toBe(digestOf({ b: { d: 3, c: 2 }, a: 1 }));
    // Few keys and many are sorted in ways of their own.
    for (const count of [20, 21]) {
      const keys = Array.from({ length: count }, (_, n) => String.fromCharCode(97 + n));
      const map = (names: readonly string[]) => Object.fromEntries(names.map((key) => [key, 1]));
      expect(canonicalJson(map(keys.toReversed()))).toBe(JSON.stringify(map(keys)));
    }
  });

  it.each<[string, unknown, string]>([
    ["undefined", { goal: { steps: [0, 1, undefined] } }, "$.goal.steps[2]"],
    ["a hole", { list: new Array(3) }, "$.list[0]"],
    ["NaN", { load: Number.NaN }, "$.load"],
    ["an infinity", [Number.NEGATIVE_INFINITY], "$[0]"],
    ["a function", { call: () => 1 }, "$.call"],
    ["a symbol", { it: Symbol("s") }, "$.it"],
    ["a bigint", { n: 1n }, "$.n"],
    ["a date", { at: new Date(0) }, "$.at"],
    ["a map", { all: new Map() }, "$.all"],
    ["a class instance", { at: [new Point()] }, "$.at[0]"],
    ["a lone surrogate", { text: "half \ud83d" }, "$.text"],
    ["a lone surrogate in a key", { "\udc00": 1 }, "$"],
  ])("[KN15] refuses %s with its path", (_what, value, path) => {
    const refused = () => canonicalJson(value);

    expect(refused).toThrow(NotJsonError);
    expect(refused).toThrow(`${path}: `);
  });

  it("[KN15] takes 500 levels, and not one more", () => {
    const nested = (levels: number) =>
      Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 0);

    expect(canonicalJson(nested(500))).toHaveLength(1_001);
    expect(() => canonicalJson(nested(501))).toThrow("a value 500 levels deep is not JSON");
  });

  it("[KN15] takes an object without a prototype, as a parser may make it", () => {
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}');
  });

  it("[KN15] an event that JSON cannot hold is refused where it is posted", () => {
    const world = office({
      actors: { speaker: () => [{ to: "b", event: { type: "test.noted", note: NaN } }] },
    });
    world.kernel.postFromOutside("x", letter("speaker", "test.go"));

    expect(world.run).toThrow("speaker → b: event.note: NaN is not JSON");
  });
});

/** Texts of any UTF-16 units, halves of pairs included. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
  .map((units) => String.fromCharCode(...units));

describe("digests", () => {
  it("[KN14] are SHA-256 in lowercase hex", () => {
    expect(sha256Hex("abc")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  it("[KN14] are the same by the host's own SHA-256", () => {
    fc.assert(
      fc.property(fc.oneof(anyText({ maxLength: 300 }), anyUnits), (text) => {
        expect(nodeSha256Hex(text)).toBe(portableSha256Hex(text));
      }),
      { numRuns: 200 },
    );
  });

  it("[KN14] take no other hash from a host", () => {
    expect(() => hashWith((text) => portableSha256Hex(`${text} `))).toThrow("another one");
    expect(sha256Hex("abc")).toBe(portableSha256Hex("abc"));
  });

  it("[KN14] of a chain begin with 64 zeros and cover the link before", () => {
    expect(GENESIS).toBe("0".repeat(64));
    expect(chained(GENESIS, "abc")).toBe(sha256Hex(`${GENESIS}\nabc`));
  });
});

describe("inCanonicalOrder", () => {
  it("[KN16] gives a value as its canonical text does, and itself where nothing is to be moved", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const ordered = inCanonicalOrder(value);
        expect(JSON.stringify(ordered)).toBe(JSON.stringify(JSON.parse(canonicalJson(value))));
      }),
    );
  });

  it("[KN16] reaches as deep as a canonical text does", () => {
    const deep = (levels: number): unknown =>
      Array.from({ length: levels }).reduce((inner) => [inner], { b: 1, a: 2 });

    for (const levels of [300, 499]) {
      const value = deep(levels);
      expect(JSON.stringify(inCanonicalOrder(value))).toBe(canonicalJson(value));
    }
  });

  it("[KN16] leaves what is no JSON for the canonical text to refuse", () => {
    const point = new Point();
    const ordered = { a: [{ b: 1, c: 2 }] };

    expect(inCanonicalOrder(ordered)).toBe(ordered);
    expect(inCanonicalOrder({ b: point, a: undefined })).toEqual({ a: undefined, b: point });
    expect(inCanonicalOrder(point)).toBe(point);
  });
});
