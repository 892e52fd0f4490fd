/**
 * `npm run bench:crn`: how many times fewer runs common random numbers need than independent seeds, for the same
 * interval of a difference, on four questions; `-- --seeds 200` as many seeds of each. Bare runs, one after another.
 */
import { parseArgs } from "node:util";
import { markdownTable } from "markdown-table";
import { builtIn } from "../src/builtIn/lists.ts";
import { checkedLists } from "../src/edges/pool/checkWorlds.ts";
import { lazySandbox } from "../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../src/edges/shell/shellProcess.ts";
import { sweptRun } from "../src/edges/studies/playStudy.ts";
import { worldOf } from "../src/edges/studies/runKey.ts";
import { parseStudy } from "../src/edges/studies/studyFile.ts";
import { studyPlayer } from "../src/edges/studies/studyPlayer.ts";
import type { Pair } from "../src/studies/statistics/fold.ts";
import type { ListFactor, Setting } from "../src/studies/study.ts";
import { runAt } from "../src/studies/sweep.ts";
import { type Gain, gainOf } from "./gainOf.ts";

interface Question {
  readonly asks: string;
  readonly scenario: string;
  readonly factor: string;
  readonly from: string;
  readonly to: string;
  readonly outcomes: string;
  readonly more?: string;
}

const QUESTIONS: readonly Question[] = [
  {
    asks: "share of goals done, where the gate gives a goal up after fewer misses",
    scenario: "safe-file-executor",
    ...{ factor: "gate.missesMax", from: "5", to: "2" },
    outcomes: "asked: { metric: goals.doneShare, reduce: last }",
  },
  {
    asks: "ms above a load of .75, where the first lock comes later",
    scenario: "lock-feedback",
    ...{ factor: "locks.constrained", from: ".55", to: ".65" },
    outcomes: "asked: { metric: load, reduce: timeAbove, above: .75 }",
  },
  {
    asks: "cents spent on models that are paid, where a day has a lower cap",
    scenario: "synt-judge-text",
    ...{ factor: "synt.budget.dayCents", from: "2000", to: "20" },
    outcomes: "asked: { metric: synt.cents, reduce: last }",
    more: `set:
  synt.tiers.price.wise.asked: 500
  synt.tiers.price.wise.answered: 2500
  synt.tiers.price.middle.asked: 500
  synt.tiers.price.middle.answered: 2500`,
  },
  {
    asks: "share of calls that were macros, where a macro takes more support",
    scenario: "macro-learned",
    ...{ factor: "skills.macros.support", from: "3", to: "6" },
    outcomes: `macros: { metric: macros.called, reduce: last }
  all: { metric: calls.finished, reduce: last }
  asked: { is: macros / all }`,
  },
];

const textOf = ({ asks, scenario, factor, from, to, outcomes, more = "" }: Question): string =>
  `why: "${asks}"
scenario: ${scenario}
factors: { ${factor}: [${from}, ${to}] }
design: { kind: grid }
replicates: 30
outcomes:
  ${outcomes}
baseline: { ${factor}: ${from} }
${more}
`;

const { values } = parseArgs({ options: { seeds: { type: "string", default: "200" } } });
const seeds = Number(values.seeds);
const lists = await checkedLists(builtIn);
const sandbox = lazySandbox({ kind: "auto" });
const shell = lazyShell({ kind: "auto" });

/** The outcome of each seed at both values; a run without one ends the bench. */
async function pairsOf(question: Question): Promise<Pair[]> {
  const study = parseStudy(lists, textOf(question), "question.yaml");
  const host = { sandbox: "auto", cache: null } as const;
  const play = await studyPlayer({ ...worldOf(study), ...host }, sandbox, shell);
  const [factor] = study.factors;
  if (factor?.kind !== "list") throw new Error("the factor of a question is a list");
  const points = [study.baseline, otherThan(study.baseline, factor)];
  const valueAt = async (index: number, replicate: number): Promise<number> => {
    const values = points[index] ?? {};
    const run = runAt(study, { index, values }, replicate);
    const [facts] = (await play([run])).facts;
    const { values: found, faults } = sweptRun(study, run, facts && { facts });
    if (typeof found["asked"] !== "number") throw new Error(faults.join(" "));
    return found["asked"];
  };
  const pairs: Pair[] = [];
  for (let replicate = 0; replicate < seeds; replicate += 1) {
    pairs.push([await valueAt(0, replicate), await valueAt(1, replicate)]);
  }
  return pairs;
}

/** A list of numbers is in their order, not in the question's. */
const otherThan = (baseline: Setting, { name, values }: ListFactor): Setting =>
  Object.fromEntries(
    values.filter((value) => value !== baseline[name]).map((value) => [name, value]),
  );

const digits = (value: number): string => value.toPrecision(3);
const times = ({ ratio, low, high }: Gain): string =>
  ratio === null ? "no variance left" : `${digits(ratio)} [${digits(low)}, ${digits(high)}]`;

const rows: string[][] = [];
for (const question of QUESTIONS) {
  const gain = gainOf(await pairsOf(question));
  const { scenario, factor, from, to, asks } = question;
  const { difference, deviations, correlation } = gain;
  rows.push([
    `\`${scenario}\`: ${asks}`,
    `\`${factor}\` ${from} → ${to}`,
    digits(difference),
    deviations.map(digits).join(", "),
    correlation === null ? "none" : correlation.toFixed(2),
    times(gain),
  ]);
}
await sandbox.close();
const head = ["question", "change", "difference", "deviations", "correlation", "times fewer runs"];
const align = ["l", "l", "r", "r", "r", "r"] as const;
console.log(`${seeds} seeds each\n\n${markdownTable([head, ...rows], { align })}`);
// The sandbox's spare process may still be starting.
process.exit(0);
