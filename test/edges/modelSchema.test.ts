import { expect, test } from "vitest";
import { BadInput } from "../../src/edges/errors.ts";
import { parseScenario } from "../builtInScenarios.ts";

const whole = `why: w
source: s
startsAt: 2026-05-02T09:00:00Z
seed: 1
runsFor: 1h
agents:
  - name: cedar
    traits: [curious]
    opinions: [{ opinion: less is more }, { opinion: o, domain: files }]
    questions: [why?]
  - cipher
model:
  goals:
    - slug: note
      agents: [cedar]
      weight: 3
      lesson: file exists
      withoutLesson: other
      section: PLAYBOOK
      withoutSection: ghosts
      nudge: ink
      withoutNudge: paper
      whenLoad: { atLeast: 0.55, below: 0.75 }
      stressor: futility
      knows: fs_read
      lacks: page_counter
      broken: page_counter
      notBroken: fs_read
      message: help
      signal: alarm
      text: t
      artifact: /agentOS/{n}.md
      says:
        reasoning: r
        worldview: v
        questions: [q]
        opinions: [{ opinion: x }]
        stressors: [futility]
        resolved: [stagnation]
      plans:
        - id: only
          weight: 1
          note: no such file
          whenLoad: { below: 1 }
          steps: [{ intent: a }]
  fallbackPlans:
    - { id: think, weight: 1, steps: [{ intent: b }] }
  judges:
    threat: [switched off]
    identity: [{ opinion: less, against: [more] }]
    goal: { coverage: 500 }
  lessons:
    - { id: verify, match: missing, lesson: Verify., category: environment, confidence: high, weight: 1 }
variants:
  other:
    why: w
    without: { choices: ["plan:fallback/think", "lesson:verify", "plan:note/only", "threat:yes"] }
`;

function problemsAfter(from: string, to: string): string[] {
  if (!whole.includes(from)) throw new Error(`${from} is not in the scenario`);
  try {
    parseScenario(
      whole.replace(from, () => to),
      "x.yaml",
    );
    return [];
  } catch (thrown) {
    if (!(thrown instanceof BadInput)) throw thrown;
    return [thrown, ...(thrown.more ?? [])].map(
      ({ where, found, allowed }) => `${where.path}: ${found}; ${allowed}`,
    );
  }
}

test("[IN1] who an agent is stands beside its name", () => {
  const { agents, profiles } = parseScenario(whole, "x.yaml");

  expect(agents).toEqual(["cedar", "cipher"]);
  expect(profiles).toEqual({
    cedar: {
      traits: ["curious"],
      opinions: [
        { opinion: "less is more", domain: "general" },
        { opinion: "o", domain: "files" },
      ],
      questions: ["why?"],
    },
  });
});

test("[DA8] whom an agent knows stands beside its name, and makes no profile", () => {
  const known = whole.replace("  - cipher\n", "  - { name: cipher, knows: [cedar] }\n");
  const hermit = whole.replace("    traits: [curious]", "    knows: []\n    traits: [curious]");
  const { profiles, knows } = parseScenario(known, "x.yaml");

  expect([Object.keys(profiles ?? {}), knows]).toEqual([["cedar"], { cipher: ["cedar"] }]);
  expect(parseScenario(hermit, "x.yaml").knows).toEqual({ cedar: [] });
  expect(parseScenario(whole, "x.yaml").knows).toBeUndefined();
});

test.each([
  ["[cypher]", /agents\[1\]\.knows\[0\]: "cypher".*the name of an agent: cedar$/],
  ["[cipher]", /agents\[1\]\.knows\[0\]: "cipher"; another agent than itself/],
  ["[cedar, cedar]", /agents\[1\]\.knows\[1\]: "cedar" again/],
])("[DA8] knows: %s is refused", (knows, problem) => {
  expect(problemsAfter("  - cipher\n", `  - { name: cipher, knows: ${knows} }\n`)).toEqual([
    expect.stringMatching(problem),
  ]);
});

