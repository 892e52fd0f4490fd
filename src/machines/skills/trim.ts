/** What the playbook keeps when it is full. Source: seed 001, Retention formula; RULINGS K4. */
import type { Lesson } from "./lesson.ts";
import type { PlaybookPolicy } from "./playbookPolicy.ts";
import { type UtilityPolicy, utilityOf } from "./utility.ts";

/** Why a lesson left the playbook. */
export type DropCause =
  /** The newest, unverified, where verified ones fill the playbook. */
  | "blocked-by-pins"
  /** A verified one, the oldest where even those are too many. */
  | "oldest-pin"
  | "lowest-utility"
  | "never-helpful"
  | "lowest-quarter";

export interface Dropped {
  readonly lesson: Lesson;
  readonly cause: DropCause;
}

export interface Kept {
  readonly kept: readonly Lesson[];
  readonly dropped: readonly Dropped[];
}

/** `lessons` with the newest first, which is the head: it is exempt, as long as no pin has to leave for it. */
export function trimLessons(
  lessons: readonly Lesson[],
  playbook: Pick<PlaybookPolicy, "overflow" | "size">,
  utility: UtilityPolicy,
): Kept {
  const { size, overflow } = playbook;
  const [head, ...rest] = lessons;
  if (head === undefined || lessons.length <= size) return { kept: lessons, dropped: [] };
  const pins = rest.filter(({ verified }) => verified);
  const others = rest.filter(({ verified }) => !verified);
  const byUtility = (some: readonly Lesson[]) => mostUseful(some, utility);
  if (pins.length < size) {
    return cut([head, ...pins, ...byUtility(others)], size, () => "lowest-utility");
  }
  if (overflow === "utility") return cut([head, ...byUtility(rest)], size, () => "lowest-utility");
  const order = head.verified ? [head, ...pins] : [...pins, head];
  return cut([...order, ...byUtility(others)], size, (lesson) =>
    lesson.verified ? "oldest-pin" : lesson === head ? "blocked-by-pins" : "lowest-utility",
  );
}

function cut(order: readonly Lesson[], size: number, causeOf: (lesson: Lesson) => DropCause): Kept {
  return {
    kept: order.slice(0, size),
    dropped: order.slice(size).map((lesson) => ({ lesson, cause: causeOf(lesson) })),
  };
}

/** The most useful first; equals in the order they have. */
const mostUseful = (lessons: readonly Lesson[], by: UtilityPolicy): readonly Lesson[] =>
  lessons
    .map((lesson) => ({ lesson, worth: utilityOf(lesson, by).total }))
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ lesson }) => lesson);
