/** `ghostlight tune rweights`: weights of R fitted to what a person decided. */

import { parts } from "../../../../builtIn/parts.ts";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { refused } from "../../../../cli/flags.ts";
import { echoSet, overridesOption, seedOption } from "../../../../cli/options.ts";
import { print, printJson } from "../../../../cli/output.ts";
import { policyWith } from "../../../../contract/policyTree.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { NONE, type Share, share } from "../../../../machines/synt/score/exactShare.ts";
import { type RewardPolicy, TERMS, type Term } from "../../../../machines/synt/score/reward.ts";
import { type DecisionRead, readDecisions } from "../decisionsFile.ts";
import { disordered, fitRewardWeights, type TermsDecided } from "../weightFit.ts";
import { fitText } from "./weightText.ts";

export interface RweightsFlags extends JsonFlag {
  readonly decisions: string;
  readonly sum: string;
  readonly folds?: number;
  readonly seed?: string;
  readonly set?: readonly string[];
  readonly profile?: string;
}

/** Ours: the usual number of folds. */
const FOLDS = 5;
const SUMS = ["keep", "free"];

export function rweightsCommand(flags: RweightsFlags): number {
  const { set = [], profile, folds = FOLDS } = flags;
  const seed = seedOption(flags.seed ?? "0");
  if (!SUMS.includes(flags.sum)) {
    throw refused("--sum", flags.sum, SUMS.join(" | "), "Omit it to keep the sum.");
  }
  if (folds < 2) throw refused("--folds", String(folds), "2 or more", "Omit it for five.");
  const { reward } = policyWith(parts, overridesOption(parts, set, profile)).synt;
  const wrong = disordered(reward);
  if (wrong.length > 0) {
    const todo = "No weights can order strategies that their bonuses do not.";
    const path = `synt.reward.bonus.${wrong.join(", ")}`;
    throw refused(path, "a bonus above a costlier reuse", "at most the one before it", todo);
  }
  if (reward.gate === 0) {
    const todo = "Where everything passes, no weights decide anything.";
    throw refused("synt.reward.gate", "0", "1 … 1000 thousandths", todo);
  }
  const read = readDecisions(flags.decisions);
  const left = (verdict: string) => read.filter((one) => one.verdict === verdict).length;
  const used = read.filter(({ verdict }) => verdict === "approve" || verdict === "discard");
  if (used.length === 0) {
    const todo = "Grants that nobody was asked for and wishes for a change say nothing of R.";
    throw refused(flags.decisions, "no yes or no of a person", "at least one", todo);
  }
  echoSet(parts, set);
  const decided = used.map((one) => decidedOf(one, reward));
  const isSumKept = flags.sum === "keep";
  const facts = {
    file: flags.decisions,
    lines: read.length,
    unasked: left("unasked"),
    amended: left("amend"),
    gate: reward.gate,
    seed,
    fit: fitRewardWeights(decided, reward, { isSumKept, folds, seed }),
  };
  if (flags.json) {
    const { alone, ...fit } = facts.fit;
    printJson({
      ...facts,
      blindBelow: reward.gate,
      fit: { ...fit, alone: Object.fromEntries(alone) },
    });
  } else print(fitText(facts));
  return EXIT.ok;
}

function decidedOf(read: DecisionRead, { bonus }: RewardPolicy): TermsDecided {
  const { name, group, verdict, strategy } = read;
  const own: Share = share(bonus[strategy], 1000);
  const terms = Object.fromEntries(
    TERMS.map((term) => [term, read.terms[term] ?? (term === "bonus" ? own : NONE)]),
  ) as { readonly [T in Term]: Share };
  return { name, group, isTaken: verdict === "approve", terms };
}
