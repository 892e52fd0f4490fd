import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../../src/machines/letter.ts";
import { sortedJson } from "../../src/machines/sortedJson.ts";
import { canonicalJson } from "../../src/substrate/canonicalJson.ts";

it("is the canonical text of strict JSON", () => {
  const json = fc.jsonValue({ stringUnit: "grapheme" }) as fc.Arbitrary<Json>;
  const rows = fc.array(fc.oneof(json, fc.double({ noDefaultInfinity: true, noNaN: true })));

  fc.assert(
    fc.property(fc.oneof(json, rows), (value) => {
      expect(sortedJson(value)).toBe(canonicalJson(value));
    }),
  );
});

it("tells empty lists, maps and texts apart", () => {
  expect(sortedJson({ b: [], a: {}, c: ["", [""]], "": 0 })).toBe(
    '{"":0,"a":{},"b":[],"c":["",[""]]}',
  );
});
