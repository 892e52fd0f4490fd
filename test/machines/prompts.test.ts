import { describe, expect, it } from "vitest";
import { type ExistenceView, type PlanView, renderPrompt } from "../../src/machines/prompts.ts";

const ghost = { name: "safe_file_executor", failures: 3, reason: "ghost: no .py found" };

const existence: ExistenceView = {
  purpose: "goal.choose",
  agent: "cedar",
  n: 4,
  rules: [],
  traits: [],
  load: 0,
  level: "calm",
  stressors: [],
  locks: [],
  worldview: "",
  opinions: [],
  questions: [],
  journal: [],
  peers: [],
  claims: [],
  messages: [],
  heard: [],
  lastOutcome: null,
  recent: [],
  capabilities: [],
  broken: [],
};

const plan: PlanView = {
  purpose: "plan",
  agent: "vault",
  n: 2,
  slug: "review",
  goal: "Review the page",
  artifact: "/agentOS/workspace/cedar/1-page.md",
  evidence: null,
  progress: 850_000,
  rules: [],
  load: 0,
  level: "calm",
  stressors: [],
  locks: [],
  opinions: [],
  notes: [],
  capabilities: [],
  broken: [],
  stepsMax: 6,
};

const SECTIONS = ["A PERSON SAID", "PEERS", "WHAT YOU'VE BEEN DOING", "KNOWN BROKEN TOOLS"];

describe("the existence prompt", () => {
  it("[MO1] lists broken tools in the seed's words and format", () => {
    expect(renderPrompt({ ...existence, broken: [ghost] })).toContain(
      "\n\nKNOWN BROKEN TOOLS:\n  - safe_file_executor  (3 failures, ghost: no .py found)\n\n",
    );
  });

  it("[MO1] shows what the agent feels, hears, sees and remembers", () => {
    const prompt = renderPrompt({
      ...existence,
      heard: ["Please make file writing safer."],
      claims: [{ agent: "cipher", path: "/agentOS/workspace/cipher/1.md" }],
      recent: [{ n: 3, text: "Keep a snapshot", status: "abandoned" }],
      stressors: [
        { type: "repeated_failure", severity: 203_333, condition: "fewer goals fail" },
        { type: "futility", severity: 999_999, condition: null },
      ],
      load: 203_333,
    });

    expect(prompt).toContain(
      "INNER STATE:\n  - repeated_failure: ##-------- 0.20\n    Will ease when: fewer goals fail\n" +
        "  - futility: #########- 1.00\n  Load: 0.20/1.0",
    );
    expect(prompt).toContain("A PERSON SAID:\n  - Please make file writing safer.");
    expect(prompt).toContain("PEERS:\n  - cipher wrote /agentOS/workspace/cipher/1.md");
    expect(prompt).toContain("WHAT YOU'VE BEEN DOING:\n  - [ABANDONED] Keep a snapshot");
  });

  it("[MO2] leaves out every section without facts; the load always stands", () => {
    const prompt = renderPrompt(existence);

    expect(SECTIONS.filter((title) => prompt.includes(title))).toEqual([]);
    expect(prompt).toContain("INNER STATE:\n  Load: 0.00/1.0");
    expect(prompt).not.toContain("\n\n\n");
  });
});

describe("the plan prompt", () => {
  it("[MO1] says what the goal is, how far it is, and what went wrong", () => {
    const prompt = renderPrompt({ ...plan, notes: ['"write file" failed: no'], broken: [ghost] });

    expect(prompt).toContain("Your goal: Review the page");
    expect(prompt).toContain(
      "It is done when /agentOS/workspace/cedar/1-page.md stands. Progress: 0.85.",
    );
    expect(prompt).toContain('WHAT WENT WRONG:\n  - "write file" failed: no');
    expect(prompt).toContain("  - safe_file_executor  (3 failures, ghost: no .py found)");
  });

  it("[MO1] names the evidence when the goal has one", () => {
    expect(renderPrompt({ ...plan, evidence: "Reviewed-by: vault" })).toContain(
      'stands and holds "Reviewed-by: vault".',
    );
  });

  it("[MO2] leaves out every section without facts", () => {
    expect(renderPrompt(plan)).not.toMatch(/WHAT WENT WRONG|KNOWN BROKEN TOOLS|\n\n\n/);
  });

  it("[SC1] asks for as many steps as the policy allows", () => {
    expect(renderPrompt(plan)).toContain("at most 6 steps");
    expect(renderPrompt({ ...plan, stepsMax: 3 })).toContain("at most 3 steps");
  });
});
