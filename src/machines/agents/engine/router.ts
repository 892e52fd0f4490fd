/**
 * Which capability serves an intent: every registered description is scored against the words of
 * the intent, and the best one serves the call. Names and implementations play no part, which is
 * how a description without code can take another tool's calls.
 *
 * Source: synthesize_capability, "The safe_file_executor incident"; ruling T14.
 */
import { naturalLog } from "../../naturalLog.ts";
import { choice, flag, integer, type ValuesOf } from "../../policyLeaf.ts";
import { terms } from "../../stemmer.ts";

export const routerLeaves = {
  kind: choice("lexical", ["lexical", "embedding"], {
    says: "What is compared: shared words (BM25), or vectors from the embedding port.",
    source: "RULINGS T14",
  }),
  k1: integer(1200, {
    says: "BM25 k1: how much a repeated word adds; 0 counts a word once.",
    source: "RULINGS T14",
    unit: "thousandths",
    min: 0,
    max: 5000,
  }),
  b: integer(700, {
    says: "BM25 b: how far a long description is marked down; 0 ignores length.",
    source: "RULINGS T14",
    unit: "thousandths",
    min: 0,
    max: 1000,
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

interface Occurrence {
  readonly entry: number;
  readonly count: number;
  /** Length of the description over the mean length of all of them, in terms. */
  readonly relativeLength: number;
}

interface TermEntry {
  readonly rarity: number;
  readonly occurrences: readonly Occurrence[];
}

interface LexicalIndex {
  readonly descriptions: readonly string[];
  readonly byTerm: ReadonlyMap<string, TermEntry>;
}

const millionths = 1_000_000;

/**
 * BM25 of every description against the intent, in the order of `entries`. Each distinct term of
 * the intent counts once; its rarity is ln(1 + (N − n + ½) / (n + ½)), never negative.
 */
export function scoreLexical(
  intent: string,
  entries: readonly Described[],
  policy: Pick<RouterPolicy, "k1" | "b">,
): Scored[] {
  const k1 = policy.k1 / 1000;
  const b = policy.b / 1000;
  const { byTerm } = indexOf(entries);
  const sums = entries.map(() => 0);
  for (const term of new Set(terms(intent))) {
    const found = byTerm.get(term);
    for (const { entry, count, relativeLength } of found?.occurrences ?? []) {
      const saturation = count + k1 * (1 - b + b * relativeLength);
      const gain = ((found?.rarity ?? 0) * count * (k1 + 1)) / saturation;
      sums[entry] = (sums[entry] ?? 0) + gain;
    }
  }
  return entries.map(({ name }, entry) => ({
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

/** Kept per array. It holds the texts it was built from, so a changed array is indexed again. */
const indexes = new WeakMap<readonly Described[], LexicalIndex>();

function indexOf(entries: readonly Described[]): LexicalIndex {
  const known = indexes.get(entries);
  if (known !== undefined && describes(known, entries)) {
    return known;
  }
  const built = buildIndex(entries.map(({ description }) => description));
  indexes.set(entries, built);
  return built;
}

function describes({ descriptions }: LexicalIndex, entries: readonly Described[]): boolean {
  return (
    descriptions.length === entries.length &&
    entries.every(({ description }, entry) => description === descriptions[entry])
  );
}

function buildIndex(descriptions: readonly string[]): LexicalIndex {
  const documents = descriptions.map(terms);
  const termCount = documents.reduce((sum, document) => sum + document.length, 0);
  const meanLength = termCount / documents.length;
  const occurrences = new Map<string, Occurrence[]>();
  documents.forEach((document, entry) => {
    const relativeLength = document.length / meanLength;
    for (const [term, count] of counted(document)) {
      const list = occurrences.get(term) ?? [];
      list.push({ entry, count, relativeLength });
      occurrences.set(term, list);
    }
  });
  const byTerm = new Map<string, TermEntry>();
  for (const [term, list] of occurrences) {
    const absent = documents.length - list.length;
    const rarity = naturalLog(1 + (absent + 0.5) / (list.length + 0.5));
    byTerm.set(term, { rarity, occurrences: list });
  }
  return { descriptions, byTerm };
}

function counted(document: readonly string[]): Map<string, number> {
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
