/**
 * The measuring processes, one after the other. Rounds are interleaved: each runs every variant
 * once, so that a busy moment of the host meets all of them, and ratios are taken within a round.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { asked } from "./asked.ts";
import type { Incident } from "./incident.ts";
import { type Length, lengthsOf } from "./lengths.ts";
import type { Measured, MeasureOptions } from "./measure.ts";
import { repeated } from "./repeated.ts";
import { type VariantName, variantNames, variants } from "./variants.ts";

export interface Plan {
  /** At most; fewer on a machine so slow that they would not fit in `budgetMs`. */
  readonly rounds: number;
  readonly budgetMs: number;
  readonly incidentRounds: number;
  readonly incidentBudgetMs: number;
  readonly lengthRounds: number;
  readonly lengthBudgetMs: number;
  /** Only with `--against`. */
  readonly sideRounds: number;
  readonly sideBudgetMs: number;
  readonly sideTimedMs: number;
  readonly sizes: readonly number[];
  readonly agreedTicks: number;
  readonly warmMs: number;
  readonly timedMs: number;
}

/** `simpy` is absent where the host has none. */
export type Round = Readonly<Record<VariantName, readonly Measured[]>> & {
  readonly simpy?: readonly Measured[];
};

/** What a process is asked for; its answer is one line of JSON. */
export type Order =
  | { readonly kind: "variant"; readonly options: MeasureOptions }
  | { readonly kind: "incident"; readonly rounds: number; readonly budgetMs: number }
  | { readonly kind: "length" };

type Report = (done: number, all: number, what: string) => void;

/** `script` is the file that answers orders. */
export function runRounds(plan: Plan, script: string, report: Report) {
  const { rounds, budgetMs, incidentRounds, incidentBudgetMs, lengthRounds, lengthBudgetMs } = plan;
  const { sizes, agreedTicks, warmMs, timedMs } = plan;
  const options = { sizes, agreedTicks, warmMs, timedMs };
  const all = rounds * variantNames.length + lengthRounds + 1;
  let done = 0;
  const ask = (order: Order, what: string): unknown => {
    report(done++, all, what);
    return asked(script, ["--order", JSON.stringify(order)]);
  };
  const incident = ask(
    { kind: "incident", rounds: incidentRounds, budgetMs: incidentBudgetMs },
    "the incident",
  ) as Incident;
  const lengths = repeated(lengthRounds, performance.now() + lengthBudgetMs, (index) =>
    ask(
      { kind: "length" },
      `round ${index + 1} of ${lengthRounds}: the incident, ten times as long`,
    ),
  ) as Length[];
  const measured = repeated(rounds, performance.now() + budgetMs, (index) => {
    const answers = variantNames.map((variant) => {
      const order = { ...options, variant, weighs: index === 0 };
      const what = `round ${index + 1} of ${rounds}: ${variants[variant].title}`;
      return [variant, ask({ kind: "variant", options: order }, what)];
    });
    report(done, all, `round ${index + 1} of ${rounds}: SimPy`);
    const simpy = simpyMeasured(options);
    return { ...Object.fromEntries(answers), ...(simpy && { simpy }) } as Round;
  });
  report(all, all, "done");
  return { rounds: measured, incident, length: lengthsOf(lengths) };
}

/** Debian's `python3-simpy`, which another `python3` on the path may not know. */
const PYTHONS = ["/usr/bin/python3", "python3"];
const SIMPY_WORLD = fileURLToPath(new URL("simpyWorld.py", import.meta.url));

/** Undefined where no Python has SimPy 2. */
function simpyMeasured(options: object): readonly Measured[] | undefined {
  const python = PYTHONS.find(
    (one) => spawnSync(one, ["-c", "import SimPy.Simulation"]).status === 0,
  );
  if (python === undefined) return undefined;
  const run = spawnSync(python, [SIMPY_WORLD, JSON.stringify(options)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (run.status !== 0) throw new Error(`SimPy ended with ${run.signal ?? run.status}`);
  return JSON.parse(run.stdout);
}

/** Throws unless every variant did the same in every round. */
export function assertAgreement(rounds: readonly Round[]): void {
  const seen = new Map<number, string>();
  for (const round of rounds) {
    for (const [variant, measured] of Object.entries(round)) {
      for (const { actors, tally } of measured) {
        const text = JSON.stringify(tally);
        const known = seen.get(actors) ?? text;
        seen.set(actors, known);
        if (text !== known) {
          throw new Error(`${variant} with ${actors} actors did ${text}, others ${known}`);
        }
      }
    }
  }
}
