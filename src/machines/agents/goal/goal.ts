/**
 * One goal of one agent, from its choice through the completion gate to completion or abandonment.
 * It keeps its own books: every step and every verdict is appended to the agent's goal registry, so
 * that it survives a restart. Source: seed 004, "Goals", "Goal completion gate"; rulings U6, U7.
 */
import { assign, setup } from "xstate";
import { askingIn, chartTypes, type Question, question } from "../../chart.ts";
import { cutText } from "../../cutText.ts";
import { defined } from "../../defined.ts";
import { isVirtualPath } from "../../folders.ts";
import {
  answer,
  ask,
  cancelAsk,
  type Delivered,
  type Letter,
  type Mail,
  type MailOf,
  post,
} from "../../letter.ts";
import { MILLION } from "../../units.ts";
import { type AgentHooks, allHooks, hearersOf } from "../hooks.ts";
import { readGoalJudgement } from "../model/modelAnswers.ts";
import type { GoalView } from "../model/prompts.ts";
import {
  FACTS_MAX,
  type Finding,
  type GoalContext,
  type GoalEvent,
  type GoalInput,
  type GoalPolicy,
  type GoalStatus,
  goalRegistryPath,
  openingGoal,
} from "./goalContext.ts";
import {
  type GoalGatePart,
  type GoalGatePolicy,
  mechanicalFault,
  mentionsIn,
  nextPart,
  quoteMissing,
} from "./goalGateParts.ts";
import { afterStep } from "./progress.ts";

/*
 * The completion gate of a goal as states: one for each part, in the seed's order. A part that the
 * policy omits is passed over: no state leads to it. Source: seed 004, "Goal completion gate";
 * ruling U7.
 */

