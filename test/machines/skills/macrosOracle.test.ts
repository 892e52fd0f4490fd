// [SK39] Macros against the real system's recorded answers.
import { afterAll, describe } from "vitest";
import type { Json } from "../../../src/machines/letter.ts";
import {
  type MacroStep,
  macroFault,
  macroInputs,
  macroName,
  resolvedParams,
  shownResult,
} from "../../../src/machines/skills/macro.ts";
import { minedSequences } from "../../../src/machines/skills/mining.ts";
import { AgreementTable, agreement, ghostCases, isOracleThere } from "./ghostOracle.ts";

const table = new AgreementTable();
const agrees = agreement(table);

/** Kinds of which the seed says nothing, and what stands instead. */
const NOT_APPLICABLE: { readonly [kind: string]: string } = {
  is_actionable_lesson: "no gate on the wording of lessons in the seed",
  is_actionable_heuristic: "no heuristics in the seed",
  is_conversational_trigger: "no gate on the wording of triggers in the seed",
  extractor_fallback: "an empty extraction is no lesson; templates are later",
  explicit_query_cluster: "no rescue by domain: .45 is strict (K5)",
  record_surfaced_outcomes: "no term of outcomes in the formula (K2)",
  step_result_ok:
    "the engine says whether a call failed; on the day of the seed the wording did not",
};

interface GhostStep {
  readonly tool_name: string;
  readonly description: string;
  readonly param_template: { readonly [name: string]: Json };
  readonly save_as?: string;
}
const stepFrom = (raw: GhostStep): MacroStep => ({
  tool: raw.tool_name,
  description: raw.description,
  params: raw.param_template,
  ...(raw.save_as && { saveAs: raw.save_as }),
});
const branchesFrom = (raw: { readonly [name: string]: readonly GhostStep[] }) =>
  Object.fromEntries(Object.entries(raw).map(([name, steps]) => [name, steps.map(stepFrom)]));

describe.skipIf(!isOracleThere)("(skipped where shared/oracles/ghost.json is absent)", () => {
  afterAll(() => {
    for (const [kind, why] of Object.entries(NOT_APPLICABLE)) {
      for (const _ of ghostCases(kind)) table.count(kind, `not applicable (${why})`);
    }
    process.stdout.write(`\n${table}\n`);
  });

  type Values = { readonly [name: string]: Json };
  agrees<{ param_template: Values; params: Values }, Values>(
    "resolve_args",
    ({ param_template: template, params }) => resolvedParams(template, params),
    (resolved) => resolved,
  );

  agrees<{ result_str: string | null; limit: number }, string>(
    "cap_step_result",
    ({ result_str: text, limit }) => shownResult(text ?? "", limit),
    (shown) => shown,
  );

  agrees<{ name: string }, string>(
    "macro_name_sanitize",
    ({ name }) => macroName(name),
    (name) => name,
  );

  interface Flow {
    steps: GhostStep[];
    branches: { [name: string]: GhostStep[] };
    mode: string;
  }
  agrees<Flow, string | null>(
    "validate_dataflow",
    ({ steps, branches }) =>
      macroFault({ steps: steps.map(stepFrom), branches: branchesFrom(branches) })?.cause ?? null,
    (error) => (error === null ? null : FLOW.find(([words]) => error.includes(words))?.[1]),
    ({ input, expected }) =>
      input.mode === "parallel" && expected !== null
        ? "not applicable (no parallel steps in the seed)"
        : null,
  );

  agrees<
    { skill: { steps: GhostStep[]; branches: { [name: string]: GhostStep[] } } },
    { function: { parameters: { required: string[] } } }[]
  >(
    "composed_tool_definitions",
    ({ skill }) => [
      macroInputs({ steps: skill.steps.map(stepFrom), branches: branchesFrom(skill.branches) }),
    ],
    (tools) => tools.map((tool) => tool.function.parameters.required),
  );

  agrees<
    { trajectories: [number, [string, Values][], string][] },
    { signature: string[]; support: number; name: string }[]
  >(
    "mine_tool_sequences",
    ({ trajectories }) =>
      minedSequences(
        trajectories
          .filter(([, , outcome]) => outcome === "passed")
          .map(([, calls]) => calls.map(([tool]) => tool)),
        { support: 3, windowMax: 4, minedMax: 3 },
        new Set(["replan", "introspect"]),
      ).map(({ tools, at }) => ({
        tools,
        support: at.length,
        name: macroName(`auto_${tools.join("_")}`),
      })),
    (mined) => mined.map(({ signature: tools, support, name }) => ({ tools, support, name })),
  );
});

const FLOW = [
  ["re-binds", "saved-twice"],
  ["SAME step", "uses-own-result"],
  ["only flow forward", "uses-later-result"],
] as const;
