/**
 * Draws lessons from one agent's ended goals, one after the other, keeps them in two files and
 * tells the agent its rules. Source: seed 004, "Lessons"; ruling U12.
 */
import { assign, setup } from "xstate";
import {
  type At,
  ask,
  cancelAsk,
  type Delivered,
  type Mail,
  type MailOf,
  type Outbox,
  post,
} from "../../letter.ts";
import type { LessonView } from "../model/judgePrompts.ts";
import {
  lessonNoted,
  lessonsAnswered,
  lessonsRead,
  memoryFrom,
  noteAfter,
  savedFiles,
} from "./lessonBooks.ts";
import type {
  LessonKeeperContext,
  LessonKeeperEvent,
  LessonKeeperInput,
  Waiting,
} from "./lessonContext.ts";
import type { LessonPolicy } from "./lessons.ts";

export const lessonKeeperMachine = ({ lessons: policy }: { readonly lessons: LessonPolicy }) =>
  setup({
    types: {
      context: {} as LessonKeeperContext,
      events: {} as LessonKeeperEvent,
      input: {} as LessonKeeperInput & { at: At },
      emitted: {} as Outbox,
    },
    guards: {
      hasWork: ({ context }) => context.waiting.length > 0,
      isTelling: ({ context, event }) =>
        event.type === "goal.ended" && isTelling(event) && context.waiting.length < policy.queueMax,
      isTooMuch: ({ event }) => event.type === "goal.ended" && isTelling(event),
    },
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
        on: {
          "llm.replied": {
            target: "noted",
            actions: assign(({ context, event }) => noteAfter(context, event, policy)),
          },
          "llm.failed": {
            target: "noted",
            actions: assign(({ context, event }) => noteAfter(context, event, policy)),
          },
        },
        after: {
          modelTimeout: {
            target: "noted",
            actions: assign(({ context, event }) => noteAfter(context, event, policy)),
          },
        },
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
