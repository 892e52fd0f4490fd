/** `ghostlight tune rweights`: weights of R fitted to what a person decided. */
import { markdownTable } from "markdown-table";
import { parts } from "../../../../builtIn/parts.ts";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { flagError } from "../../../../cli/flags.ts";
import { echoSet, overridesOption, seedOption } from "../../../../cli/options.ts";
import { print, printJson } from "../../../../cli/output.ts";
import { countOf } from "../../../../contract/countOf.ts";
import { policyWith } from "../../../../contract/policyTree.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { decimalOf, NONE, type Share, share } from "../../../../machines/synt/score/exactShare.ts";
import {
  CONTRACT_FIELDS,
  type RewardPolicy,
  TERMS,
  type Term,
} from "../../../../machines/synt/score/reward.ts";
import { type DecisionRead, readDecisions } from "../decisionsFile.ts";
import {
  disordered,
  fitRewardWeights,
  type Reach,
  type RewardFit,
  type TermsDecided,
} from "../weightFit.ts";

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

// The fit of R's weights to decisions, in words for the person who tunes them.

interface Shown {
  readonly lines: number;
  readonly unasked: number;
  readonly amended: number;
  readonly gate: number;
  readonly fit: RewardFit;
}

const thousandths = (weight: number): string => (weight / 1000).toFixed(3);

function fitText({ lines, unasked, amended, gate, fit }: Shown): string {
  const { given, found, decided } = fit;
  const weights = TERMS.map((term) => {
    const [before, after] = [given.weights[term], found.weights[term]];
    const { down, up } = fit.alone.get(CONTRACT_FIELDS[term]) ?? { down: null, up: null };
    const change = after === before ? "as it is" : signed(after - before);
    return [
      `synt.reward.weights.${term}`,
      ...[thousandths(before), thousandths(after), change],
      ...[reachText(down, "−"), reachText(up, "+")],
    ];
  });
  return [
    `${countOf(lines, "line")}: ${countOf(decided, "decision")} of a person, ` +
      `${unasked} granted without asking and ${amended} amended, which are left out.`,
    `Agreement is blind below the threshold of ${thousandths(gate)}: what R refused, no person saw.`,
    "",
    markdownTable([
      ["", "Agree", "Taken, passes", "Taken, misses", "Refused, passes", "Refused, misses"],
      ["given", ...countsOf(given, decided)],
      ["found", ...countsOf(found, decided)],
    ]),
    "",
    provenText(fit),
    ...structureText(fit),
    validatedText(fit),
    `Margins, R less the threshold in thousandths: ${marginText(found.margins)}.`,
    "",
    "How far each weight may move, the others as found, until the first decision flips (never: its bounds end first):",
    markdownTable([["Weight", "Given", "Found", "Change", "Down", "Up"], ...weights]),
    "",
    "The same with the sum kept, what one gains another gives:",
    markdownTable([
      ["Between", "", "The first down", "The first up"],
      ...fit.sumKept.map(({ gains, gives, down, up }) => [
        gains,
        gives,
        reachText(down, "−"),
        reachText(up, "+"),
      ]),
    ]),
  ].join("\n");
}

const signed = (by: number): string => `${by > 0 ? "+" : "−"}${thousandths(Math.abs(by))}`;

const countsOf = (
  { agreed, confusion }: RewardFit["found"],
  decided: number,
): readonly string[] => [
  `${agreed} of ${decided}`,
  ...[confusion.passedTaken, confusion.missedTaken].map(String),
  ...[confusion.passedRefused, confusion.missedRefused].map(String),
];

const reachText = (reach: Reach["up"], sign: string): string =>
  reach === null ? "never" : `${sign}${thousandths(reach.by)} (${reach.flips})`;

function provenText({
  decided,
  isProven,
  isBounded,
  found,
  atMost,
  isSumKept,
  sum,
}: RewardFit): string {
  const rule = isSumKept ? `what adds to R sums to ${thousandths(sum)}` : "any sum";
  if (isProven) {
    const rest = found.agreed === decided ? "" : ": the rest contradicts itself";
    return `Nothing agrees with more (${rule})${rest}.`;
  }
  const bound = isBounded
    ? `at most ${atMost} can agree`
    : "with so many decisions no bound was looked for";
  return (
    `No weight moved alone, and no two that keep the sum, agree with more than ${found.agreed} (${rule}); ` +
    `${bound}, and whether any weights do is not shown.`
  );
}

const structureText = ({ given, found }: RewardFit): readonly string[] => [
  ...given.broken.map((says) => `The given weights break a rule: ${says}.`),
  ...found.broken.map((says) => `No weights that keep this rule were found: ${says}.`),
];

function validatedText({ crossValidated }: RewardFit): string {
  if (crossValidated === null) return "Too few requests for a cross-validation.";
  const { folds, of, agreed, given } = crossValidated;
  return (
    `Cross-validated in ${folds} parts: ${agreed} of ${of} agree with weights that never saw them; ` +
    `the given weights agree with ${given}.`
  );
}

function marginText({ closestAbove, closestBelow, middle }: RewardFit["found"]["margins"]): string {
  const shown = (margin: Share): string => (decimalOf(margin) * 1000).toFixed(3);
  const of = (one: typeof closestAbove, none: string) =>
    one === null ? none : `${shown(one.margin)} (${one.name})`;
  const above = of(closestAbove, "none");
  const below = of(closestBelow, "none");
  return `closest that passes ${above}, closest that misses ${below}, median ${middle === null ? "none" : shown(middle)}`;
}

export function rweightsCommand(flags: RweightsFlags): number {
  const { set = [], profile, folds = FOLDS } = flags;
  const seed = seedOption(flags.seed ?? "0");
  if (!SUMS.includes(flags.sum)) {
    throw flagError("--sum", flags.sum, SUMS.join(" | "), "Omit it to keep the sum.");
  }
  if (folds < 2) throw flagError("--folds", String(folds), "2 or more", "Omit it for five.");
  const { reward } = policyWith(parts, overridesOption(parts, set, profile)).synt;
  const wrong = disordered(reward);
  if (wrong.length > 0) {
    const todo = "No weights can order strategies that their bonuses do not.";
    const path = `synt.reward.bonus.${wrong.join(", ")}`;
    throw flagError(path, "a bonus above a costlier reuse", "at most the one before it", todo);
  }
  if (reward.gate === 0) {
    const todo = "Where everything passes, no weights decide anything.";
    throw flagError("synt.reward.gate", "0", "1 … 1000 thousandths", todo);
  }
  const read = readDecisions(flags.decisions);
  const left = (verdict: string) => read.filter((one) => one.verdict === verdict).length;
  const used = read.filter(({ verdict }) => verdict === "approve" || verdict === "discard");
  if (used.length === 0) {
    const todo = "Grants that nobody was asked for and wishes for a change say nothing of R.";
    throw flagError(flags.decisions, "no yes or no of a person", "at least one", todo);
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
