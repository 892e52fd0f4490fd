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

  it("[INS101] reads so, word for word, with everything and with as little as can be", async () => {
    const bare: readonly CrewView[] = [
      {
        ...{ ...plan, needsCode: false, artifact: "art_1", loose: [], matrix: [], gating: "none" },
        ...{ flaws: [], isChanged: true, intent: {} },
        report: { outcome: "refused", reason: null },
      },
      { ...plan, report: null },
      { ...build, flaws: [] },
      { ...turn, hint: null, loose: ["main.py"], did: [{ tool: "x", ok: false, said: "" }] },
      { ...judged("install.audit"), declared: [], files: [], unread: 0 },
    ];
    const texts = [...VIEWS, ...bare].map(
      (view) =>
        `${view.purpose}\n\n${renderCrew(view)}\n\nschema: ${JSON.stringify(crewSchemas[view.purpose])}`,
    );

    await expect(`${texts.join("\n\n---\n\n")}\n`).toMatchFileSnapshot("crewPrompts.txt");
  });

  it("[INS101] cuts a goal, fields, flaws, calls and files each to its share, and shows the last 40 of a list", () => {
    const x = (count: number) => "x".repeat(count);
    const hasCut = (view: CrewView) => renderCrew(view).includes("x …");
    const of = (count: number) => ({ ...build, intent: { a: "", b: x(count) }, flaws: [] });
    const file = (count: number) => ({
      ...judged("install.audit"),
      files: ["a", "b"].map((name) => ({ name, text: x(count) })),
    });

    expect([2_000, 2_001].map((n) => hasCut({ ...build, goal: x(n) }))).toEqual([false, true]);
    expect([3_000, 3_001].map((n) => hasCut(of(n)))).toEqual([false, true]);
    expect([1_500, 1_501].map((n) => hasCut({ ...build, flaws: ["", x(n)] }))).toEqual([
      false,
      true,
    ]);
    expect([6_000, 6_001].map((n) => hasCut(file(n)))).toEqual([false, true]);
    const did = (n: number) => [{ tool: "t", ok: true, said: x(n) }];
    // With the tool and how it ended.
    expect([2_991, 2_992].map((n) => hasCut({ ...turn, did: did(n) }))).toEqual([false, true]);
    const reason = (n: number) => ({ ...plan, report: { outcome: "failed", reason: x(n) } });
    expect([3_000, 3_001].map((n) => hasCut(reason(n)))).toEqual([false, true]);
    const many = Array.from({ length: 41 }, (_, n) => `flaw ${n}.`);
    const listed = renderCrew({ ...build, flaws: many }).match(/^- flaw \d+\.$/gm);
    expect([listed?.length, listed?.at(-1)]).toEqual([40, "- flaw 40."]);
    const wide = Object.fromEntries(many.map((field) => [field, 1]));
    expect(renderCrew({ ...build, intent: wide }).match(/^- flaw \d+\.: 1$/gm)).toHaveLength(40);
  });

  it("[INS101] is bounded, whatever an intent, an artifact or a report holds", () => {
    const long = fc.integer({ min: 0, max: 100_000 }).map((length) => "x".repeat(length));
    const many = fc.array(long, { maxLength: 60 });
    fc.assert(
      fc.property(long, many, (goal, texts) => {
        const wide = Object.fromEntries(texts.map((text, index) => [`${index}${goal}`, text]));
        const did = texts.map((said) => ({ tool: "workflow.state", ok: false, said }));
        const files = texts.map((text, n) => ({ name: goal, text: n % 2 === 0 ? text : null }));
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
