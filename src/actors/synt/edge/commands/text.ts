/** The answers of `ghostlight synt` as people read them. */

import { markdownTable } from "markdown-table";
import type { Minima, SyntAnalysis } from "../../analysed.ts";
import { MEASURED } from "../../fixedTerms.ts";
import { decimal } from "../gateText.ts";
import type { Chained, Named, Scored } from "./answers.ts";

const orNever = (value: number | null): string => (value === null ? "never" : decimal(value));
const orNone = (items: readonly string[]): string => items.join(", ") || "none";

/** `called`: the scenario whose tiers and rules these are, and its variant; null when none was named. */
export function analysisText(analysis: SyntAnalysis, called: string | null): string {
  const { gate, judge, isFree, findings } = analysis;
  const whose = called === null ? "the tiers of a world that names none" : `tiers of ${called}`;
  return [
    `${whose}: ${isFree ? "no call costs anything" : "calls cost money"}`,
    `gate ${gate}; judge taken as ${judge} where it says so`,
    "",
    rangeTable(analysis),
    "",
    "Least value of a term that passes, with all else at its best (similarity: most)",
    minimaTable(analysis, ({ minima }) => minima),
    "",
    `The same with the judge at ${judge}`,
    minimaTable(analysis, ({ minimaAtJudge }) => minimaAtJudge),
    "",
    `A generation that works scores ${decimal(analysis.generated)}; chains, by hops and success of each hop`,
    chainTable(analysis),
    "",
    "Findings",
    ...findings.map(({ says }) => `- ${says}`),
  ].join("\n");
}

const rangeTable = ({ strategies }: SyntAnalysis): string =>
  markdownTable([
    [
      "Strategy",
      "Bonus",
      "R by weights",
      "R by rule",
      "Vetoes",
      "Vetoes in pairs",
      "Never decides",
    ],
    ...strategies.map(
      ({ strategy, bonus, range, rangeByRule, vetoes, vetoPairs, neverDecides }) => [
        strategy,
        decimal(bonus),
        `${decimal(range.least)} … ${decimal(range.most)}`,
        `${decimal(rangeByRule.least)} … ${decimal(rangeByRule.most)}`,
        orNone(vetoes),
        orNone(vetoPairs.map((pair) => pair.join("+"))),
        orNone(neverDecides),
      ],
    ),
  ]);

const minimaTable = (
  { strategies }: SyntAnalysis,
  minimaOf: (one: SyntAnalysis["strategies"][number]) => Minima,
): string =>
  markdownTable([
    ["Strategy", ...MEASURED],
    ...strategies.map((one) => [
      one.strategy,
      ...MEASURED.map((term) => {
        const fixed = one.fixed.find((other) => other.term === term);
        return fixed === undefined ? orNever(minimaOf(one)[term]) : `always ${fixed.at}`;
      }),
    ]),
  ]);

const chainTable = ({ chains }: SyntAnalysis): string =>
  markdownTable([
    ["Each hop", ...(chains[0]?.totals ?? []).map((_, index) => `${index + 1}`), "Wins up to"],
    ...chains.map(({ perHop, totals, longestWinning }) => [
      decimal(perHop),
      ...totals.map(decimal),
      longestWinning === null ? "any length" : `${longestWinning} hops`,
    ]),
  ]);

/** Terms in the order of the formula, with what each adds. */
export function scoreText(said: Scored): string {
  const { strategy, total, passes, gate, reward, parts, sum, cosine, reachable } = said;
  const names = Object.entries(reward).filter(([name]) => name !== "total");
  const adds = Object.values(parts);
  const rows = names.map(([name, value], index) => [
    said.assumed.includes(name) ? `${name} (assumed)` : name,
    decimal(value),
    decimal(adds[index] ?? 0),
  ]);
  return [
    markdownTable([["Term", "Value", "Adds to R"], ...rows]),
    "",
    `R        ${total}${sum === total ? "" : ` (the sum is ${sum})`}`,
    `gate     ${gate}: ${passes ? "passes" : "does not pass"}`,
    `cosine   ${decimal(cosine)} with the nearest of the pool`,
    `range    ${strategy} reaches ${decimal(reachable.least)} … ${decimal(reachable.most)}`,
    ...said.outside.map((term) => `outside  ${term} is not in 0 … 1 and is counted as given`),
  ].join("\n");
}

export function nameText({ name, ok, exception, rule, reason, means, near, pool }: Named): string {
  const why = exception === null ? "" : `, whole, as an exception of the ${exception}`;
  const inPool = pool !== null && "name" in pool ? ` ${pool.name}` : "";
  return [
    ok ? `${name} is admitted${why}` : `${name} is refused [${rule}]: ${reason}`,
    ...(near === null ? [] : [`${means === null ? "near " : "means"}    ${near}`]),
    ...(pool === null ? [] : [`pool     ${pool.outcome}${inPool}`]),
  ].join("\n");
}

export function chainText(said: Chained): string {
  const { from, to, chains, count, hopsMax, isCut, asOne, beyond } = said;
  const cut = isCut ? ["The walk was cut: synt.compose.pathsMax ended it."] : [];
  if (chains.length === 0) {
    const longer =
      beyond === null
        ? []
        : [`beyond   ${beyond.names.join(" → ")} has ${beyond.hops} hops (synt.compose.hopsMax)`];
    return [`no chain from ${from} to ${to} within ${hopsMax} hops`, ...longer, ...cut].join("\n");
  }
  const rows = chains.map(({ names, hops, fit, meanWeight, rate }) => [
    names.join(" → "),
    String(hops),
    decimal(fit),
    decimal(meanWeight),
    decimal(rate),
  ]);
  const name = asOne?.name;
  const collides = asOne?.collides ? ", a name that the pool has already" : "";
  return [
    markdownTable([["Chain", "Hops", "I/O fit", "Mean weight", "det_pass_rate"], ...rows]),
    "",
    `chains   ${count}${count > chains.length ? `, the best ${chains.length} shown` : ""}`,
    ...(name === null || name === undefined ? [] : [`as one   ${name}${collides}`]),
    ...cut,
  ].join("\n");
}
