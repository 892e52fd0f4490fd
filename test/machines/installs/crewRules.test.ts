// The rules that hold builder and planner, as tables: what each may do, and what is due in its place.
import { expect, it } from "vitest";
import {
  BUILDER_TOOLS,
  type BuilderTool,
  builderStep,
  CREATE,
  type InstallPhase,
  PROMOTE,
  paramsOf,
} from "../../../src/machines/installs/crew/builderRules.ts";
import type { Plan } from "../../../src/machines/installs/crew/crewModel.ts";
import {
  planDue,
  planStep,
  type WishState,
} from "../../../src/machines/installs/crew/plannerRules.ts";
import { INTENT, REVISION } from "./crewMachines.ts";

const wanting = (tool: BuilderTool, changes: readonly string[] = []) => ({
  ...{ tool, changes, about: [], why: "" },
});
/** The rule against it and what is done instead; null where it may. */
const against = (phase: InstallPhase, tool: BuilderTool, looks = 1) => {
  const { held } = builderStep(phase, looks, wanting(tool));
  return held === null ? null : [held.rule, held.does];
};

it.each<[InstallPhase, rule: string, due: BuilderTool]>([
  ["loose", "artifact-only", "report"],
  ["refused", "stop-at-failure", "report"],
  ["gated", "stop-at-gate", "report"],
  ["approval-pending", "wait-for-approval", "end_turn"],
  ["done", "installed", "report"],
])(
  "[INS91] [INS92] [INS93] %s: nothing is called any more, not even to look",
  (phase, rule, due) => {
    for (const tool of BUILDER_TOOLS) {
      const isEnd = ["report", "end_turn"].includes(tool);
      const own =
        tool === "promotion.record"
          ? "judges-record"
          : ["artifact.build", "content.write"].includes(tool)
            ? "no-repair"
            : rule;
      expect(against(phase, tool), tool).toEqual(isEnd ? null : [own, due]);
    }
  },
);

it.each<[InstallPhase, due: BuilderTool]>([
  ["given", "artifact.inspect"],
  ["inspected", CREATE],
  ["approved", CREATE],
  ["created", PROMOTE],
])(
  "[INS92] [INS94] [INS95] %s: %s is due, looks are bounded, and what is half done is completed",
  (phase, due) => {
    expect(against(phase, due, 0)).toBeNull();
    expect(against(phase, "workflow.state", 1)).toBeNull();
    expect(against(phase, "workflow.state", 0)).toEqual(["looked-enough", due]);
    expect(against(phase, "promotion.record")).toEqual(["judges-record", due]);
    for (const tool of ["artifact.build", "content.write"] as const) {
      expect(against(phase, tool)).toEqual(["no-repair", due]);
    }
    const isHalfDone = phase === "approved" || phase === "created";
    for (const tool of ["report", "end_turn"] as const) {
      expect(against(phase, tool)).toEqual(isHalfDone ? ["complete-install", due] : null);
    }
  },
);

it("[INS90] what would change the intent is refused, whatever is called with it", () => {
  for (const tool of [CREATE, "workflow.state"] as const) {
    const { held } = builderStep("inspected", 1, wanting(tool, ["description", "summary"]));
    expect(held).toMatchObject({ rule: "nothing-invented", wanted: tool, does: CREATE });
    expect(held?.why).toContain("description, summary would change");
  }
});

it("[INS90] [INS93] tools are called with the intent as it is, and the model says only what it looks at", () => {
  const gate = { evaluator_pass: true, auditor_pass: true, note: "both" };
  const params = (tool: BuilderTool, about: readonly string[] = [], more: object = {}) =>
    paramsOf(
      {
        ...{ task: { wish: "weather", intent: INTENT }, revision: REVISION, approval: "apr-1" },
        ...{ phase: "approved", step: { tool, about, held: null }, ...more },
      },
      tool,
    );
  const approved = (intent: object) => params(CREATE, [], { task: { wish: "weather", intent } });

  expect(params("agent.revision.diff", ["rev-1"])).toMatchObject({ from: "rev-1", to: REVISION });
  expect(params("agent.revision.inspect")).toMatchObject({ revision_id: REVISION });
  expect(params("agent.revision.inspect", [], { revision: null })).toEqual({
    agent_id: "weather-fetcher",
  });
  expect(approved({ ...INTENT, promotion_gate: gate })).toEqual({
    ...{ ...INTENT, promotion_gate: { ...gate, install_approval_ref: "apr-1" } },
  });
  expect(approved(INTENT)["promotion_gate"]).toEqual({
    ...{ evaluator_pass: false, auditor_pass: false, install_approval_ref: "apr-1" },
  });
  expect(params(CREATE, [], { phase: "inspected" })).toEqual(INTENT);
});

const wish: WishState = {
  ...{ needsCode: true, artifact: "art_1", buildsLeft: 1, gates: ["evaluator", "auditor"] },
  ...{ judges: { evaluator: "passed", auditor: "passed" }, outcome: null, isChanged: false },
};
const planning = (next: Plan, more: Partial<WishState>) =>
  planStep({ ...wish, ...more }, { next, why: "", amend: {}, gating: null }).held?.rule ?? null;

it.each<[due: string, Partial<WishState>]>([
  ["install", {}],
  ["build", { artifact: null }],
  ["stop", { artifact: null, buildsLeft: 0 }],
  ["install", { artifact: null, needsCode: false }],
  ["evaluate", { judges: { evaluator: "open", auditor: "open" } }],
  ["audit", { judges: { evaluator: "passed", auditor: "unrecorded" } }],
  ["evaluate", { judges: { evaluator: "unrecorded", auditor: "failed" } }],
  ["build", { judges: { evaluator: "failed", auditor: "passed" } }],
  ["stop", { judges: { evaluator: "failed", auditor: "passed" }, buildsLeft: 0 }],
  ["install", { judges: { evaluator: "failed", auditor: "passed" }, gates: ["auditor"] }],
  ["stop", { outcome: "refused" }],
  ["install", { outcome: "refused", isChanged: true }],
  ["install", { outcome: "broken" }],
])("[INS96] [INS97] what is due is %s of a wish with %j", (due, more) => {
  expect(planDue({ ...wish, ...more })).toBe(due);
});

it("[INS96] [INS97] a plan is held where there is nothing to do it with, or nothing new", () => {
  expect(planning("build", { needsCode: false })).toBe("nothing-to-build");
  expect(planning("build", { buildsLeft: 0 })).toBe("built-enough");
  expect(planning("build", {})).toBeNull();
  for (const next of ["evaluate", "audit"] as const) {
    expect(planning(next, { artifact: null })).toBe("nothing-to-judge");
    expect(planning(next, {})).toBeNull();
  }
  expect(planning("install", { outcome: "gated" })).toBe("nothing-changed");
  expect(planning("install", { outcome: "gated", isChanged: true })).toBeNull();
  expect(planning("stop", { outcome: "gated" })).toBeNull();
});
