/**
 * What the formulas of lessons and skills imply under a policy, found by trying: over a grid of lessons, over
 * books drawn from fixed numbers, and over all small counts of a skill. For the person who tunes them.
 */
import { type Lesson, newLesson } from "../../machines/skills/lesson.ts";
import {
  pruneLessons,
  trimLessons,
  UTILITY_TERMS,
  type UtilityPolicy,
  type UtilityTerm,
  utilityOf,
} from "../../machines/skills/retention.ts";
import { retrieveLessons } from "../../machines/skills/retrieval.ts";
import { retireClauses } from "../../machines/skills/skillBook.ts";
import type { SkillsPolicy } from "../../machines/skills/skillsPolicy.ts";
import { MILLION } from "../../machines/units.ts";
import { type BackedSentence, sentencesBy } from "./playbookSentences.ts";

export interface PlaybookAnalysis {
  readonly form: "seed" | "real";
  readonly terms: readonly TermAnalysis[];
  readonly total: Range;
  readonly clauses: readonly ClauseAnalysis[];
  /** By how many verified lessons there are: of as many useful new ones, how many the playbook keeps. */
  readonly cap: {
    readonly size: number;
    readonly useful: number;
    readonly rows: readonly {
      readonly pins: number;
      readonly kept: number;
      readonly starved: number;
    }[];
  };
  readonly turns: TurnsAnalysis;
  readonly sentences: readonly BackedSentence[];
}

export interface Range {
  readonly least: number;
  readonly most: number;
}

export interface TermAnalysis extends Range {
  readonly term: UtilityTerm;
  /** In so many of the books that were tried something else is kept without the term. */
  readonly decides: number;
  readonly tried: number;
}

export interface ClauseAnalysis {
  readonly id: string;
  readonly says: string;
  /** How often it was tried, held, and made a difference. */
  readonly tried: number;
  readonly holds: number;
  readonly decides: number;
}

/** What hit_rate can say of a lesson that every prompt of a turn shows. */
export interface TurnsAnalysis {
  /** So many of the newest lessons stand in the prompt for a goal, which has no words yet to compare; of so many that are kept. */
  readonly newest: number;
  readonly kept: number;
  /** How often a turn that shows it counts. */
  readonly countedPerTurn: number;
  readonly hitRateMost: number;
  /** Share of its turns in which it must help so as not to be stale; null when it always is. */
  readonly staleBelowTurns: number | null;
}

export function analysePlaybook(policy: SkillsPolicy): PlaybookAnalysis {
  const { utility } = policy;
  const lessons = grid();
  const worths = lessons.map((one) => utilityOf(one, utility));
  const books = Array.from({ length: BOOKS }, (_, index) => bookFrom(index + 1));
  return {
    form: utility.form,
    terms: UTILITY_TERMS.map((term) => ({
      term,
      ...rangeOf(worths.map(({ terms }) => terms[term])),
      decides: decidedBy(books, policy, withoutTerm(utility, term)),
      tried: books.length,
    })),
    total: rangeOf(worths.map(({ total }) => total)),
    clauses: [...retireAnalysis(policy), ...lessonClauses(lessons, books, policy)],
    cap: capAnalysis(policy),
    turns: turnsAnalysis(policy),
    sentences: sentencesBy(policy, books),
  };
}

/** Ours: enough that a term that can decide does so in some, few enough for a second. */
const BOOKS = 100;
const BOOK_LESSONS = 56;
const BOOK_SIZE = 50;
const TURNS = 60;

const BLANK: Lesson = newLesson(
  {
    ...{ trigger: "", antiPattern: "", correctPattern: "", domains: [], confidence: MILLION / 2 },
    ...{ sourceChallengeHash: "", verified: false, verificationAttempted: false, source: "" },
  },
  0,
);

const COUNTS = [0, 1, 2, 4, 5, 6, 10, 20, 40];

