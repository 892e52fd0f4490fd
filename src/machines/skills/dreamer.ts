/**
 * The dreamer: sleeps, has what is kept looked after, then plays against itself. A challenge, attempts that are counted, and
 * three gates before the playbook: extraction, guard, verification. Source: seed 001, path B; dossier ghost 1.8; ruling K4.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import { chartActions, chartTypes } from "../chart.ts";
import { ask, type Delivered, type Json, type Letter, type MailOf } from "../letter.ts";
import { between, choice, integer, type ValuesOf } from "../policyLeaf.ts";
import { days, minutes, seconds } from "../units.ts";
import { challengeHash } from "./contentHash.ts";
import { newLesson, playbookSection } from "./lesson.ts";
import { guardRefusal, isVerified, type LessonGatePolicy, lessonGate } from "./lessonGate.ts";
import {
  type Attempt,
  type Challenge,
  type Extracted,
  faultText,
  type RoundEnd,
  readChallenge,
  readExtracted,
  readSolution,
  type SkillView,
} from "./selfPlay.ts";

const SILENT = "RULINGS K15: dossier ghost, as the seed is silent";
const scripted = (ofSeconds: number, says: string) =>
  integer(seconds(ofSeconds), between(1, minutes(10), "ms"), {
    source: "ours",
    says,
  });

export const dreamLeaves = {
  periodMs: integer(minutes(120), between(seconds(1), days(30), "ms"), {
    says: "How long the dreamer sleeps between two dreams.",
    source: "ours: the seed says only that dreams come in cycles",
  }),
  rounds: integer(1, between(0, 100, "rounds"), {
    says: "How often it plays against itself in a dream; 0 leaves the upkeep alone.",
    source: "ours",
  }),
  attempts: integer(3, between(1, 20, "attempts"), {
    says: "How often the solver may try before a challenge is lost.",
    source: SILENT,
  }),
  guard: choice("on", ["on", "off"], {
    says: "Whether lessons that copy the challenge, its setup or its validator are refused.",
    source: "seed 001; `off` for counterfactuals",
  }),
  modelTimeoutMs: integer(minutes(10), between(1, days(1), "ms"), {
    says: "Longest wait for a model's answer.",
    source: "ours",
  }),
  runLimitMs: integer(seconds(30), between(1, seconds(600), "ms"), {
    says: "Longest run of a solution, and of a validator.",
    source: SILENT,
  }),
  latency: {
    challengeMs: scripted(30, "Of the scripted model: a challenge."),
    solveMs: scripted(40, "Of the scripted model: a solution."),
    extractMs: scripted(15, "Of the scripted model: a lesson."),
  },
};

type DreamPolicy = ValuesOf<typeof dreamLeaves> & LessonGatePolicy;

/** What the dreamer knows, round by round. */
export interface DreamContext {
  /** How many dreams began. */
  readonly dream: number;
  /** The round of this dream, from 1; 0 before the first. */
  readonly round: number;
  /** The texts of the last challenges, newest last. */
  readonly played: readonly string[];
  /** The domains of which anything was ever tried. */
  readonly known: readonly string[];
  readonly challenge: Challenge | null;
  readonly attempts: readonly Attempt[];
  /** The code that runs, and what it left. */
  readonly code: string | null;
  readonly answer: Json;
  /** Files of the sandbox, by path; null for one that the code removed. */
  readonly left: { readonly [path: string]: string | null };
  /** Why the try that runs has failed; null while nothing speaks against it. */
  readonly fault: string | null;
  readonly lesson: Extracted | null;
  /** The solver's one try with the lesson before it. */
  readonly verification: Attempt | null;
  readonly end: RoundEnd | null;
  readonly reason: string | null;
  /** What this round rests on, by number. */
  readonly facts: readonly number[];
}

export type DreamEvent = Delivered<
  "llm.replied" | "llm.failed" | "sandbox.replied" | "ask.bounced"
>;

type Change = Partial<DreamContext>;

const freshRound = {
  challenge: null,
  attempts: [],
  code: null,
  answer: null,
  left: {},
  fault: null,
  lesson: null,
  verification: null,
  end: null,
  reason: null,
  facts: [],
};

/** Ours: of how many challenges the next one is told. */
const PLAYED_MAX = 20;

const endRound = (end: RoundEnd, reason: string | null): Change => ({ end, reason });

const hasPassed = ({ attempts }: DreamContext): boolean => attempts.at(-1)?.passed === true;

