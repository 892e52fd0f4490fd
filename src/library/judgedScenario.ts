/** A scenario of a program, judged as files are: the same fields, bounds and references. */

import type { Scenario } from "../contract/scenario.ts";
import { hintFor, type Problem, refuse } from "../edges/errors.ts";
import type { ReadingLists } from "../edges/parts/partLists.ts";
import { scenarioOfProgram } from "../edges/scenario/scenarioFile.ts";
import { type Path, pathText } from "../edges/scenario/yamlText.ts";
import { isMap } from "../machines/isMap.ts";
import { canonicalJson, NotJsonError } from "../substrate/canonicalJson.ts";
import { aMapWith, aText, type Kind, problemsOf } from "./arguments.ts";

/** What `scenario` of a verb must be before it can be judged. */
export const aScenario: Kind = {
  ...aMapWith("a scenario", { name: aText }),
  allowed: "a scenario, as `loadScenario` and `parseScenario` give it",
};

const TODO =
  "Take the scenario that `loadScenario(name)` gives. Places are those of its file, whose fields docs/scenario-fields.md lists.";

interface Judged {
  readonly text: string;
  readonly scenario: Scenario;
}

/** By the text that was judged: a program may change an object afterwards. */
const judged = new WeakMap<ReadingLists, WeakMap<object, Judged>>();

/** The scenario that a program handed over, as its file would decode to. Throws BadInput. */
export function judgedScenario(lists: ReadingLists, path: string, given: unknown): Scenario {
  if (isMap(given) && aScenario.accepts(given["scenario"])) {
    const found = "a loaded scenario: its `scenario` is one";
    refuse([{ where: { path }, found, allowed: aScenario.allowed }], TODO);
  }
  refuse(problemsOf(path, given, aScenario), TODO);
  const world = judged.get(lists) ?? new WeakMap<object, Judged>();
  judged.set(lists, world);
  // It is a map with a name.
  const members = given as { readonly name: string; readonly [field: string]: unknown };
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  const whole = Object.fromEntries(present);
  const text = strictText(whole, path);
  const before = world.get(members);
  if (before?.text === text) return before.scenario;
  const scenario = scenarioOfProgram(lists, whole, members.name);
  if ("findings" in scenario) {
    const problems = scenario.findings.map(({ path: place, found, allowed, meant }): Problem => {
      const hint = meant && hintFor(meant.word, meant.names);
      return { where: { path: `${path}${placeText(place)}` }, found, allowed, ...hint };
    });
    refuse(problems, TODO);
    return members as unknown as Scenario; // There is a finding, so this is not reached.
  }
  world.set(members, { text, scenario });
  return scenario;
}

const placeText = (place: Path): string => {
  const text = pathText(place);
  return text === "" || text.startsWith("[") ? text : `.${text}`;
};

/** Throws BadInput for what JSON cannot say. */
function strictText(value: object, path: string): string {
  try {
    return canonicalJson(value, path);
  } catch (thrown) {
    if (!(thrown instanceof NotJsonError)) throw thrown;
    const [, found = ""] = thrown.message.split(`${thrown.path}: `);
    refuse([{ where: { path: thrown.path }, found, allowed: "JSON" }], TODO);
    return "";
  }
}
