/** What an envelope costs in a run ten times as long: not more than in the short one, or something grows. */
import { builtIn } from "../src/builtIn/lists.ts";
import { parts } from "../src/builtIn/parts.ts";
import { loadScenario } from "../src/edges/scenario/scenarioFile.ts";
import { type RunResult, startRun } from "../src/run/simulate.ts";
import type { Cost, Length } from "./lengths.ts";
import { processorMs } from "./processorTime.ts";

const NAME = "safe-file-executor";
const TIMES = 10;

export function measureLength(): Length {
  const { scenario } = loadScenario(builtIn, NAME);
  const runFor = (times: number) =>
    startRun(parts, { ...scenario, runsForMs: times * scenario.runsForMs }, { level: "bare" });
  const whole = (): Cost => stretch(runFor(1), Number.MAX_SAFE_INTEGER).cost;
  whole();
  const short = whole();
  const run = runFor(TIMES);
  const stretches: Cost[] = [];
  for (let isOver = false; !isOver; ) {
    const { result, cost } = stretch(run, short.envelopes);
    isOver = result !== undefined;
    if (cost.envelopes > 0) stretches.push(cost);
  }
  return { scenario: NAME, short, long: together(stretches), stretches };
}

function stretch(
  run: ReturnType<typeof startRun>,
  envelopes: number,
): { readonly result: RunResult | undefined; readonly cost: Cost } {
  const before = run.kernel.delivered;
  let result: RunResult | "waiting" | undefined;
  globalThis.gc?.();
  const ms = processorMs(() => {
    result = run.advance(envelopes);
  });
  if (result === "waiting") throw new Error(`${NAME} waits, although everything in it is scripted`);
  const { nowMs, delivered } = run.kernel;
  const made = delivered - before;
  return { result, cost: { untilMs: nowMs, envelopes: made, each: (1_000 * ms) / made } };
}

function together(costs: readonly Cost[]): Cost {
  const sum = (of: (cost: Cost) => number): number => costs.reduce((all, one) => all + of(one), 0);
  const envelopes = sum((one) => one.envelopes);
  const each = sum((one) => one.each * one.envelopes) / envelopes;
  return { untilMs: costs.at(-1)?.untilMs ?? 0, envelopes, each };
}
