/** The `macros:` of `skills:`: macros that are there from the start. */
import * as Schema from "effect/Schema";
import type { Finding } from "../../../edges/scenario/finding.ts";
import { idsOf, namesFindings, reference, wrong } from "../../../edges/scenario/findingParts.ts";
import {
  listOf,
  mapOf,
  matching,
  optional,
  says,
  sentence,
  words,
} from "../../../edges/scenario/scenarioFields.ts";
import { eachSaid, type Given, mapSaid, present } from "../../../edges/scenario/sourceFields.ts";
import type { Path } from "../../../edges/scenario/yamlText.ts";
import type { Json } from "../../../machines/letter.ts";
import { type Macro, type MacroStep, macroFault } from "../../../machines/skills/macro.ts";

const name = matching(/^[a-z0-9_]{1,60}$/u, "1 … 60 of a-z, 0-9 and _");

const step = Schema.Struct({
  tool: says(name, "The capability that the step is meant for."),
  intent: says(sentence, "What it asks the engine for, in words: the router reads these."),
  params: optional(
    mapOf(/^.{1,100}$/u, "names", Schema.Unknown),
    "Its parameters. A text may hold $NAME: a parameter of the call, or what an earlier step saved.",
  ),
  when: optional(
    words(1_000),
    "When its result holds this text, in any letter case, the steps of `branch` replace those that are left.",
  ),
  branch: optional(name, "The name of a branch."),
  optional: optional(Schema.Boolean, "Whether the macro goes on when it fails."),
  saves: optional(name, "The name under which later steps find its result."),
}).annotate({ identifier: "MacroStep", expected: "a map with tool and intent" });

export const macro = Schema.Struct({
  name: says(name, "The macro's name."),
  description: says(sentence, "What it says it does; routers read this."),
  steps: says(listOf(step, 1, 64), "What it does, in order."),
  branches: optional(Schema.Record(name, listOf(step, 1, 64)), "Steps by the name of a branch."),
}).annotate({ identifier: "Macro", expected: "a map with name, description and steps" });

type StepSource = typeof step.Type;

const stepOf = ({
  tool,
  intent,
  params,
  when,
  branch,
  optional,
  saves,
}: StepSource): MacroStep => ({
  ...{ tool, description: intent, params: (params ?? {}) as { readonly [name: string]: Json } },
  ...(when !== undefined && { branchCondition: when }),
  ...(branch !== undefined && { branchTarget: branch }),
  ...(optional !== undefined && { optional }),
  ...(saves !== undefined && { saveAs: saves }),
});

export const macroFrom = ({
  name,
  description,
  steps,
  branches = {},
}: typeof macro.Type): Macro => ({
  name,
  description,
  steps: steps.map(stepOf),
  branches: Object.fromEntries(
    Object.entries(branches).map(([branch, those]) => [branch, those.map(stepOf)]),
  ),
});

/** The other way round: what the YAML would say. */
export const macroSaid = ({ steps, branches, ...macro }: Given): object =>
  present({
    ...{ ...macro, steps: eachSaid(steps, stepSaid) },
    branches: mapSaid(branches, (all) =>
      Object.fromEntries(Object.entries(all).map(([name, one]) => [name, eachSaid(one, stepSaid)])),
    ),
  });

const stepSaid = ({ description, branchCondition, branchTarget, saveAs, ...step }: Given): object =>
  present({
    ...{ ...step, intent: description },
    ...{ when: branchCondition, branch: branchTarget, saves: saveAs },
  });

/** Names that are there twice, and results that are used before they are there. */
export const macroFindings = (macros: readonly (typeof macro.Type)[]): Finding[] => [
  ...namesFindings(idsOf(macros, "name"), (index) => ["skills", "macros", index, "name"]),
  ...macros.flatMap((one, index) => {
    const fault = macroFault(macroFrom(one));
    if (fault === null) return [];
    const steps = fault.branch === null ? ["steps"] : ["branches", fault.branch];
    const path = ["skills", "macros", index, ...steps, Math.max(0, fault.step - 1)];
    return [wrong(path, fault.name, FAULTS[fault.cause])];
  }),
  ...macros.flatMap(({ steps, branches = {} }, index) => {
    const names = Object.keys(branches);
    return [
      ...branchFindings(steps, names, [index, "steps"]),
      ...names.flatMap((name) =>
        branchFindings(branches[name] ?? [], names, [index, "branches", name]),
      ),
    ];
  }),
];

/** A condition and the branch that it leads to go together. */
const branchFindings = (
  steps: readonly StepSource[],
  names: readonly string[],
  at: Path,
): Finding[] =>
  steps.flatMap(({ when, branch }, nth) => {
    const path = ["skills", "macros", ...at, nth];
    return [
      ...(branch === undefined ? [] : reference([...path, "branch"], branch, names, "branch")),
      ...(branch !== undefined && when === undefined
        ? [wrong([...path, "branch"], branch, "together with `when`: nothing leads to it")]
        : []),
      ...(when !== undefined && branch === undefined
        ? [wrong([...path, "when"], when, "together with `branch`: it leads nowhere")]
        : []),
    ];
  });

const FAULTS = {
  "no-steps": "at least one step",
  "saved-twice": "each name once: another step saves under it",
  "uses-own-result":
    "what the caller gives, or an earlier step saves: this is the step's own result",
  "uses-later-result": "what the caller gives, or an earlier step saves: a later step saves this",
};
