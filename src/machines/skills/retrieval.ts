/** Which lessons a prompt is shown. Source: seed 001, Retrieval feedback loop; RULINGS K5; dossier 1.9. */
import { cosine } from "../cosine.ts";
import { MILLION } from "../units.ts";
import { coverage, keywords, rarityIn } from "./bm25.ts";
import type { Lesson } from "./lesson.ts";
import type { PlaybookPolicy } from "./playbookPolicy.ts";

type By = Pick<PlaybookPolicy, "distanceBelow" | "keywordFloor" | "keywordWeight" | "limit">;

/** How the lessons were found: by meaning, by keywords alone, or as the latest for want of a query. */
export type Way = "meaning" | "keywords" | "recent";

export interface Retrieved {
  readonly way: Way;
  /** The best first, with where they stand in the playbook. */
  readonly found: readonly Found[];
}

export interface Found {
  readonly lesson: Lesson;
  readonly index: number;
  /** Millionths; null where no query is compared. */
  readonly score: number | null;
}

/**
 * `distances` are those of the lessons from the query, in the same order and in millionths; null where no
 * meanings could be compared. Lessons that are too far are not looked for by their keywords.
 */
export function retrieveLessons(
  query: string,
  lessons: readonly Lesson[],
  distances: readonly number[] | null,
  by: By,
): Retrieved {
  const numbered = lessons.map((lesson, index) => ({ lesson, index }));
  if (query.trim() === "") {
    const found = numbered.slice(0, by.limit).map((one) => ({ ...one, score: null }));
    return { way: "recent", found };
  }
  const words = keywords(query);
  const rarity = rarityIn(lessons.map(({ trigger }) => trigger));
  const covered = ({ trigger }: Lesson) => coverage(words, trigger, rarity);
  const best = (found: readonly Found[]) =>
    found.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0)).slice(0, by.limit);
  if (distances === null) {
    const found = numbered
      .map((one) => ({ ...one, score: Math.round(covered(one.lesson) * MILLION) }))
      .filter(({ score }) => score > 0 && score >= by.keywordFloor * 1_000);
    return { way: "keywords", found: best(found) };
  }
  const near = numbered.flatMap((one) => {
    const distance = distances[one.index];
    if (distance === undefined) throw new RangeError("a lesson without a distance");
    return distance < by.distanceBelow ? [{ ...one, distance }] : [];
  });
  const found = near.map(({ lesson, index, distance }) => ({
    lesson,
    index,
    score: MILLION - distance + Math.round(by.keywordWeight * 1_000 * covered(lesson)),
  }));
  return { way: "meaning", found: best(found) };
}

/** Twice (1 − cosine), in millionths: the square of how far apart two unit vectors end; 2 where one has no direction. */
export const distanceBetween = (a: readonly number[], b: readonly number[]): number =>
  Math.round(2 * MILLION * (1 - cosine(a, b)));
