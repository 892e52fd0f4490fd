import { expect, test } from "vitest";
import { BadInput } from "../../src/edges/errors.ts";
import { simulate } from "../builtIn.ts";
import { parseScenario } from "../builtInScenarios.ts";

const whole = `why: w
source: s
startsAt: 2026-05-02T09:00:00Z
seed: 1
runsFor: 10m
agents: [cedar]
model:
  goals:
    - slug: ask
      weight: 1
      text: Ask for a change (goal {n})
      artifact: /agentOS/workspace/{n}.md
      plans:
        - { id: only, weight: 1, steps: [{ intent: propose a change for review, params: { text: slower heartbeat } }] }
world:
  answers:
    - id: accepted
      capability: propose_change
      match: heartbeat
      answer: { status: accepted }
      files: { /agentOS/system/note.md: "for {agent}", /agentOS/system/old.md: null }
      after: 1m30s
    - { id: busy, capability: invoke_claude, error: try later, weight: 2 }
variants:
  nobody: { why: w, without: { choices: ["answer:accepted"] } }
`;

function problemAfter(from: string, to: string): string {
  expect(whole).toContain(from);
  try {
    parseScenario(
      whole.replace(from, () => to),
      "x.yaml",
    );
    return "";
  } catch (thrown) {
    if (!(thrown instanceof BadInput)) throw thrown;
    return `${thrown.where?.path}: ${thrown.found}; ${thrown.allowed}`;
  }
}

test("[WO4] what the scenario says of the world is decoded, defaults filled in", () => {
  expect(parseScenario(whole, "x.yaml").world).toEqual({
    answers: [
      {
        id: "accepted",
        capability: "propose_change",
        match: "heartbeat",
        weight: 1,
        reply: { ok: true, result: { status: "accepted" } },
        files: { "/agentOS/system/note.md": "for {agent}", "/agentOS/system/old.md": null },
        afterMs: 90_000,
      },
      {
        id: "busy",
        capability: "invoke_claude",
        match: null,
        weight: 2,
        reply: { ok: false, error: "try later" },
        files: {},
        afterMs: null,
      },
    ],
  });
});

test.each([
  ["id: busy", "id: accepted", 'world.answers[1].id: "accepted" again'],
  [
    "capability: invoke_claude",
    "capability: shell_exec",
    "propose_change | invoke_claude | research_topic",
  ],
  ["error: try later", "error: no, answer: 1", 'world.answers[1]: "busy"; either answer or error'],
  [", error: try later", "", 'world.answers[1]: "busy"; either answer or error'],
  [
    "/agentOS/system/old.md",
    "/agentOS/../old.md",
    "a path below /agentOS/ without empty, . or .. segments",
  ],
  ["/agentOS/system/old.md", "/etc/passwd", "a path below /agentOS/"],
  ["old.md: null", "old.md: 7", "a text, or null"],
  ["after: 1m30s", "after: soon", "a duration such as"],
  ["weight: 2", "weight: 0", "a whole number 1"],
  ["answer:accepted", "answer:acepted", "goal:ask, plan:ask/only, answer:accepted, answer:busy"],
])("[WO4] %j for %j is refused", (from, to, problem) => {
  expect(problemAfter(from, to)).toContain(problem);
});

test("[WO4] in a run the answer comes back, its files are there, and a variant takes it away", () => {
  const scenario = parseScenario(whole, "x.yaml");
  const repliesOf = (variant: string | null) => {
    const seen: unknown[] = [];
    simulate(scenario, {
      variant,
      onInput: (input) => {
        if (input.kind === "reply" && input.port === "port/tool.call") {
          seen.push([input.choice, input.latencyMs === 90_000]);
        }
      },
    });
    return new Set(seen.map((one) => JSON.stringify(one)));
  };

  expect([...repliesOf(null)]).toEqual(['["answer:accepted",true]']);
  expect([...repliesOf("nobody")]).toEqual(['["answer:none",false]']);
});