/** What goal.ts and the gate share: the vocabulary of one machine. */
const goalSetup = ({ gate, folders }: GoalPolicy) =>
  setup({
    types: chartTypes<GoalContext, GoalEvent, GoalInput>(),
    actions: {
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

const asks = askingIn<GoalContext, GoalEvent>();

const fileQuestion = (type: "files.read" | "files.list", path = ""): Question =>
  question("files", { type, path });
const readArtifact = asks("file", ({ context }) =>
  fileQuestion("files.read", context.input.artifact),
);

const mechanicalPart = (policy: GoalPolicy) =>
  goalSetup(policy).createStateConfig({
    initial: "reading",
    states: {
      reading: {
        ...readArtifact,
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

const judged = { target: "answered", actions: "findJudgement" } as const;

/** The judge sees the artifact as it is now. */
const semanticPart = (policy: GoalPolicy) => {
  const passed = afterPart(policy.gate, "semantic");
  return goalSetup(policy).createStateConfig({
    initial: "reading",
    states: {
      reading: {
        ...readArtifact,
        on: {
          "files.replied": [
            {
              guard: "isThere",
              target: "asking",
              actions: post(({ context, event }) => [judgeLetter(context, event, policy.gate)]),
            },
            { target: "#goal.missed", actions: "blameJudged" },
          ],
        },
        after: { filesTimeout: { target: "#goal.missed", actions: "blameJudged" } },
      },
      asking: {
        exit: post(() => [cancelAsk("judge")]),
        on: { "llm.replied": judged, "llm.failed": judged },
        after: { judgeTimeout: judged },
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
        ...readArtifact,
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
        ...asks("file", ({ context }) => fileQuestion("files.read", context.mentions[0]?.path)),
        on: {
          "files.replied": [
            { guard: "isUnread", target: "listing" },
            { target: "comparing", actions: "findClaim" },
          ],
        },
      },
      listing: {
        ...asks("file", ({ context }) => fileQuestion("files.list", context.mentions[0]?.path)),
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
const goalGateState = (policy: GoalPolicy) =>
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

/* The parts of a goal that are formulas: what a step and a miss change, and what is written of it. */

/** How many files a goal answers for. */
const WROTE_MAX = 200;

export function stepped(
  context: GoalContext,
  event: Delivered<"step.ended">,
  policy: GoalPolicy,
): Partial<GoalContext> {
  const { ok, capability, kind, nothing, fact, at, last } = event;
  const full = last && { progress: MILLION };
  if (!ok || capability === null) {
    const why = event.error ?? "no capability serves it";
    const note = `${capability ?? "a step"} failed: ${why}`;
    return {
      asker: at,
      failedSteps: context.failedSteps + 1,
      notes: noted(context, note, policy.gate),
      ...full,
    };
  }
  return {
    ...afterStep(context, capability, policy.progress, kind),
    asker: at,
    wrote: wroteAfter(context.wrote, event.wrote, policy),
    facts: nothing ? factsWith(context, fact) : context.facts,
    ...full,
  };
}

/** One bad path would make the files refuse to delete any. */
function wroteAfter(
  before: readonly string[],
  wrote: readonly string[],
  { folders }: GoalPolicy,
): readonly string[] {
  const plain = wrote.filter((path) => isVirtualPath(path, folders));
  return [...new Set([...before, ...plain])].slice(0, WROTE_MAX);
}

const factsWith = ({ facts }: GoalContext, fact: number): readonly number[] =>
  [...facts, fact].slice(-FACTS_MAX);

export const noted = (
  { notes }: Pick<GoalContext, "notes">,
  note: string,
  { notesMax, noteChars }: GoalGatePolicy,
): readonly string[] =>
  [...notes, cutText(note, noteChars)].slice(Math.max(0, notes.length + 1 - notesMax));

/** What a part of the gate found wanting. A file that does not answer, or is gone, is a miss too. */
const faulted = (
  context: GoalContext,
  event: GoalEvent,
  part: GoalGatePart,
  { verdict, reason }: Finding,
): Partial<GoalContext> => ({
  fault: { part, verdict },
  reason,
  facts: isFound(event) ? factsWith(context, event.at.seq) : context.facts,
  found: null,
});

/** Nothing speaks against a part without a reason. */
export const foundIn = (reason: string | undefined): Finding =>
  reason === undefined ? YES : { verdict: "no", reason };

export const afterMiss = (context: GoalContext, { gate }: GoalPolicy): Partial<GoalContext> => ({
  misses: context.misses + 1,
  progress: gate.progressAfterMiss,
  outputs: 0,
  mentions: [],
  notes: noted(context, context.reason ?? "", gate),
});

/** Where a goal goes from a part of the gate that it passed, or from the opening. */
function afterPart(policy: GoalGatePolicy, part?: GoalGatePart): string {
  const next = nextPart(policy, part);
  return next === undefined ? "#goal.completed" : `#goal.gate.${next}`;
}

const FINDINGS: readonly GoalEvent["type"][] = ["files.replied", "llm.replied", "llm.failed"];
const isFound = (event: GoalEvent): boolean => FINDINGS.includes(event.type);

/** One part of the gate, as the log shows it. */
const partJudged = (
  { input }: GoalContext,
  judged: Omit<Mail["goalGate.judged"], "agent" | "n">,
  because: readonly number[],
): Letter => ({
  to: input.ledger,
  event: { type: "goalGate.judged", agent: input.agent, n: input.n, ...judged },
  because,
});

const partPassed = (
  context: GoalContext,
  part: GoalGatePart | "progress",
  event: GoalEvent,
): Letter =>
  partJudged(
    context,
    { part, passed: true, ...(context.found ?? YES) },
    isFound(event) ? [event.at.seq] : [],
  );

const YES: Finding = { verdict: "yes", reason: null };

const partMissed = (context: GoalContext): Letter[] => {
  const { fault, reason, facts, misses } = context;
  if (fault === null) return [];
  return [partJudged(context, { ...fault, passed: false, reason, misses }, facts)];
};

/** The text of a file that was read, or null when there is none. */
export const textOf = (event: GoalEvent): string | null =>
  event.type === "files.replied" && event.ok ? (event.text ?? null) : null;

function judgeLetter({ input }: GoalContext, event: GoalEvent, gate: GoalGatePolicy): Letter {
  const view: GoalView = {
    purpose: "judge.goal",
    agent: input.agent,
    goal: input.text,
    artifact: input.artifact,
    text: cutText(textOf(event) ?? "", gate.judgeChars),
  };
  return ask({
    to: "port/llm.chat",
    key: "judge",
    event: { type: "llm.asked", purpose: view.purpose, view },
    because: [event.at.seq],
  });
}

/** What the judge said, or why there is no word of it. */
export function judgement(event: GoalEvent): Finding {
  switch (event.type) {
    case "llm.replied": {
      const read = readGoalJudgement(event.text);
      if (read === undefined) {
        return { verdict: "unreadable", reason: "the judge's answer could not be read" };
      }
      return { verdict: read.passes ? "yes" : "no", reason: read.reason };
    }
    case "llm.failed":
      return { verdict: "failed", reason: `the judge failed: ${event.error}` };
    default:
      return { verdict: "late", reason: "the judge did not answer in time" };
  }
}

/** What is wrong with the file that was asked for, the artifact or one it names, or undefined. */
function fileFault(
  { input, mentions: [mention] }: GoalContext,
  event: GoalEvent,
): string | undefined {
  if (event.type !== "files.replied") return UNANSWERED;
  if (mention === undefined) return `${input.artifact} does not exist`;
  const { path, quotes } = mention;
  if (!event.ok) return `${input.artifact} names ${path}, which does not exist`;
  const quote = event.text === undefined ? quotes[0] : quoteMissing(mention, event.text);
  if (quote === undefined) return undefined;
  return `${input.artifact} quotes "${cutText(quote, QUOTE_CHARS)}" from ${path}, which does not hold it`;
}

const UNANSWERED = "the files did not answer";

/** Where a quoted passage is cut in a reason. */
const QUOTE_CHARS = 100;

/** The answer to the agent that ended the step, and the line in the registry. */
export function verdict(
  context: GoalContext,
  status: "active" | "missed" | "completed" | "abandoned",
): Letter[] {
  const event: MailOf<"goal.judged"> = {
    type: "goal.judged",
    status,
    progress: context.progress,
    misses: context.misses,
    reason: status === "active" || status === "completed" ? null : context.reason,
  };
  const because = status === "active" ? [] : context.facts;
  return [
    ...(context.asker === null ? [] : answer(context.asker, event, { because })),
    registryLetter(context, status),
  ];
}

/**
 * Told to the ledger that all agents share, to the keeper that draws lessons from it, and to those actors
 * of other parts that want to hear of it.
 */
export function ended(
  context: GoalContext,
  status: Exclude<GoalStatus, "active">,
  hearers: readonly string[],
): Letter[] {
  const { input, misses, failedSteps, notes, facts } = context;
  const { agent, n, text, artifact } = input;
  const reason = status === "completed" ? null : context.reason;
  const end = { agent, n, status, text, artifact, misses, failedSteps, reason, notes };
  const event: MailOf<"goal.ended"> = { type: "goal.ended", ...end, facts };
  const reported: MailOf<"goal.reported"> = { type: "goal.reported", ...end };
  const because = status === "abandoned" ? facts : undefined;
  const own = [input.ledger, ...(input.lessons ? [input.lessons] : [])];
  return [
    ...own.map((to): Letter => defined({ to, event, because })),
    ...hearers.map((to): Letter => defined({ to, event: reported, because })),
  ];
}

/** A line says where the goal stands; the first one also what it is; that of a miss what went wrong. */
function registryLetter(
  context: GoalContext,
  status: "active" | "missed" | "completed" | "abandoned",
): Letter {
  const { input, progress, outputs, lastCapability, misses, failedSteps, wrote, asker } = context;
  const { slug, text: goal, artifact, evidence } = input;
  const standing = {
    n: input.n,
    status: status === "missed" ? "active" : status,
    ...{ progress, outputs, lastCapability, misses, failedSteps, wrote },
    ...(status === "missed" && { notes: context.notes }),
  };
  const declared = { slug, text: goal, artifact, evidence };
  const line = asker === null ? { ...standing, ...declared } : { ...standing, atMs: asker.nowMs };
  const text = `${JSON.stringify(line)}\n`;
  return {
    to: "files",
    event: { type: "files.append", path: goalRegistryPath(input.agent), text },
  };
}

export const goalMachine = (policy: GoalPolicy, hooks: readonly AgentHooks[] = []) => {
  const hearers = hearersOf(allHooks(hooks), "goal");
  return goalSetup(policy).createMachine({
    id: "goal",
    context: ({ input: { at: _, ...input } }) => openingGoal(input),
    initial: "active",
    entry: post(({ context }) =>
      context.input.resumed === undefined ? [registryLetter(context, "active")] : [],
    ),
    on: { "daemon.stopped": ".stopped" },
    states: {
      active: {
        on: {
          "step.ended": {
            target: "judging",
            actions: assign(({ context, event }) => stepped(context, event, policy)),
          },
          "goal.givenUp": {
            target: "abandoned",
            actions: assign(({ context, event }) => ({
              asker: event.at,
              reason: event.reason,
              facts: event.facts,
              notes: noted(context, event.reason, policy.gate),
            })),
          },
        },
      },
      judging: {
        always: [
          {
            guard: "isFull",
            target: afterPart(policy.gate),
            // So that a restart in the middle of the gate finds the step that opened it.
            actions: post(({ context, event }) => [
              registryLetter(context, "active"),
              partPassed(context, "progress", event),
            ]),
          },
          { target: "active", actions: post(({ context }) => verdict(context, "active")) },
        ],
      },
      gate: goalGateState(policy),
      missed: {
        entry: [
          assign(({ context }) => afterMiss(context, policy)),
          post(({ context }) => partMissed(context)),
        ],
        always: [
          { guard: "isOut", target: "abandoned" },
          { target: "active", actions: post(({ context }) => verdict(context, "missed")) },
        ],
      },
      completed: {
        type: "final",
        entry: post(({ context }) => [
          ...verdict(context, "completed"),
          ...ended(context, "completed", hearers),
        ]),
      },
      abandoned: {
        type: "final",
        entry: post(({ context }): readonly Letter[] => [
          { to: "files", event: { type: "files.delete", paths: context.wrote } },
          ...verdict(context, "abandoned"),
          ...ended(context, "abandoned", hearers),
        ]),
      },
      stopped: { type: "final" },
    },
  });
};
