/**
 * Draws lessons from one agent's ended goals, one after the other, keeps them in two files and
 * tells the agent its rules. Source: seed 004, "Lessons"; ruling U12.
 */
import { assign, setup } from "xstate";
import { chartTypes } from "../../chart.ts";
import {
  type At,
  answer,
  ask,
  cancelAsk,
  type Delivered,
  type Letter,
  type Mail,
  type MailOf,
  post,
} from "../../letter.ts";
import { FACTS_MAX } from "../goal/goalContext.ts";
import { readLessonAnswer } from "../model/modelAnswers.ts";
import type { LessonView } from "../model/prompts.ts";
import {
  type Category,
  candidatesPath,
  type Learnt,
  type LessonPolicy,
  learn,
  lessonsPath,
  lessonsText,
  type Memory,
  readLessons,
} from "./lessons.ts";

/** A completed goal, or one that failed at something: it ran into the gate or a step of it failed. */
const isTelling = ({ status, misses, failedSteps }: Mail["goal.ended"]): boolean =>
  status === "completed" || (status === "abandoned" && (misses > 0 || failedSteps > 0));

const waitingFrom = (event: Delivered<"goal.ended">): Waiting => ({
  n: event.n,
  goal: event.text,
  status: event.status,
  reason: event.reason,
  notes: event.notes,
  fact: event.at.seq,
});

function extractLetters({ input, waiting: [first] }: LessonKeeperContext) {
  if (first === undefined) return [];
  const { goal, status, reason, notes, fact } = first;
  const purpose = "lesson.extract";
  const view: LessonView = { purpose, agent: input.agent, goal, status, reason, notes };
  const event: MailOf<"llm.asked"> = { type: "llm.asked", purpose, view };
  return [ask({ to: "port/llm.chat", key: "lesson", event, because: [fact] })];
}

/* What a keeper of lessons is given and what it knows. */

export interface LessonKeeperInput {
  readonly agent: string;
  /** The address that is told of every lesson. */
  readonly ledger: string;
  /** The texts of its two files; null for no such file. */
  readonly candidates: string | null;
  readonly lessons: string | null;
}

export type LessonKeeperEvent = Delivered<
  "goal.ended" | "lessons.asked" | "llm.replied" | "llm.failed" | "ask.bounced" | "daemon.stopped"
>;

/** An ended goal that waits for its lesson. */
export interface Waiting extends Omit<LessonView, "purpose" | "agent"> {
  readonly n: number;
  /** The goal.ended that told of it. */
  readonly fact: number;
}

export interface LessonKeeperContext extends Memory {
  readonly input: LessonKeeperInput;
  readonly waiting: readonly Waiting[];
  /** What became of the last one. */
  readonly note: Note | null;
  /** The deliveries that the rules rest on: the start, and what promoted a lesson since. */
  readonly facts: readonly number[];
}

/** `dropped`: too many goals were waiting. The others are what became of the model's answer. */
export type NoteOutcome = Learnt | "none" | "unreadable" | "failed" | "late" | "dropped";

export interface Note {
  readonly n: number;
  readonly outcome: NoteOutcome;
  readonly lesson: string | null;
  readonly category: Category | null;
  readonly because: readonly number[];
}

/* The parts of a lesson keeper that are formulas: what an answer changes, and what it says of it. */

const memoryFrom = (input: LessonKeeperInput, policy: LessonPolicy): Memory => ({
  candidates: readLessons(input.candidates, policy.candidatesMax),
  lessons: readLessons(input.lessons, policy.lessonsMax),
});

/** Takes the goal that waited longest off the list, with what the model made of it. */
function noteAfter(
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
function savedFiles({ input, note, candidates, lessons }: LessonKeeperContext): Letter[] {
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

const lessonNoted = (context: LessonKeeperContext, note: Note): Letter => {
  const { because, ...rest } = note;
  return {
    to: context.input.ledger,
    event: { type: "lesson.noted", agent: context.input.agent, ...rest, ...countsIn(context) },
    because,
  };
};

const lessonsRead = (context: LessonKeeperContext): Letter => ({
  to: context.input.ledger,
  event: { type: "lessons.read", agent: context.input.agent, ...countsIn(context) },
});

const countsIn = ({ candidates, lessons }: Memory): Omit<Mail["lessons.read"], "agent"> => ({
  candidates: candidates.length,
  promoted: lessons.length,
});

const lessonsAnswered = ({ lessons, facts }: LessonKeeperContext, at: At): Letter[] =>
  answer(
    at,
    { type: "lessons.answered", rules: lessons.map(({ lesson }) => lesson) },
    { because: facts },
  );

const answered = { target: "noted", actions: "note" } as const;

export const lessonKeeperMachine = ({ lessons: policy }: { readonly lessons: LessonPolicy }) =>
  setup({
    types: chartTypes<LessonKeeperContext, LessonKeeperEvent, LessonKeeperInput>(),
    guards: {
      hasWork: ({ context }) => context.waiting.length > 0,
      isTelling: ({ context, event }) =>
        event.type === "goal.ended" && isTelling(event) && context.waiting.length < policy.queueMax,
      isTooMuch: ({ event }) => event.type === "goal.ended" && isTelling(event),
    },
    actions: { note: assign(({ context, event }) => noteAfter(context, event, policy)) },
    delays: { modelTimeout: policy.modelTimeoutMs },
  }).createMachine({
    id: "lessonKeeper",
    context: ({ input: { at, ...input } }) => ({
      input,
      ...memoryFrom(input, policy),
      waiting: [],
      note: null,
      facts: [at.seq],
    }),
    initial: "idle",
    entry: post(({ context }) => [lessonsRead(context)]),
    on: {
      "goal.ended": [
        {
          guard: "isTelling",
          actions: assign(({ context, event }) => ({
            waiting: [...context.waiting, waitingFrom(event)],
          })),
        },
        {
          guard: "isTooMuch",
          actions: post(({ context, event }) => [
            lessonNoted(context, {
              n: event.n,
              outcome: "dropped",
              lesson: null,
              category: null,
              because: [event.at.seq],
            }),
          ]),
        },
      ],
      "lessons.asked": {
        actions: post(({ context, event }) => lessonsAnswered(context, event.at)),
      },
      "daemon.stopped": ".stopped",
    },
    states: {
      idle: { always: { guard: "hasWork", target: "extracting" } },
      extracting: {
        entry: post(({ context }) => extractLetters(context)),
        exit: post(() => [cancelAsk("lesson")]),
        on: { "llm.replied": answered, "llm.failed": answered },
        after: { modelTimeout: answered },
      },
      noted: {
        entry: post(({ context }) => [
          ...savedFiles(context),
          ...(context.note === null ? [] : [lessonNoted(context, context.note)]),
        ]),
        always: "idle",
      },
      stopped: { type: "final" },
    },
  });
