import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runOf, runToEnd } from "../../src/run/simulate.ts";
import type { Checkpoint } from "../../src/substrate/checkpoint.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { Kernel } from "../../src/substrate/kernel.ts";
import { prepare, startRun } from "../builtIn.ts";
import { firstMinutes, simulated, untilMs } from "./firstMinutes.ts";

const scenario = firstMinutes();
const { result: whole, log } = simulated();

/** What checkpoints after so many deliveries are on disk, all from one run. */
function savedAfter(...cuts: readonly number[]): Map<number, string> {
  const run = startRun(scenario, { untilMs });
  const saved = new Map<number, string>();
  for (const cut of cuts.toSorted((a, b) => a - b)) {
    run.advance(cut - run.kernel.delivered);
    saved.set(cut, JSON.stringify(run.kernel.checkpoint()));
  }
  return saved;
}

/** The rest of the run, from a checkpoint's text. */
function continued(saved: string, onDelivery?: (delivery: Delivery) => void) {
  const options = prepare(scenario, { untilMs, ...(onDelivery && { onDelivery }) });
  const kernel = Kernel.restore(JSON.parse(saved) as Checkpoint, options.kernelOptions);
  return runToEnd(runOf({ kernel, policy: options.policy, served: () => 0 }, untilMs));
}

/** How many deliveries have happened once this one has. */
const through = (delivery: Delivery | undefined) => log.indexOf(delivery as Delivery) + 1;
const restart = log.find(({ event }) => event.type === "daemon.restarted");

/** How many deliveries have happened when so many calls to the model are open at once. */
function whileOpen(calls: number): number {
  let open = 0;
  for (const [index, { to, from }] of log.entries()) {
    open += Number(to === "port/llm.chat") - Number(from === "port/llm.chat");
    if (open === calls) return index + 1;
  }
  throw new Error(`never ${calls} calls at once`);
}

const moments = [
  { moment: "before anything", cut: 0 },
  { moment: "after the first birth", cut: 1 },
  { moment: "right before a restart", cut: through(restart) - 1 },
  { moment: "right after a restart", cut: through(restart) },
  { moment: "while agents are being stopped", cut: through(restart) + 2 },
  { moment: "while one call to the model is open", cut: whileOpen(1) },
  { moment: "while three calls to the model are open", cut: whileOpen(3) },
  { moment: "after the last delivery", cut: log.length },
];
/** Anywhere in the run; other places for another seed of the suite. */
const anywhere = fc.sample(fc.nat(log.length), 12);
const saved = savedAfter(100, ...anywhere, ...moments.map(({ cut }) => cut));
const savedAt = (cut: number): string => saved.get(cut) ?? "";

describe("checkpoints", () => {
  it.each(moments)("[KN19] goes on as if never stopped: cut $moment", ({ cut }) => {
    const deliveries: Delivery[] = [];

    const result = continued(savedAt(cut), (one) => deliveries.push(one));

    expect(deliveries).toEqual(log.slice(cut));
    expect(result).toMatchObject({
      outcome: "ended",
      digest: whole.digest,
      envelopes: whole.envelopes,
    });
  });

  it.each(anywhere)("[KN19] goes on as if never stopped: cut after %d deliveries", (cut) => {
    const result = continued(savedAt(cut));

    expect([result.digest, result.envelopes]).toEqual([whole.digest, whole.envelopes]);
  });

  it("[KN19] may be cut again and again", () => {
    let text = savedAt(100);
    const { kernelOptions, policy } = prepare(scenario, { untilMs });
    for (let count = 0; count < 20; count++) {
      const kernel = Kernel.restore(JSON.parse(text) as Checkpoint, kernelOptions);
      const run = runOf({ kernel, policy, served: () => 0 }, untilMs);
      run.advance(50);
      text = JSON.stringify(run.kernel.checkpoint());
    }

    expect(continued(text).digest).toBe(whole.digest);
  });

  it("[KN19] taking one changes nothing", () => {
    const run = startRun(scenario, { untilMs });
    for (let count = 0; count < 20; count++) {
      run.advance(100);
      run.kernel.checkpoint();
    }
    const result = runToEnd(run);

    expect(result.digest).toBe(whole.digest);
  });

  it("[KN19] is the same text after a round trip", () => {
    const text = savedAt(whileOpen(3));
    const { kernelOptions } = prepare(scenario, { untilMs });

    const kernel = Kernel.restore(JSON.parse(text) as Checkpoint, kernelOptions);

    expect(JSON.stringify(kernel.checkpoint())).toBe(text);
  });
});
