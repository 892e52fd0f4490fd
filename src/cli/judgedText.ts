/** Tables of findings in logs that people judged. */
import { markdownTable } from "markdown-table";
import { countOf } from "../contract/countOf.ts";
import type { OutcomeRow, PlaceRow } from "../findings/judgedLogs.ts";
import type { Estimate } from "../studies/statistics/intervals.ts";
import type { Hits, RiskRatio } from "../studies/statistics/riskRatio.ts";

const align = ["l", "r", "r", "r", "r"] as const;

/** How much more often findings occur in failed logs. */
export function outcomeTable(rows: readonly OutcomeRow[]): string {
  const [{ failed, passed }] = rows as readonly [OutcomeRow, ...OutcomeRow[]]; // Never empty.
  return [
    `In ${countOf(failed.n, "failed log")} and ${countOf(passed.n, "other")}, how often each occurs, and the ratio (95 %, Koopman):`,
    markdownTable(
      [
        ["finding", "failed", "others", "ratio", "interval"],
        ...rows.map((row) => [
          row.finding,
          hitsText(row.failed),
          hitsText(row.passed),
          ...ratioTexts(row.ratio, row.failed.hits),
        ]),
      ],
      { align },
    ),
  ].join("\n");
}

const hitsText = ({ hits, n }: Hits): string => `${hits}/${n}`;

function ratioTexts({ ratio, low, high }: RiskRatio, hits: number): readonly string[] {
  if (low === null) return ["–", "–"];
  const middle = ratio === null ? (hits > 0 ? "∞" : "–") : ratio.toFixed(2);
  return [middle, `${low.toFixed(2)} … ${high === null ? "∞" : high.toFixed(2)}`];
}

/** How often the first place of findings is the annotated step. */
export function placeTable(rows: readonly PlaceRow[]): string {
  const [{ logs }] = rows as readonly [PlaceRow, ...PlaceRow[]]; // Never empty.
  return [
    `In ${countOf(logs, "log")} with an annotated step, how often the first finding stands there (95 %, Wilson):`,
    markdownTable(
      [
        ["finding", "occurs in", "same step", "within one"],
        ...rows.map(({ finding, told, same, withinOne }) => [
          ...[finding, `${told}/${logs}`, shareText(same), shareText(withinOne)],
        ]),
      ],
      { align: ["l", "r", "r", "r"] },
    ),
  ].join("\n");
}

function shareText({ estimate, low, high }: Estimate): string {
  const percent = (share: number | null): string => `${(100 * (share ?? 0)).toFixed(1)}`;
  return `${percent(estimate)} % (${percent(low)} … ${percent(high)})`;
}
