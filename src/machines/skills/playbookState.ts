/** What the playbook's keeper knows: lessons and their names, their meanings as vectors, and who waits for some. */

import type { Letter, Mail } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Lesson } from "./lesson.ts";
import type { PlaybookBy } from "./playbook.ts";
import type { LessonChange } from "./playbookMail.ts";
import { triggerKey } from "./triggerKey.ts";
import type { Dropped } from "./trim.ts";
import { utilityOf } from "./utility.ts";

export const PLAYBOOK = "playbook";

/** A lesson's name, and the number of the delivery that wrote it last. */
interface Named {
  readonly id: string;
  readonly fact: number;
}

/** Who waits for lessons about something. */
export type Wanted =
  | {
      readonly for: "section";
      readonly agent: string;
      readonly n: number;
      readonly purpose: Mail["section.asked"]["purpose"];
      readonly goal: string | null;
      readonly query: string;
      readonly from: string;
    }
  | { readonly for: "recall"; readonly query: string; readonly from: string };

export interface PlaybookState {
  readonly book: readonly Lesson[];
  /** By trigger, for all lessons that ever were: one that comes back is the same lesson. */
  readonly named: { readonly [trigger: string]: Named };
  /** How many were ever named. */
  readonly count: number;
  /** By trigger, as it stands. */
  readonly vectors: { readonly [trigger: string]: readonly number[] };
  /** By the number of the question. */
  readonly waiting: { readonly [question: string]: Wanted };
  /** By agent: the goal of its last prompt, and the lessons that its prompts have shown for it. */
  readonly shown: {
    readonly [agent: string]: { readonly n: number; readonly lessons: readonly string[] };
  };
}

export const nameOf = ({ named }: Pick<PlaybookState, "named">, { trigger }: Lesson): Named =>
  ownValue(named, triggerKey(trigger)) ?? { id: "lesson-0", fact: 0 };

/** The state in which a lesson has a name, and rests on this fact. */
export function withName(state: PlaybookState, { trigger }: Lesson, fact: number): PlaybookState {
  const key = triggerKey(trigger);
  const known = ownValue(state.named, key);
  const count = known === undefined ? state.count + 1 : state.count;
  const id = known?.id ?? `lesson-${count}`;
  return { ...state, count, named: { ...state.named, [key]: { id, fact } } };
}

/** Vectors of lessons that are gone are of no use. */
export const withBook = (state: PlaybookState, book: readonly Lesson[]): PlaybookState => ({
  ...state,
  book,
  vectors: Object.fromEntries(
    book.flatMap(({ trigger }) => {
      const vector = ownValue(state.vectors, trigger);
      return vector === undefined ? [] : [[trigger, vector]];
    }),
  ),
});

/** What became of a lesson, for the log. */
export function changeLetter(
  state: PlaybookState,
  lesson: Lesson,
  { how, cause = null }: { readonly how: LessonChange; readonly cause?: Dropped["cause"] | null },
  fact: number,
  by: PlaybookBy,
): Letter {
  const { id, fact: written } = nameOf(state, lesson);
  const { trigger, source, sourceChallengeHash: challenge, verified } = lesson;
  return {
    to: PLAYBOOK,
    event: {
      ...{ type: "playbook.changed", lesson: id, how, cause, trigger, source, challenge, verified },
      utility: utilityOf(lesson, by.utility).total,
      size: state.book.length,
      pins: state.book.filter((one) => one.verified).length,
    },
    because: written === 0 || written === fact ? [fact] : [fact, written],
  };
}

export const dropLetters = (
  state: PlaybookState,
  dropped: readonly Dropped[],
  fact: number,
  by: PlaybookBy,
): Letter[] =>
  dropped.map(({ lesson, cause }) =>
    changeLetter(
      state,
      lesson,
      { how: cause === "blocked-by-pins" ? "blocked" : "dropped", cause },
      fact,
      by,
    ),
  );
