/** The fit of R's weights to decisions, in words for the person who tunes them. */
import { markdownTable } from "markdown-table";
import { countOf } from "../../../../contract/countOf.ts";
import { decimalOf, type Share } from "../../../../machines/synt/score/exactShare.ts";
import { CONTRACT_FIELDS, TERMS } from "../../../../machines/synt/score/reward.ts";
import type { Reach, RewardFit } from "../weightFit.ts";

interface Shown {
  readonly lines: number;
  readonly unasked: number;
  readonly amended: number;
  readonly gate: number;
  readonly fit: RewardFit;
}

const thousandths = (weight: number): string => (weight / 1000).toFixed(3);

export function fitText({ lines, unasked, amended, gate, fit }: Shown): string {
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
