/**
 * The dreamer: sleeps, has what is kept looked after, then plays against itself. A challenge, attempts that
 * are counted, and three gates before the playbook: extraction, guard, verification. Source: seed 001, path B.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import { type At, cancelAsk, type Outbox, post } from "../letter.ts";
import {
  beginDream,
  type DreamContext,
  type DreamEvent,
  nextRound,
  openingDream,
} from "./dreamContext.ts";
import type { DreamPolicy } from "./dreamPolicy.ts";
import {
  askChallenge,
  askLesson,
  askSolution,
  breakRound,
  challengeLetters,
  countTry,
  dreamLetters,
  failRound,
  guardLesson,
  hasPassed,
  noteJudgement,
  noteRun,
  roundLetters,
  runSolution,
  runValidator,
  takeChallenge,
  takeLesson,
  takeSolution,
  tryLetters,
  verifyLesson,
  weighAttempts,
} from "./dreamUpdates.ts";

export const dreamerMachine = ({ skills }: { readonly skills: { readonly dream: DreamPolicy } }) =>
  setup({
    types: {
      context: {} as DreamContext,
      events: {} as DreamEvent,
      input: {} as { readonly at: At },
      emitted: {} as Outbox,
    },
    guards: {
      plays: ({ context }) => context.round < skills.dream.rounds,
      isEnded: ({ context }) => context.end !== null,
      isFaulty: ({ context }) => context.fault !== null,
      isVerifying: ({ context }) => context.lesson !== null,
      isOver: ({ context }) =>
        hasPassed(context) || context.attempts.length >= skills.dream.attempts,
    },
    actions: {
      tell: post(({ context }) => tryLetters(context)),
      tried: assign(({ context }) => countTry(context)),
      failed: assign(({ event }) => failRound(event)),
      modelLate: assign(() => breakRound("the model did not answer in time")),
      sandboxLate: assign(() => breakRound("the sandbox did not answer in time")),
    },
    delays: {
      period: skills.dream.periodMs,
      modelTimeout: skills.dream.modelTimeoutMs,
      runTimeout: skills.dream.runLimitMs + ANSWER_WAIT_MS,
    },
  }).createMachine({
    id: "dreamer",
    context: openingDream,
    initial: "sleeping",
    on: { "ask.bounced": { target: ".ended", actions: "failed" } },
    states: {
      sleeping: { after: { period: { target: "waking" } } },
      waking: {
        entry: [
          assign(({ context }) => beginDream(context)),
          post(({ context }) => dreamLetters(context)),
        ],
        always: "turning",
      },
      turning: {
        always: [
          {
            guard: "plays",
            target: "challenging",
            actions: assign(({ context }) => nextRound(context)),
          },
          { target: "sleeping" },
        ],
      },
      challenging: {
        entry: post(({ context }) => [askChallenge(context, skills.dream)]),
        exit: post(() => [cancelAsk("model")]),
        on: {
          "llm.replied": {
            target: "challenged",
            actions: assign(({ context, event }) => takeChallenge(context, event)),
          },
          "llm.failed": { target: "ended", actions: "failed" },
        },
        after: { modelTimeout: { target: "ended", actions: "modelLate" } },
      },
      challenged: {
        entry: post(({ context }) => challengeLetters(context)),
        always: [{ guard: "isEnded", target: "ended" }, { target: "solving" }],
      },
      solving: {
        entry: post(({ context }) => [askSolution(context)]),
        exit: post(() => [cancelAsk("model")]),
        on: {
          "llm.replied": {
            target: "solved",
            actions: assign(({ context, event }) => takeSolution(context, event)),
          },
          "llm.failed": { target: "ended", actions: "failed" },
        },
        after: { modelTimeout: { target: "ended", actions: "modelLate" } },
      },
      solved: { always: [{ guard: "isFaulty", target: "tried" }, { target: "running" }] },
      running: {
        entry: post(({ context }) => [runSolution(context, skills.dream)]),
        exit: post(() => [cancelAsk("run")]),
        on: {
          "sandbox.replied": {
            target: "ran",
            actions: assign(({ context, event }) => noteRun(context, event)),
          },
        },
        after: { runTimeout: { target: "ended", actions: "sandboxLate" } },
      },
      ran: { always: [{ guard: "isFaulty", target: "tried" }, { target: "validating" }] },
      validating: {
        entry: post(({ context }) => [runValidator(context, skills.dream)]),
        exit: post(() => [cancelAsk("run")]),
        on: {
          "sandbox.replied": {
            target: "judged",
            actions: assign(({ context, event }) => noteJudgement(context, event)),
          },
        },
        after: { runTimeout: { target: "ended", actions: "sandboxLate" } },
      },
      judged: { always: [{ guard: "isEnded", target: "ended" }, { target: "tried" }] },
      tried: {
        entry: ["tried", "tell"],
        always: [
          { guard: "isVerifying", target: "verified" },
          { guard: "isOver", target: "weighed" },
          { target: "solving" },
        ],
      },
      weighed: {
        entry: assign(({ context }) => weighAttempts(context, skills.dream)),
        always: [{ guard: "isEnded", target: "ended" }, { target: "extracting" }],
      },
      extracting: {
        entry: post(({ context }) => [askLesson(context, skills.dream)]),
        exit: post(() => [cancelAsk("model")]),
        on: {
          "llm.replied": {
            target: "extracted",
            actions: assign(({ context, event }) => takeLesson(context, event)),
          },
          "llm.failed": { target: "ended", actions: "failed" },
        },
        after: { modelTimeout: { target: "ended", actions: "modelLate" } },
      },
      extracted: { always: [{ guard: "isEnded", target: "ended" }, { target: "guarded" }] },
      guarded: {
        entry: assign(({ context }) => guardLesson(context, skills.dream)),
        always: [{ guard: "isEnded", target: "ended" }, { target: "solving" }],
      },
      verified: { entry: assign(({ context }) => verifyLesson(context)), always: "ended" },
      ended: { entry: post(({ context }) => roundLetters(context)), always: "turning" },
    },
  });
