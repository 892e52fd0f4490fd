// [SK17] Macros against the real system's recorded answers.
import { afterAll, describe } from "vitest";
import type { Json } from "../../../src/machines/letter.ts";
import {
  beginRun,
  type MacroStep,
  macroFault,
  macroInputs,
  macroName,
  nextCall,
  resolveParams,
  runResult,
  shownResult,
  takeStep,
} from "../../../src/machines/skills/macro.ts";
import { mineSequences } from "../../../src/machines/skills/macroMining.ts";
import { AgreementTable, agreement, ghostCases, isOracleThere } from "./ghostOracle.ts";
import { lessonPolicy } from "./lessonPolicy.ts";

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
  readonly branch_condition?: string;
  readonly branch_target?: string;
  readonly optional?: boolean;
}
const stepFrom = (raw: GhostStep): MacroStep => ({
  tool: raw.tool_name,
  description: raw.description,
  params: raw.param_template,
  ...(raw.save_as && { saveAs: raw.save_as }),
  ...(raw.branch_condition && { branchCondition: raw.branch_condition }),
  ...(raw.branch_target && { branchTarget: raw.branch_target }),
  ...(raw.optional && { optional: raw.optional }),
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
    ({ param_template: template, params }) => resolveParams(template, params),
    (resolved) => resolved,
  );

  agrees<{ result_str: string | null; limit: number }, string>(
    "cap_step_result",
    ({ result_str: text, limit }) => shownResult(text ?? "", limit),
    (shown) => shown,
  );

  interface Run {
    skill: { steps: GhostStep[]; branches?: { [name: string]: GhostStep[] }; mode?: string };
    params: Values;
    tool_results: { [tool: string]: string };
  }
  interface Ran {
    calls: [string, Values][];
    results: { tool: string; success: boolean }[];
    success: boolean;
    steps_completed: number;
    total_steps: number;
  }
  agrees<Run, Ran>(
    "composed_execute",
    ({ skill, params, tool_results: results }) => {
      const { macros } = lessonPolicy();
      const steps = skill.steps.map(stepFrom);
      const macro = {
        name: "m",
        description: "",
        steps,
        branches: branchesFrom(skill.branches ?? {}),
      };
      let run = beginRun({
        macro,
        agent: "a",
        cycle: 1,
        to: "engine",
        re: 1,
        values: params,
        madeBy: 0,
      });
      const calls: [string, Values][] = [];
      for (;;) {
        const next = nextCall(run, macros);
        if (next.end !== undefined) return { calls, ...summary(runResult(run, next.end)) };
        const { tool } = run.steps[0] ?? { tool: "" };
        calls.push([tool, next.call.params as Values]);
        const text = results[tool] ?? "";
        const raised = /^!raise (.*)/.exec(text)?.[1];
        const finished = {
          ...{ type: "call.finished", ok: raised === undefined, capability: tool, result: text },
          ...{ error: raised ?? null, at: { nowMs: 0, seq: calls.length, from: "engine" } },
        };
        // What a run reads of an end; the engine says more.
        const ended = takeStep(run, finished as unknown as Parameters<typeof takeStep>[1], macros);
        run = ended.run;
        if (ended.end !== undefined) return { calls, ...summary(runResult(run, ended.end)) };
      }
    },
    ({ calls, ...told }) => ({ calls, ...summary(told as unknown as Json) }),
    ({ input, expected }) => {
      if (input.skill.mode === "parallel") return "not applicable (no parallel steps in the seed)";
      return expected.results.some(
        ({ success, tool }) => !success && !input.tool_results[tool]?.startsWith("!raise"),
      )
        ? "by the day of the seed (a call fails when the engine says so, not by its words)"
        : null;
    },
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
      mineSequences(
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

/** What both tell of a run; it is JSON, and has the fields that each names. */
function summary(told: Json) {
  const { success, steps_completed, total_steps, results } = told as unknown as {
    success: boolean;
    steps_completed: number;
    total_steps: number;
    results: { tool: string; success: boolean }[];
  };
  const steps = results.map(({ tool, success: ok }) => ({ tool, ok }));
  return { success, steps_completed, total_steps, steps };
}

const FLOW = [
  ["re-binds", "saved-twice"],
  ["SAME step", "uses-own-result"],
  ["only flow forward", "uses-later-result"],
] as const;
