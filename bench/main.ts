/**
 * `npm run bench`: the kernel beside a bare heap loop, SimPy and XState's own actors, in one run, as
 * ratios; then the incident. Absolute numbers belong to the machine that the output names.
 */
import "../src/edges/bundle/nodeSha256.ts";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pageOf } from "./page.ts";
import { resultOf } from "./result.ts";
import { assertAgreement, type Order, type Plan, runRounds } from "./rounds.ts";
import { checkout, measureSides } from "./sides.ts";

const USAGE = `node bench/main.ts [--quick] [--json] [--against DIR] [--plot FILE]
  --quick        one short round: less than a minute instead of up to eight
  --json         one JSON object instead of Markdown tables
  --against DIR  the incident and synt beside the same with the sources of another checkout, which has
                 its dependencies installed; both in processes of their own, in turns
  --plot FILE    an SVG too: cost against actors and run length`;

const sizes = [3, 200, 10_000];
const plans: Readonly<Record<"full" | "quick", Plan>> = {
  full: {
    rounds: 5,
    budgetMs: 165_000,
    incidentRounds: 5,
    incidentBudgetMs: 50_000,
    lengthRounds: 3,
    lengthBudgetMs: 60_000,
    sideRounds: 5,
    sideBudgetMs: 180_000,
    sideTimedMs: 1_500,
    sizes,
    agreedTicks: 250,
    // Long enough for the compilers: their time is the processor's, too, and no part of a long run's.
    warmMs: 300,
    timedMs: 400,
  },
  quick: {
    rounds: 1,
    budgetMs: 20_000,
    incidentRounds: 1,
    incidentBudgetMs: 5_000,
    lengthRounds: 1,
    lengthBudgetMs: 10_000,
    sideRounds: 1,
    sideBudgetMs: 20_000,
    sideTimedMs: 200,
    sizes,
    agreedTicks: 50,
    warmMs: 30,
    timedMs: 60,
  },
};

async function main(): Promise<void> {
  const { quick, json, help, order, against, plot } = optionsGiven();
  if (order !== undefined) {
    process.stdout.write(`${JSON.stringify(await answerTo(JSON.parse(order) as Order))}\n`);
  } else if (help) {
    console.log(USAGE);
  } else {
    const plan = plans[quick ? "quick" : "full"];
    const root = against === undefined ? null : checkoutIn(against);
    const measured = runRounds(plan, fileURLToPath(import.meta.url), showProgress);
    assertAgreement(measured.rounds);
    const sides = root === null ? null : measureSides(root, sidePlan(plan), sayLine);
    const result = resultOf(plan, { ...measured, against: sides });
    console.log(json ? JSON.stringify(result) : pageOf(result));
    if (plot !== undefined) writeFileSync(plot, (await import("./plot.ts")).plotOf(result));
  }
}

function optionsGiven() {
  const boolean = { type: "boolean", default: false } as const;
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      options: {
        ...{ quick: boolean, json: boolean, help: boolean },
        ...{ order: text, against: text, plot: text },
      },
    }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

function checkoutIn(folder: string): string {
  try {
    return checkout(folder);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

/** In a process of its own, which loads only what it measures. */
async function answerTo(order: Order): Promise<unknown> {
  if (order.kind === "variant") return (await import("./measure.ts")).measure(order.options);
  if (order.kind === "length") return (await import("./length.ts")).measureLength();
  return (await import("./incident.ts")).measureIncident(order.rounds, order.budgetMs);
}

/** One line that is overwritten on a terminal, one line for each step elsewhere. */
function showProgress(done: number, all: number, what: string): void {
  const text = `${String(done).padStart(String(all).length)}/${all} ${what}`;
  if (!process.stderr.isTTY) process.stderr.write(`${text}\n`);
  else process.stderr.write(`\r\u001b[K${done === all ? "" : text}`);
}

const sayLine = (what: string): void => void process.stderr.write(`${what}\n`);

const sidePlan = ({ sideRounds, sideBudgetMs, sideTimedMs }: Plan) => ({
  ...{ rounds: sideRounds, budgetMs: sideBudgetMs, timedMs: sideTimedMs },
});

await main();
