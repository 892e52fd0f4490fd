/**
 * The completion gate of a goal as states: one for each part, in the seed's order. A part that the
 * policy omits is passed over: no state leads to it. Source: seed 004, "Goal completion gate";
 * ruling U7.
 */
import { assign, setup } from "xstate";
import { type At, cancelAsk, type Outbox, post } from "../../letter.ts";
import { MILLION } from "../../units.ts";
import { mentionsIn } from "./factCheck.ts";
import {
  afterPart,
  faulted,
  fileFault,
  foundIn,
  judgeLetter,
  judgement,
  listLetter,
  partPassed,
  readLetter,
  textOf,
} from "./goalBooks.ts";
import type { GoalContext, GoalEvent, GoalInput, GoalPolicy } from "./goalContext.ts";
import { type GoalGatePart, mechanicalFault } from "./goalGateParts.ts";

/** What goal.ts and the gate share: the vocabulary of one machine. */
export const goalSetup = ({ gate, folders }: GoalPolicy) =>
  setup({
    types: {
      context: {} as GoalContext,
      events: {} as GoalEvent,
      input: {} as GoalInput & { at: At },
      emitted: {} as Outbox,
    },
    actions: {
      readArtifact: post(({ context }: { context: GoalContext }) => [
        readLetter(context.input.artifact),
      ]),
      stopReading: post(() => [cancelAsk("file")]),
      acceptArtifact: post(({ context, event }) => [partPassed(context, "mechanical", event)]),
      acceptJudgement: post(({ context, event }) => [partPassed(context, "semantic", event)]),
      acceptFacts: post(({ context, event }) => [partPassed(context, "facts", event)]),
      forgetFinding: assign({ found: null }),
      findArtifact: assign(({ context, event }) => ({
        found: foundIn(mechanicalFault(context.input, textOf(event), gate)),
      })),
      findJudgement: assign(({ event }) => ({ found: judgement(event) })),
      findClaims: assign(({ context, event }) => ({
        mentions: mentionsIn(textOf(event) ?? "", context.input.artifact, gate, folders),
      })),
      findClaim: assign(({ context, event }) => ({ found: foundIn(fileFault(context, event)) })),
      nextClaim: assign(({ context }) => ({ mentions: context.mentions.slice(1), found: null })),
      blameOutput: assign(({ context, event }) =>
        faulted(context, event, "output", foundIn("no step used an output capability")),
      ),
      blameArtifact: assign(({ context, event }) => blamed(context, event, "mechanical")),
      blameFiles: assign(({ context, event }) => blamed(context, event, "semantic")),
      blameJudged: assign(({ context, event }) => blamed(context, event, "semantic")),
      blameClaim: assign(({ context, event }) => blamed(context, event, "facts")),
    },
    guards: {
      isFull: ({ context }) => context.progress >= MILLION,
      hasOutput: ({ context }) => context.outputs > 0,
      isOut: ({ context }) => context.misses >= gate.missesMax,
      isSound: ({ context }) => context.found?.verdict === "yes",
      isThere: ({ event }) => textOf(event) !== null,
      isTolerated: ({ context }) =>
        gate.semanticFailure === "pass" && context.found?.verdict !== "no",
      claimsNothing: ({ context }) => context.mentions.length === 0,
      isUnread: ({ event }) => textOf(event) === null,
      isWrong: ({ context }) => context.found?.verdict === "no",
      isLastClaim: ({ context }) => context.mentions.length <= 1,
    },
    delays: { filesTimeout: gate.filesTimeoutMs, judgeTimeout: gate.judgeTimeoutMs },
  });

const outputPart = (policy: GoalPolicy) =>
  goalSetup(policy).createStateConfig({
    always: [
      {
        guard: "hasOutput",
        target: afterPart(policy.gate, "output"),
        actions: post(({ context, event }) => [partPassed(context, "output", event)]),
      },
      { target: "#goal.missed", actions: "blameOutput" },
    ],
  });

