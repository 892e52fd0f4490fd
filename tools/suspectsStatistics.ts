/**
 * Writes docs/suspects.md: how often the ranking of suspects, and the plain rules beside it, name the step and the agent that people
 * marked in the logs of ../shared/traces, figures only. `--of DIR` takes another folder of that shape and prints the page instead.
 */
import "../src/edges/bundle/nodeSha256.ts";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { markdownTable } from "markdown-table";
import { parts } from "../src/builtIn/parts.ts";
import { scenarioParts } from "../src/builtIn/scenarioParts.ts";
import { bundlesBelow } from "../src/edges/bundle/bundleFolders.ts";
import { readBundle } from "../src/edges/bundle/bundleReader.ts";
import { deliveriesOf } from "../src/edges/bundle/derive.ts";
import { factsIn } from "../src/findings/findIn.ts";
import { GUESS_RULES, type GuessRule, suspectsIn } from "../src/findings/suspects.ts";
import type { Estimate } from "../src/studies/statistics/intervals.ts";
import { type Marked, type ShareRow, shareRows } from "./suspectShares.ts";

const [option, given] = process.argv.slice(2);
const traces = resolve(given ?? "../shared/traces");
const folder = mkdtempSync(join(tmpdir(), "suspects-"));

function read(): readonly Marked[] {
  const out = join(folder, "logs");
  const source = join(traces, "who-and-when");
  const args = ["src/cli/main.ts", "import", source, "--out", out, "--strict"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${source} was not imported: ${stderr}`);
  return bundlesBelow(out).flatMap((bundle) => {
    const opened = readBundle({ parts, scenarioParts }, bundle);
    const facts = [...factsIn(parts, deliveriesOf(parts, opened))];
    const mistake = facts.find((fact) => fact.is === "judged")?.mistake ?? null;
    if (mistake === null) return [];
    const group = /(?:^|[/\\])auto-[^/\\]*$/.test(bundle) ? "generated" : "made by hand";
    return [{ group, mistake, guesses: suspectsIn(facts).guesses }];
  });
}

const percent = (share: number | null): string => (100 * (share ?? 0)).toFixed(1);
const told = ({ estimate, low, high }: Estimate): string =>
  `${percent(estimate)} % (${percent(low)} … ${percent(high)})`;

const table = (rows: readonly ShareRow[]): string =>
  markdownTable(
    [
      ["rule", "step", "among its first three", "agent"],
      ...rows.map(({ rule, step, three, agent }) => [
        GUESS_RULES[rule],
        ...[step, three, agent].map(told),
      ]),
    ],
    { align: ["l", "r", "r", "r"] },
  );

function pairText(rows: readonly ShareRow[], rule: GuessRule): string {
  const step = rows.find((one) => one.rule === rule)?.stepOver;
  if (step === undefined) return "";
  const interval = `${percent(step.estimate)} points, ${percent(step.low)} … ${percent(step.high)}`;
  const isBetter = (step.low ?? 0) > 0;
  const isWorse = (step.high ?? 0) < 0;
  return isBetter
    ? `It names the step more often (${interval}), and should be shipped in its place.`
    : isWorse
      ? `It names the step less often (${interval}), so it is not shipped, and the evidence stands in the reasons alone.`
      : `It does not certainly name the step more often (${interval}), so it is not shipped, and the evidence stands in the reasons alone.`;
}

function page(logs: readonly Marked[]): string {
  const groups = [...new Set(logs.map(({ group }) => group))].sort();
  const all = shareRows(logs);
  const parted = groups.map((group) => {
    const own = logs.filter((log) => log.group === group);
    return `### ${own.length} logs, ${group}\n\n${table(shareRows(own))}`;
  });
  return `# Suspects, and how often they are right

<!-- Written by \`node tools/suspectsStatistics.ts\` from the logs in ../shared/traces, which are not in this repository. -->

\`ghostlight why BUNDLE --suspects\` ranks what agents said and did by how likely it is the mistake. These are ${logs.length} failed runs of multi-agent systems, in which
people marked the agent and the step of the decisive mistake (Who&When, MIT, ICML 2025). A mark names one of several possible causes: where the marked step is
not the one that is named, the named one may be a cause, too.

**No number was fitted to these logs**, and the weights of the evidence were set before anything was measured and left as they were. But the order was chosen after a first
look at this table. The best plain rule was taken. Then the first step with code was put third: other logs of this kind, which are not here, had spoken for it.
So no figure here is one of unseen logs, and that of the order may flatter it.

The order that is shipped is a plain rule: ${GUESS_RULES["failed-else-longest"]}; then the longest, the first with code or a call, and the others by length.
A ranking by evidence was measured beside it: errors that nothing mended, calls that are repeated, empty results talked over, figures without support, long first
words that nobody checked. Held against the shipped order, paired (95 %, Newcombe): ${pairText(all, "evidence")}

## All ${logs.length} logs

Shares with their intervals (95 %, Wilson):

${table(all)}

## By who made them

${parted.join("\n\n")}

## Beside judges

Of large models as judges, the first study of these logs reports 14.2 % of the steps and 53.5 % of the agents, from two protocols: the best for one is not the best for the
other. Those figures are of all logs of that study, of which these are a part.
`;
}

try {
  const text = page(read());
  if (option === "--of") process.stdout.write(text);
  else writeFileSync("docs/suspects.md", text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
