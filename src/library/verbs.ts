/**
 * The synchronous verbs as a program calls them: what it hands over is checked as the command line checks
 * its options. Whatever is wrong is thrown as an error for which `isEdgeError` is true.
 */
import { type Observed, figuresOf as plainFiguresOf, observe as plainObserve } from "../compare.ts";
import { diff as plainDiff } from "../diff.ts";
import { readBundle as plainReadBundle } from "../edges/bundleReader.ts";
import { clock } from "../edges/duration.ts";
import { checkOverrides } from "../edges/policyOverrides.ts";
import { questionRefusal } from "../edges/questionRefusal.ts";
import {
  listScenarios as plainListScenarios,
  loadScenario as plainLoadScenario,
  parseScenario as plainParseScenario,
} from "../edges/scenarioFile.ts";
import { judge as plainJudge } from "../expect.ts";
import {
  type Policy,
  type PolicyValue,
  policyWith as plainPolicyWith,
} from "../machines/policy.ts";
import { replay as plainReplay } from "../replay.ts";
import type { Scenario } from "../scenario.ts";
import {
  type SimulateOptions as PlainOptions,
  simulate as plainSimulate,
  type RunResult,
} from "../simulate.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Input } from "../substrate/port.ts";
import { NeedsPython } from "../substrate/scriptedTools.ts";
import { analyseSynt as plainAnalyseSynt } from "../syntAnalysis.ts";
import {
  type Explanation,
  questions as plainQuestions,
  why as plainWhy,
  UnknownQuestion,
} from "../why.ts";
import {
  aFunction,
  aList,
  aMap,
  aMapWith,
  aText,
  aWhole,
  checked,
  type Kind,
  orNothing,
} from "./arguments.ts";
import { Meter } from "./checkedMeter.ts";
import { checkedRun, needsPlay, type RunOptions, runKinds } from "./runOptions.ts";

/** What can be set for `simulate` and `observe`. */
export interface SimulateOptions extends RunOptions {
  /** Serves every port from the inputs of a recording, such as a bundle's, in place of the script. */
  readonly recorded?: readonly Input[] | undefined;
}

const simulateKinds = { ...runKinds, recorded: aList };
/** Options of `play` that a synchronous verb cannot have. */
const ofPlay = ["ports", "sandbox", "out", "signal", "log"];

/**
 * Plays a scenario to its end, at once: everything outside is scripted, or recorded. Gives the outcome
 * with digest, deliveries and virtual milliseconds. A world in which an agent writes code needs a
 * sandbox: then it throws BadInput that names `play`. Throws BadInput for options that do not fit.
 */
export function simulate(scenario: Scenario, options: SimulateOptions = {}): RunResult {
  return ranWithoutPython(
    "simulate",
    plainSimulate(scenario, plain("simulate", scenario, options)),
  );
}

/** As `simulate`, with everything that was seen: meter, story, and the verdict on each expectation. */
export function observe(scenario: Scenario, options: SimulateOptions = {}): Observed {
  const simulated = plain("observe", scenario, options);
  const observed = plainObserve(scenario, simulated, new Meter(scenario.agents));
  ranWithoutPython("observe", observed.result);
  return observed;
}

function plain(verb: string, scenario: Scenario, options: SimulateOptions): PlainOptions {
  const given = ofPlay.find(
    (name) => (options as { [name: string]: unknown } | null)?.[name] !== undefined,
  );
  if (given !== undefined) throw needsPlay(verb, `the option ${given}`);
  const { untilMs, ...run } = checkedRun(verb, scenario, options, simulateKinds);
  const { recorded, onDelivery, onInput } = options;
  return {
    ...run,
    ...(untilMs !== null && { untilMs }),
    ...(recorded && { recorded }),
    ...(onDelivery && { onDelivery }),
    ...(onInput && { onInput }),
  };
}

function ranWithoutPython(verb: string, result: RunResult): RunResult {
  if (result.error instanceof NeedsPython) {
    const found = `code that an agent wrote: ${result.error.tool}, at ${clock(result.virtualMs)} of virtual time`;
    throw needsPlay(verb, found);
  }
  return result;
}

const aFolder: Kind = { ...aText, allowed: "the path of a folder, as a text" };

/** The scenarios that come with the package, or those of a folder, by name. */
export const listScenarios = checked(
  "listScenarios",
  { folder: orNothing(aFolder) },
  (folder?: string) => plainListScenarios(folder),
);

