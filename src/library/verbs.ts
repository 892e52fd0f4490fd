/**
 * The verbs that read, as a program calls them: what it hands over is checked as the command line checks
 * its options. Whatever is wrong is thrown as an error for which `isEdgeError` is true.
 */

import { analyseSynt as plainAnalyseSynt } from "../actors/synt/analysis.ts";
import { synt } from "../actors/synt/part.ts";
import { metricNames } from "../contract/metricTable.ts";
import type { Part } from "../contract/part.ts";
import {
  accepts,
  type Policy,
  type PolicyValue,
  policyLeaves as plainPolicyLeaves,
  policyWith as plainPolicyWith,
} from "../contract/policyTree.ts";
import { OPERATORS, type Scenario } from "../contract/scenario.ts";
import { readBundle as plainReadBundle } from "../edges/bundle/bundleReader.ts";
import { refuseImported } from "../edges/bundle/importedBundle.ts";
import { faultOfManifest } from "../edges/bundle/manifestSchema.ts";
import { refuse } from "../edges/errors.ts";
import type { ReadingLists } from "../edges/parts/partLists.ts";
import { questionRefusal } from "../edges/report/questionRefusal.ts";
import { checkOverrides } from "../edges/scenario/policyOverrides.ts";
import {
  loadScenario as plainLoadScenario,
  parseScenario as plainParseScenario,
} from "../edges/scenario/scenarioFile.ts";
import { listScenarios as plainListScenarios } from "../edges/scenario/scenarioFolder.ts";
import { factsIn, findIn } from "../findings/findIn.ts";
import { findings as allFindings } from "../findings/findings.ts";
import { suspectsIn } from "../findings/suspects.ts";
import { isMap } from "../machines/isMap.ts";
import { type Observed, figuresOf as plainFiguresOf } from "../run/compare.ts";
import { type DiffSide, diff as plainDiff } from "../run/diff.ts";
import { judge as plainJudge } from "../run/expect.ts";
import { Meter as PlainMeter } from "../run/meter.ts";
import type { Recorded } from "../run/playRecorded.ts";
import { replay as plainReplay } from "../run/replay.ts";
import { Story } from "../run/story.ts";
import {
  type Explanation,
  questions as plainQuestions,
  why as plainWhy,
  UnknownQuestion,
} from "../run/why.ts";
import { canonicalJson, NotJsonError } from "../substrate/canonicalJson.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Input } from "../substrate/port.ts";
import {
  aFunction,
  aListOf,
  aMap,
  aMapOnlyWith,
  aMapWith,
  aText,
  checked,
  type Kind,
  optionProblems,
  orNothing,
  valueText,
} from "./arguments.ts";
import { aScenario, judgedScenario } from "./judgedScenario.ts";
import { aSeq, deliveryList, inputList } from "./logKinds.ts";
import { anInterpreter, type RunOptions } from "./runOptions.ts";

/** What can be set for `replay`. When empty: tables drive the statecharts. */
export type ReplayOptions = Pick<RunOptions, "interpreter">;

const aFolder: Kind = { ...aText, allowed: "the path of a folder, as a text" };

/** As the file of a bundle. */
const manifestOf = (parts: readonly Part[]): Kind => ({
  allowed: "a manifest, as `readBundle` gives it",
  accepts: (value) => manifestFault(parts, value) === undefined,
  inside: (path, value) => {
    const { path: place, found, allowed } = manifestFault(parts, value) ?? {};
    if (place === undefined || found === undefined || allowed === undefined) return [];
    return [{ where: { path: place === "" ? path : `${path}.${place}` }, found, allowed }];
  },
});

function manifestFault(parts: readonly Part[], value: unknown): ReturnType<typeof faultOfManifest> {
  try {
    return faultOfManifest(parts, JSON.parse(canonicalJson(value, "")));
  } catch (thrown) {
    if (!(thrown instanceof NotJsonError)) throw thrown;
    return { path: thrown.path.slice(1), found: valueText(value), allowed: "JSON" };
  }
}

const recordingOf = (parts: readonly Part[]): Kind =>
  aMapWith("what `readBundle` gives", {
    manifest: manifestOf(parts),
    scenario: aScenario,
    inputs: inputList,
  });

const sideOf = (parts: readonly Part[]): Kind =>
  aMapWith("a side", {
    manifest: manifestOf(parts),
    deliveries: deliveryList,
    inputs: inputList,
    agents: aListOf("names", aText),
  });

const aMeter: Kind = {
  allowed: "a Meter",
  accepts: (value) => value instanceof PlainMeter,
};
const aStory: Kind = { allowed: "a story", accepts: (value) => value instanceof Story };

const options = orNothing(aMapOnlyWith("an option", { folder: orNothing(aFolder) }));

