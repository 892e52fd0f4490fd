import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtins } from "../../src/machines/agents/engine/builtins.ts";
import {
  type Described,
  scoreEmbedding,
  topMatch,
} from "../../src/machines/agents/engine/router.ts";
import { terms } from "../../src/machines/stemmer.ts";
import { embed, hashedDimensions } from "../../src/substrate/hashedEmbedding.ts";

const vectorOf = (text: string) => embed(text, terms);

/** Cosine in millionths, negative ones as 0. */
const similarity = (one: string, other: string) =>
  scoreEmbedding(vectorOf(one), [{ name: "other", vector: vectorOf(other) }])[0]?.score;

describe("embed", () => {
  it("gives the same integers on every call, and JSON keeps them", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const vector = vectorOf(text);
        expect(vector).toHaveLength(hashedDimensions);
        expect(vectorOf(text)).toEqual(vector);
        expect(JSON.parse(JSON.stringify(vector))).toEqual(vector);
        expect(vector.every(Number.isSafeInteger)).toBe(true);
      }),
    );
  });

  it("writes no −0 where a rare word drowns in a long text", () => {
    const vector = vectorOf(`${"write ".repeat(1000)}key memory directory`);

    expect(vector.some((value) => Object.is(value, -0))).toBe(false);
  });

  it("pins the hash: these numbers may change only with the format of recordings", () => {
    const vector = embed("write", (text) => [text]);
    const nonZero = vector.flatMap((value, at) => (value === 0 ? [] : [`${at}: ${value}`]));

    // The whole word and 12 grams; one gram shares position 253 with the word.
    expect(nonZero.join(", ")).toBe(
      "12: 192, 16: 192, 27: -192, 58: 192, 81: 192, 117: 192, 122: 192, 149: -192, " +
        "171: 192, 184: -192, 218: 192, 253: -770",
    );
  });

  it("has a length within 1 % of 1000, or is all zeros", () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 30 }), (text) => {
        const squares = vectorOf(text).reduce((sum, value) => sum + value * value, 0);
        expect(squares === 0 || Math.abs(Math.sqrt(squares) - 1000) < 10).toBe(true);
      }),
    );
    expect(vectorOf("").every((value) => Object.is(value, 0))).toBe(true);
    expect(vectorOf("of the").every((value) => Object.is(value, 0))).toBe(true);
  });

  it("knows words in any order and form", () => {
    expect(similarity("write the files", "file writing")).toBe(1_000_000);
    expect(similarity("verifier", "verification")).toBeGreaterThan(200_000);
  });

  it("puts “file write” nearer to the ghost's description than to fs_write's", () => {
    const builtin = builtins.find(({ name }) => name === "fs_write")?.description ?? "";

    for (const intent of ["file write", "write file", "write the plan to a file"]) {
      const toGhost = similarity(intent, "secure file write operations") ?? 0;
      const toBuiltin = similarity(intent, builtin) ?? 0;
      expect(toBuiltin).toBeGreaterThan(200_000);
      expect(toGhost).toBeGreaterThan(1.3 * toBuiltin);
    }
  });

  it("[T14] reproduces the incident with router.kind embedding", () => {
    const ghost = { name: "safe_file_executor", description: "secure file write operations" };
    const best = (intent: string, entries: readonly Described[]) => {
      const embedded = entries.map(({ name, description }) => ({
        name,
        vector: vectorOf(description),
      }));
      return topMatch(scoreEmbedding(vectorOf(intent), embedded))?.name;
    };

    for (const [intent, without, withGhost] of [
      ["write the plan to a file", "fs_write", "safe_file_executor"],
      ["save the report with a file write", "fs_write", "safe_file_executor"],
      ["read the file contents", "fs_read", "fs_read"],
      ["edit in place: replace the heading text", "fs_edit", "fs_edit"],
      ["get the value of a memory key", "memory_get", "memory_get"],
    ] as const) {
      expect(best(intent, builtins)).toBe(without);
      expect(best(intent, [...builtins, ghost])).toBe(withGhost);
    }
  });

  it("keeps unrelated texts apart", () => {
    const pairs = [
      ["write the plan to a file", "measure thermal voltage sensors"],
      ["list directory entries", "negotiate quorum between peers"],
      ["secure file write operations", "detect lone surrogates and mojibake"],
    ] as const;

    for (const [one, other] of pairs) {
      expect(similarity(one, other)).toBeLessThan(150_000);
    }
  });
});
