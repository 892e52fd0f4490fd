/**
 * The verbs that read, as a program calls them: what it hands over is checked as the command line checks
 * its options. Whatever is wrong is thrown as an error for which `isEdgeError` is true.
 */

import { OPERATORS, type Scenario } from "../actors/scenario.ts";
import { analyseSynt as plainAnalyseSynt } from "../actors/synt/analysis.ts";
import { type Observed, figuresOf as plainFiguresOf } from "../compare.ts";
import { type DiffSide, diff as plainDiff } from "../diff.ts";
import { readBundle as plainReadBundle } from "../edges/bundleReader.ts";
import { checkOverrides } from "../edges/policyOverrides.ts";
import { questionRefusal } from "../edges/questionRefusal.ts";
import {
  listScenarios as plainListScenarios,
  loadScenario as plainLoadScenario,
  parseScenario as plainParseScenario,
} from "../edges/scenarioFile.ts";
import { judge as plainJudge } from "../expect.ts";
import { Meter as PlainMeter } from "../metrics.ts";
import { metricNames } from "../metricTable.ts";
import { parts } from "../parts.ts";
import type { Recorded } from "../playRecorded.ts";
import {
  accepts,
  type Policy,
  type PolicyValue,
  policyLeaves as plainPolicyLeaves,
  policyWith as plainPolicyWith,
} from "../policy.ts";
import { replay as plainReplay } from "../replay.ts";
import { Story } from "../story.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Input } from "../substrate/port.ts";
import {
  type Explanation,
  questions as plainQuestions,
  why as plainWhy,
  UnknownQuestion,
} from "../why.ts";
import {
  aFunction,
  aListOf,
  aMap,
  aMapWith,
  aText,
  checked,
  isMap,
  type Kind,
  orNothing,
} from "./arguments.ts";
import { aSeq, deliveryList, inputList } from "./logKinds.ts";
import { aScenario } from "./runOptions.ts";

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

/** Every number and switch of the policy by path: what it is, its default and what it allows. */
export const policyLeaves = () => plainPolicyLeaves(parts);

/** The whole policy with values by path in place of the defaults. Throws BadInput, all paths named. */
export const policyWith = checked(
  "policyWith",
  { overrides: aMap },
  (overrides: { readonly [path: string]: PolicyValue }): Policy =>
    plainPolicyWith(parts, checkOverrides(overrides)),
);

/** The bundle in a folder, checked byte by byte. Throws BadInput, NewerFormat or Divergence. */
export const readBundle = checked("readBundle", { folder: aFolder }, (folder: string) =>
  plainReadBundle(folder),
);

const aManifest: Kind = aMapWith("a manifest", { seed: aSeq, policy: aMap, scenario: aMap });

const recording: Kind = aMapWith("what `readBundle` gives", {
  manifest: aManifest,
  scenario: aScenario,
  inputs: inputList,
});

/**
 * Plays a bundle again from its recording and compares every delivery with what was written. No port
 * is called but the recording. `watch` sees each delivery.
 */
export const replay = checked(
  "replay",
  { recorded: recording, watch: orNothing(aFunction) },
  (recorded: Recorded, watch?: (delivery: Delivery) => void) => plainReplay(parts, recorded, watch),
);

/**
 * The chain of causes back from a goal (`goal:cedar/7`), a stressor, a call, a delivery's number, a
 * request, executor or turn of synt; without a question, from what went wrong first. Undefined when
 * nothing did. Throws BadInput for a question that fits nothing in the run.
 */
export const why = checked(
  "why",
  { deliveries: deliveryList, inputs: inputList, question: orNothing(aText) },
  (
    deliveries: readonly Delivery[],
    inputs: readonly Input[],
    question?: string,
  ): Explanation | undefined => {
    try {
      return plainWhy(parts, deliveries, inputs, question);
    } catch (thrown) {
      if (!(thrown instanceof UnknownQuestion)) throw thrown;
      throw questionRefusal(question, thrown, "`questions(deliveries)` lists what can be asked.");
    }
  },
);

/** What `why` can be asked about a run. */
export const questions = checked(
  "questions",
  { deliveries: deliveryList },
  (deliveries: readonly Delivery[]) => plainQuestions(parts, deliveries),
);

const aSide: Kind = aMapWith("a side", {
  manifest: aManifest,
  deliveries: deliveryList,
  inputs: inputList,
  agents: aListOf("names", aText),
});

/** Two runs side by side: settings, final metrics, and the first delivery that went differently. */
export const diff = checked("diff", { a: aSide, b: aSide }, (a: DiffSide, b: DiffSide) =>
  plainDiff(parts, a, b),
);

const aMeter: Kind = {
  allowed: "a Meter",
  accepts: (value) => value instanceof PlainMeter,
};
const aStory: Kind = { allowed: "a story", accepts: (value) => value instanceof Story };

/** The figures by which runs are compared: goals, calls, minutes until free, and those of synt. */
export const figuresOf = checked(
  "figuresOf",
  { observed: aMapWith("what `observe` or `play` gives", { meter: aMeter, story: aStory }) },
  (observed: Pick<Observed, "meter" | "story">) => plainFiguresOf(parts, observed),
);

const anExpectation: Kind = aMapWith("an expectation", {
  name: aText,
  metric: {
    allowed: "a metric",
    accepts: (value) => metricNames(parts).some((name) => name === value),
  },
  op: { allowed: "= != < <= > >=", accepts: (value) => OPERATORS.some((op) => op === value) },
  value: { allowed: "a number", accepts: Number.isFinite },
});

/** Whether a run showed what an expectation asks for; `endMs` is the run's end in virtual milliseconds. */
export const judge = checked(
  "judge",
  {
    expectation: anExpectation,
    meter: aMeter,
    endMs: aSeq,
  },
  (...[expectation, meter, endMs]: Parameters<typeof plainJudge>) =>
    plainJudge(expectation, meter, endMs),
);

/** Exactly this part of a policy, with every leaf. */
const aSyntPolicy: Kind = {
  allowed: "the part `synt` of what `policyWith` gives",
  accepts: (value) => isMap(value) && hasLeaves(value, "synt."),
};

function hasLeaves(policy: { readonly [name: string]: unknown }, prefix: string): boolean {
  return plainPolicyLeaves(parts).every(([path, leaf]) => {
    if (!path.startsWith(prefix)) return true;
    const names = path.slice(prefix.length).split(".");
    const value = names.reduce<unknown>(
      (node, name) => (isMap(node) ? node[name] : undefined),
      policy,
    );
    return accepts(leaf, value);
  });
}

/** What the weights of R imply, by calculation. Takes the part `synt` of a policy. */
export const analyseSynt = checked(
  "analyseSynt",
  { policy: aSyntPolicy },
  (policy: Policy["synt"]) => plainAnalyseSynt(policy),
);
