// Whether a bare run is the run that was recorded, or that is played with everything.
import { expect } from "vitest";
import { builtIn } from "../src/builtIn.ts";
import { worldOf } from "../src/check.ts";
import { figuresOf, type Observed } from "../src/compare.ts";
import { playJob } from "../src/edges/playJob.ts";
import { lazySandbox } from "../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../src/edges/shell/shellProcess.ts";
import type { SimulateOptions } from "../src/simulate.ts";
import { observe } from "./builtIn.ts";
import { randomWorlds } from "./builtInPromises.ts";
import { readBundle } from "./builtInScenarios.ts";

/** Everything that is told of a run on every level. */
function told(observed: Observed) {
  const { result, meter, verdicts } = observed;
  const { outcome, error, envelopes, virtualMs } = result;
  const ended = { outcome, error: error?.message, envelopes, virtualMs };
  return { ...ended, csv: meter.csv(), figures: figuresOf(observed), verdicts };
}

/** Plays bare, with real Python, what a golden recorded, and holds it against a full run of the recording. */
export async function expectBareAlike(golden: string): Promise<void> {
  const { scenario, manifest, inputs } = readBundle(`recordings/${golden}`);
  const { variant, seed, final } = manifest;
  const sandbox = lazySandbox({ kind: "pyodide" });
  const shell = lazyShell();
  const settings = { scenario, set: {}, untilMs: null, level: "bare" } as const;
  const bare = await playJob(builtIn, settings, { variant, seed }, sandbox, shell).finally(() =>
    Promise.all([sandbox.close(), shell.close()]),
  );
  const full = observe(scenario, { variant, seed, recorded: inputs, onDelivery: () => {} });

  expect([full.result.digest, bare.result.digest]).toEqual([final?.digest, null]);
  expect(told(bare)).toEqual(told(full));
}

const worlds = randomWorlds({});

/** Plays the random world of a seed with everything, and bare: from the script, and from its recording. */
export function expectWorldAlike(seed: number): void {
  const scenario = worlds.compile(worldOf(worlds, seed));
  const inputs: NonNullable<SimulateOptions["recorded"]>[number][] = [];
  const played = (options: SimulateOptions) =>
    observe(scenario, { ports: worlds.stage(scenario).ports, ...options });
  const full = played({ onDelivery: () => {}, onInput: (input) => inputs.push(input) });

  expect(full.result.digest, `seed ${seed}`).toHaveLength(64);
  for (const bare of [played({ level: "bare" }), played({ level: "bare", recorded: inputs })]) {
    expect(bare.result.digest).toBe(null);
    expect(told(bare), `seed ${seed}`).toEqual(told(full));
  }
}