test("[DA8] a scenario has at most 10,000 agents", () => {
  const agents = (count: number) => Array.from({ length: count }, (_, n) => `  - a${n}\n`).join("");

  // Beside those that are there.
  expect(problemsAfter("  - cipher\n", `  - cipher\n${agents(9_998)}`)).toEqual([]);
  expect(problemsAfter("  - cipher\n", `  - cipher\n${agents(9_999)}`)).toEqual([
    expect.stringMatching(/agents.*10000/),
  ]);
});

test("[IN13] conditions, sayings, fallback plans, judges and lessons become the repertoire", () => {
  const { model } = parseScenario(whole, "x.yaml");
  const [goal] = model.goals;

  expect(goal?.when).toEqual({
    lesson: "file exists",
    withoutLesson: "other",
    section: "PLAYBOOK",
    withoutSection: "ghosts",
    nudge: "ink",
    withoutNudge: "paper",
    whenLoad: { atLeast: 550_000, below: 750_000 },
    stressor: "futility",
    knows: "fs_read",
    lacks: "page_counter",
    broken: "page_counter",
    notBroken: "fs_read",
    message: "help",
    signal: "alarm",
  });
  expect(goal?.says).toEqual({
    reasoning: "r",
    worldview: "v",
    questions: ["q"],
    opinions: [{ opinion: "x", domain: "general" }],
    stressors: ["futility"],
    resolved: ["stagnation"],
  });
  expect(goal?.plans[0]?.when).toEqual({ note: "no such file", whenLoad: { below: 1_000_000 } });
  expect(model.fallbackPlans).toMatchObject([{ id: "think", steps: [{ intents: ["b"] }] }]);
  expect(model.judges).toEqual({
    threat: ["switched off"],
    identity: [{ opinion: "less", against: ["more"] }],
    goal: { coverage: 500 },
  });
  expect(model.lessons).toMatchObject([{ id: "verify", confidence: "high" }]);
});

test.each([
  ["atLeast: 0.55", "atLeast: 55", "model.goals[0].whenLoad.atLeast: 55; a number 0 … 1"],
  [
    "below: 1 }",
    "above: 1 }",
    'model.goals[0].plans[0].whenLoad.above: the key "above"; atLeast, below',
  ],
  ["coverage: 500", "coverage: 1001", "model.judges.goal.coverage: 1001; a whole number 0 … 1000"],
  ["confidence: high", "confidence: sure", 'model.lessons[0].confidence: "sure"; "high" | "low"'],
  ["- cipher", "- cedar", 'agents[1]: "cedar" again; each name once'],
  ["- name: cedar", "- name: cipher", 'agents[1]: "cipher" again; each name once'],
  [
    "plan:fallback/think",
    "plan:fallback/thinks",
    'variants.other.without.choices[0]: "plan:fallback/thinks"; the name of a choice: goal:note, plan:note/only, plan:fallback/think, lesson:verify, identity:contradicted, threat:yes',
  ],
])("%j for %j", (from, to, problem) => {
  expect(problemsAfter(from, to)[0]).toBe(problem);
});

test("an agent is described in one place", () => {
  const path = "/agentOS/memory/identity/cedar/profile.json";

  expect(problemsAfter("model:", `files: { ${path}: x }\nmodel:`)).toEqual([
    `files["${path}"]: "${path}"; other files: the agent cedar writes this one itself`,
  ]);
  expect(
    problemsAfter("model:", `files: { ${path.replace("cedar", "cipher")}: x }\nmodel:`),
  ).toEqual([]);
});

test("fallback plans and lessons have names of their own", () => {
  const second = "    - { id: think, weight: 1, steps: [{ intent: c }] }\n  judges:";

  expect(problemsAfter("  judges:", second)).toEqual([
    'model.fallbackPlans[1].id: "think" again; each name once',
  ]);
});
