/** Plays one scenario in one variant and seed to its end, with real Python where it needs one. */

import { type Observed, startObserved } from "../../run/compare.ts";
import { type ChosenWorld, prepare, type SimulateOptions } from "../../run/simulate.ts";
import type { Level } from "../../substrate/level.ts";
import type { PartLists } from "../parts/partLists.ts";
import { playRun } from "../play/playRun.ts";
import { worldPorts } from "../play/worldPorts.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import type { LazyShell } from "../shell/shellProcess.ts";

export type PlayJob = Pick<ChosenWorld, "variant" | "seed">;

export interface PlaySettings extends Omit<ChosenWorld, "variant" | "seed"> {
  readonly level: Level;
}

/** Deliveries between two looks at the mail of this thread: none is sent while it plays. */
const SLICE = 100_000;

/** Sandbox and shell are the caller's: they may serve many runs, and are not closed here. */
export async function playJob(
  lists: PartLists,
  { scenario, set, untilMs, level, interpreter }: PlaySettings,
  { variant, seed }: PlayJob,
  sandbox: LazySandbox,
  shell: LazyShell,
): Promise<Observed> {
  const options: SimulateOptions = { variant, seed, set, level, untilMs, interpreter };
  const { policy } = prepare(lists.parts, scenario, options);
  const world = worldPorts(lists, { sandbox, shell, policy, seed, startsAt: scenario.startsAt });
  const { run, finish } = startObserved(lists.parts, scenario, { ...options, ports: world.ports });
  return finish(await playRun(run, { slice: SLICE, inbox: world.inbox }));
}
