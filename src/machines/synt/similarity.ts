/** How near a proposal is to what the pool has. Source: seed 002, chapter 6; ruling Y5. */
import { cosine as exact } from "../cosine.ts";
import { BILLION } from "./reward.ts";

/** Cosine of two embeddings in billionths, 0 where one has no direction. */
export const cosine = (a: readonly number[], b: readonly number[]): number =>
  Math.round(exact(a, b) * BILLION);

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
