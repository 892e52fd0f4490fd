// What the models of those who install read: all that they need, and no more than a model can take.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILDER_TOOLS } from "../../../src/machines/installs/crew/builderRules.ts";
import {
  type BuildView,
  type CrewView,
  crewSchemas,
  type JudgeView,
  PLANS,
  type PlanView,
  renderCrew,
  type TurnView,
} from "../../../src/machines/installs/crew/crewModel.ts";

const intent = { agent_id: "weather-fetcher", capabilities: [{ type: "NetworkAccess" }] };
const of = { wish: "w1", goal: "Fetch the weather.", intent };

const plan: PlanView = {
  ...{ ...of, purpose: "install.plan", needsCode: true, artifact: null, loose: ["main.py"] },
  ...{ matrix: ["evaluator", "auditor"], gating: null, flaws: ["it has no tests"] },
  ...{ judges: { evaluator: "passed", auditor: "open" }, isChanged: false, decisionsLeft: 7 },
  report: { outcome: "failed", reason: "the gate is shut" },
};
const build: BuildView = { ...of, purpose: "install.build", flaws: ["it has no tests"] };
const turn: TurnView = {
  ...{ ...of, purpose: "install.turn", loose: [], phase: "created", hint: "resume_promote" },
  did: [{ tool: "agent.revision.create_from_intent", ok: true, said: "rev-00000001" }],
};
const judged = (purpose: JudgeView["purpose"]): JudgeView => ({
  ...{ ...of, purpose, artifact: "art_1", declared: ["NetworkAccess"], unread: 3 },
  files: [
    { name: "main.py", text: "import requests" },
    { name: "logo.png", text: null },
  ],
});
const VIEWS: readonly CrewView[] = [
  ...[plan, build, turn, judged("install.evaluate"), judged("install.audit")],
];

/** Far above what the shares allow, and far below what a live model's context holds. */
const CHARS_MAX = 60_000;

describe("a prompt", () => {
  it("[INS101] names every member that its answer must have", () => {
    for (const view of VIEWS) {
      const { required } = crewSchemas[view.purpose] as { readonly required: readonly string[] };
      const text = renderCrew(view);
      for (const member of required) expect(text).toContain(`"${member}"`);
    }
  });

  it("[INS96] shows the planner what is decided, what is missing and what it may do", () => {
    const text = renderCrew(plan);

    for (const one of PLANS) expect(text).toContain(one);
    expect(text).toContain("evaluator and auditor");
    expect(text).toContain("Evaluator: passed. Auditor: open.");
    expect(text).toContain("The builder reported: failed: the gate is shut.");
    expect(text).toContain("nothing has changed");
    expect(text).toContain("Decisions left: 7.");
  });

  it("[INS90] shows the builder its tools, how far it is and what it called", () => {
    const text = renderCrew(turn);

    for (const tool of BUILDER_TOOLS) expect(text).toContain(tool);
    expect(text).toContain("How far it is: created. workflow.state: resume_promote");
    expect(text).toContain("- agent.revision.create_from_intent: done: rev-00000001");
  });

  it("[INS99] shows a judge each file, says which could not be read, and tells audit from evaluation", () => {
    const [evaluation, audit] = [
      renderCrew(judged("install.evaluate")),
      renderCrew(judged("install.audit")),
    ];
    for (const text of [evaluation, audit]) {
      expect(text).toContain("main.py:\nimport requests");
      expect(text).toContain("logo.png could not be read.");
      expect(text).toContain("3 more files");
    }
    expect(audit).toContain("remote_access_detected is about capability and no threat");
    expect(evaluation).not.toContain("threats_detected");
  });

  it("[INS101] is bounded, whatever an intent, an artifact or a report holds", () => {
    const long = fc.integer({ min: 0, max: 100_000 }).map((length) => "x".repeat(length));
    const many = fc.array(long, { maxLength: 60 });
    fc.assert(
      fc.property(long, many, (goal, texts) => {
        const wide = Object.fromEntries(texts.map((text, index) => [`${index}${goal}`, text]));
        const did = texts.map((said) => ({ tool: "workflow.state", ok: false, said }));
        const files = texts.map((text) => ({ name: goal, text }));
        const views: readonly CrewView[] = [
          { ...plan, goal, intent: wide, loose: texts, flaws: texts },
          { ...build, goal, intent: wide, flaws: texts },
          { ...turn, intent: wide, loose: texts, did },
          { ...judged("install.audit"), goal, files },
        ];
        for (const view of views) expect(renderCrew(view).length).toBeLessThan(CHARS_MAX);
      }),
      { numRuns: 15 },
    );
  });
});
