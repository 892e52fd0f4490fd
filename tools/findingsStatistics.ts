/**
 * Writes docs/findings-statistics.md: what the findings say of the logs in ../shared/traces, figures only. `--of DIR` takes
 * another folder of that shape and prints the page instead.
 */
import "../src/edges/bundle/nodeSha256.ts";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parts } from "../src/builtIn/parts.ts";
import { scenarioParts } from "../src/builtIn/scenarioParts.ts";
import { outcomeTable, placeTable } from "../src/cli/checkLogs.ts";
import { bundlesBelow } from "../src/edges/bundle/bundleFolders.ts";
import { type FolderFindings, findingsOf } from "../src/edges/pool/findWork.ts";
import { findings } from "../src/findings/findings.ts";
import { ANY, outcomeRows, placeRows } from "../src/findings/judgedLogs.ts";

const [option, given] = process.argv.slice(2);
const traces = resolve(given ?? "../shared/traces");
const ids = findings.map(({ id }) => id);
const folder = mkdtempSync(join(tmpdir(), "findings-"));

type Read = Extract<FolderFindings, { readonly unread?: never }>;

function read(source: string, name: string): readonly Read[] {
  const out = join(folder, name);
  const args = ["src/cli/main.ts", "import", join(traces, source), "--out", out, "--strict"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${source} was not imported: ${stderr}`);
  return bundlesBelow(out).map((bundle) => {
    const found = findingsOf({ parts, scenarioParts }, { findings: ids, ofEach: null }, bundle);
    if (found.unread !== undefined) throw new Error(found.unread.says);
    return found;
  });
}

/** As Markdown wants a table. */
const spaced = (text: string): string => text.replace(":\n|", ":\n\n|");

const percent = (share: number): string => (100 * share).toFixed(1);

function page(airline: readonly Read[], annotated: readonly Read[]): string {
  const outcomes = outcomeRows(ids, airline);
  const places = placeRows(ids, annotated);
  const any = places.find(({ finding }) => finding === ANY);
  const ratios = outcomes.filter(({ ratio: { low } }) => low !== null && low > 1);
  const silent = outcomes.filter(({ failed, passed }) => failed.hits + passed.hits === 0);
  const told = any?.told ?? 0;
  return `# What the findings say of real logs

<!-- Written by \`node tools/findingsStatistics.ts\` from the logs in ../shared/traces, which are not in this repository. -->

Nobody made these two sets of logs for Ghostlight. ${airline.length} are episodes of one model with the tools of an airline, each with a reward of 0 or 1
(τ-bench, MIT). ${annotated.length} are failed runs of multi-agent systems, in which people annotated the agent and the step of the decisive mistake
(Who&When, MIT, ICML 2025). The best LLM judge of that paper names the right step in 14.2 % of the cases, and the
right agent, by another protocol, in 53.5 %. By subset, generated and hand-made logs, later judges report 47.5 and 29.3 % of the steps (A2P), and 46.0
and 29.1 % (FALAT). An annotated step is one of several possible causes.

**Read this first.** All ${airline.length + annotated.length} logs were there while the rules were made. So the figures are no test of the rules on unseen logs, where they may be worse. The
thresholds were set before the first figures were seen. Three rules were changed after them, because places that they found, or did not, were wrong.
Tools that only think are excepted from \`empty-success\`. A speaker that finds no code to run does not speak for a tool. \`error-told-as-success\` looks at sentences
and knows “we have found”. Before that, \`empty-success\` stood in 11 of 29 failed episodes and 6 of 21 others (1.33, 0.61 … 3.06). All of them were calls of
\`think\`, which say nothing of how an episode ended. The first finding stood at the annotated step in 2.1 %, within one step in 8.5 %. Neither set says which
tools were offered, so \`catalogue-broken\` and \`takes-others-calls\` could find nothing here. No place in them counts as judged,
so each finding is untested (SPEC FI45).

## Failed episodes against others

${spaced(outcomeTable(outcomes))}

A dash: it occurs in neither. The interval is Koopman's for the ratio of two proportions (SPEC FI30), one for each row, not corrected for their number.

What follows: ${
    ratios.length === 0
      ? "no finding occurs certainly more often in failed episodes than in others."
      : `${ratios.map(({ finding }) => `\`${finding}\``).join(", ")} occurs more often in failed episodes than in others, as far as the interval goes.`
  } ${silent.length} of ${ids.length} findings occur in no episode at all. A finding without a model of the
world does not know the airline's rules, and a call that breaks them may work. That nothing is found does not say that an episode went well.

## The first finding against the annotated step

${spaced(placeTable(places))}

Shares are of all ${annotated.length} logs: a log in which nothing is found counts as a miss. The judge's 14.2 % is of all cases of that paper, of which these are a part.

What follows: something is found in ${told} of ${annotated.length} logs, and the first of it stands at the annotated step in ${percent(any?.same.estimate ?? 0)} %, within one
step in ${percent(any?.withinOne.estimate ?? 0)} %. ${
    (any?.same.low ?? 0) > 0.142
      ? "That is more than the judge's 14.2 %."
      : (any?.same.high ?? 1) < 0.142
        ? "That is less than the judge's 14.2 %: these findings do not locate the mistake of such a conversation."
        : "The interval holds the judge's 14.2 %."
  } In most of these logs hardly
anything but words is exchanged, and no finding judges what words say: they look at calls, results, and at what is said of those.
`;
}

try {
  const text = page(read("airline-tool-calls.jsonl", "airline"), read("who-and-when", "annotated"));
  if (option === "--of") process.stdout.write(text);
  else writeFileSync("docs/findings-statistics.md", text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