/** The scenarios that come with the package, or those of a folder, by name. */
export const listScenarios = checked(
  "listScenarios",
  { folder: orNothing(aFolder) },
  (folder?: string) => plainListScenarios(folder),
);

/** See `World`: the verbs that read what there is. */
export const readingVerbs = (lists: ReadingLists) => ({
  loadScenario: checked(
    "loadScenario",
    { nameOrPath: aText, options },
    (nameOrPath: string, { folder }: { readonly folder?: string } = {}) =>
      plainLoadScenario(lists, nameOrPath, folder === undefined ? {} : { folder }),
  ),
  parseScenario: checked(
    "parseScenario",
    { text: aText, file: aText },
    (text: string, file: string): Scenario => plainParseScenario(lists, text, file),
  ),
  policyLeaves: () => plainPolicyLeaves(lists.parts),
  policyWith: checked(
    "policyWith",
    { overrides: aMap },
    (overrides: { readonly [path: string]: PolicyValue }): Policy =>
      plainPolicyWith(lists.parts, checkOverrides(lists.parts, overrides)),
  ),
  readBundle: checked("readBundle", { folder: aFolder }, (folder: string) =>
    plainReadBundle(lists, folder),
  ),
});

/** See `World`: the verbs that explain and judge a run that is over. */
export const tellingVerbs = (lists: ReadingLists) => tellingOf(lists, lists.parts);

const tellingOf = (lists: ReadingLists, parts: readonly Part[]) => ({
  replay: checked(
    "replay",
    { recorded: recordingOf(parts), watch: orNothing(aFunction), options: orNothing(aMap) },
    (recorded: Recorded, watch?: (delivery: Delivery) => void, options: ReplayOptions = {}) => {
      const problems = optionProblems("replay", options, { interpreter: anInterpreter });
      refuse(problems, "The type `ReplayOptions` says what there is.");
      refuseImported(recorded, "replay it");
      const { interpreter = "tables" } = options;
      const scenario = judgedScenario(lists, "replay recorded.scenario", recorded.scenario);
      return plainReplay(parts, { ...recorded, scenario }, watch, { interpreter });
    },
  ),
  why: checked(
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
        const todo = "`questions(deliveries)` lists what can be asked.";
        throw questionRefusal(parts, question, thrown, todo);
      }
    },
  ),
  questions: checked("questions", { deliveries: deliveryList }, (deliveries: readonly Delivery[]) =>
    plainQuestions(parts, deliveries),
  ),
  suspectsOf: checked(
    "suspectsOf",
    { deliveries: deliveryList },
    (deliveries: readonly Delivery[]) => suspectsIn(factsIn(parts, deliveries)),
  ),
  findingsOf: checked(
    "findingsOf",
    { deliveries: deliveryList },
    (deliveries: readonly Delivery[]) => findIn(allFindings, factsIn(parts, deliveries)),
  ),
  diff: checked("diff", { a: sideOf(parts), b: sideOf(parts) }, (a: DiffSide, b: DiffSide) =>
    plainDiff(parts, a, b),
  ),
  figuresOf: checked(
    "figuresOf",
    { observed: aMapWith("what `observe` or `play` gives", { meter: aMeter, story: aStory }) },
    (observed: Pick<Observed, "meter" | "story">) => plainFiguresOf(observed),
  ),
  judge: checked(
    "judge",
    { expectation: expectationOf(parts), meter: aMeter, endMs: aSeq },
    (...[expectation, meter, endMs]: Parameters<typeof plainJudge>) =>
      plainJudge(expectation, meter, endMs),
  ),
});

const expectationOf = (parts: readonly Part[]): Kind =>
  aMapOnlyWith("an expectation", {
    name: aText,
    metric: {
      allowed: "a metric",
      accepts: (value) => metricNames(parts).some((name) => name === value),
    },
    op: { allowed: "= != < <= > >=", accepts: (value) => OPERATORS.some((op) => op === value) },
    value: { allowed: "a number", accepts: Number.isFinite },
    actor: {
      allowed: "an actor's name, or null",
      accepts: (value) => value === null || aText.accepts(value),
    },
    at: {
      allowed: "end | ever | a whole number of virtual milliseconds",
      accepts: (value) => value === "end" || value === "ever" || aSeq.accepts(value),
    },
  });

/** Exactly this part of a policy, with every leaf. */
const aSyntPolicy: Kind = {
  allowed: "the part `synt` of what `policyWith` gives",
  accepts: (value) => isMap(value) && hasLeaves(value, "synt."),
};

function hasLeaves(policy: { readonly [name: string]: unknown }, prefix: string): boolean {
  return plainPolicyLeaves([synt]).every(([path, leaf]) => {
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
