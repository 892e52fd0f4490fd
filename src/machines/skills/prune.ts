/** Lessons that were shown often and never helped. Source: seed 001, Retrieval feedback loop; RULINGS K8. */
import type { Lesson } from "./lesson.ts";
import type { PlaybookPolicy } from "./playbookPolicy.ts";
import type { Kept } from "./trim.ts";
import { type UtilityPolicy, utilityOf } from "./utility.ts";

type By = Pick<PlaybookPolicy, "prune" | "pruneRetrievals" | "pruneShare">;

export const pruneLessons = (lessons: readonly Lesson[], by: By, utility: UtilityPolicy): Kept =>
  by.prune === "quartile" ? pruneByQuarter(lessons, by, utility) : pruneByUse(lessons, by, utility);

/** The least useful go first; what stays keeps its order. */
function pruneByUse(lessons: readonly Lesson[], by: By, utility: UtilityPolicy): Kept {
  const useless = scoredOf(lessons, utility).filter(
    ({ lesson }) => mayBePruned(lesson, by) && lesson.helpfulRetrievals === 0,
  );
  const most = Math.floor((lessons.length * by.pruneShare) / 1_000);
  const gone = leastUseful(useless).slice(0, most);
  return dropLessons(lessons, gone, "never-helpful");
}

/** Smaller playbooks have no quarters worth the name. Source: dossier 1.9. */
const QUARTILE_FROM = 10;

/** As the real system does: whether a lesson ever helped plays no part, and the newest come first afterwards. */
function pruneByQuarter(lessons: readonly Lesson[], by: By, utility: UtilityPolicy): Kept {
  if (lessons.length < QUARTILE_FROM) return { kept: lessons, dropped: [] };
  const scored = leastUseful(scoredOf(lessons, utility));
  const cutoff = scored[Math.floor(lessons.length / 4)]?.worth ?? 0;
  const most = Math.max(1, Math.floor((lessons.length * by.pruneShare) / 1_000));
  const gone = scored
    .filter(({ lesson, worth }) => worth <= cutoff && mayBePruned(lesson, by))
    .slice(0, most);
  if (gone.length === 0) return { kept: lessons, dropped: [] };
  const { kept, dropped } = dropLessons(lessons, gone, "lowest-quarter");
  return { kept: kept.toSorted((a, b) => b.writtenAtMs - a.writtenAtMs), dropped };
}

const mayBePruned = ({ verified, retrievals }: Lesson, by: By): boolean =>
  !verified && retrievals >= by.pruneRetrievals;

interface Scored {
  readonly lesson: Lesson;
  readonly worth: number;
}

const scoredOf = (lessons: readonly Lesson[], by: UtilityPolicy): readonly Scored[] =>
  lessons.map((lesson) => ({ lesson, worth: utilityOf(lesson, by).total }));

const leastUseful = (scored: readonly Scored[]): readonly Scored[] =>
  scored.toSorted((a, b) => a.worth - b.worth);

function dropLessons(
  lessons: readonly Lesson[],
  gone: readonly Scored[],
  cause: "never-helpful" | "lowest-quarter",
): Kept {
  const left = new Set(gone.map(({ lesson }) => lesson));
  return {
    kept: lessons.filter((lesson) => !left.has(lesson)),
    dropped: gone.map(({ lesson }) => ({ lesson, cause })),
  };
}
