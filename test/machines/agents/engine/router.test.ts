import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtins } from "../../../../src/machines/agents/engine/builtins.ts";
import {
  type Described,
  routerLeaves,
  type Scored,
  scoreEmbedding,
  scoreLexical,
  topMatch,
} from "../../../../src/machines/agents/engine/router.ts";
import { terms } from "../../../../src/machines/stemmer.ts";

const policy = { k1: routerLeaves.k1.default, b: routerLeaves.b.default };

const best = (intent: string, entries: readonly Described[]) =>
  topMatch(scoreLexical(intent, entries, policy))?.name;

const haunted: readonly Described[] = [
  ...builtins.map(({ name, description }) => ({ name, description })),
  { name: "safe_file_executor", description: "secure file write operations" },
];

/** BM25 as a textbook writes it: no index, no cache, the host's logarithm. */
function naiveScores(intent: string, entries: readonly Described[]): number[] {
  const documents = entries.map(({ description }) => terms(description));
  const mean = documents.flat().length / documents.length;
  const k1 = policy.k1 / 1000;
  const b = policy.b / 1000;
  return documents.map((document) =>
    [...new Set(terms(intent))].reduce((sum, term) => {
      const count = document.filter((candidate) => candidate === term).length;
      const having = documents.filter((candidate) => candidate.includes(term)).length;
      const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
      const length = 1 - b + (b * document.length) / mean;
      return sum + (count === 0 ? 0 : (rarity * count * (k1 + 1)) / (count + k1 * length));
    }, 0),
  );
}

const text = fc
  .array(fc.constantFrom("file", "files", "write", "writing", "read", "key", "the", "list"), {
    maxLength: 12,
  })
  .map((words) => words.join(" "));
const entriesOf = fc
  .array(text, { minLength: 1, maxLength: 25 })
  .map((texts) => texts.map((description, at) => ({ name: `tool_${at}`, description })));

describe("scoreLexical", () => {
  it("agrees with a naive BM25 to a millionth", () => {
    fc.assert(
      fc.property(text, entriesOf, (intent, entries) => {
        const naive = naiveScores(intent, entries);
        scoreLexical(intent, entries, policy).forEach(({ name, score }, at) => {
          expect(name).toBe(`tool_${at}`);
          expect(Math.abs(score - (naive[at] ?? 0) * 1e6)).toBeLessThanOrEqual(0.501);
        });
      }),
    );
  });

  it("gives integers of at least 0, above 0 exactly where a term is shared", () => {
    fc.assert(
      fc.property(text, entriesOf, (intent, entries) => {
        const wanted = new Set(terms(intent));
        scoreLexical(intent, entries, policy).forEach(({ score }, at) => {
          const shared = terms(entries[at]?.description ?? "").some((term) => wanted.has(term));
          expect(Number.isSafeInteger(score)).toBe(true);
          expect(score > 0).toBe(shared);
        });
      }),
    );
  });

  it("an unrelated newcomer scores 0 and takes nobody out of the running", () => {
    const newcomer = { name: "newcomer", description: "Rotates thermal calibration matrices." };

    fc.assert(
      fc.property(text, entriesOf, (intent, entries) => {
        const matching = (scored: readonly Scored[]) =>
          scored.filter(({ score }) => score > 0).map(({ name }) => name);
        const before = scoreLexical(intent, entries, policy);
        const after = scoreLexical(intent, [...entries, newcomer], policy);
        expect(after.at(-1)).toEqual({ name: "newcomer", score: 0 });
        expect(matching(after)).toEqual(matching(before));
      }),
    );
  });

  it("answers the same for the same array, for a copy, and in any word order", () => {
    const first = scoreLexical("write file", haunted, policy);

    expect(scoreLexical("write file", haunted, policy)).toEqual(first);
    expect(scoreLexical("write file", structuredClone(haunted), policy)).toEqual(first);
    expect(scoreLexical("the file: write", haunted, policy)).toEqual(first);
    expect(scoreLexical("write, write the file", haunted, policy)).toEqual(first);
  });

  it("notices a description that changed in the same array", () => {
    const entries = [
      { name: "one", description: "read a file" },
      { name: "two", description: "list keys" },
    ];
    expect(best("read", entries)).toBe("one");

    entries[0] = { name: "one", description: "rotate logs" };

    expect(best("read", entries)).toBeUndefined();
  });

  it("scores descriptions only, never names", () => {
    expect(best("executor", haunted)).toBeUndefined();
  });

  it("handles no entries, empty descriptions and an intent of stop words", () => {
    expect(scoreLexical("write", [], policy)).toEqual([]);
    expect(scoreLexical("write", [{ name: "mute", description: "" }], policy)).toEqual([
      { name: "mute", score: 0 },
    ]);
    expect(topMatch(scoreLexical("do it to them", haunted, policy))).toBeUndefined();
  });

  it("b = 0 ignores length: the ghost no longer beats a description with the same words", () => {
    const entries = [
      { name: "long", description: "write a file with many further words about encodings" },
      { name: "short", description: "write file" },
    ];

    expect(topMatch(scoreLexical("write file", entries, policy))?.name).toBe("short");
    expect(topMatch(scoreLexical("write file", entries, { ...policy, b: 0 }))?.name).toBe("long");
  });

  it("k1 = 0 counts a repeated word once", () => {
    const entries = [
      { name: "once", description: "key" },
      { name: "twice", description: "key key" },
    ];
    const [once, twice] = scoreLexical("key", entries, { k1: 0, b: 700 });

    expect(twice?.score).toBe(once?.score);
  });
});

