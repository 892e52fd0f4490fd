/** What a lesson is worth keeping, with every term told apart. Source: seed 001, Retention formula; RULINGS K2. */
import { naturalLog } from "../naturalLog.ts";
import { choice, integer, type ValuesOf } from "../policyLeaf.ts";
import { MILLION } from "../units.ts";
import type { Lesson } from "./lesson.ts";

const SEED = "seed 001, Retention formula; RULINGS K2";
const thousandths = { unit: "thousandths", min: 0, max: 1000 };
const weight = (value: number, says: string) =>
  integer(value, { unit: "thousandths", min: 0, max: 10_000, says, source: SEED });

export const utilityLeaves = {
  form: choice("seed", ["seed", "real"], {
    says: "The formula as printed: raw hit_rate, ln(freq), an additive stale_penalty. Or as the real system has it: hit_rate smoothed by one success in two, ln(1 + freq) up to a cap, everything halved when stale.",
    source: "RULINGS K2",
  }),
  confidence: weight(500, "What confidence weighs."),
  hitRate: weight(800, "What hit_rate weighs."),
  verified: weight(300, "What being verified adds."),
  frequency: weight(100, "What the logarithm of frequency weighs."),
  frequencyMax: weight(300, "Most that frequency adds in the form `real`."),
  staleRetrievals: integer(5, {
    unit: "retrievals",
    min: 0,
    max: 1_000,
    says: "From so many retrievals on, a lesson can be stale.",
    source: "RULINGS K2",
  }),
  staleBelow: integer(350, {
    ...thousandths,
    says: "Below this hit_rate it is.",
    source: "RULINGS K2",
  }),
  stalePenalty: integer(300, {
    ...thousandths,
    says: "What the form `seed` takes off a stale lesson.",
    source: "RULINGS K2 (ours)",
  }),
  staleFactor: integer(500, {
    ...thousandths,
    says: "What the form `real` multiplies a stale lesson by.",
    source: "RULINGS K2",
  }),
};

export type UtilityPolicy = ValuesOf<typeof utilityLeaves>;

export const UTILITY_TERMS = ["confidence", "hitRate", "verified", "frequency", "stale"] as const;
export type UtilityTerm = (typeof UTILITY_TERMS)[number];

/** In millionths: what each term adds, and their sum. */
export interface Utility {
  readonly terms: { readonly [T in UtilityTerm]: number };
  readonly total: number;
  readonly hitRate: number;
  readonly isStale: boolean;
  /** Whether the cap on frequency was reached. */
  readonly isCapped: boolean;
}

export type Weighed = Pick<
  Lesson,
  "confidence" | "retrievals" | "helpfulRetrievals" | "verified" | "frequency"
>;

export const utilityOf = (lesson: Weighed, by: UtilityPolicy): Utility =>
  by.form === "seed" ? seedUtility(lesson, by) : realUtility(lesson, by);

function seedUtility(lesson: Weighed, by: UtilityPolicy): Utility {
  const { retrievals, helpfulRetrievals, frequency } = lesson;
  const hitRate = retrievals === 0 ? 0 : helpfulRetrievals / retrievals;
  const isStale = isStaleAt(hitRate, retrievals, by);
  return utility(lesson, lesson.confidence, hitRate, {
    by,
    // A lesson was learned at least once; the logarithm of 0 would be no number.
    frequency: thousandthsOf(naturalLog(Math.max(1, frequency)), by.frequency),
    isCapped: false,
    isStale,
    stale: () => (isStale ? -by.stalePenalty * 1_000 : 0),
  });
}

/** In the real system a confidence of 0 reads as the default of ½, a frequency of 0 as 1. */
function realUtility(lesson: Weighed, by: UtilityPolicy): Utility {
  const { retrievals, helpfulRetrievals, frequency } = lesson;
  const confidence = lesson.confidence === 0 ? MILLION / 2 : lesson.confidence;
  const hitRate = (helpfulRetrievals + 1) / (retrievals + 2);
  const isStale = isStaleAt(hitRate, retrievals, by);
  const grown = thousandthsOf(naturalLog(1 + (frequency === 0 ? 1 : frequency)), by.frequency);
  const capped = by.frequencyMax * 1_000;
  return utility(lesson, confidence, hitRate, {
    by,
    frequency: Math.min(grown, capped),
    isCapped: grown >= capped,
    isStale,
    stale: (sum) => (isStale ? -sum + Math.round((sum * by.staleFactor) / 1_000) : 0),
  });
}

interface Form {
  readonly by: UtilityPolicy;
  readonly frequency: number;
  readonly isCapped: boolean;
  readonly isStale: boolean;
  /** What being stale adds to the sum of the others. */
  readonly stale: (sum: number) => number;
}

function utility(lesson: Weighed, confidence: number, hitRate: number, form: Form): Utility {
  const terms = {
    confidence: Math.round((confidence * form.by.confidence) / 1_000),
    hitRate: thousandthsOf(hitRate, form.by.hitRate),
    verified: lesson.verified ? form.by.verified * 1_000 : 0,
    frequency: form.frequency,
  };
  const sum = terms.confidence + terms.hitRate + terms.verified + terms.frequency;
  const stale = form.stale(sum);
  return {
    terms: { ...terms, stale },
    total: sum + stale,
    hitRate: Math.round(hitRate * MILLION),
    isStale: form.isStale,
    isCapped: form.isCapped,
  };
}

/** `value` of `weight` thousandths, in millionths. */
const thousandthsOf = (value: number, weight: number): number => Math.round(value * weight * 1_000);

const isStaleAt = (hitRate: number, retrievals: number, by: UtilityPolicy): boolean =>
  retrievals >= by.staleRetrievals && hitRate * 1_000 < by.staleBelow;
