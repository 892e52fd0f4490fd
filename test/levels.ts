// Whether a bare run is the run that was recorded, or that is played with everything.
import { afterAll, expect } from "vitest";
import { builtIn } from "../src/builtIn/lists.ts";
import { cacheFolder, KeptAnswers } from "../src/edges/play/keptAnswers.ts";
import { playJob } from "../src/edges/pool/playJob.ts";
import { lazySandbox } from "../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../src/edges/shell/shellProcess.ts";
import { worldOf } from "../src/run/check/check.ts";
import { figuresOf } from "../src/run/compare.ts";
import type { SimulateOptions } from "../src/run/simulate.ts";
import type { Interpreter } from "../src/substrate/statechart.ts";
import { observe } from "./builtIn.ts";
import { randomWorlds } from "./builtInPromises.ts";
import { readBundle } from "./builtInScenarios.ts";
import { expectGolden, type Told } from "./golden.ts";

/** Everything that is told of a run on every level. */
const told = ({ result: { envelopes, virtualMs }, meter, story, verdicts }: Told) => ({
  envelopes,
  virtualMs,
  csv: meter.csv(),
  figures: figuresOf({ meter, story }),
  verdicts,
});

// One of each for all goldens of a file. What Python and the shell answered a scenario they need not answer its variants.
const answers = new KeptAnswers(cacheFolder(undefined));
const [sandbox, shell] = [lazySandbox({ kind: "pyodide", answers }), lazyShell({ answers })];
afterAll(() => Promise.all([sandbox.close(), shell.close()]));

/** Replays a golden with everything, and holds against it what is played bare under tables, with real Python. Gives the replay. */
export async function expectBareAlike(golden: string, interpreter: Interpreter = "tables") {
  const { scenario, manifest } = readBundle(`recordings/${golden}`);
  const { variant, seed } = manifest;
  const settings = { scenario, set: {}, untilMs: null, level: "bare" } as const;
  const bare = await playJob(builtIn, settings, { variant, seed }, sandbox, shell);

  expect(bare.result).toMatchObject({ digest: null, outcome: "ended" });
  const replayed = expectGolden(golden, interpreter);
  expect(told(bare)).toEqual(told(replayed));
  return replayed;
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
    const { outcome, error } = full.result;
    expect(bare.result).toMatchObject({ digest: null, outcome });
    expect(bare.result.error?.message, `seed ${seed}`).toBe(error?.message);
    expect(told(bare), `seed ${seed}`).toEqual(told(full));
  }
}
