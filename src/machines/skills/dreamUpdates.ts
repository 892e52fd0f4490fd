/** What the dreamer makes of answers, and what it asks and says. Source: seed 001, path B; ruling K4. */
import { ask, type Letter, type MailOf } from "../letter.ts";
import { challengeHash } from "./challengeHash.ts";
import type { DreamContext, DreamEvent } from "./dreamContext.ts";
import type { Round } from "./dreamMail.ts";
import type { DreamPolicy } from "./dreamPolicy.ts";
import { type GuardRefusal, guardRefusal } from "./guard.ts";
import { type LessonDraft, newLesson, playbookSection } from "./lesson.ts";
import { lessonGate } from "./lessonGate.ts";
import type { Attempt, Extracted, RoundEnd, SkillView } from "./selfPlay.ts";
import { faultText, readChallenge, readExtracted, readSolution } from "./selfPlayAnswers.ts";
import { isVerified } from "./verification.ts";

/** Ours: of how many challenges the next one is told. */
const PLAYED_MAX = 20;

type Change = Partial<DreamContext>;

const withFact = ({ facts }: DreamContext, { at }: DreamEvent): Pick<DreamContext, "facts"> => ({
  facts: [...facts, at.seq],
});

export const breakRound = (reason: string): Change => ({ end: "broken", reason });

/** Why an actor outside is no help. */
export const failRound = (event: DreamEvent): Change =>
  breakRound(event.type === "llm.failed" ? event.error : "nothing answers there");

export function takeChallenge(context: DreamContext, event: DreamEvent): Change {
  if (event.type !== "llm.replied") return {};
  const { value: challenge, fault } = readChallenge(event.text);
  if (fault !== undefined) return breakRound(`the model set no challenge: ${faultText(fault)}`);
  const played = [...context.played, challenge.text].slice(-PLAYED_MAX);
  return { challenge, played, ...withFact(context, event) };
}

/** The code to run; an answer without code is a failed try. */
export function takeSolution(context: DreamContext, event: DreamEvent): Change {
  if (event.type !== "llm.replied") return {};
  const { value: code = "", fault: found } = readSolution(event.text);
  const fault = found === undefined ? null : `the answer cannot be run: ${faultText(found)}`;
  return { code, fault, answer: null, left: {}, ...withFact(context, event) };
}

/** What the solution left, or why it failed. */
export function noteRun(context: DreamContext, event: DreamEvent): Change {
  if (event.type !== "sandbox.replied") return {};
  const fault = faultOf(event, "the solution took too long");
  return {
    fault: fault ?? (event.functionName === "solve" ? null : "it has no function solve"),
    answer: event.result ?? null,
    left: event.changed ?? {},
    ...withFact(context, event),
  };
}

export function noteJudgement(context: DreamContext, event: DreamEvent): Change {
  if (event.type !== "sandbox.replied") return {};
  const fault = faultOf(event, "the validator took too long");
  const fact = withFact(context, event);
  // Its module did not even load.
  const isVoid = fault !== null && event.timedOut !== true && event.functionName === undefined;
  return isVoid
    ? { ...breakRound(`the validator judged nothing: ${fault}`), ...fact }
    : { fault, ...fact };
}

const faultOf = (
  { ok, timedOut, error }: Extract<DreamEvent, { type: "sandbox.replied" }>,
  late: string,
): string | null => (timedOut === true ? late : ok ? null : (error ?? "it failed"));

/** The try is over, be it an attempt or the verification. */
export function countTry(context: DreamContext): Change {
  const { code, fault, attempts, lesson } = context;
  const attempt: Attempt = { code: code ?? "", passed: fault === null, error: fault };
  return lesson === null ? { attempts: [...attempts, attempt] } : { verification: attempt };
}

/** Whether there is anything to learn of the attempts; else why the round is over. */
export function weighAttempts(context: DreamContext, dream: DreamPolicy): Change {
  const { attempts, challenge, known } = context;
  const domain = challenge?.domain ?? "";
  const { extracts, worth } = lessonGate(
    {
      passed: hasPassed(context),
      attempt: attempts.length - 1,
      isNewCluster: !known.includes(domain),
      // Of these the dreamer keeps no record.
      ...{ isMastered: false, wasAborted: false, validatorCrashed: false, isFromJournal: false },
      ...{ novelty: null, compression: 0 },
    },
    dream,
  );
  const now = { known: [...new Set([...known, domain])] };
  if (extracts) return now;
  return worth === "familiar"
    ? { ...now, ...endRound("mastered", "it was solved at once") }
    : { ...now, ...endRound("lost", "nothing of its domain was solved this time, either") };
}

export const hasPassed = ({ attempts }: DreamContext): boolean => attempts.at(-1)?.passed === true;

/** The first gate: a lesson with something in it. */
export function takeLesson(context: DreamContext, event: DreamEvent): Change {
  if (event.type !== "llm.replied") return {};
  const { value: lesson, fault } = readExtracted(event.text);
  const fact = withFact(context, event);
  if (fault !== undefined) {
    return { ...endRound("empty", `the model worded no lesson: ${faultText(fault)}`), ...fact };
  }
  if (lesson.confidence === 0) {
    return { lesson, ...endRound("empty", "the model has no confidence in it"), ...fact };
  }
  return { lesson, ...fact };
}