/** Lessons at and between the ends of everything that a lesson can be. */
const grid = (): readonly Lesson[] =>
  [false, true].flatMap((verified) =>
    [0, MILLION / 4, MILLION / 2, MILLION].flatMap((confidence) =>
      [1, 2, 5, 19, 20, 100, 1_000].flatMap((frequency) =>
        COUNTS.flatMap((retrievals) =>
          COUNTS.filter((helped) => helped <= retrievals).map((helpfulRetrievals) => ({
            ...BLANK,
            ...{ verified, confidence, frequency, retrievals, helpfulRetrievals },
          })),
        ),
      ),
    ),
  );

/** A book of lessons of all kinds, the same for the same number; there is no chance in an analysis. */
function bookFrom(number: number): readonly Lesson[] {
  let state = Math.imul(number, 0x9e3779b1) >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * limit);
  };
  const pinsIn10 = below(11);
  return Array.from({ length: BOOK_LESSONS }, (_, index) => {
    const retrievals = below(30);
    return {
      ...BLANK,
      trigger: `subject ${index}`,
      verified: below(10) < pinsIn10,
      confidence: below(MILLION + 1),
      frequency: 1 + below(30),
      retrievals,
      helpfulRetrievals: below(2) === 0 ? 0 : below(retrievals + 1),
      writtenAtMs: BOOK_LESSONS - index,
    };
  });
}

const rangeOf = (values: readonly number[]): Range => ({
  least: Math.min(...values),
  most: Math.max(...values),
});

const withoutTerm = (by: UtilityPolicy, term: UtilityTerm): UtilityPolicy =>
  term === "stale" ? { ...by, stalePenalty: 0, staleFactor: 1_000 } : { ...by, [term]: 0 };

/** In how many books a trimming or a pruning keeps something else. */
const decidedBy = (
  books: readonly (readonly Lesson[])[],
  policy: SkillsPolicy,
  other: UtilityPolicy,
): number =>
  books.filter((book) => keptOf(book, policy, policy.utility) !== keptOf(book, policy, other))
    .length;

function keptOf(
  book: readonly Lesson[],
  { playbook }: SkillsPolicy,
  utility: UtilityPolicy,
): string {
  const full = trimLessons(book, { ...playbook, size: BOOK_SIZE }, utility).kept;
  const left = pruneLessons(book, playbook, utility).kept;
  return [full, left]
    .map((kept) =>
      kept
        .map(({ trigger }) => trigger)
        .toSorted()
        .join(),
    )
    .join("|");
}

/** Both clauses, by every small number of failures and uses. */
function retireAnalysis(policy: SkillsPolicy): readonly ClauseAnalysis[] {
  const failuresMax = 2 * Math.max(policy.retireAfter, policy.retireYoungAfter);
  const usesMax = policy.youngUses + 2;
  const counts = { tried: 0, first: 0, second: 0, firstAlone: 0, secondAlone: 0 };
  for (let failureCount = 0; failureCount <= failuresMax; failureCount += 1) {
    for (const usageCount of someUpTo(usesMax)) {
      const is = retireClauses({ failureCount, usageCount }, policy);
      counts.tried += 1;
      if (is.failures) counts.first += 1;
      if (is.failuresOfYoung) counts.second += 1;
      if (is.failures && !is.failuresOfYoung) counts.firstAlone += 1;
      if (is.failuresOfYoung && !is.failures) counts.secondAlone += 1;
    }
  }
  const { retireAfter, retireYoungAfter, youngUses } = policy;
  const { tried, first, second, firstAlone, secondAlone } = counts;
  return [
    {
      ...{ id: "retire-failures", says: `failure_count ≥ ${retireAfter}` },
      ...{ tried, holds: first, decides: firstAlone },
    },
    {
      id: "retire-young",
      says: `failure_count ≥ ${retireYoungAfter} AND usage_count < ${youngUses}`,
      ...{ tried, holds: second, decides: secondAlone },
    },
  ];
}

