/** The parts of a lesson keeper that are formulas: what an answer changes, and what it says of it. */

import { type At, answer, type Letter, type Mail } from "../../letter.ts";
import { FACTS_MAX } from "../factsMax.ts";
import { readLessonAnswer } from "../model/judgeAnswers.ts";
import type {
  LessonKeeperContext,
  LessonKeeperEvent,
  LessonKeeperInput,
  Note,
  NoteOutcome,
} from "./lessonContext.ts";
import {
  candidatesPath,
  type LessonPolicy,
  learn,
  lessonsPath,
  lessonsText,
  type Memory,
  readLessons,
} from "./lessons.ts";

export const memoryFrom = (input: LessonKeeperInput, policy: LessonPolicy): Memory => ({
  candidates: readLessons(input.candidates, policy.candidatesMax),
  lessons: readLessons(input.lessons, policy.lessonsMax),
});

/** Takes the goal that waited longest off the list, with what the model made of it. */
export function noteAfter(
  context: LessonKeeperContext,
  event: LessonKeeperEvent,
  policy: LessonPolicy,
): Partial<LessonKeeperContext> {
  const [first, ...waiting] = context.waiting;
  if (first === undefined) return {};
  const { n, fact } = first;
  const nothing = (outcome: NoteOutcome): Partial<LessonKeeperContext> => ({
    waiting,
    note: { n, outcome, lesson: null, category: null, because: [fact] },
  });
  if (event.type === "llm.failed") return nothing("failed");
  if (event.type !== "llm.replied") return nothing("late"); // The model did not answer in time.
  const read = readLessonAnswer(event.text, policy.charsMax);
  if (read === undefined) return nothing("unreadable");
  if (read === "none") return nothing("none");
  const { memory, outcome, lesson } = learn(context, read, n, policy);
  const { seq } = event.at;
  return {
    candidates: memory.candidates,
    lessons: memory.lessons,
    waiting,
    note: { n, outcome, lesson, category: read.category, because: [fact, seq] },
    facts: outcome === "promoted" ? [...context.facts, seq].slice(-FACTS_MAX) : context.facts,
  };
}

/** The files that the last answer changed. */
export function savedFiles({ input, note, candidates, lessons }: LessonKeeperContext): Letter[] {
  const write = (path: string, text: string): Letter => ({
    to: "files",
    event: { type: "files.write", path, text },
  });
  const own = write(candidatesPath(input.agent), lessonsText(candidates));
  switch (note?.outcome) {
    case "promoted":
      return [own, write(lessonsPath(input.agent), lessonsText(lessons))];
    case "candidate":
    case "observed":
    case "full":
      return [own];
    default:
      return [];
  }
}

export const lessonNoted = (context: LessonKeeperContext, note: Note): Letter => {
  const { because, ...rest } = note;
  return {
    to: context.input.ledger,
    event: { type: "lesson.noted", agent: context.input.agent, ...rest, ...counted(context) },
    because,
  };
};

export const lessonsRead = (context: LessonKeeperContext): Letter => ({
  to: context.input.ledger,
  event: { type: "lessons.read", agent: context.input.agent, ...counted(context) },
});

const counted = ({ candidates, lessons }: Memory): Omit<Mail["lessons.read"], "agent"> => ({
  candidates: candidates.length,
  promoted: lessons.length,
});

export const lessonsAnswered = ({ lessons, facts }: LessonKeeperContext, at: At): Letter[] =>
  answer(
    at,
    { type: "lessons.answered", rules: lessons.map(({ lesson }) => lesson) },
    { because: facts },
  );
