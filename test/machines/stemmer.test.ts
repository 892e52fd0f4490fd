import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stem, terms } from "../../src/machines/stemmer.ts";
import { stopWords } from "../../src/machines/stopWords.ts";

/** Words of our descriptions and intents, then one or two for each rule of the published algorithm. */
const table: readonly (readonly [words: string, stem: string])[] = [
  ["write writes writing", "write"],
  ["written", "written"],
  ["wrote", "wrote"],
  ["read reads reading", "read"],
  ["operate operates operated operation operations operational", "oper"],
  ["secure secured secures securing", "secur"],
  ["security", "secur"],
  ["capability capabilities", "capabl"],
  ["directory directories", "directori"],
  ["content contents", "content"],
  ["edit edits edited editing", "edit"],
  ["editor", "editor"],
  ["file files filed filing", "file"],
  ["value values valued", "valu"],
  ["memory memories", "memori"],
  ["replace replaces replaced replacing replacement replacements", "replac"],
  ["list lists listed listing", "list"],
  ["entry entries", "entri"],
  ["verify verifies verified", "verifi"],
  ["validate validates validated validation", "valid"],
  ["synthesize synthesized synthesizing", "synthes"],
  ["register registered registering", "regist"],
  ["registry", "registri"],
  // Step 1a.
  ["caresses", "caress"],
  ["ties tied", "tie"],
  ["cries cried", "cri"],
  ["gaps", "gap"],
  ["gas", "gas"],
  ["this", "this"],
  ["status", "status"],
  ["process", "process"],
  // Step 1b.
  ["agreed", "agre"],
  ["feed", "feed"],
  ["bled", "bled"],
  ["proceed proceeded proceeds", "proceed"],
  ["luxuriated luxuriating", "luxuri"],
  ["hopping hopped hops", "hop"],
  ["hoping hoped hopes", "hope"],
  ["adding added adds", "add"],
  ["dying dies", "die"],
  ["evening", "evening"],
  ["string strings", "string"],
  // Step 1c.
  ["say", "say"],
  ["by", "by"],
  ["yes", "yes"],
  // Steps 2 to 4.
  ["conditional conditionally", "condit"],
  ["rationally rational", "ration"],
  ["hopefulness hopefully", "hope"],
  ["possibly", "possibl"],
  ["technology technologist", "technolog"],
  ["really", "realli"],
  ["friendly", "friend"],
  ["formalize", "formal"],
  ["electrical electricity", "electr"],
  ["happiness", "happi"],
  ["adjustment adjustable", "adjust"],
  ["adoption", "adopt"],
  // Step 5.
  ["rate", "rate"],
  ["controlled controlling control", "control"],
  ["install installed", "instal"],
  // Exceptional forms.
  ["sky skies", "sky"],
  ["news", "news"],
  ["only", "onli"],
  ["general generally", "general"],
  ["generate generates generation", "generat"],
  ["university", "universiti"],
  ["internal internally", "internal"],
  ["international", "internat"],
  ["organize", "organiz"],
];

describe("stem", () => {
  it.each(table)("%s → %s", (words, expected) => {
    expect(words.split(" ").map(stem)).toEqual(words.split(" ").map(() => expected));
  });

  it("leaves words of one or two letters and numbers alone", () => {
    expect(["io", "fd", "x", "8", "2026"].map(stem)).toEqual(["io", "fd", "x", "8", "2026"]);
  });

  it("gives a non-empty lower-case stem, at most one letter longer than the word", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,14}$/), (word) => {
        const stemmed = stem(word);
        expect(stemmed).toMatch(/^[a-z]+$/);
        expect(stemmed.length).toBeLessThanOrEqual(word.length + 1);
      }),
    );
  });
});

describe("terms", () => {
  it("splits at punctuation, underscores and camelCase", () => {
    expect(terms("fs_write: bytesWritten, JSONValue; utf8-text")).toEqual([
      "fs",
      "write",
      "byte",
      "written",
      "json",
      "valu",
      "utf8",
      "text",
    ]);
  });

  it("keeps an acronym's plural whole", () => {
    expect(terms("APIs and IDs")).toEqual(["api", "id"]);
  });

  it("drops stop words and keeps order and repetitions", () => {
    expect(terms("Write the file, then write it again to the file.")).toEqual([
      "write",
      "file",
      "write",
      "file",
    ]);
  });

  it("removes accents and apostrophes before it splits", () => {
    expect(terms("the agent's résumé, don’t naïvely")).toEqual(["agent", "resum", "naiv"]);
  });

  it("finds nothing in another script, in punctuation or in nothing", () => {
    expect(["写入文件", "… — !", ""].map(terms)).toEqual([[], [], []]);
  });

  it("yields letters and digits only, and no stop word", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(terms(text).every((term) => /^[a-z0-9]+$/.test(term))).toBe(true);
      }),
    );
    expect(terms([...stopWords].join(" "))).toEqual([]);
  });
});