function takeChallenge(
  { played, facts }: DreamContext,
  { text, at }: Delivered<"llm.replied">,
): Change {
  const { value: challenge, fault } = readChallenge(text);
  return fault !== undefined
    ? endRound("broken", `the model set no challenge: ${faultText(fault)}`)
    : {
        challenge,
        played: [...played, challenge.text].slice(-PLAYED_MAX),
        facts: [...facts, at.seq],
      };
}

/** The code to run; an answer without code is a failed try. */
function takeSolution({ facts }: DreamContext, { text, at }: Delivered<"llm.replied">): Change {
  const { value: code = "", fault: found } = readSolution(text);
  const fault = found === undefined ? null : `the answer cannot be run: ${faultText(found)}`;
  return { code, fault, answer: null, left: {}, facts: [...facts, at.seq] };
}

/** What the solution left, or why it failed. */
function noteRun({ facts }: DreamContext, event: Delivered<"sandbox.replied">): Change {
  const fault = faultOf(event, "the solution took too long");
  return {
    fault: fault ?? (event.functionName === "solve" ? null : "it has no function solve"),
    answer: event.result ?? null,
    left: event.changed ?? {},
    facts: [...facts, event.at.seq],
  };
}

function noteJudgement({ facts: old }: DreamContext, event: Delivered<"sandbox.replied">): Change {
  const fault = faultOf(event, "the validator took too long");
  const facts = [...old, event.at.seq];
  // Its module did not even load.
  const isVoid = fault !== null && event.timedOut !== true && event.functionName === undefined;
  return isVoid
    ? { ...endRound("broken", `the validator judged nothing: ${fault}`), facts }
    : { fault, facts };
}

const faultOf = (
  { ok, timedOut, error }: Delivered<"sandbox.replied">,
  late: string,
): string | null => (timedOut === true ? late : ok ? null : (error ?? "it failed"));

/** The try is over, be it an attempt or the verification. */
function countTry({ code, fault, attempts, lesson }: DreamContext): Change {
  const attempt: Attempt = { code: code ?? "", passed: fault === null, error: fault };
  return lesson === null ? { attempts: [...attempts, attempt] } : { verification: attempt };
}

/** Whether there is anything to learn of the attempts; else why the round is over. */
function weighAttempts(context: DreamContext, dream: DreamPolicy): Change {
  const { attempts, challenge, known } = context;
  const domain = challenge?.domain ?? "";
  const { extracts, worth } = lessonGate(
    {
      passed: hasPassed(context),
      attempt: attempts.length - 1,
      isNewCluster: !known.includes(domain),
      // Of these the dreamer keeps no record.
      isMastered: false,
      wasAborted: false,
      validatorCrashed: false,
      isFromJournal: false,
      novelty: null,
      compression: 0,
    },
    dream,
  );
  const now = { known: [...new Set([...known, domain])] };
  if (extracts) return now;
  return worth === "familiar"
    ? { ...now, ...endRound("mastered", "it was solved at once") }
    : { ...now, ...endRound("lost", "nothing of its domain was solved this time, either") };
}

/** The first gate: a lesson with something in it. */
function takeLesson({ facts: old }: DreamContext, { text, at }: Delivered<"llm.replied">): Change {
  const { value: lesson, fault } = readExtracted(text);
  const facts = [...old, at.seq];
  if (fault !== undefined) {
    return { ...endRound("empty", `the model worded no lesson: ${faultText(fault)}`), facts };
  }
  return lesson.confidence === 0
    ? { lesson, ...endRound("empty", "the model has no confidence in it"), facts }
    : { lesson, facts };
}

/** The second gate: nothing that is copied, nothing outside the taxonomy. */
function guardLesson({ lesson, challenge }: DreamContext, dream: DreamPolicy): Change {
  if (lesson === null || challenge === null || dream.guard === "off") return {};
  const { text, setup: files, validator } = challenge;
  const from = { challenge: text, setup: Object.values(files).join("\n"), validator };
  const found = guardRefusal(lesson, from, dream);
  if (found === null) return {};
  const { cause, shared } = found;
  if (cause === "empty") return endRound("refused", "its trigger or its pattern is empty");
  return cause === "domains"
    ? endRound("refused", "none of its domains is in the taxonomy")
    : endRound("refused", `it copies "${shared.join(" ")}" from the ${cause}`);
}

