/**
 * `npm run bench`: the kernel beside a bare heap loop and beside XState's own actors, in one run, as
 * ratios; then the incident. Absolute numbers belong to the machine that the output names.
 */
import "../src/edges/nodeSha256.ts";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pageOf } from "./page.ts";
import { resultOf } from "./result.ts";
import { assertAgreement, type Order, type Plan, runRounds } from "./rounds.ts";

const USAGE = `node bench/main.ts [--quick] [--json]
  --quick  one short round: half a minute instead of up to three
  --json   one JSON object instead of Markdown tables`;

const sizes = [3, 200, 10_000];
const plans: Readonly<Record<"full" | "quick", Plan>> = {
  full: {
    rounds: 5,
    budgetMs: 165_000,
    incidentRounds: 5,
    incidentBudgetMs: 50_000,
    sizes,
    agreedTicks: 250,
    warmMs: 80,
    timedMs: 200,
  },
  quick: {
    rounds: 1,
    budgetMs: 20_000,
    incidentRounds: 1,
    incidentBudgetMs: 5_000,
    sizes,
    agreedTicks: 50,
    warmMs: 30,
    timedMs: 60,
  },
};

async function main(): Promise<void> {
  const { quick, json, help, order } = optionsGiven();
  if (order !== undefined) {
    process.stdout.write(`${JSON.stringify(await answerTo(JSON.parse(order) as Order))}\n`);
  } else if (help) {
    console.log(USAGE);
  } else {
    const plan = plans[quick ? "quick" : "full"];
    const { rounds, incident } = runRounds(plan, fileURLToPath(import.meta.url), showProgress);
    assertAgreement(rounds);
    const result = resultOf(plan, rounds, incident);
    console.log(json ? JSON.stringify(result) : pageOf(result));
  }
}

function optionsGiven() {
  const boolean = { type: "boolean", default: false } as const;
  try {
    return parseArgs({
      options: { quick: boolean, json: boolean, help: boolean, order: { type: "string" } },
    }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

/** In a process of its own, which loads only what it measures. */
async function answerTo(order: Order): Promise<unknown> {
  if (order.kind === "variant") return (await import("./measure.ts")).measure(order.options);
  return (await import("./incident.ts")).measureIncident(order.rounds, order.budgetMs);
}

/** One line that is overwritten on a terminal, one line for each step elsewhere. */
function showProgress(done: number, all: number, what: string): void {
  const text = `${String(done).padStart(String(all).length)}/${all} ${what}`;
  if (!process.stderr.isTTY) process.stderr.write(`${text}\n`);
  else process.stderr.write(`\r\u001b[K${done === all ? "" : text}`);
}

await main();
