/**
 * Writes docs/redaction.md: of 25 kinds of secrets in 9 places each, how many are taken out on the way in; of 25 things that only look like
 * secrets, and of the logs in ../shared/traces, how many texts are changed. Every secret is made up here. `--print` prints the page instead.
 */
import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { markdownTable } from "markdown-table";
import { readLogs } from "../src/actors/imported/edge/readLogs.ts";
import { cleaned, found, kinds, lookAlikes, places, SAMPLES } from "./secretCorpus.ts";

async function textsIn(
  source: string,
): Promise<{ readonly texts: number; readonly records: number }> {
  let [texts, records] = [0, 0];
  for await (const piece of readLogs([source])) {
    if (piece.kind === "record") records += 1;
    if (piece.kind === "redacted") texts += piece.texts;
  }
  return { texts, records };
}

const traces = resolve("../shared/traces");
if (!existsSync(traces)) throw new Error(`${traces} is not there`);

const names = Object.keys(places);
const rows = Object.entries(kinds).map(([name, kind], at) => ({
  name,
  of: names.map((place) => found(kind, places[place] as (text: string) => unknown, 31 * at + 1)),
}));
const each = names.map((_, at) => rows.reduce((sum, { of }) => sum + (of[at] ?? 0), 0));
const total = each.reduce((sum, one) => sum + one, 0);
const planted = rows.length * names.length * SAMPLES;
const wrong = lookAlikes.flatMap((text) =>
  names
    .filter((place) => {
      const value = (places[place] as (text: string) => unknown)(text);
      return place !== "header" && cleaned(value) !== JSON.stringify(value);
    })
    .map((place) => `\`${text}\` (${place})`),
);
const looked = lookAlikes.length * (names.length - 1);
const sets = [
  await textsIn(`${traces}/airline-tool-calls.jsonl`),
  await textsIn(`${traces}/who-and-when`),
];
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const page = `# Which secrets are taken out of logs

<!-- Written by \`node tools/redactionRates.ts\` from secrets that it makes up, and the logs in ../shared/traces, which are not in this repository. -->

\`import\` and \`record\` take secrets out before anything is written: by the rules of secretlint (\`@secretlint/secretlint-rule-preset-recommend\`, a package), by rows of our own
for what those leave (\`src/edges/redaction.ts\`), and by the names of fields and labels (\`src/actors/imported/edge/redacted.ts\`). A mark stands in the place of each, the same for
the same secret. \`redacted.jsonl\` beside the bundles has the log, file, line, step, kind and length of each, so that evidence which is missed can be found.

${rows.length} kinds in ${names.length} places, ${SAMPLES} made-up secrets in each: **${total} of ${planted}** are taken out (${percent(total / planted)}). A cell counts those of ${SAMPLES} that are.

${markdownTable([["kind", ...names], ...rows.map(({ name, of }) => [name, ...of.map(String)]), ["**all**", ...each.map((one) => `${one}/${rows.length * SAMPLES}`)]], { align: ["l", ...names.map(() => "r")] })}

Of ${lookAlikes.length} texts that only look like secrets, in ${names.length - 1} places each (a header named \`X-Api-Key\` says of anything that it is one), ${wrong.length} of ${looked} are changed${wrong.length === 0 ? "" : `: ${wrong.join("; ")}`}.

In ../shared/traces, where no text holds a secret, ${sets.map(({ texts, records }) => `${texts} texts of ${records} records`).join(" and ")} are changed (the airline's calls, and Who&When).

A secret without a shape or a name beside it cannot be told from any other word: read a bundle before you give it away.
`;

if (process.argv[2] === "--print") process.stdout.write(page);
else writeFileSync("docs/redaction.md", page);
