// A whole world in which tools are called by name. SPEC, "Tools by name (TB)".
import { describe, expect, it } from "vitest";
import { parts } from "../../../src/builtIn/parts.ts";
import { readPlanAnswer } from "../../../src/machines/agents/model/modelAnswers.ts";
import { type PlanView, renderPrompt } from "../../../src/machines/agents/model/prompts.ts";
import { narrate } from "../../../src/run/narrate.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { answerFormat, simulate } from "../../builtIn.ts";
import { parseScenario } from "../../builtInScenarios.ts";
import { byNameScenario } from "../../byName.ts";
import { carrying } from "../../mail.ts";

const played = (text = byNameScenario, set = {}) => {
  const log: Delivery[] = [];
  const result = simulate(parseScenario(text, "x.yaml"), {
    set,
    onDelivery: (one) => log.push(one),
  });
  return { log, result };
};

it("[TB1] goals are reached by steps that name their tools, and no word is compared", () => {
  const { log, result } = played();

  expect(result.outcome).toBe("ended");
  expect(carrying(log, "goal.ended").some(({ event }) => event.status === "completed")).toBe(true);
  expect(carrying(log, "call.routed").every(({ event }) => event.byName)).toBe(true);
});

it("[TB7] they are told as what they are", () => {
  const { log } = played();
  const says = log.map((one) => narrate(parts, one));

  expect(says).toContain("cedar asked for weather by name.");
  expect(says).toContain("cedar called fs_write by name.");
  expect(says.some((line) => line?.includes("The router gave"))).toBe(false);
});

describe("the question for a plan", () => {
  const view = (kind: string): PlanView => {
    const asked = carrying(played(byNameScenario, { "router.kind": kind }).log, "llm.asked");
    return asked.map((one) => one.event.view).find((one) => one.purpose === "plan") as PlanView;
  };

  it("[TB8, TB26] lists names with what they take and asks for one, where tools are called by name", () => {
    const named = renderPrompt(view("name"));

    expect(named).toContain("- weather(city: string, day?: integer): The weather of a city.");
    expect(named).toContain('{"steps": [{"tool": the name of one of the tools above');
    expect(answerFormat("plan", view("name"))).toMatchObject({
      properties: { steps: { items: { required: ["tool", "params"] } } },
    });
  });

  it("[TB8] does neither elsewhere", () => {
    const worded = renderPrompt(view("lexical"));

    expect(worded).toContain("- weather: The weather of a city.");
    expect(worded).toContain('{"steps": [{"intent": what you want in a few words');
    expect(answerFormat("plan", view("lexical"))).toEqual(answerFormat("plan"));
  });
});

it("[TB8] a prompt of another world is what it was before there were names", () => {
  const view: PlanView = {
    ...{ purpose: "plan", agent: "cedar", n: 1, slug: "page", goal: "write a page", level: "calm" },
    ...{ artifact: "/agentOS/page.md", evidence: null, progress: 0, load: 0, stepsMax: 6 },
    ...{ rules: [], opinions: [], notes: [], locks: [], stressors: [], broken: [] },
    capabilities: [{ name: "fs_write", description: "writes a file" }],
  };

  expect(renderPrompt(view)).toBe(`You are cedar. Your goal: write a page

It is done when /agentOS/page.md stands. Progress: 0.00.

WHAT YOU CAN DO:
  - fs_write: writes a file

Say what to do next, at most 6 steps, as one JSON object:
{"steps": [{"intent": what you want in a few words, "params": {"path": …, "content": …}}]}`);
});

describe("a step of an answer", () => {
  const read = (step: object, byName: boolean) =>
    readPlanAnswer(JSON.stringify({ steps: [step] }), byName);

  it("[TB9] has words or a tool", () => {
    expect(read({ tool: "add", params: { a: 1 } }, false)).toEqual([
      { intent: "add", tool: "add", params: { a: 1 } },
    ]);
    expect(read({ intent: "sum up" }, true)).toEqual([{ intent: "sum up", params: {} }]);
    expect(read({ tool: 7 }, true)).toBeUndefined();
  });

  it("[TB9] with both has its words count, unless tools are called by name", () => {
    const both = { intent: "sum up", tool: "add" };

    expect(read(both, false)).toEqual([{ intent: "sum up", params: {} }]);
    expect(read(both, true)).toEqual([{ intent: "sum up", tool: "add", params: {} }]);
  });
});