/**
 * The scenario of that name, or of the YAML file at that path, with its text. `folder` is where names
 * are looked up. Throws BadInput that names file, line, path, what was found and what is allowed.
 */
export const loadScenario = checked(
  "loadScenario",
  { nameOrPath: aText, options: orNothing(aMapWith("options", { folder: orNothing(aFolder) })) },
  (nameOrPath: string, options: { readonly folder?: string } = {}) => {
    const { folder } = options;
    return plainLoadScenario(nameOrPath, folder === undefined ? {} : { folder });
  },
);

/** The scenario of a YAML text; `file` names it in errors and in its bundles. Throws BadInput. */
export const parseScenario = checked(
  "parseScenario",
  { text: aText, file: aText },
  (text: string, file: string): Scenario => plainParseScenario(text, file),
);

/** The whole policy with values by path in place of the defaults. Throws BadInput, all paths named. */
export const policyWith = checked(
  "policyWith",
  { overrides: aMap },
  (overrides: { readonly [path: string]: PolicyValue }): Policy =>
    plainPolicyWith(checkOverrides(overrides)),
);

/** The bundle in a folder, checked byte by byte. Throws BadInput, NewerFormat or Divergence. */
export const readBundle = checked("readBundle", { folder: aFolder }, (folder: string) =>
  plainReadBundle(folder),
);

const recording: Kind = aMapWith("what `readBundle` gives", {
  manifest: aMap,
  scenario: aMap,
  inputs: aList,
});

/**
 * Plays a bundle again from its recording and compares every delivery with what was written. No port
 * is called but the recording. `watch` sees each delivery.
 */
export const replay = checked(
  "replay",
  { recorded: recording, watch: orNothing(aFunction) },
  (recorded: Parameters<typeof plainReplay>[0], watch?: (delivery: Delivery) => void) =>
    plainReplay(recorded, watch),
);

/**
 * The chain of causes back from a goal (`goal:cedar/7`), a stressor, a call, a delivery's number, a
 * request, executor or turn of synt; without a question, from what went wrong first. Undefined when
 * nothing did. Throws BadInput for a question that fits nothing in the run.
 */
export const why = checked(
  "why",
  { deliveries: aList, inputs: aList, question: orNothing(aText) },
  (
    deliveries: readonly Delivery[],
    inputs: readonly Input[],
    question?: string,
  ): Explanation | undefined => {
    try {
      return plainWhy(deliveries, inputs, question);
    } catch (thrown) {
      if (!(thrown instanceof UnknownQuestion)) throw thrown;
      throw questionRefusal(question, thrown, "`questions(deliveries)` lists what can be asked.");
    }
  },
);

/** What `why` can be asked about a run. */
export const questions = checked(
  "questions",
  { deliveries: aList },
  (deliveries: readonly Delivery[]) => plainQuestions(deliveries),
);

const aSide: Kind = aMapWith("a side", {
  manifest: aMap,
  deliveries: aList,
  inputs: aList,
  agents: aList,
});

/** Two runs side by side: settings, final metrics, and the first delivery that went differently. */
export const diff = checked(
  "diff",
  { a: aSide, b: aSide },
  (...[a, b]: Parameters<typeof plainDiff>) => plainDiff(a, b),
);

/** The figures by which runs are compared: goals, calls, minutes until free, and those of synt. */
export const figuresOf = checked(
  "figuresOf",
  { observed: aMapWith("what `observe` or `play` gives", { meter: aMap, story: aMap }) },
  (observed: Pick<Observed, "meter" | "story">) => plainFiguresOf(observed),
);

/** Whether a run showed an expectation; `endMs` is the run's end in virtual milliseconds. */
export const judge = checked(
  "judge",
  {
    expectation: aMapWith("an expectation", { name: aText, metric: aText, op: aText }),
    meter: aMapWith("a Meter", { series: aFunction, valueAt: aFunction }),
    endMs: aWhole(0, Number.MAX_SAFE_INTEGER),
  },
  (...[expectation, meter, endMs]: Parameters<typeof plainJudge>) =>
    plainJudge(expectation, meter, endMs),
);

/** What the weights of R imply, by calculation. Takes the part `synt` of a policy. */
export const analyseSynt = checked(
  "analyseSynt",
  { policy: aMapWith("`policyWith({}).synt`", { reward: aMap, stages: aMap }) },
  (policy: Policy["synt"]) => plainAnalyseSynt(policy),
);