describe("topMatch", () => {
  const scored = [
    { name: "a", score: 1 },
    { name: "b", score: 5 },
    { name: "c", score: 5 },
    { name: "d", score: 0 },
  ];

  it("[T14] equal scores keep the order of registration", () => {
    expect(topMatch(scored)).toEqual({ name: "b", score: 5 });
  });

  it("[T14] passes over what is skipped, given as a list or a set", () => {
    expect(topMatch(scored, ["b"])?.name).toBe("c");
    expect(topMatch(scored, new Set(["b", "c"]))?.name).toBe("a");
  });

  it("finds no match when only zero scores are left", () => {
    expect(topMatch(scored, ["a", "b", "c"])).toBeUndefined();
    expect(topMatch([])).toBeUndefined();
  });

  it("is the first of all, ranked by score, whatever the scores", () => {
    const scores = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 25 });

    fc.assert(
      fc.property(scores, (values) => {
        const candidates = values.map((score, at) => ({ name: `tool_${at}`, score }));
        const first = candidates.toSorted((one, other) => other.score - one.score)[0];
        expect(topMatch(candidates)).toEqual(first && first.score > 0 ? first : undefined);
      }),
    );
  });
});

describe("scoreEmbedding", () => {
  it("is the cosine in millionths, whatever the lengths of the vectors", () => {
    const entries = [
      { name: "same", vector: [30, 40] },
      { name: "near", vector: [1, 0] },
      { name: "square", vector: [-4, 3] },
    ];

    expect(scoreEmbedding([3, 4], entries)).toEqual([
      { name: "same", score: 1_000_000 },
      { name: "near", score: 600_000 },
      { name: "square", score: 0 },
    ]);
  });

  it("scores opposite, zero, missing and foreign vectors 0", () => {
    const entries = [[-3, -4], [0, 0], [], [3, 4, 0]].map((vector, at) => ({
      name: `tool_${at}`,
      vector,
    }));

    expect(scoreEmbedding([3, 4], entries).map(({ score }) => score)).toEqual([0, 0, 0, 0]);
    expect(scoreEmbedding([0, 0], entries).map(({ score }) => score)).toEqual([0, 0, 0, 0]);
    expect(scoreEmbedding([], entries).map(({ score }) => score)).toEqual([0, 0, 0, 0]);
  });

  it("never leaves 0 to 1,000,000", () => {
    const vector = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 8, maxLength: 8 });

    fc.assert(
      fc.property(vector, vector, (query, other) => {
        const [scored] = scoreEmbedding(query, [{ name: "other", vector: other }]);
        expect(Number.isSafeInteger(scored?.score)).toBe(true);
        expect(scored?.score).toBeGreaterThanOrEqual(0);
        expect(scored?.score).toBeLessThanOrEqual(1_000_000);
      }),
    );
  });
});
