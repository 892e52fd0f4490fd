/** `npm run bench:search`: how often elimination drops the best point, and bisection misses the crossing. */
import { parseArgs } from "node:util";
import { markdownTable } from "markdown-table";
import { restartRows } from "./restarts.ts";
import { bisectionCoverage, eliminationChance, SEARCH_DATA } from "./searchChance.ts";

const { values } = parseArgs({ options: { studies: { type: "string", default: "1000" } } });
const studies = Number(values.studies);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const align = { align: ["l", "r", "r", "r", "r", "r", "r"] };

console.log(
  markdownTable(
    [
      ["elimination, 8 points", "lead of the best", "best dropped", "runs of a grid's"],
      ...SEARCH_DATA.flatMap((data) =>
        [0, 0.1, 0.3].map((lead) => {
          const { dropped, runs } = eliminationChance(data, lead, studies);
          return [data, String(lead), percent(dropped), percent(runs)];
        }),
      ),
    ],
    align,
  ),
);
console.log("");
console.log(
  markdownTable(
    [
      [
        "bisection, 33 levels",
        "n",
        "holds",
        "misses",
        "claims nothing",
        "levels",
        "runs of a grid's",
      ],
      ...SEARCH_DATA.flatMap((data) =>
        [30, 100].map((n) => {
          const { held, missed, unclaimed, width, runs } = bisectionCoverage(data, n, studies);
          return [
            ...[data, String(n), percent(held), percent(missed), percent(unclaimed)],
            ...[width.toFixed(1), percent(runs)],
          ];
        }),
      ),
    ],
    align,
  ),
);
console.log("");
console.log(
  markdownTable(
    [["CMA-ES on Rastrigin, 5 dimensions", "found", "evaluations"], ...restartRows()],
    align,
  ),
);
