/**
 * Which lessons a prompt is shown: by what they mean, and by their keywords. BM25-lite is which share of what a query says a
 * trigger covers, each word weighed by how rare it is among all triggers; without term frequency and length, hence "lite".
 * Source: seed 001, Retrieval feedback loop; RULINGS K5; dossier 1.9.
 */
import { cosine } from "../cosine.ts";
import { naturalLog } from "../naturalLog.ts";
import { between, integer, thousandths, type ValuesOf } from "../policyLeaf.ts";
import { MILLION } from "../units.ts";
import type { Lesson } from "./lesson.ts";

export const retrievalLeaves = {
  distanceBelow: integer(450_000, between(0, 4 * MILLION, "millionths"), {
    says: "A lesson is retrieved when its distance from the query is below this; the distance is twice (1 − cosine).",
    source: "seed 001, Retrieval feedback loop; RULINGS K5 (scale: dossier 1.9)",
  }),
  limit: integer(5, between(0, 10_000, "lessons"), {
    says: "Most lessons put into one prompt.",
    source: "seed 001, Retrieval feedback loop",
  }),
  keywordWeight: integer(400, thousandths, {
    says: "What shared keywords weigh beside (1 − distance).",
    source: "RULINGS K5",
  }),
  keywordFloor: integer(300, thousandths, {
    says: "Where no distances are known, the least share of a query's keywords that a lesson must cover.",
    source: "ours, as in the real system: the seed says nothing",
  }),
};

/** Function words of at least three letters, by what they are. Source: dossier 1.9 (108 of them). */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  [
    "the this that these those one two such same other",
    "you your yours her him his she they them their our its itself myself",
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
interface Rarity {
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
  const weights = new Map<number, number>();
  for (const count of counts.values()) {
    if (weights.has(count)) continue;
    weights.set(count, naturalLog((size - count + 0.5) / (count + 0.5) + 1));
  }
  const of = new Map([...counts].map(([word, count]) => [word, weights.get(count) ?? 0]));
  return { of, unseen: of.size === 0 ? 1 : Math.max(...weights.values()) };
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

export interface Retrieved {
  /** How the lessons were found: by meaning, by keywords alone, or as the latest for want of a query. */
  readonly way: "meaning" | "keywords" | "recent";
  /** The best first, with where they stand in the playbook. */
  readonly found: readonly {
    readonly lesson: Lesson;
    readonly index: number;
    /** Millionths; null where no query is compared. */
    readonly score: number | null;
  }[];
}

/**
 * `distances` are those of the lessons from the query, in the same order and in millionths; null where no
 * meanings could be compared. Lessons that are too far are not looked for by their keywords.
 */
export function retrieveLessons(
  query: string,
  lessons: readonly Lesson[],
  distances: readonly number[] | null,
  by: ValuesOf<typeof retrievalLeaves>,
): Retrieved {
  const numbered = lessons.map((lesson, index) => ({ lesson, index }));
  if (query.trim() === "") {
    const found = numbered.slice(0, by.limit).map((one) => ({ ...one, score: null }));
    return { way: "recent", found };
  }
  const words = keywords(query);
  const rarity = rarityIn(lessons.map(({ trigger }) => trigger));
  const covered = ({ trigger }: Lesson) => coverage(words, trigger, rarity);
  const best = (found: readonly { lesson: Lesson; index: number; score: number }[]) =>
    found.toSorted((a, b) => b.score - a.score).slice(0, by.limit);
  if (distances === null) {
    const found = numbered
      .map((one) => ({ ...one, score: Math.round(covered(one.lesson) * MILLION) }))
      .filter(({ score }) => score > 0 && score >= by.keywordFloor * 1_000);
    return { way: "keywords", found: best(found) };
  }
  const found = numbered.flatMap(({ lesson, index }) => {
    const distance = distances[index];
    if (distance === undefined) throw new RangeError("a lesson without a distance");
    if (distance >= by.distanceBelow) return [];
    const score = MILLION - distance + Math.round(by.keywordWeight * 1_000 * covered(lesson));
    return [{ lesson, index, score }];
  });
  return { way: "meaning", found: best(found) };
}

/** Twice (1 − cosine), in millionths: the square of how far apart two unit vectors end; 2 where one has no direction. */
export const distanceBetween = (a: readonly number[], b: readonly number[]): number =>
  Math.round(2 * MILLION * (1 - cosine(a, b)));
