/** Plays one scenario in one variant and seed to its end, with real Python where it needs one. */

import type { PolicyValue } from "../../contract/policyTree.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { defined } from "../../machines/defined.ts";
import { type Observed, startObserved } from "../../run/compare.ts";
import { prepare, type SimulateOptions } from "../../run/simulate.ts";
import type { Level } from "../../substrate/level.ts";
import type { Interpreter } from "../../substrate/statechart.ts";
import type { PartLists } from "../parts/partLists.ts";
import { playRun } from "../play/playRun.ts";
import { worldPorts } from "../play/worldPorts.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import type { LazyShell } from "../shell/shellProcess.ts";

export interface PlayJob {
  readonly variant: string | null;
  readonly seed: number;
}

export interface PlaySettings {
  readonly scenario: Scenario;
  readonly set: { readonly [path: string]: PolicyValue };
  readonly untilMs: number | null;
  readonly level: Level;
  readonly interpreter?: Interpreter | undefined;
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
  const options: SimulateOptions = defined({
    variant,
    seed,
    set,
    level,
    untilMs: untilMs ?? undefined,
    interpreter,
  });
  const { policy } = prepare(lists.parts, scenario, options);
  const world = worldPorts(lists, { sandbox, shell, policy, seed, startsAt: scenario.startsAt });
  const { run, finish } = startObserved(lists.parts, scenario, { ...options, ports: world.ports });
  return finish(await playRun(run, { slice: SLICE, inbox: world.inbox }));
}