/** The third gate: whether it helped, and strictly. */
function verifyLesson(context: DreamContext): Change {
  const passed = context.verification?.passed === true;
  const original = { passed: hasPassed(context), attempts: context.attempts.length };
  if (isVerified(original, { passed })) return endRound("verified", null);
  return endRound(
    "unverified",
    passed ? "it would have gone well without it" : "the solver failed with it",
  );
}

const askModel = (view: SkillView, because: readonly number[]): Letter => {
  const event = { type: "llm.asked", purpose: view.purpose, view } as const;
  return ask({ to: "port/llm.chat", key: "model", event, because });
};

function askSolution({ challenge, attempts, lesson, facts }: DreamContext): Letter {
  const errors = attempts.flatMap(({ error }) => (error === null ? [] : [error]));
  const draft = { sourceChallengeHash: "", verified: false, verificationAttempted: false };
  const view: SkillView = {
    purpose: "skill.solve",
    challenge: challenge?.text ?? "",
    files: Object.keys(challenge?.setup ?? {}),
    // The verification begins anew: it is shown the lesson and none of the earlier attempts.
    errors: lesson === null ? errors : [],
    playbook:
      lesson === null
        ? ""
        : playbookSection([newLesson({ ...lesson, ...draft, source: "self_play" }, 0)]),
  };
  return askModel(view, facts.slice(-1));
}

function askLesson(
  { challenge, attempts, facts }: DreamContext,
  { domains: taxonomy }: DreamPolicy,
): Letter {
  const { text = "" } = challenge ?? {};
  return askModel({ purpose: "skill.extract", taxonomy, challenge: text, attempts }, facts);
}

const runCode = (event: Omit<MailOf<"sandbox.run">, "type">): Letter =>
  ask({ to: "port/sandbox.run", key: "run", event: { type: "sandbox.run", ...event } });

const runSolution = ({ challenge, code }: DreamContext, { runLimitMs: limitMs }: DreamPolicy) =>
  runCode({
    purpose: "solve",
    name: "solve",
    limitMs,
    code: code ?? "",
    params: {},
    files: challenge?.setup ?? {},
  });

/** On the setup and what the solution left of it. */
function runValidator(
  { challenge, answer, left }: DreamContext,
  { runLimitMs: limitMs }: DreamPolicy,
): Letter {
  const { setup, validator: code = "" } = challenge ?? {};
  const files = Object.entries({ ...setup, ...left }).flatMap(([path, text]) =>
    text === null ? [] : [[path, text] as const],
  );
  return runCode({
    purpose: "validate",
    name: "validate",
    limitMs,
    code,
    params: { answer },
    files: Object.fromEntries(files),
  });
}

/** Which round of self-play: the dream, the round in it, and the challenge by its hash. */
export interface Round {
  readonly dream: number;
  readonly round: number;
  /** Empty while there is no challenge. */
  readonly challenge: string;
}

const roundOf = ({ dream, round, challenge }: DreamContext): Round => ({
  dream,
  round,
  challenge: challenge === null ? "" : challengeHash(challenge.text),
});

const toPlaybook = (
  { facts }: DreamContext,
  event: MailOf<"dream.challenged" | "dream.tried" | "dream.ended">,
): Letter[] => [{ to: "playbook", event, because: facts }];

const challengeLetters = (context: DreamContext): Letter[] => {
  const { domain, text } = context.challenge ?? {};
  return domain === undefined || text === undefined
    ? []
    : toPlaybook(context, { type: "dream.challenged", ...roundOf(context), domain, text });
};

const tryLetters = (context: DreamContext): Letter[] =>
  toPlaybook(context, {
    type: "dream.tried",
    ...roundOf(context),
    attempt: context.lesson === null ? context.attempts.length : 1,
    isVerification: context.lesson !== null,
    passed: context.fault === null,
    error: context.fault,
  });

const roundLetters = (context: DreamContext): Letter[] =>
  toPlaybook(context, {
    type: "dream.ended",
    ...roundOf(context),
    end: context.end ?? "broken",
    reason: context.reason,
    attempts: context.attempts.length,
    lesson: context.lesson,
  });

/** Who looks after what is kept while the dreamer dreams. */
const KEEPERS = ["skills", "playbook", "macros"];

const { say, change, asking } = chartActions<DreamContext, DreamEvent>();

