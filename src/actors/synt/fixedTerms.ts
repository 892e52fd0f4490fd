/**
 * Terms of R that have one value only, whatever is proposed: by a ruling, or because nothing costs
 * anything. A property holds them to every proposal of every world.
 */
import { ALL, NONE, type Share } from "../../machines/synt/score/exactShare.ts";
import type { Strategy } from "../../machines/synt/score/reward.ts";
import {
  bindingsOf,
  priceOf,
  TIERS,
  type TierConfig,
} from "../../machines/synt/stages/stageTiers.ts";
import type { SyntPolicy } from "../../machines/synt/syntPolicy.ts";

/** The terms that are measured; the bonus belongs to the strategy. */
export const MEASURED = ["det", "judge", "cost", "similarity", "coverage"] as const;
export type MeasuredTerm = (typeof MEASURED)[number];

export interface Fixed {
  readonly term: MeasuredTerm;
  readonly at: Share;
  readonly why: string;
}

/** Whether no call of a model that is bound to a tier costs anything: the judge's as little as others. */
export function costsNothing({ tiers }: SyntPolicy, config: TierConfig): boolean {
  const { bindings } = bindingsOf(config);
  return TIERS.every((tier) => {
    const binding = bindings[tier];
    const price = binding === undefined ? NO_PRICE : priceOf(tier, binding, tiers);
    return price !== null && price.asked + price.answered === 0;
  });
}

const NO_PRICE = { asked: 0, answered: 0 };

/** What rulings and prices leave no choice. */
export function fixedTerms(strategy: Strategy, isFree: boolean): readonly Fixed[] {
  const free: readonly Fixed[] = isFree
    ? [{ term: "cost", at: ALL, why: "no model that is called costs anything (Y4)" }]
    : [];
  return strategy === "compose"
    ? [...free, { term: "similarity", at: NONE, why: "a chain is compared with nothing (Y5)" }]
    : [{ term: "det", at: ALL, why: "no judge sees it before all birth tests pass (Y7)" }, ...free];
}