const mechanicalPart = (policy: GoalPolicy) =>
  goalSetup(policy).createStateConfig({
    initial: "reading",
    states: {
      reading: {
        entry: "readArtifact",
        exit: "stopReading",
        on: { "files.replied": { target: "read", actions: "findArtifact" } },
        after: { filesTimeout: { target: "#goal.missed", actions: "blameArtifact" } },
      },
      read: {
        always: [
          {
            guard: "isSound",
            target: afterPart(policy.gate, "mechanical"),
            actions: ["acceptArtifact", "forgetFinding"],
          },
          { target: "#goal.missed", actions: "blameArtifact" },
        ],
      },
    },
  });

/** The judge sees the artifact as it is now. */
const semanticPart = (policy: GoalPolicy) => {
  const passed = afterPart(policy.gate, "semantic");
  return goalSetup(policy).createStateConfig({
    initial: "reading",
    states: {
      reading: {
        entry: "readArtifact",
        exit: "stopReading",
        on: {
          "files.replied": [
            {
              guard: "isThere",
              target: "asking",
              actions: post(({ context, event }) => [judgeLetter(context, event, policy.gate)]),
            },
            { target: "#goal.missed", actions: "blameFiles" },
          ],
        },
        after: { filesTimeout: { target: "#goal.missed", actions: "blameFiles" } },
      },
      asking: {
        exit: post(() => [cancelAsk("judge")]),
        on: {
          "llm.replied": { target: "answered", actions: "findJudgement" },
          "llm.failed": { target: "answered", actions: "findJudgement" },
        },
        after: { judgeTimeout: { target: "answered", actions: "findJudgement" } },
      },
      answered: {
        always: [
          { guard: "isSound", target: passed, actions: ["acceptJudgement", "forgetFinding"] },
          { guard: "isTolerated", target: passed, actions: ["acceptJudgement", "forgetFinding"] },
          { target: "#goal.missed", actions: "blameJudged" },
        ],
      },
    },
  });
};

/** Reads the artifact, then looks up one claim after the other: as a file, else as a folder. */
const factsPart = (policy: GoalPolicy) => {
  const passed = afterPart(policy.gate, "facts");
  return goalSetup(policy).createStateConfig({
    initial: "reading",
    // One wait for all of it, however much the artifact claims.
    after: { filesTimeout: { target: "#goal.missed", actions: "blameClaim" } },
    states: {
      reading: {
        entry: "readArtifact",
        exit: "stopReading",
        on: {
          "files.replied": [
            { guard: "isUnread", target: "#goal.missed", actions: "blameClaim" },
            { target: "read", actions: "findClaims" },
          ],
        },
      },
      read: {
        always: [
          { guard: "claimsNothing", target: passed, actions: "acceptFacts" },
          { target: "looking" },
        ],
      },
      looking: {
        entry: post(({ context }) => [readLetter(context.mentions[0]?.path ?? "")]),
        exit: "stopReading",
        on: {
          "files.replied": [
            { guard: "isUnread", target: "listing" },
            { target: "comparing", actions: "findClaim" },
          ],
        },
      },
      listing: {
        entry: post(({ context }) => [listLetter(context.mentions[0]?.path ?? "")]),
        exit: "stopReading",
        on: { "files.replied": { target: "comparing", actions: "findClaim" } },
      },
      comparing: {
        always: [
          { guard: "isWrong", target: "#goal.missed", actions: "blameClaim" },
          { guard: "isLastClaim", target: passed, actions: ["acceptFacts", "forgetFinding"] },
          { target: "looking", actions: "nextClaim" },
        ],
      },
    },
  });
};

/** Which part comes first, and which after another, is the policy's word: see afterPart. */
export const goalGateState = (policy: GoalPolicy) =>
  goalSetup(policy).createStateConfig({
    initial: "output",
    states: {
      output: outputPart(policy),
      mechanical: mechanicalPart(policy),
      semantic: semanticPart(policy),
      facts: factsPart(policy),
    },
  });

/** By what the part found, or, where it waits for files in vain, by their silence. */
const blamed = (context: GoalContext, event: GoalEvent, part: GoalGatePart): Partial<GoalContext> =>
  faulted(context, event, part, context.found ?? foundIn(fileFault(context, event)));
