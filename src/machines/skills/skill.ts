/**
 * A skill: normalised before anything is written, tested in the sandbox, persisted with its row written last; then active,
 * degraded, retired. Source: seed 001, path A; rulings K1, K6, K11.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import { cancelAsk, type Outbox, post } from "../letter.ts";
import {
  openingSkill,
  type SkillContext,
  type SkillEvent,
  type SkillInput,
} from "./skillContext.ts";
import { TEST_PATH } from "./skillFolders.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";
import {
  codeLetter,
  considerCode,
  diskFault,
  judgeTest,
  normalisedDetail,
  noteCounts,
  noteParse,
  parseLetter,
  refuseAt,
  refusedLetter,
  registeringLetter,
  steppedLetter,
  testFileRemoved,
  testRun,
  writeLetter,
} from "./skillUpdates.ts";

export const skillMachine = ({ skills }: { readonly skills: SkillsPolicy }) =>
  setup({
    types: {
      context: {} as SkillContext,
      events: {} as SkillEvent,
      input: {} as SkillInput & { at: unknown },
      emitted: {} as Outbox,
    },
    guards: {
      isActive: ({ context }) => context.input.kept === "active",
      isDegraded: ({ context }) => context.input.kept === "degraded",
      needsWord: ({ context }) => context.needs !== null,
      isRefused: ({ context }) => context.refusal !== null,
      isWritten: ({ event }) => event.type === "files.replied" && event.ok,
      isRegistered: ({ event }) => event.type === "skill.registered" && event.ok,
      staysDegraded: ({ event }) =>
        event.type === "skill.registered" && event.ok && event.status === "degraded",
      degrades: ({ event }) => event.type === "skill.counted" && event.status === "degraded",
      isReplaced: ({ event }) => event.type === "skill.left" && event.how === "replaced",
      isLost: ({ event }) => event.type === "skill.left" && event.how === "lost",
    },
    actions: {
      considered: assign(({ context }) => considerCode(context, skills)),
      parsed: assign(({ context, event }) => noteParse(context, event)),
      tried: assign(({ event }) => judgeTest(event, skills)),
      counted: assign(({ event }) => noteCounts(event)),
      unwritten: assign(({ event }) => diskFault(event)),
      parserLate: assign(() => refuseAt("normalising", "the parser did not answer in time")),
      sandboxLate: assign(() => refuseAt("testing", "the sandbox did not answer in time")),
      storeLate: assign(() => refuseAt("persisting", "the store did not answer in time")),
      bounced: assign(() => refuseAt("persisting", "what it asked does not live")),
    },
    delays: { answerTimeout: ANSWER_WAIT_MS, testTimeout: skills.testLimitMs + ANSWER_WAIT_MS },
  }).createMachine({
    id: "skill",
    context: ({ input: { at: _, ...input } }) => openingSkill(input),
    initial: "opening",
    states: {
      opening: {
        always: [
          { guard: "isActive", target: "active" },
          { guard: "isDegraded", target: "degraded" },
          { target: "normalising" },
        ],
      },
      normalising: {
        initial: "considering",
        on: { "ask.bounced": { target: "refused", actions: "bounced" } },
        states: {
          considering: {
            entry: "considered",
            always: [
              { guard: "needsWord", target: "parsing" },
              { guard: "isRefused", target: "#refused" },
              { target: "#testing" },
            ],
          },
          parsing: {
            entry: post(({ context }) => parseLetter(context)),
            exit: post(() => [cancelAsk("parse")]),
            on: { "python.parsed": { target: "considering", actions: "parsed" } },
            after: { answerTimeout: { target: "#refused", actions: "parserLate" } },
          },
        },
      },
      testing: {
        id: "testing",
        initial: "writing",
        entry: post(({ context }) => [
          steppedLetter(context, "normalising", normalisedDetail(context)),
        ]),
        exit: post(() => [testFileRemoved]),
        on: { "ask.bounced": { target: "refused", actions: "bounced" } },
        states: {
          writing: {
            entry: post(({ context }) => [writeLetter("transient", TEST_PATH, context.code)]),
            exit: post(() => [cancelAsk("transient")]),
            on: {
              "files.replied": [
                { guard: "isWritten", target: "running" },
                { target: "#refused", actions: "unwritten" },
              ],
            },
            after: { answerTimeout: { target: "#refused", actions: "storeLate" } },
          },
          running: {
            entry: post(({ context }) => [testRun(context, skills)]),
            exit: post(() => [cancelAsk("test")]),
            on: { "sandbox.replied": { target: "ran", actions: "tried" } },
            after: { testTimeout: { target: "#refused", actions: "sandboxLate" } },
          },
          ran: {
            always: [{ guard: "isRefused", target: "#refused" }, { target: "#persisting" }],
          },
        },
      },
      persisting: {
        id: "persisting",
        initial: "writing",
        entry: post(({ context }) => [
          steppedLetter(context, "testing", "it ran to its end and printed something"),
        ]),
        on: { "ask.bounced": { target: "refused", actions: "bounced" } },
        states: {
          writing: {
            entry: post(({ context }) => [codeLetter(context, skills.store)]),
            exit: post(() => [cancelAsk("code")]),
            on: {
              "files.replied": [
                { guard: "isWritten", target: "registering" },
                { target: "#refused", actions: "unwritten" },
              ],
            },
            after: { answerTimeout: { target: "#refused", actions: "storeLate" } },
          },
          registering: {
            entry: post(({ context }) => [registeringLetter(context)]),
            exit: post(() => [cancelAsk("row")]),
            on: {
              "skill.registered": [
                { guard: "staysDegraded", target: "#degraded" },
                { guard: "isRegistered", target: "#active" },
                { target: "#refused", actions: "unwritten" },
              ],
            },
            after: { answerTimeout: { target: "#refused", actions: "storeLate" } },
          },
        },
      },
      active: {
        id: "active",
        on: {
          "skill.counted": [
            { guard: "degrades", target: "degraded", actions: "counted" },
            { actions: "counted" },
          ],
          "skill.left": [
            { guard: "isReplaced", target: "replaced" },
            { guard: "isLost", target: "lost" },
            { target: "retired" },
          ],
        },
      },
      // No call reaches it (K11), so nothing but its end can.
      degraded: {
        id: "degraded",
        on: {
          "skill.counted": { actions: "counted" },
          "skill.left": [
            { guard: "isReplaced", target: "replaced" },
            { guard: "isLost", target: "lost" },
            { target: "retired" },
          ],
        },
      },
      refused: {
        id: "refused",
        type: "final",
        entry: post(({ context }) => refusedLetter(context)),
      },
      replaced: { type: "final" },
      lost: { type: "final" },
      retired: { type: "final" },
    },
  });
