/** What is said of a lesson given by hand: its utility in both forms, and what decides whether it stays. */
import { newLesson } from "../../../../machines/skills/lesson.ts";
import {
  pruneLessons,
  UTILITY_TERMS,
  type Utility,
  type UtilityTerm,
  utilityOf,
} from "../../../../machines/skills/retention.ts";
import type { SkillsPolicy } from "../../../../machines/skills/skillsPolicy.ts";
import { MILLION } from "../../../../machines/units.ts";
import type { GivenLesson } from "./lessonFields.ts";

/** As numbers that people read: a whole is 1. */
export interface FormWeighed {
  readonly terms: { readonly [T in UtilityTerm]: number };
  readonly total: number;
  readonly hit_rate: number;
  readonly stale: boolean;
  readonly capped: boolean;
}

export interface WeighedLesson {
  readonly lesson: { readonly [field: string]: number | boolean };
  readonly assumed: readonly string[];
  /** The form that the policy has. */
  readonly form: "seed" | "real";
  readonly utility: number;
  readonly forms: { readonly seed: FormWeighed; readonly real: FormWeighed };
  readonly decided: readonly Decided[];
}

export interface Decided {
  readonly clause: string;
  readonly says: string;
}

export function weighed({ lesson, assumed }: GivenLesson, policy: SkillsPolicy): WeighedLesson {
  const { utility } = policy;
  const seed = utilityOf(lesson, { ...utility, form: "seed" });
  const real = utilityOf(lesson, { ...utility, form: "real" });
  const used = utility.form === "seed" ? seed : real;
  return {
    lesson: {
      confidence: lesson.confidence / MILLION,
      retrievals: lesson.retrievals,
      helpful_retrievals: lesson.helpfulRetrievals,
      frequency: lesson.frequency,
      verified: lesson.verified,
    },
    assumed,
    form: utility.form,
    utility: used.total / MILLION,
    forms: { seed: formWeighed(seed), real: formWeighed(real) },
    decided: [...byFormula(used, policy), ...byRetention(lesson, policy)],
  };
}

const formWeighed = ({ terms, total, hitRate, isStale, isCapped }: Utility): FormWeighed => ({
  terms: {
    confidence: terms.confidence / MILLION,
    hitRate: terms.hitRate / MILLION,
    verified: terms.verified / MILLION,
    frequency: terms.frequency / MILLION,
    stale: terms.stale / MILLION,
  },
  total: total / MILLION,
  hit_rate: hitRate / MILLION,
  stale: isStale,
  capped: isCapped,
});

/** What in the formula speaks loudest, and which of its clauses applied. */
function byFormula(
  { terms, hitRate, isStale, isCapped }: Utility,
  { utility }: SkillsPolicy,
): readonly Decided[] {
  const [most = "confidence"] = UTILITY_TERMS.toSorted(
    (a, b) => Math.abs(terms[b]) - Math.abs(terms[a]),
  );
  const { staleRetrievals, staleBelow } = utility;
  return [
    { clause: "largest-term", says: `${most} counts most, with ${terms[most] / MILLION}` },
    ...(isStale
      ? [
          {
            clause: "stale",
            says: `hit_rate ${hitRate / MILLION} is below ${staleBelow / 1_000} after ${staleRetrievals} retrievals or more`,
          },
        ]
      : []),
    ...(isCapped ? [{ clause: "frequency-cap", says: "frequency adds no more than its cap" }] : []),
  ];
}

/** What the playbook makes of it beside its utility; asked of the rules themselves. */
function byRetention(lesson: GivenLesson["lesson"], policy: SkillsPolicy): readonly Decided[] {
  const { playbook, utility } = policy;
  if (lesson.verified && playbook.overflow === "pins-block") {
    return [{ clause: "pin", says: "verified: it stays whatever its utility is (K4)" }];
  }
  const draft = {
    ...{ trigger: "", antiPattern: "", correctPattern: "", domains: [], sourceChallengeHash: "" },
    ...{ verificationAttempted: false, source: "", ...lesson },
  };
  const whole = { ...newLesson(draft, 0), ...lesson };
  const alone = { ...playbook, prune: "never-helpful", pruneShare: 1_000 } as const;
  return pruneLessons([whole], alone, utility).dropped.length === 0 ||
    playbook.prune !== "never-helpful"
    ? [{ clause: "retention", says: "its utility decides, once the playbook is full" }]
    : [
        {
          clause: "prune",
          says: `shown ${playbook.pruneRetrievals} times or more and never helpful: the next pruning may drop it (K8)`,
        },
      ];
}