/** A state in which the model is asked, and one in which code runs; each forgets its question when it is left. */
const askingModel = <T extends string>(
  letter: (context: DreamContext) => Letter,
  target: T,
  update: (context: DreamContext, event: Delivered<"llm.replied">) => Change,
) =>
  ({
    ...asking("model", letter),
    on: {
      "llm.replied": { target, actions: change(update) },
      "llm.failed": { target: "ended", actions: "failed" },
    },
    after: { modelTimeout: { target: "ended", actions: "modelLate" } },
  }) as const;

const runningCode = <T extends string>(
  letter: (context: DreamContext) => Letter,
  target: T,
  update: (context: DreamContext, event: Delivered<"sandbox.replied">) => Change,
) =>
  ({
    ...asking("run", letter),
    on: { "sandbox.replied": { target, actions: change(update) } },
    after: { runTimeout: { target: "ended", actions: "sandboxLate" } },
  }) as const;

/** Over when there is an end, else it goes on there. */
const unlessEnded = <T extends string>(target: T) =>
  [{ guard: "isEnded", target: "ended" }, { target }] as const;

export const dreamerMachine = ({
  skills: { dream },
}: {
  readonly skills: { readonly dream: DreamPolicy };
}) =>
  setup({
    types: chartTypes<DreamContext, DreamEvent, object>(),
    guards: {
      isEnded: ({ context }) => context.end !== null,
      isFaulty: ({ context }) => context.fault !== null,
      hasRoundsLeft: ({ context }) => context.round < dream.rounds,
      hasLesson: ({ context }) => context.lesson !== null,
      isTriedOut: ({ context }) => hasPassed(context) || context.attempts.length >= dream.attempts,
    },
    actions: {
      failed: assign(({ event }) =>
        endRound("broken", event.type === "llm.failed" ? event.error : "nothing answers there"),
      ),
      modelLate: assign(() => endRound("broken", "the model did not answer in time")),
      sandboxLate: assign(() => endRound("broken", "the sandbox did not answer in time")),
    },
    delays: {
      period: dream.periodMs,
      modelTimeout: dream.modelTimeoutMs,
      runTimeout: dream.runLimitMs + ANSWER_WAIT_MS,
    },
  }).createMachine({
    id: "dreamer",
    context: { dream: 0, round: 0, played: [], known: [], ...freshRound },
    initial: "sleeping",
    on: { "ask.bounced": { target: ".ended", actions: "failed" } },
    states: {
      sleeping: { after: { period: { target: "waking" } } },
      waking: {
        entry: [
          change(({ dream }) => ({ ...freshRound, dream: dream + 1, round: 0 })),
          say(({ dream }) => KEEPERS.map((to) => ({ to, event: { type: "dream.began", dream } }))),
        ],
        always: "turning",
      },
      turning: {
        always: [
          {
            guard: "hasRoundsLeft",
            target: "challenging",
            actions: change(({ round }) => ({ ...freshRound, round: round + 1 })),
          },
          { target: "sleeping" },
        ],
      },
      challenging: askingModel(
        ({ played }) =>
          askModel({ purpose: "skill.challenge", taxonomy: dream.domains, played }, []),
        "challenged",
        takeChallenge,
      ),
      challenged: { entry: say(challengeLetters), always: unlessEnded("solving") },
      solving: askingModel(askSolution, "solved", takeSolution),
      solved: { always: [{ guard: "isFaulty", target: "tried" }, { target: "running" }] },
      running: runningCode((context) => runSolution(context, dream), "ran", noteRun),
      ran: { always: [{ guard: "isFaulty", target: "tried" }, { target: "validating" }] },
      validating: runningCode((context) => runValidator(context, dream), "judged", noteJudgement),
      judged: { always: unlessEnded("tried") },
      tried: {
        entry: [change(countTry), say(tryLetters)],
        always: [
          { guard: "hasLesson", target: "verified" },
          { guard: "isTriedOut", target: "weighed" },
          { target: "solving" },
        ],
      },
      weighed: {
        entry: change((context) => weighAttempts(context, dream)),
        always: unlessEnded("extracting"),
      },
      extracting: askingModel((context) => askLesson(context, dream), "extracted", takeLesson),
      extracted: { always: unlessEnded("guarded") },
      guarded: {
        entry: change((context) => guardLesson(context, dream)),
        always: unlessEnded("solving"),
      },
      verified: { entry: change(verifyLesson), always: "ended" },
      ended: { entry: say(roundLetters), always: "turning" },
    },
  });
