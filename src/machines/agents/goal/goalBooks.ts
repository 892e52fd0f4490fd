/** The parts of a goal that are formulas: what a step and a miss change, and what is written of it. */

import { cutText } from "../../cutText.ts";
import { defined } from "../../defined.ts";
import { isVirtualPath } from "../../folders.ts";
import { answer, ask, type Delivered, type Letter, type Mail, type MailOf } from "../../letter.ts";
import { FACTS_MAX } from "../factsMax.ts";
import { readGoalJudgement } from "../model/judgeAnswers.ts";
import type { GoalView } from "../model/judgePrompts.ts";
import { quoteMissing } from "./factCheck.ts";
import type { Finding, GoalContext, GoalEvent, GoalPolicy, GoalStatus } from "./goalContext.ts";
import { type GoalGatePart, type GoalGatePolicy, nextPart } from "./goalGateParts.ts";
import { goalRegistryPath } from "./goalRegistry.ts";
import { afterStep } from "./progress.ts";

/** How many files a goal answers for. */
const WROTE_MAX = 200;

export function stepped(
  context: GoalContext,
  event: Delivered<"step.ended">,
  policy: GoalPolicy,
): Partial<GoalContext> {
  const { ok, capability, kind, nothing, fact, at } = event;
  if (!ok || capability === null) {
    const why = event.error ?? "no capability serves it";
    const note = `${capability ?? "a step"} failed: ${why}`;
    return {
      asker: at,
      failedSteps: context.failedSteps + 1,
      notes: noted(context, note, policy.gate),
    };
  }
  return {
    ...afterStep(context, capability, policy.progress, kind),
    asker: at,
    wrote: wroteAfter(context.wrote, event.wrote, policy),
    facts: nothing ? factsWith(context, fact) : context.facts,
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

export const factsWith = ({ facts }: GoalContext, fact: number): readonly number[] =>
  [...facts, fact].slice(-FACTS_MAX);

export const noted = (
  { notes }: Pick<GoalContext, "notes">,
  note: string,
  { notesMax, noteChars }: GoalGatePolicy,
): readonly string[] =>
  [...notes, cutText(note, noteChars)].slice(Math.max(0, notes.length + 1 - notesMax));

/** What a part of the gate found wanting. A file that does not answer, or is gone, is a miss too. */
export const faulted = (
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
export function afterPart(policy: GoalGatePolicy, part?: GoalGatePart): string {
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

export const partPassed = (
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

export const partMissed = (context: GoalContext): Letter[] => {
  const { fault, reason, facts, misses } = context;
  if (fault === null) return [];
  return [partJudged(context, { ...fault, passed: false, reason, misses }, facts)];
};

/** Asks the files for one path. Leaving the state forgets the question. */
export const readLetter = (path: string): Letter =>
  ask({ to: "files", key: "file", event: { type: "files.read", path } });

export const listLetter = (path: string): Letter =>
  ask({ to: "files", key: "file", event: { type: "files.list", path } });

/** The text of a file that was read, or null when there is none. */
export const textOf = (event: GoalEvent): string | null =>
  event.type === "files.replied" && event.ok ? (event.text ?? null) : null;

export function judgeLetter(
  { input }: GoalContext,
  event: GoalEvent,
  gate: GoalGatePolicy,
): Letter {
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
export function fileFault(
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
  const event: MailOf<"goal.ended"> = {
    type: "goal.ended",
    agent,
    n,
    status,
    text,
    artifact,
    misses,
    failedSteps,
    reason,
    notes,
    facts,
  };
  const because = status === "abandoned" ? facts : undefined;
  const { facts: _, ...end } = event;
  const reported: MailOf<"goal.reported"> = { ...end, type: "goal.reported" };
  return [
    ...[input.ledger, ...(input.lessons ? [input.lessons] : [])].map(
      (to): Letter => defined({ to, event, because }),
    ),
    ...hearers.map((to): Letter => defined({ to, event: reported, because })),
  ];
}

/** A line says where the goal stands; the first one also what it is; that of a miss what went wrong. */
export function registryLetter(
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
