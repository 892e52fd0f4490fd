/**
 * The dreamer: sleeps, has what is kept looked after, then plays against itself. A challenge, attempts that
 * are counted, and three gates before the playbook: extraction, guard, verification. Source: seed 001, path B.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import { type At, cancelAsk, type Outbox, post } from "../letter.ts";
import {
  type DreamContext,
  type DreamEvent,
  dreamBegun,
  nextRound,
  openingDream,
} from "./dreamContext.ts";
import type { DreamPolicy } from "./dreamPolicy.ts";
import {
  broken,
  challengeAsked,
  challenged,
  challengeTold,
  coded,
  dreamTold,
  extracted,
  failedWith,
  guarded,
  hasPassed,
  judged,
  lessonAsked,
  ran,
  roundTold,
  solutionAsked,
  solutionRun,
  tried,
  tryTold,
  validatorRun,
  verified,
  weighed,
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
      tell: post(({ context }) => tryTold(context)),
      tried: assign(({ context }) => tried(context)),
      failed: assign(({ event }) => failedWith(event)),
      modelLate: assign(() => broken("the model did not answer in time")),
      sandboxLate: assign(() => broken("the sandbox did not answer in time")),
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
          assign(({ context }) => dreamBegun(context)),
          post(({ context }) => dreamTold(context)),
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
        entry: post(({ context }) => [challengeAsked(context, skills.dream)]),
        exit: post(() => [cancelAsk("model")]),
        on: {
          "llm.replied": {
            target: "challenged",
            actions: assign(({ context, event }) => challenged(context, event)),
          },
          "llm.failed": { target: "ended", actions: "failed" },
        },
        after: { modelTimeout: { target: "ended", actions: "modelLate" } },
      },
      challenged: {
        entry: post(({ context }) => challengeTold(context)),
        always: [{ guard: "isEnded", target: "ended" }, { target: "solving" }],
      },
      solving: {
        entry: post(({ context }) => [solutionAsked(context)]),
        exit: post(() => [cancelAsk("model")]),
        on: {
          "llm.replied": {
            target: "solved",
            actions: assign(({ context, event }) => coded(context, event)),
          },
          "llm.failed": { target: "ended", actions: "failed" },
        },
        after: { modelTimeout: { target: "ended", actions: "modelLate" } },
      },
      solved: { always: [{ guard: "isFaulty", target: "tried" }, { target: "running" }] },
      running: {
        entry: post(({ context }) => [solutionRun(context, skills.dream)]),
        exit: post(() => [cancelAsk("run")]),
        on: {
          "sandbox.replied": {
            target: "ran",
            actions: assign(({ context, event }) => ran(context, event)),
          },
        },
        after: { runTimeout: { target: "ended", actions: "sandboxLate" } },
      },
      ran: { always: [{ guard: "isFaulty", target: "tried" }, { target: "validating" }] },
      validating: {
        entry: post(({ context }) => [validatorRun(context, skills.dream)]),
        exit: post(() => [cancelAsk("run")]),
        on: {
          "sandbox.replied": {
            target: "judged",
            actions: assign(({ context, event }) => judged(context, event)),
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
        entry: assign(({ context }) => weighed(context, skills.dream)),
        always: [{ guard: "isEnded", target: "ended" }, { target: "extracting" }],
      },
      extracting: {
        entry: post(({ context }) => [lessonAsked(context, skills.dream)]),
        exit: post(() => [cancelAsk("model")]),
        on: {
          "llm.replied": {
            target: "extracted",
            actions: assign(({ context, event }) => extracted(context, event)),
          },
          "llm.failed": { target: "ended", actions: "failed" },
        },
        after: { modelTimeout: { target: "ended", actions: "modelLate" } },
      },
      extracted: { always: [{ guard: "isEnded", target: "ended" }, { target: "guarded" }] },
      guarded: {
        entry: assign(({ context }) => guarded(context, skills.dream)),
        always: [{ guard: "isEnded", target: "ended" }, { target: "solving" }],
      },
      verified: { entry: assign(({ context }) => verified(context)), always: "ended" },
      ended: { entry: post(({ context }) => roundTold(context)), always: "turning" },
    },
  });
