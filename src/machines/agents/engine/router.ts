/**
 * Which capability serves an intent: every registered description is scored against the words of
 * the intent, and the best one serves the call. Names and implementations play no part, which is
 * how a description without code can take another tool's calls.
 *
 * Source: synthesize_capability, "The safe_file_executor incident"; ruling T14.
 */
import { naturalLog } from "../../naturalLog.ts";
import { between, choice, flag, integer, thousandths, type ValuesOf } from "../../policyLeaf.ts";
import { terms } from "../../stemmer.ts";

export const routerLeaves = {
  kind: choice("lexical", ["lexical", "embedding", "name"], {
    says: "How a step finds its tool: shared words (BM25), vectors from the embedding port, or the name that it gives.",
    source: "RULINGS T14; by name, as function calling does, is ours",
    tried: ["lexical", "embedding"],
  }),
  k1: integer(1200, {
    says: "BM25 k1: how much a repeated word adds; 0 counts a word once.",
    source: "RULINGS T14",
    ...between(0, 5000, "thousandths"),
  }),
  b: integer(700, {
    says: "BM25 b: how far a long description is marked down; 0 ignores length.",
    source: "RULINGS T14",
    ...thousandths,
  }),
  skipBroken: flag(true, {
    says: "Pass over what is blacklisted in this cycle or listed as broken.",
    source: "RULINGS T14",
  }),
};

export type RouterPolicy = ValuesOf<typeof routerLeaves>;

/** A registered capability as the router sees it. */
export interface Described {
  readonly name: string;
  readonly description: string;
}

/** A registered capability and the vector of its description; empty when it was never embedded. */
export interface Embedded {
  readonly name: string;
  readonly vector: readonly number[];
}

export interface Scored {
  readonly name: string;
  /** Millionths, an integer, never negative; 0 means nothing in common. */
  readonly score: number;
}

type Bm25 = Pick<RouterPolicy, "k1" | "b">;

/** What a term of the intent adds to the score of an entry. */
interface Gain {
  readonly entry: number;
  readonly gain: number;
}

interface LexicalIndex {
  readonly of: readonly Described[];
  readonly policy: Bm25;
  readonly byTerm: ReadonlyMap<string, readonly Gain[]>;
  /** By intent: agents say the same again. */
  readonly scores: Map<string, readonly Scored[]>;
}

const millionths = 1_000_000;
/** Ours: how many intents an index remembers, and of how many descriptions the terms are known. */
const INTENTS_MAX = 1000;
const DESCRIPTIONS_MAX = 5000;

/**
 * BM25 of every description against the intent, in the order of `entries`. Each distinct term of
 * the intent counts once; its rarity is ln(1 + (N − n + ½) / (n + ½)), never negative.
 */
export function scoreLexical(
  intent: string,
  entries: readonly Described[],
  policy: Bm25,
): readonly Scored[] {
  const index = indexOf(entries, policy);
  let scored = index.scores.get(intent);
  if (scored === undefined) {
    scored = scoredBy(index, intent);
    if (index.scores.size >= INTENTS_MAX) index.scores.clear();
    index.scores.set(intent, scored);
  }
  return scored;
}

function scoredBy({ of, byTerm }: LexicalIndex, intent: string): readonly Scored[] {
  const sums = of.map(() => 0);
  for (const term of new Set(terms(intent))) {
    for (const { entry, gain } of byTerm.get(term) ?? []) sums[entry] = (sums[entry] ?? 0) + gain;
  }
  return of.map(({ name }, entry) => ({
    name,
    score: Math.round((sums[entry] ?? 0) * millionths),
  }));
}

/**
 * Cosine of every vector with the query, in the order of `entries`. Opposite vectors, zero vectors
 * and vectors of another length (an entry never embedded, or embedded by another model) score 0.
 */
export function scoreEmbedding(query: readonly number[], entries: readonly Embedded[]): Scored[] {
  const queryNorm = norm(query);
  return entries.map(({ name, vector }) => {
    const comparable = vector.length === query.length;
    const cosine = comparable ? dot(query, vector) / (queryNorm * norm(vector)) : 0;
    return { name, score: cosine > 0 ? Math.round(cosine * millionths) : 0 };
  });
}

/**
 * The best entry not in `skip`, the earliest registered among equals. Undefined when every score
 * left is 0: no model is asked to choose, so the caller records a failed step.
 */
export function topMatch(
  scored: readonly Scored[],
  skip: ReadonlySet<string> | readonly string[] = [],
): Scored | undefined {
  const skipped = new Set(skip);
  let best: Scored | undefined;
  for (const candidate of scored) {
    if (candidate.score > (best?.score ?? 0) && !skipped.has(candidate.name)) {
      best = candidate;
    }
  }
  return best;
}

/** Kept per array. It holds what it was built from, so a changed array is indexed again. */
const indexes = new WeakMap<readonly Described[], LexicalIndex>();

function indexOf(entries: readonly Described[], policy: Bm25): LexicalIndex {
  const known = indexes.get(entries);
  if (known !== undefined && describes(known, entries, policy)) {
    return known;
  }
  const built = buildIndex(entries, policy);
  indexes.set(entries, built);
  return built;
}

function describes(known: LexicalIndex, entries: readonly Described[], { k1, b }: Bm25): boolean {
  return (
    known.policy.k1 === k1 &&
    known.policy.b === b &&
    known.of.length === entries.length &&
    entries.every(({ name, description }, entry) => {
      const one = known.of[entry];
      return description === one?.description && name === one.name;
    })
  );
}

function buildIndex(entries: readonly Described[], policy: Bm25): LexicalIndex {
  const of = entries.map(({ name, description }) => ({ name, description }));
  const k1 = policy.k1 / 1000;
  const b = policy.b / 1000;
  const documents = of.map(({ description }) => termsOf(description));
  const termCount = documents.reduce((sum, document) => sum + document.length, 0);
  const meanLength = termCount / documents.length;
  const occurrences = new Map<string, { entry: number; count: number; share: number }[]>();
  documents.forEach((document, entry) => {
    // Length of the description over the mean length of all of them, in terms.
    const share = document.length / meanLength;
    for (const [term, count] of termCounts(document)) {
      const list = occurrences.get(term) ?? [];
      list.push({ entry, count, share });
      occurrences.set(term, list);
    }
  });
  const byTerm = new Map<string, readonly Gain[]>();
  for (const [term, list] of occurrences) {
    const absent = documents.length - list.length;
    const rarity = naturalLog(1 + (absent + 0.5) / (list.length + 0.5));
    byTerm.set(
      term,
      list.map(({ entry, count, share }) => {
        const saturation = count + k1 * (1 - b + b * share);
        return { entry, gain: (rarity * count * (k1 + 1)) / saturation };
      }),
    );
  }
  return { of, policy: { k1: policy.k1, b: policy.b }, byTerm, scores: new Map() };
}

/** Descriptions outlive the versions of a registry. */
const knownTerms = new Map<string, readonly string[]>();

function termsOf(description: string): readonly string[] {
  let known = knownTerms.get(description);
  if (known === undefined) {
    known = terms(description);
    if (knownTerms.size >= DESCRIPTIONS_MAX) knownTerms.clear();
    knownTerms.set(description, known);
  }
  return known;
}

function termCounts(document: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of document) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, position) => sum + value * (other[position] ?? 0), 0);
}

function norm(vector: readonly number[]): number {
  return Math.sqrt(dot(vector, vector));
}
