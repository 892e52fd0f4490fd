/**
 * `npm run bench:blame`: how often blame is right of planted worlds, beside other ways, and how often its intervals hold;
 * writes docs/blame-truth.md. `-- --seeds 3` as many runs of each world, which then is printed alone; `-- --shipped` only what
 * is said of shipped scenarios, which stands at its end; `-- --kept FILE` keeps what is measured there, a line each, and goes
 * on behind it when it is called again.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { markdownTable } from "markdown-table";
import { keptSteps } from "./keptSteps.ts";
import { carsOwnExamples } from "./planted/carExamples.ts";
import { coverageRows } from "./planted/coverage.ts";
import {
  budgetTable,
  kindsTable,
  missesOf,
  rowsOf,
  waysTable,
  whereChosen,
} from "./planted/truthTables.ts";
import { WORLDS } from "./planted/worlds.ts";
import { HEADING, shippedSection } from "./shipped/section.ts";

const { values } = parseArgs({
  options: {
    ...{ seeds: { type: "string" }, kept: { type: "string" } },
    shipped: { type: "boolean", default: false },
  },
});
const kept = keptSteps(values.kept);
const page = new URL("../docs/blame-truth.md", import.meta.url);
if (values.shipped) {
  const text = readFileSync(page, "utf8");
  const [before = ""] = text.split(HEADING);
  writeFileSync(page, `${before.trimEnd()}\n\n${await shippedSection(kept)}`);
  process.exit(0);
}
const seeds = Number(values.seeds ?? 25);
const isWhole = values.seeds === undefined;
const RUNS = 30;
const POOL = 2_000;
const STUDIES = isWhole ? 2_000 : 100;

const table = (head: readonly string[], rows: readonly (readonly string[])[], words = 1): string =>
  markdownTable(
    [head, ...rows].map((row) => [...row]),
    {
      align: head.map((_, at) => (at < words ? "l" : "r")),
    },
  );

const rows = await rowsOf(seeds, RUNS, kept);
const misses = missesOf(rows);
const text = `# How often \`blame\` is right

Made by \`npm run bench:blame\`: ${WORLDS.length} planted worlds, ${seeds} runs of each that came to harm, ${RUNS} continuations of each arm. What is true of a world is
worked out from its chances (\`bench/planted/worlds.ts\`), over every way in which they may go. Intervals are Wilson's, of 95 %.

In each world somebody chooses, or does not, by chance. Some things nobody chooses, and some come from outside. A keeper does
harm once all of a clause was done. Its log knows no better than that the harm rests on all that it had heard by then.

## Beside other ways

Each has the same run and as many more runs as \`blame\` took. "False blame" is that somebody is named where nobody did it.

${table(["Way", "The cause first", "The set exactly", "False blame"], waysTable(rows))}

- *Last step*: the last thing that was done before the harm. *Most frequent actor*: the last thing that it did.
- *Root of \`why\`*: where the chain of facts ends.
- *Ochiai*: of other runs from the start, what occurs most in those that fail; of equals the later.
- *CAR, contrastive*: the estimator of Causal Agent Replay (arXiv 2606.08275). Each step is drawn anew with all after it; the locus is the last one that
  rescues. It draws steps of agents alone: of what comes from outside it can say nothing. Where a choice is a cause it finds
  ${whereChosen(rows)}. ${await carsOwnExamples()}

## By kind

"An innocent" is anything of which leaving it out changes nothing, and of which the interval says that it does.

${table(["Kind", "Worlds", "Asked for", "Right", "An innocent blamed", "Runs"], kindsTable(rows))}

${misses.length === 0 ? "Nothing was missed." : `Missed: ${misses.join("; ")}.`}

## Runs for the same certainty

Of the worlds with one cause: how often it comes first, by how many runs there are.

${table(["Way", "Runs", "The cause first"], await budgetTable(isWhole ? 4 : 1, kept))}

## Intervals

A pool of ${POOL.toLocaleString("en")} continuations of each arm, of which studies are drawn ${STUDIES.toLocaleString("en")} times. *Each* counts intervals of 95 % by themselves, mean and range over the arms; an
arm of which nothing differs in any pair always holds, and is not counted there. *At once* counts answers of which all intervals hold, of 30
continuations, and of up to five looks that each double those of what is not decided (\`--minutes\`). *Unpaired* is how many times as many continuations it
would take without the same luck in all arms, the median over arms that differ.

${table(["World", "Arms", "P as it was; without each", "Each, n 30", "Each, n 100", "At once, n 30", "At once, stopped", "Unpaired"], await coverageRows(POOL, STUDIES, kept))}
${isWhole ? `\n${await shippedSection(kept)}` : ""}`;
if (isWhole) writeFileSync(page, text);
console.log(text);
// The sandbox's spare process may still be starting.
process.exit(0);
