/**
 * `npm run bench:search`: how often elimination drops the best point, and bisection misses the crossing; which search needs how many
 * trials (`-- --runs`, that alone).
 */
import { parseArgs } from "node:util";
import { markdownTable } from "markdown-table";
import { RANGE_SEARCHES } from "../src/studies/study.ts";
import { restartRows } from "./restarts.ts";
import { bisectionCoverage, eliminationChance, SEARCH_DATA } from "./searchChance.ts";
import { BUDGET, byOptuna, foundText, QUESTIONS, SEEDS, valuesTo, WAYS } from "./searchRuns.ts";
import { playedWhole, SHIPPED, trialsTo } from "./searchShipped.ts";

const { values } = parseArgs({
  options: { studies: { type: "string", default: "1000" }, runs: { type: "boolean" } },
});
const studies = Number(values.studies);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
/** Of each point of a shipped study; searches among them cost next to nothing. */
const REPLICATES = 2;
const SHIPPED_SEEDS: readonly number[] = Array.from({ length: 12 }, (_, at) => at + 1);
const align = { align: ["l", "r", "r", "r", "r", "r", "r"] };

if (!values.runs) {
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
  console.log("");
}

const ways = Object.entries(WAYS);
const optuna = await byOptuna();
console.log(
  markdownTable(
    [
      [`function, ${BUDGET} values`, "below", ...ways.map(([name]) => name), "Optuna's TPE"],
      ...QUESTIONS.map((question, at) => [
        `${question.name}, ${question.dimensions} dimensions`,
        `${question.target}`,
        ...ways.map(([, way]) => foundText(SEEDS.map((seed) => valuesTo(question, way, seed)))),
        foundText(optuna?.[at] ?? []),
      ]),
    ],
    align,
  ),
);
console.log("");
const shipped = [];
for (const study of SHIPPED)
  shipped.push({ ...study, played: await playedWhole(study, REPLICATES) });
console.log(
  markdownTable(
    [
      ["world of", "points", "as good", ...RANGE_SEARCHES],
      ...shipped.map(({ name, played }) => [
        ...[name, `${played.means.size}`, `${played.good}`],
        ...RANGE_SEARCHES.map((search) =>
          foundText(SHIPPED_SEEDS.map((seed) => trialsTo(played, search, seed))),
        ),
      ]),
    ],
    align,
  ),
);
