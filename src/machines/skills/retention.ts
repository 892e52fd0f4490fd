/**
 * What lessons are worth keeping, with every term told apart, and which ones the playbook lets go: when it is full, and when they
 * were shown often and never helped. Source: seed 001, Retention formula and Retrieval feedback loop; RULINGS K2, K4, K8.
 */
import { naturalLog } from "../naturalLog.ts";
import { between, choice, integer, thousandths, type ValuesOf } from "../policyLeaf.ts";
import { MILLION } from "../units.ts";
import type { Lesson } from "./lesson.ts";

const SEED = "seed 001, Retention formula; RULINGS K2";
const weight = (value: number, says: string) =>
  integer(value, between(0, 10_000, "thousandths"), {
    says,
    source: SEED,
  });

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
  staleRetrievals: integer(5, between(0, 1_000, "retrievals"), {
    says: "From so many retrievals on, a lesson can be stale.",
    source: "RULINGS K2",
  }),
  staleBelow: integer(350, thousandths, {
    says: "Below this hit_rate it is.",
    source: "RULINGS K2",
  }),
  stalePenalty: integer(300, thousandths, {
    says: "What the form `seed` takes off a stale lesson.",
    source: "RULINGS K2 (ours)",
  }),
  staleFactor: integer(500, thousandths, {
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

/** In the real system a confidence of 0 reads as the default of ½, a frequency of 0 as 1. */
export function utilityOf(lesson: Weighed, by: UtilityPolicy): Utility {
  const { confidence, retrievals, helpfulRetrievals, verified, frequency } = lesson;
  const isReal = by.form === "real";
  const rawRate = retrievals === 0 ? 0 : helpfulRetrievals / retrievals;
  const hitRate = isReal ? (helpfulRetrievals + 1) / (retrievals + 2) : rawRate;
  const isStale = retrievals >= by.staleRetrievals && hitRate * 1_000 < by.staleBelow;
  // A lesson was learned at least once; the logarithm of 0 would be no number.
  const count = isReal ? 1 + (frequency === 0 ? 1 : frequency) : Math.max(1, frequency);
  const grown = thousandthsOf(naturalLog(count), by.frequency);
  const capped = isReal ? by.frequencyMax * 1_000 : Number.POSITIVE_INFINITY;
  const believed = isReal && confidence === 0 ? MILLION / 2 : confidence;
  const terms = {
    confidence: Math.round((believed * by.confidence) / 1_000),
    hitRate: thousandthsOf(hitRate, by.hitRate),
    verified: verified ? by.verified * 1_000 : 0,
    frequency: Math.min(grown, capped),
  };
  const sum = terms.confidence + terms.hitRate + terms.verified + terms.frequency;
  const penalty = isReal
    ? -sum + Math.round((sum * by.staleFactor) / 1_000)
    : -by.stalePenalty * 1_000;
  const stale = isStale ? penalty : 0;
  return {
    terms: { ...terms, stale },
    total: sum + stale,
    hitRate: Math.round(hitRate * MILLION),
    isStale,
    isCapped: grown >= capped,
  };
}

/** `value` of `weight` thousandths, in millionths. */
const thousandthsOf = (value: number, weight: number): number => Math.round(value * weight * 1_000);

/** With what each is worth, the least useful first, or last; equals in the order they have. */
const rankedBy = (utility: UtilityPolicy, lessons: readonly Lesson[], sign: 1 | -1 = 1) =>
  lessons
    .map((lesson) => ({ lesson, worth: utilityOf(lesson, utility).total }))
    .toSorted((a, b) => sign * (a.worth - b.worth));

/** Why a lesson left the playbook. */
export type DropCause =
  /** The newest, unverified, where verified ones fill the playbook. */
  | "blocked-by-pins"
  /** A verified one, the oldest where even those are too many. */
  | "oldest-pin"
  | "lowest-utility"
  | "never-helpful"
  | "lowest-quarter";

export interface Dropped {
  readonly lesson: Lesson;
  readonly cause: DropCause;
}

interface Kept {
  readonly kept: readonly Lesson[];
  readonly dropped: readonly Dropped[];
}

export const trimLeaves = {
  size: integer(50, between(1, 10_000, "lessons"), {
    says: "Most lessons the playbook keeps (PLAYBOOK_MAX).",
    source: "seed 001, Retention formula",
  }),
  overflow: choice("pins-block", ["pins-block", "utility"], {
    says: "What happens once the head and verified lessons fill the playbook: they stay in order and block everything else, or all but the head compete by utility, where an unverified lesson can outlive verified ones.",
    source: "seed 001, Retention formula; RULINGS K4",
  }),
};

/** `lessons` with the newest first, which is the head: it is exempt, as long as no pin has to leave for it. */
export function trimLessons(
  lessons: readonly Lesson[],
  { size, overflow }: ValuesOf<typeof trimLeaves>,
  utility: UtilityPolicy,
): Kept {
  const [head, ...rest] = lessons;
  if (head === undefined || lessons.length <= size) return { kept: lessons, dropped: [] };
  const pins = rest.filter(({ verified }) => verified);
  const others = rest.filter(({ verified }) => !verified);
  const isFull = pins.length >= size;
  const isBlocked = isFull && overflow === "pins-block";
  const byUtility = isFull && !isBlocked ? rest : others;
  const order = [
    ...(isBlocked && !head.verified
      ? [...pins, head]
      : isFull && !isBlocked
        ? [head]
        : [head, ...pins]),
    ...rankedBy(utility, byUtility, -1).map(({ lesson }) => lesson),
  ];
  const causeOf = (lesson: Lesson): DropCause => {
    if (!isBlocked || (!lesson.verified && lesson !== head)) return "lowest-utility";
    return lesson.verified ? "oldest-pin" : "blocked-by-pins";
  };
  const dropped = order.slice(size).map((lesson) => ({ lesson, cause: causeOf(lesson) }));
  return { kept: order.slice(0, size), dropped };
}

export const pruneLeaves = {
  prune: choice("never-helpful", ["never-helpful", "quartile"], {
    says: "What a pruning drops: lessons surfaced often and never helpful, or those surfaced often in the lowest quarter by utility.",
    source: "seed 001, Retrieval feedback loop; RULINGS K8",
  }),
  pruneRetrievals: integer(5, between(0, 1_000, "retrievals"), {
    says: "A lesson surfaced less often than this is never pruned.",
    source: "seed 001, Retrieval feedback loop",
  }),
  pruneShare: integer(250, thousandths, {
    says: "Most of the playbook that one pruning drops.",
    source: "seed 001, Retrieval feedback loop",
  }),
};

/** Smaller playbooks have no quarters worth the name. Source: dossier 1.9. */
const QUARTILE_FROM = 10;

/**
 * The least useful go first; what stays keeps its order. In the form `quartile`, as the real system does, whether a lesson ever
 * helped plays no part, and the newest come first afterwards.
 */
export function pruneLessons(
  lessons: readonly Lesson[],
  by: ValuesOf<typeof pruneLeaves>,
  utility: UtilityPolicy,
): Kept {
  const mayGo = ({ verified, retrievals }: Lesson): boolean =>
    !verified && retrievals >= by.pruneRetrievals;
  const most = Math.floor((lessons.length * by.pruneShare) / 1_000);
  const without = (ranked: ReturnType<typeof rankedBy>, cause: DropCause): Kept => {
    const gone = new Set(ranked.map(({ lesson }) => lesson));
    return {
      kept: lessons.filter((lesson) => !gone.has(lesson)),
      dropped: [...gone].map((lesson) => ({ lesson, cause })),
    };
  };
  if (by.prune === "never-helpful") {
    const useless = lessons.filter((one) => mayGo(one) && one.helpfulRetrievals === 0);
    return without(rankedBy(utility, useless).slice(0, most), "never-helpful");
  }
  if (lessons.length < QUARTILE_FROM) return { kept: lessons, dropped: [] };
  const ranked = rankedBy(utility, lessons);
  const cutoff = ranked[Math.floor(lessons.length / 4)]?.worth ?? 0;
  const gone = ranked.filter(({ lesson, worth }) => worth <= cutoff && mayGo(lesson));
  if (gone.length === 0) return { kept: lessons, dropped: [] };
  const { kept, dropped } = without(gone.slice(0, Math.max(1, most)), "lowest-quarter");
  return { kept: kept.toSorted((a, b) => b.writtenAtMs - a.writtenAtMs), dropped };
}