const MOST_COUNTS = 100;
const someUpTo = (max: number): readonly number[] =>
  Array.from({ length: Math.min(max, MOST_COUNTS) + 1 }, (_, index) =>
    Math.round((index * max) / Math.min(max, MOST_COUNTS)),
  );

function lessonClauses(
  lessons: readonly Lesson[],
  books: readonly (readonly Lesson[])[],
  policy: SkillsPolicy,
): readonly ClauseAnalysis[] {
  const { utility, playbook } = policy;
  const worths = lessons.map((one) => utilityOf(one, utility));
  const uncapped = { ...utility, frequencyMax: 10 * MILLION };
  const unlimited = { ...playbook, pruneShare: 1_000 };
  const prunedFewer = books.filter(
    (book) =>
      pruneLessons(book, playbook, utility).dropped.length <
      pruneLessons(book, unlimited, utility).dropped.length,
  );
  return [
    {
      id: "stale",
      says: `retrievals ≥ ${utility.staleRetrievals} AND hit_rate < ${utility.staleBelow / 1_000}`,
      ...{ tried: lessons.length, holds: worths.filter(({ isStale }) => isStale).length },
      decides: decidedBy(books, policy, withoutTerm(utility, "stale")),
    },
    {
      id: "frequency-cap",
      says: `log(freq) adds at most ${utility.frequencyMax / 1_000}`,
      ...{ tried: lessons.length, holds: worths.filter(({ isCapped }) => isCapped).length },
      decides: decidedBy(books, policy, uncapped),
    },
    {
      id: "prune-share",
      says: `a pruning drops at most ${playbook.pruneShare / 1_000} of the playbook`,
      ...{ tried: books.length, holds: prunedFewer.length, decides: prunedFewer.length },
    },
  ];
}

/** Useful lessons come one by one into a playbook that so many verified ones, of no use to anybody, hold. */
function capAnalysis({ playbook, utility }: SkillsPolicy): PlaybookAnalysis["cap"] {
  const { size } = playbook;
  const useful = Math.min(size, BOOK_SIZE);
  const steps = [...new Set([0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => Math.round(share * size)))];
  const rows = [...new Set([...steps, size - 1])]
    .toSorted((a, b) => a - b)
    .map((pins) => {
      const poor: Lesson = { ...BLANK, verified: true, confidence: 1, retrievals: 100 };
      let book: readonly Lesson[] = Array.from({ length: pins }, () => ({ ...poor }));
      for (let count = 0; count < useful; count += 1) {
        const lesson = { ...BLANK, confidence: MILLION, retrievals: 4, helpfulRetrievals: 4 };
        book = trimLessons([lesson, ...book], playbook, utility).kept;
      }
      const kept = book.filter(({ verified }) => !verified).length;
      return { pins, kept, starved: useful - kept };
    });
  return { size, useful, rows };
}

/** A turn shows the newest lessons to the planner, and those that are retrieved to the execution, and credits each once. */
function turnsAnalysis({ playbook, utility }: SkillsPolicy): TurnsAnalysis {
  const countedPerTurn = playbook.countRetrieval === "injection" ? 2 : 1;
  const after = (helpfulRetrievals: number) =>
    utilityOf({ ...BLANK, retrievals: countedPerTurn * TURNS, helpfulRetrievals }, utility);
  const enough = Array.from({ length: TURNS + 1 }, (_, helped) => helped).find(
    (helped) => !after(helped).isStale,
  );
  const book = Array.from({ length: playbook.size }, () => ({ ...BLANK }));
  return {
    newest: retrieveLessons("", book, null, playbook).found.length,
    kept: playbook.size,
    countedPerTurn,
    hitRateMost: after(TURNS).hitRate,
    staleBelowTurns: enough === undefined ? null : enough / TURNS,
  };
}
