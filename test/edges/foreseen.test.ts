import { expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import type { Scenario } from "../../src/contract/scenario.ts";
import { foreseen as foreseenBy } from "../../src/edges/scenario/foreseen.ts";
import { listScenarios } from "../../src/edges/scenario/scenarioFolder.ts";
import type { SimulateOptions } from "../../src/run/simulate.ts";
import { loadScenario, parseScenario } from "../builtInScenarios.ts";
import { byNameScenario } from "../byName.ts";
import { smallScenario } from "../cli/smallScenario.ts";

interface Given {
  readonly variant: string | null;
  readonly set: NonNullable<SimulateOptions["set"]>;
}
const asItIs: Given = { variant: null, set: {} };
const foreseen = (scenario: Scenario, given: Given) => foreseenBy(builtIn, scenario, given);
const found = (from: string, to: string, given: Given = asItIs) =>
  foreseen(parseScenario(smallScenario.replaceAll(from, to), "small.yaml"), given);

it("[VB31] nothing is found where there is nothing to find", () => {
  expect(found("", "")).toEqual([]);
});

it("[VB31] an artifact where no agent may write is found, also when only an option closes the folder", () => {
  const tool = "/agentOS/tools/dynamic/{n}.json";

  expect(found("/agentOS/workspace/{n}.md", "/agentOS/agents/{agent}/{n}.md")).toEqual([
    "goal note: agents may not write its artifact /agentOS/agents/cedar/1.md " +
      "(PermissionError: /agentOS/agents/ is read-only).",
  ]);
  expect(found("/agentOS/workspace/{n}.md", "/home/{agent}.md")).toEqual([
    "goal note: its artifact /home/cedar.md is no path below /agentOS/, so no agent takes the goal up.",
  ]);
  expect(found("/agentOS/workspace/{n}.md", tool)).toEqual([]);
  const set = { "tools.directWrites": "refuse" };
  expect(found("/agentOS/workspace/{n}.md", tool, { variant: null, set })).toHaveLength(1);
});

it("[WW3] a place that nothing fills is found, in goals and in plans, but not in code", () => {
  expect(found("Write a page (goal {n})", "Write about {topic}")).toEqual([
    "goal note: nothing fills {topic}; what there is: {agent} {n} {slug}.",
  ]);
  expect(found("Write a page (goal {n})", "Review {claim}")).toEqual([
    "goal note: {claim} stays empty without claimBelow.",
  ]);
  const plan = "plan note/only: nothing fills {topic}; what there is: ";
  expect(found("# A page", "# A page on {topic}")[0]).toContain(plan);
  expect(found("intent: read the file", "intent: read {topic}, the file")[0]).toContain(plan);
  const coded = 'params: { path: "{artifact}", code: "{topic}" }';
  expect(found('params: { path: "{artifact}" }', coded)).toEqual([]);
});

it("[WW9] a step that no tool serves is found, unless a plan makes the tool first", () => {
  const fresco = 'plan note/only: no tool serves "paint fresco", which shares no word with any.';
  const making = 'params: { path: "{artifact}", description: "Paints a fresco." }';

  expect(found("read the file contents", "paint fresco")).toEqual([fresco]);
  expect(
    foreseen(
      parseScenario(
        smallScenario
          .replace("read the file contents", "paint fresco")
          .replace('params: { path: "{artifact}" }', making),
        "small.yaml",
      ),
      asItIs,
    ),
  ).toEqual([]);
  const set = { "router.kind": "embedding" };
  expect(found("read the file contents", "paint fresco", { variant: null, set })).toEqual([]);
  expect(found("read the file contents", "paint fresco", { variant: "silent", set: {} })).toEqual(
    [],
  );
});

it("[SK105] more lessons and macros than are kept are told before a run", () => {
  const lesson = 'trigger: "sum up price {n}", correctPattern: look first, domains: [sql]';
  const macro = (name: string) =>
    `{ name: ${name}, description: d, steps: [{ tool: fs_read, intent: read the file contents }] }`;
  const text = `${smallScenario}\nskills: { playbook: [{ ${lesson}, times: 60 }], macros: [${macro("one")}, ${macro("two")}] }\n`;
  const of = (set: Given["set"]) =>
    foreseen(parseScenario(text, "small.yaml"), { variant: null, set });

  expect(of({})).toEqual(["skills.playbook: of 60 lessons 50 are kept; 10 leave at the start."]);
  expect(of({ "skills.playbook.size": 60, "skills.macros.kept": 1 })).toEqual([
    "skills.macros: of 2 macros 1 is kept; 1 leaves at the start.",
  ]);
});

it("[SK107] skills that nobody will read are told before a run", () => {
  const one = (name: string, more = "") =>
    `{ name: ${name}, description: d, code: print(1)${more} }`;
  const of = (acquired: string, set: Given["set"] = {}) => {
    const text = `${smallScenario}\nskills: { acquired: [${acquired}] }\n`;
    return foreseen(parseScenario(text, "small.yaml"), { variant: null, set });
  };
  const both = `${one("news")}, ${one("old", ", legacy: true")}`;

  expect(of(both)).toEqual([
    "skills.acquired: 1 skill with `legacy` is read by nobody; the store is not empty, so it is not filled from the sandbox.",
  ]);
  expect(of(both, { "skills.store": "sandbox" })).toEqual([]);
  expect(of(one("old", ", legacy: true"))).toEqual([]);
});

it("[WW9] what parts attach serves steps where they do, unless the policy leaves it out", () => {
  const [from, to] = ["read the file contents", "what did you learn today"];
  const finding = `plan note/only: no tool serves "${to}", which shares no word with any.`;
  const withSkills = `${smallScenario}\nskills: {}\n`.replace(from, to);
  const of = (set: Given["set"]) =>
    foreseen(parseScenario(withSkills, "small.yaml"), { variant: null, set });

  expect(found(from, to)).toEqual([finding]);
  expect(of({})).toEqual([]);
  expect(of({ "engine.builtins": ["fs_read", "fs_write"] })).toContain(finding);
});

it("[WW9] so does what a part has from the start, and what it makes of nobody's word", () => {
  const of = (intent: string, skills: string, set: Given["set"] = {}) =>
    foreseen(
      parseScenario(
        `${smallScenario}\nskills: ${skills}\n`.replace("read the file contents", intent),
        "small.yaml",
      ),
      { variant: null, set },
    );
  const skill = '{ acquired: [{ name: dye, description: Paints a fresco., code: "1" }] }';
  const macro =
    "{ macros: [{ name: dye, description: Paints a fresco., steps: [{ tool: a, intent: b }] }] }";

  expect(of("paint fresco", "{}")).toHaveLength(1);
  expect(of("paint fresco", skill)).toEqual([]);
  expect(of("paint fresco", macro)).toEqual([]);
  expect(of("recurring", "{}")).toHaveLength(1);
  expect(of("recurring", "{}", { "skills.macros.mined": "goal" })).toEqual([]);
});

it("[VB31] of the scenarios that come along, only those are warned of that mean it", () => {
  const warned = listScenarios().filter(({ file }) => {
    const { scenario } = loadScenario(file);
    return foreseen(scenario, asItIs).length > 0;
  });

  expect(warned.map(({ name }) => name)).toEqual(["lessons"]);
});

it("[TB11] a step that calls what nothing bears is found, and one in words where all are by name", () => {
  const by = (from: string, to: string, given: Given = asItIs) =>
    foreseen(parseScenario(byNameScenario.replaceAll(from, to), "x.yaml"), given);

  expect(by("", "")).toEqual([]);
  expect(by("tool: fs_read", "tool: fs_raed")).toEqual([
    "plan note/only: no tool is called fs_raed; did you mean fs_read?",
  ]);
  expect(by("tool: fs_read", "tool: later")).toEqual(["plan note/only: no tool is called later."]);
  const file = 'files: { /agentOS/tools/dynamic/later.json: "{}" }\nmodel:';
  expect(by("tool: fs_read", "tool: later").length).toBe(1);
  expect(
    foreseen(
      parseScenario(
        byNameScenario.replace("tool: fs_read", "tool: later").replace("model:", file),
        "x.yaml",
      ),
      asItIs,
    ),
  ).toEqual([]);
  const set = { "router.kind": "name" };
  expect(found("", "", { variant: null, set })[0]).toBe(
    'plan note/only: the step "write file" names no tool, and router.kind is name.',
  );
  expect(found("", "", { variant: null, set: { "router.kind": "embedding" } })).toEqual([]);
});
