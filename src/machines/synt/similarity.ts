/** How near a proposal is to what the pool has. Source: seed 002, chapter 6; ruling Y5. */
import { BILLION } from "./reward.ts";

/** Cosine of two embeddings in billionths, 0 where one has no direction. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) throw new RangeError("two embeddings of different lengths");
  let dot = 0;
  let squareA = 0;
  let squareB = 0;
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? 0;
    dot += left * right;
    squareA += left * left;
    squareB += right * right;
  }
  if (squareA === 0 || squareB === 0) return 0;
  const exact = dot / (Math.sqrt(squareA) * Math.sqrt(squareB));
  return Math.max(-BILLION, Math.min(BILLION, Math.round(exact * BILLION)));
}

/** An executor of the pool with the embedding of its description. */
export interface Embedded {
  readonly name: string;
  readonly embedding: readonly number[];
}

/** The nearest executor of the pool, the first of equals; null for an empty pool. */
export function nearestInPool(
  embedding: readonly number[],
  pool: readonly Embedded[],
): { readonly name: string; readonly cosine: number } | null {
  let best: { readonly name: string; readonly cosine: number } | null = null;
  for (const { name, embedding: other } of pool) {
    const near = cosine(embedding, other);
    if (best === null || near > best.cosine) best = { name, cosine: near };
  }
  return best;
}
