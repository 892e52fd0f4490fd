/** The synchronous verbs that play, as a program calls them. See play.ts for worlds that need more. */

import { NeedsPython, NeedsShell } from "../contract/needsHost.ts";
import type { Scenario } from "../contract/scenario.ts";
import { clock } from "../edges/duration.ts";
import type { ReadingLists } from "../edges/parts/partLists.ts";
import { type Observed, observe as plainObserve } from "../run/compare.ts";
import {
  type SimulateOptions as PlainOptions,
  simulate as plainSimulate,
  type RunResult,
} from "../run/simulate.ts";
import type { Input } from "../substrate/port.ts";
import { Meter } from "./checkedMeter.ts";
import { inputList } from "./logKinds.ts";
import { type LookingOn, lookingOn, ownCopy } from "./lookingOn.ts";
import { checkedRun, needsPlay, type RunOptions, runKinds } from "./runOptions.ts";

/** What can be set for `simulate` and `observe`. */
export interface SimulateOptions extends RunOptions {
  /** Serves every port from the inputs of a recording, such as a bundle's, in place of the script. */
  readonly recorded?: readonly Input[] | undefined;
}

const simulateKinds = { ...runKinds, recorded: inputList };
/** Options of `play` that a synchronous verb cannot have. */
const ofPlay = ["ports", "sandbox", "signal"];

/** See `World.simulate`. */
export function simulateIn(
  lists: ReadingLists,
  scenario: Scenario,
  options: SimulateOptions = {},
): RunResult {
  const { simulated, looking, own } = plain(lists, "simulate", scenario, options);
  const result = plainSimulate(lists.parts, own, simulated);
  looking.rethrow();
  return ranWithoutPython("simulate", result);
}

/** See `World.observe`. */
export function observeIn(
  lists: ReadingLists,
  scenario: Scenario,
  options: SimulateOptions = {},
): Observed {
  const { simulated, looking, own } = plain(lists, "observe", scenario, options);
  const meter = new Meter(lists.parts, scenario.agents, scenario);
  const observed = plainObserve(lists.parts, own, simulated, meter);
  looking.rethrow();
  ranWithoutPython("observe", observed.result);
  return observed;
}

function plain(
  lists: ReadingLists,
  verb: string,
  scenario: Scenario,
  options: SimulateOptions,
): { readonly simulated: PlainOptions; readonly looking: LookingOn; readonly own: Scenario } {
  const given = ofPlay.find(
    (name) => (options as { [name: string]: unknown } | null)?.[name] !== undefined,
  );
  if (given !== undefined) throw needsPlay(verb, `the option ${given}`);
  const { scenario: judged, ...run } = checkedRun(lists, verb, scenario, options, simulateKinds);
  const looking = lookingOn(options, true);
  const { recorded } = options;
  const simulated = {
    ...run,
    ...(recorded && { recorded: ownCopy(recorded, looking) }),
    ...looking.looks,
  };
  return { simulated, looking, own: ownCopy(judged, looking) };
}

/** Ours: enough to find it in the scenario. */
const COMMAND_CHARS_SHOWN = 80;

function ranWithoutPython(verb: string, result: RunResult): RunResult {
  if (result.error instanceof NeedsPython) {
    const found = `code that an agent wrote: ${result.error.tool}, at ${clock(result.virtualMs)} of virtual time`;
    throw needsPlay(verb, found);
  }
  if (result.error instanceof NeedsShell) {
    const line = result.error.command.slice(0, COMMAND_CHARS_SHOWN);
    const found = `a command line for shell_exec: ${line}, at ${clock(result.virtualMs)} of virtual time`;
    throw needsPlay(verb, found);
  }
  return result;
}
