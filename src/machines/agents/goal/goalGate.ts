/**
 * The completion gate of a goal as states: one for each part, in the seed's order. A part that the
 * policy leaves out is passed over: no state leads to it. Source: seed 004, "Goal completion gate";
 * ruling U7.
 */
import { assign, setup } from "xstate";
import { type At, cancelAsk, type Outbox, post } from "../../letter.ts";
import { MILLION } from "../../units.ts";
import { mentionsIn } from "./factCheck.ts";
import { mechanicalFault } from "./gate.ts";
import type { GoalContext, GoalEvent, GoalInput } from "./goal.ts";
import {
  afterPart,
  faulted,
  fileFault,
  type GoalPolicy,
  judgeLetter,
  judgement,
  listLetter,
  partPassed,
  readLetter,
  textOf,
} from "./goalBooks.ts";

/** What goal.ts and the gate share: the vocabulary of one machine. */
export const goalSetup = ({ gate }: GoalPolicy) =>
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
      acceptJudgement: post(({ context, event }: { context: GoalContext; event: GoalEvent }) => [
        partPassed(context, "semantic", event, judgement(event)),
      ]),
      acceptFacts: post(({ context, event }: { context: GoalContext; event: GoalEvent }) => [
        partPassed(context, "facts", event),
      ]),
      blameArtifact: assign(({ context, event }) => {
        const found = mechanicalFault(context.input, textOf(event), gate);
        const reason = event.type === "files.replied" ? found : fileFault(context, event);
        return faulted(context, event, { part: "mechanical", reason: reason ?? "" });
      }),
      blameFiles: assign(({ context, event }) =>
        faulted(context, event, { part: "semantic", reason: fileFault(context, event) ?? "" }),
      ),
      blameJudged: assign(({ context, event }) =>
        faulted(context, event, { part: "semantic", ...judgement(event) }),
      ),
      blameClaim: assign(({ context, event }) =>
        faulted(context, event, { part: "facts", reason: fileFault(context, event) ?? "" }),
      ),
    },
    guards: {
      isFull: ({ context }) => context.progress >= MILLION,
      hasOutput: ({ context }) => context.outputs > 0,
      isOut: ({ context }) => context.misses >= gate.missesMax,
      isSound: ({ context, event }) =>
        mechanicalFault(context.input, textOf(event), gate) === undefined,
      isThere: ({ event }) => textOf(event) !== null,
      isApproved: ({ event }) => judgement(event).verdict === "yes",
      isTolerated: ({ event }) =>
        gate.semanticFailure === "pass" && judgement(event).verdict !== "no",
      claimsNothing: ({ context, event }) =>
        textOf(event) !== null &&
        mentionsIn(textOf(event) ?? "", context.input.artifact, gate).length === 0,
      isUnread: ({ event }) => textOf(event) === null,
      isWrong: ({ context, event }) => fileFault(context, event) !== undefined,
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
      {
        target: "#goal.missed",
        actions: assign(({ context, event }) =>
          faulted(context, event, {
            part: "output",
            reason: "no step used an output capability",
          }),
        ),
      },
    ],
  });

const mechanicalPart = (policy: GoalPolicy) =>
  goalSetup(policy).createStateConfig({
    entry: "readArtifact",
    exit: "stopReading",
    on: {
      "files.replied": [
        {
          guard: "isSound",
          target: afterPart(policy.gate, "mechanical"),
          actions: post(({ context, event }) => [partPassed(context, "mechanical", event)]),
        },
        { target: "#goal.missed", actions: "blameArtifact" },
      ],
    },
    after: {
      filesTimeout: {
        target: "#goal.missed",
        actions: "blameArtifact",
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
          "llm.replied": [
            { guard: "isApproved", target: passed, actions: "acceptJudgement" },
            { guard: "isTolerated", target: passed, actions: "acceptJudgement" },
            { target: "#goal.missed", actions: "blameJudged" },
          ],
          "llm.failed": [
            { guard: "isTolerated", target: passed, actions: "acceptJudgement" },
            { target: "#goal.missed", actions: "blameJudged" },
          ],
        },
        after: {
          judgeTimeout: [
            { guard: "isTolerated", target: passed, actions: "acceptJudgement" },
            { target: "#goal.missed", actions: "blameJudged" },
          ],
        },
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
            { guard: "claimsNothing", target: passed, actions: "acceptFacts" },
            {
              target: "looking",
              actions: assign(({ context, event }) => ({
                mentions: mentionsIn(textOf(event) ?? "", context.input.artifact, policy.gate),
              })),
            },
          ],
        },
      },
      looking: {
        entry: post(({ context }) => [readLetter(context.mentions[0]?.path ?? "")]),
        exit: "stopReading",
        on: {
          "files.replied": [
            { guard: "isUnread", target: "listing" },
            { guard: "isWrong", target: "#goal.missed", actions: "blameClaim" },
            { guard: "isLastClaim", target: passed, actions: "acceptFacts" },
            {
              target: "looking",
              reenter: true,
              actions: assign(({ context }) => ({ mentions: context.mentions.slice(1) })),
            },
          ],
        },
      },
      listing: {
        entry: post(({ context }) => [listLetter(context.mentions[0]?.path ?? "")]),
        exit: "stopReading",
        on: {
          "files.replied": [
            { guard: "isWrong", target: "#goal.missed", actions: "blameClaim" },
            { guard: "isLastClaim", target: passed, actions: "acceptFacts" },
            {
              target: "looking",
              actions: assign(({ context }) => ({ mentions: context.mentions.slice(1) })),
            },
          ],
        },
      },
    },
  });
};

/** Which part comes first, and which after another, is the policy's word: see afterPart. */
export const gateState = (policy: GoalPolicy) =>
  goalSetup(policy).createStateConfig({
    initial: "output",
    states: {
      output: outputPart(policy),
      mechanical: mechanicalPart(policy),
      semantic: semanticPart(policy),
      facts: factsPart(policy),
    },
  });