/** The second gate: nothing that is copied, nothing outside the taxonomy. */
export function guardLesson({ lesson, challenge }: DreamContext, dream: DreamPolicy): Change {
  if (lesson === null || challenge === null || dream.guard === "off") return {};
  const { text, setup, validator } = challenge;
  const files = Object.values(setup).join("\n");
  const found = guardRefusal(lesson, { challenge: text, setup: files, validator }, dream);
  return found === null ? {} : endRound("refused", refusalWords(found));
}

const refusalWords = ({ cause, shared }: GuardRefusal): string =>
  cause === "empty"
    ? "its trigger or its pattern is empty"
    : cause === "domains"
      ? "none of its domains is in the taxonomy"
      : `it copies "${shared.join(" ")}" from the ${cause}`;

/** The third gate: whether it helped, and strictly. */
export function verifyLesson({ attempts, verification }: DreamContext): Change {
  const original = { passed: attempts.at(-1)?.passed === true, attempts: attempts.length };
  const helped = verification?.passed === true;
  return isVerified(original, { passed: helped })
    ? endRound("verified", null)
    : endRound(
        "unverified",
        helped ? "it would have gone well without it" : "the solver failed with it",
      );
}

export const endRound = (end: RoundEnd, reason: string | null): Change => ({ end, reason });

// What it asks.

const askModel = (view: SkillView, because: readonly number[]): Letter => {
  const event: MailOf<"llm.asked"> = { type: "llm.asked", purpose: view.purpose, view };
  return ask({ to: "port/llm.chat", key: "model", event, because });
};

export const askChallenge = ({ played }: DreamContext, { domains }: DreamPolicy): Letter =>
  askModel({ purpose: "skill.challenge", taxonomy: domains, played }, []);

export function askSolution({ challenge, attempts, lesson, facts }: DreamContext): Letter {
  const errors = attempts.flatMap(({ error }) => (error === null ? [] : [error]));
  const view: SkillView = {
    purpose: "skill.solve",
    challenge: challenge?.text ?? "",
    files: Object.keys(challenge?.setup ?? {}),
    // The verification begins anew: it is shown the lesson and none of the earlier attempts.
    errors: lesson === null ? errors : [],
    playbook: lesson === null ? "" : playbookSection([newLesson(draftOf(lesson), 0)]),
  };
  return askModel(view, facts.slice(-1));
}

const draftOf = (lesson: Extracted): LessonDraft => ({
  ...lesson,
  ...{
    sourceChallengeHash: "",
    verified: false,
    verificationAttempted: false,
    source: "self_play",
  },
});

export function askLesson(
  { challenge, attempts, facts }: DreamContext,
  { domains }: DreamPolicy,
): Letter {
  const text = challenge?.text ?? "";
  return askModel(
    { purpose: "skill.extract", taxonomy: domains, challenge: text, attempts },
    facts,
  );
}

export function runSolution(
  { challenge, code }: DreamContext,
  { runLimitMs }: DreamPolicy,
): Letter {
  const event: MailOf<"sandbox.run"> = {
    ...{ type: "sandbox.run", purpose: "solve", name: "solve", limitMs: runLimitMs },
    code: code ?? "",
    params: {},
    files: challenge?.setup ?? {},
  };
  return ask({ to: "port/sandbox.run", key: "run", event });
}

/** On the setup and what the solution left of it. */
export function runValidator(context: DreamContext, { runLimitMs }: DreamPolicy): Letter {
  const { challenge, answer, left } = context;
  const files = Object.entries({ ...challenge?.setup, ...left }).flatMap(([path, text]) =>
    text === null ? [] : [[path, text] as const],
  );
  const event: MailOf<"sandbox.run"> = {
    ...{ type: "sandbox.run", purpose: "validate", name: "validate", limitMs: runLimitMs },
    code: challenge?.validator ?? "",
    params: { answer },
    files: Object.fromEntries(files),
  };
  return ask({ to: "port/sandbox.run", key: "run", event });
}

// What it says.

/** Who looks after what is kept while the dreamer dreams. */
const KEEPERS = ["skills", "playbook", "macros"];

export const dreamLetters = ({ dream }: DreamContext): Letter[] =>
  KEEPERS.map((to) => ({ to, event: { type: "dream.began", dream } }));

const roundOf = ({ dream, round, challenge }: DreamContext): Round => ({
  ...{ dream, round },
  challenge: challenge === null ? "" : challengeHash(challenge.text),
});

export const challengeLetters = (context: DreamContext): Letter[] =>
  context.challenge === null
    ? []
    : toPlaybook(context, {
        ...{ type: "dream.challenged", ...roundOf(context) },
        domain: context.challenge.domain,
        text: context.challenge.text,
      });

export function tryLetters(context: DreamContext): Letter[] {
  const { attempts, lesson, fault } = context;
  return toPlaybook(context, {
    ...{ type: "dream.tried", ...roundOf(context) },
    attempt: lesson === null ? attempts.length : 1,
    isVerification: lesson !== null,
    passed: fault === null,
    error: fault,
  });
}

export function roundLetters(context: DreamContext): Letter[] {
  const { end, reason, attempts, lesson } = context;
  return toPlaybook(context, {
    ...{ type: "dream.ended", ...roundOf(context), end: end ?? "broken", reason },
    attempts: attempts.length,
    lesson,
  });
}

const toPlaybook = (
  { facts }: DreamContext,
  event: MailOf<"dream.challenged" | "dream.tried" | "dream.ended">,
): Letter[] => [{ to: "playbook", event, because: facts }];
