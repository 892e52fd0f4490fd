/** `npm run bench:coverage`: how often 95 % intervals of studies hold the truth; `-- --studies 1000` as many studies. */
import { parseArgs } from "node:util";
import { markdownTable } from "markdown-table";
import { coverageOf, DATA, QUESTIONS } from "./coverageOf.ts";

const { values } = parseArgs({ options: { studies: { type: "string", default: "1000" } } });
const studies = Number(values.studies);
const SIZES = [30, 100];
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

const rows = QUESTIONS.flatMap((question) =>
  DATA.map((data) => [
    question,
    data,
    ...SIZES.map((n) => percent(coverageOf(question, data, n, studies))),
  ]),
);
console.log(
  markdownTable([["interval", "data", ...SIZES.map((n) => `n = ${n}`)], ...rows], {
    align: ["l", "l", "r", "r"],
  }),
);
