/** How often rules name the step and the agent that people marked as the mistake, with intervals, and held against one another. */

import { GUESS_RULES, type Guess, type GuessRule } from "../src/findings/suspects.ts";
import type { Estimate } from "../src/studies/statistics/intervals.ts";
import {
  pairedProportionInterval,
  proportionInterval,
} from "../src/studies/statistics/proportions.ts";

/** One log that people marked. */
export interface Marked {
  /** Logs of one group are measured apart, too. */
  readonly group: string;
  readonly mistake: { readonly agent: string | null; readonly step: number | null };
  readonly guesses: readonly Guess[];
}

export interface ShareRow {
  readonly rule: GuessRule;
  readonly step: Estimate;
  /** The marked step is among the first three that it names. */
  readonly three: Estimate;
  readonly agent: Estimate;
  /** By how much more often it names the step than the order that is shipped; paired. */
  readonly stepOver: Estimate;
}

const SHIPPED: GuessRule = "shipped";

interface Hit {
  readonly step: boolean;
  readonly three: boolean;
  readonly agent: boolean;
}

function hitOf({ mistake, guesses }: Marked, rule: GuessRule): Hit {
  const places = guesses.find((one) => one.rule === rule)?.places ?? [];
  const isStep = ({ step }: (typeof places)[number]): boolean =>
    step !== null && step === mistake.step;
  const [first] = places;
  return {
    step: first !== undefined && isStep(first),
    three: places.some(isStep),
    agent: first !== undefined && first.agent === mistake.agent,
  };
}

export function shareRows(logs: readonly Marked[]): readonly ShareRow[] {
  const rules = Object.keys(GUESS_RULES) as GuessRule[];
  const shipped = logs.map((log) => hitOf(log, SHIPPED));
  return rules.map((rule) => {
    const hits = logs.map((log) => hitOf(log, rule));
    const share = (of: keyof Hit): Estimate =>
      proportionInterval(hits.filter((hit) => hit[of]).length, hits.length);
    const pairs = hits.map(
      (hit, index) => [shipped[index]?.step === true ? 1 : 0, hit.step ? 1 : 0] as const,
    );
    return {
      rule,
      step: share("step"),
      three: share("three"),
      agent: share("agent"),
      stepOver: pairedProportionInterval(pairs),
    };
  });
}
