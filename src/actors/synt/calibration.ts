/**
 * The calibration aid: what an audit tells of the weights of R, once there are syntheses enough. No
 * strategy's bonus may be so large that it wins where it is wrong; where one was, it says how large
 * it may be. Source: seed 002, 6 (“calibration”: after 30 real syntheses).
 */
import { groupedBy } from "../../machines/grouped.ts";
import type { Json } from "../../machines/letter.ts";
import { isTerminal, type ProposalState } from "../../machines/synt/contract.ts";
import {
  ceiledTo,
  compareShares,
  minus,
  NONE,
  type Share,
  share,
  times,
} from "../../machines/synt/score/exactShare.ts";
import {
  CONTRACT_FIELDS,
  STRATEGIES,
  type Strategy,
  TERMS,
} from "../../machines/synt/score/reward.ts";
import type { SyntPolicy } from "../../machines/synt/syntPolicy.ts";

/** A line of the audit, as its JSON. */
interface Line {
  readonly request_id?: string;
  readonly strategy?: string | null;
  readonly state?: string;
  readonly reward?: { readonly exact?: Json; readonly [field: string]: Json | undefined } | null;
}

/** A request that was scored and has ended. */
interface Synthesis {
  readonly request: string;
  readonly strategy: Strategy;
  readonly terms: { readonly [field: string]: Share };
  readonly total: Share;
  readonly bonus: Share;
  readonly isTaken: boolean;
}

export interface StrategyCount {
  readonly strategy: Strategy;
  readonly scored: number;
  /** At the threshold or above it. */
  readonly passed: number;
  /** What the person took, or no longer needed to be asked about. */
  readonly taken: number;
}

/** A proposal that passed by its bonus alone and was turned down all the same. */
export interface WrongWin {
  readonly request: string;
  readonly strategy: Strategy;
  /** The largest bonus, in thousandths, under which it would not have passed; null for none. */
  readonly bonusBelow: number | null;
}

export interface Calibration {
  readonly syntheses: number;
  /** How many it takes. */
  readonly after: number;
  readonly isDue: boolean;
  readonly strategies: readonly StrategyCount[];
  /** Passed, and would not have without their bonus. */
  readonly byBonus: readonly string[];
  readonly wrongWins: readonly WrongWin[];
  /** Terms that were the same in every synthesis, and so have decided nothing. */
  readonly idle: readonly string[];
}

const THOUSAND = 1_000;
const TAKEN: readonly string[] = ["delivered", "born", "fused", "generalised", "specialised"];

export function calibrationOf(
  lines: readonly Line[],
  { reward, calibration }: Pick<SyntPolicy, "reward" | "calibration">,
): Calibration {
  const all = synthesesIn(lines);
  const gate = share(reward.gate, THOUSAND);
  const weight = share(reward.weights.bonus, THOUSAND);
  const isPassed = ({ total }: Synthesis) => compareShares(total, gate) >= 0;
  const without = ({ total, bonus }: Synthesis) => minus(total, times(bonus, weight));
  const byBonus = all.filter((one) => isPassed(one) && compareShares(without(one), gate) < 0);
  const wrongWins = byBonus
    .filter(({ isTaken }) => !isTaken)
    .map((one): WrongWin => {
      // It passes from this bonus on: less is the most that may be given.
      const passesFrom = times(minus(gate, without(one)), share(THOUSAND, reward.weights.bonus));
      const most = ceiledTo(passesFrom, THOUSAND) - 1;
      return { request: one.request, strategy: one.strategy, bonusBelow: most < 0 ? null : most };
    });
  return {
    syntheses: all.length,
    after: calibration.after,
    isDue: all.length >= calibration.after,
    strategies: STRATEGIES.flatMap((strategy) => {
      const own = all.filter((one) => one.strategy === strategy);
      const counted = {
        ...{ strategy, scored: own.length },
        passed: own.filter(isPassed).length,
        taken: own.filter(({ isTaken }) => isTaken).length,
      };
      return own.length === 0 ? [] : [counted];
    }),
    byBonus: byBonus.map(({ request }) => request),
    wrongWins,
    idle: TERMS.map((term) => CONTRACT_FIELDS[term]).filter(
      (field) => all.length > 1 && new Set(all.map(({ terms }) => String(terms[field]))).size === 1,
    ),
  };
}

function synthesesIn(lines: readonly Line[]): readonly Synthesis[] {
  const byRequest = groupedBy(
    lines.filter(({ request_id: id }) => id !== undefined),
    ({ request_id: id }) => id ?? "",
  );
  return [...byRequest].flatMap(([request, own]): Synthesis[] => {
    const scored = own.findLast(({ reward }) => reward != null);
    const end = own.at(-1)?.state;
    const strategy = STRATEGIES.find((one) => one === scored?.strategy);
    const terms = scored?.reward?.exact as Synthesis["terms"] | undefined;
    if (terms === undefined || strategy === undefined || !isTerminal(end as ProposalState))
      return [];
    const { total = NONE, [CONTRACT_FIELDS.bonus]: bonus = NONE } = terms;
    return [{ request, strategy, terms, isTaken: TAKEN.includes(end ?? ""), total, bonus }];
  });
}

/** The aid in words; before it is due, how many syntheses it waits for. */
export function calibrationText(found: Calibration): string {
  const { syntheses, after, isDue, strategies, byBonus, wrongWins, idle } = found;
  if (!isDue) {
    return `Calibration of R: ${syntheses} of the ${after} syntheses after which its weights are due for a look.`;
  }
  const counts = strategies.map(
    ({ strategy, scored, passed, taken }) =>
      `${strategy} ${scored} scored, ${passed} passed, ${taken} taken`,
  );
  const wrong = wrongWins.map(
    ({ request, strategy, bonusBelow }) =>
      `${request} passed by ${strategy}'s bonus alone and was turned down: ` +
      (bonusBelow === null
        ? "no bonus is small enough."
        : `lower synt.reward.bonus.${strategy} to ${bonusBelow} or less.`),
  );
  return [
    `Calibration of R is due: ${syntheses} syntheses, of which ${after} are wanted.`,
    `- ${counts.join("; ")}.`,
    `- Passed by their bonus alone: ${byBonus.length === 0 ? "none" : byBonus.join(", ")}.`,
    ...(wrong.length === 0
      ? ["- No bonus has won where the person turned the proposal down."]
      : wrong.map((one) => `- ${one}`)),
    ...(idle.length === 0
      ? []
      : [`- The same in all of them, so never deciding: ${idle.join(", ")}.`]),
  ].join("\n");
}
