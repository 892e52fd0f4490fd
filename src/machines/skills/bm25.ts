/**
 * BM25-lite: which share of what a query says a trigger covers, each word weighed by how rare it is among
 * all triggers. No term frequency and no length, hence "lite". Source: seed 001; RULINGS K5; dossier 1.9.
 */
import { naturalLog } from "../naturalLog.ts";

/** Function words of at least three letters, by what they are. Source: dossier 1.9 (108 of them). */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  [
    "the this that these those one two such same other",
    "you your yours her him his she she they them their our its itself myself",
    "who whom what when where which why how",
    "and but for than then because while not",
    "are was were been being did does doing done had has have can must should will would",
    "about above after again against back before below between both down during from into off out over",
    "through under until with",
    "all any each few more most only some very",
    "also here just now once still there too",
    "day man new old time way",
    "get let need put say see use",
  ].flatMap((line) => line.split(" ")),
);

const LETTERS_MIN = 3;

/** The words of a text that may tell something, each once. */
export const keywords = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/[a-z_][a-z0-9_]+/g) ?? []).filter(
      (word) => word.length >= LETTERS_MIN && !FUNCTION_WORDS.has(word),
    ),
  );

/** How much each word of the triggers weighs, and what one weighs that is in none of them. */
export interface Rarity {
  readonly of: ReadonlyMap<string, number>;
  readonly unseen: number;
}

export function rarityIn(triggers: readonly string[]): Rarity {
  const counts = new Map<string, number>();
  for (const trigger of triggers) {
    for (const word of keywords(trigger)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const size = triggers.filter((trigger) => trigger !== "").length;
  // Thousands of words share a few counts, and the logarithm is the dear part.
  const byCount = new Map<number, number>();
  const weight = (count: number): number => {
    const known = byCount.get(count);
    if (known !== undefined) return known;
    const found = naturalLog((size - count + 0.5) / (count + 0.5) + 1);
    byCount.set(count, found);
    return found;
  };
  const of = new Map([...counts].map(([word, count]) => [word, weight(count)]));
  return { of, unseen: of.size === 0 ? 1 : Math.max(...byCount.values()) };
}

/** 0 … 1: the share of the query's weight that the trigger covers. */
export function coverage(query: ReadonlySet<string>, trigger: string, rarity: Rarity): number {
  const own = keywords(trigger);
  let total = 0;
  let covered = 0;
  for (const word of query) {
    const weight = rarity.of.get(word) ?? rarity.unseen;
    total += weight;
    if (own.has(word)) covered += weight;
  }
  return total === 0 ? 0 : covered / total;
}
