/** A part of a program's own: what the core may know of it and, in one object, its two halves at the edges. */

import type { Book } from "../../contract/book.ts";
import type { EdgePart, PartReport } from "../../contract/edge/edgePart.ts";
import type { ScenarioPart } from "../../contract/edge/scenarioPart.ts";
import type { Part, PartStage, Questions, Trail } from "../../contract/part.ts";
import { isMap } from "../../machines/isMap.ts";
import { type Problem, refuse } from "../errors.ts";
import { plainFigures, plainReport } from "../report/plainReport.ts";
import { guardedPart } from "./guardedPart.ts";
import type { PartLists } from "./partLists.ts";

/** All that there is to know of one modelled system: a `Part`, and what a scenario and a report say of it. */
export interface OwnPart extends Part {
  /** Its fields and outside events in a scenario; a part without it has none. */
  readonly scenario?: OwnScenario;
  /** What needs a host: its share of reports, what serves its ports there, its gate. */
  readonly edge?: OwnEdge;
}

/** As `ScenarioPart`; without `sectionsOf` its fields are decoded to what is written there. */
export interface OwnScenario extends Omit<ScenarioPart, "name" | "events" | "sectionsOf"> {
  readonly events?: ScenarioPart["events"];
  readonly sectionsOf?: ScenarioPart["sectionsOf"];
}

/** As `EdgePart`; what its report does not say is said by its metrics of the world. */
export interface OwnEdge extends Omit<EdgePart, "name" | "report"> {
  readonly report?: Partial<PartReport>;
}

/** What to do about a part that is none. */
export const PART_TODO = "`definePart` and the type `OwnPart` of ghostlight say what a part is.";

export const NAME_ALLOWED = "one word: 1 … 31 of a-z, 0-9 and -, starting with a letter";

type Check = readonly [allowed: string, accepts: (value: unknown) => boolean];

const aMap: Check = ["a map", isMap];
const aFunction: Check = ["a function", (value) => typeof value === "function"];
const aList: Check = ["a list", Array.isArray];
const aText: Check = ["a text", (value) => typeof value === "string"];

/** Every member of a part, and what it must be. */
const members: { readonly [member in keyof Required<OwnPart>]: Check } = {
  name: [NAME_ALLOWED, isPartName],
  ofLogs: ["true", (value) => value === true],
  isThere: aFunction,
  policy: aMap,
  profiles: aMap,
  widened: aFunction,
  attaches: aMap,
  attachesTo: aFunction,
  statecharts: aFunction,
  services: aFunction,
  ports: aMap,
  stage: aMap,
  purposes: aMap,
  scriptedModel: aFunction,
  liveFault: aFunction,
  scriptedPorts: aFunction,
  fronts: aFunction,
  words: aMap,
  hindsight: aFunction,
  questions: aMap,
  trail: aMap,
  trace: aFunction,
  compared: aFunction,
  fruitless: aFunction,
  metrics: aMap,
  meter: aFunction,
  book: aMap,
  figures: aFunction,
  glance: aFunction,
  promises: aFunction,
  scenario: ["a map with fields", isScenarioPart],
  edge: ["a map", (value) => isMap(value) && isMap(value["report"] ?? {})],
};

type Inside<T> = { readonly [member in keyof Required<T>]: Check };

const stage: Inside<PartStage> = {
  ...{ files: aFunction, opening: aFunction, letterOf: aFunction },
  ...{ served: aFunction, without: aFunction },
};
const book: Inside<Book> = { start: aFunction, reads: aList, step: aFunction, tellsOf: aFunction };
const questions: Inside<Questions> = {
  ...{ forms: aList, none: aList, of: aFunction },
  ...{ find: aFunction, all: aFunction, failures: aFunction, trouble: aFunction },
  ...{ symptom: aFunction, failuresAre: aText },
};
const QUESTIONS_NEEDED = ["forms", "none", "of", "find", "all", "trouble"];
const trail: Inside<Trail> = {
  ...{ telling: aList, subject: aFunction, behind: aFunction, rests: aFunction },
  ...{ wrong: aFunction, inferred: aFunction, chosen: aFunction, nobody: aList },
  otherwise: aFunction,
};
const scenario: Inside<OwnScenario> = {
  ...{ fields: aMap, agentFields: aMap, events: aMap, peopledBy: aText, withoutAgents: aMap },
  ...{ wholeFindings: aFunction, findings: aFunction, eventFindings: aFunction, asks: aFunction },
  ...{ sectionsOf: aFunction, eventOf: aFunction, sourceOf: aFunction, eventSourceOf: aFunction },
  ...{ inputs: aFunction, choices: aFunction },
  ...{ counts: aFunction, offers: aFunction, foreseen: aFunction },
};
const edge: Inside<OwnEdge> = {
  ...{ report: aMap, ports: aMap, contracts: aMap, gate: aMap, reads: aFunction },
};
const report: Inside<PartReport> = {
  ...{ population: aFunction, summary: aFunction, timeline: aFunction, before: aFunction },
  ...{ after: aFunction, variants: aMap, questions: aFunction, next: aFunction },
  ...{ json: aFunction, picture: aFunction },
};

/** The members of its members, and those that cannot be left out. */
const inside: readonly {
  readonly path: readonly string[];
  readonly members: { readonly [member: string]: Check };
  readonly needed: readonly string[];
}[] = [
  { path: ["stage"], members: stage, needed: [] },
  { path: ["book"], members: book, needed: ["start", "step"] },
  { path: ["questions"], members: questions, needed: QUESTIONS_NEEDED },
  { path: ["trail"], members: trail, needed: [] },
  // What cannot be left out of these two is told of the whole.
  { path: ["scenario"], members: scenario, needed: [] },
  { path: ["edge"], members: edge, needed: [] },
  { path: ["edge", "report"], members: report, needed: [] },
];

/** Members that are maps of the part's own names, and what each value must be. */
const valued: { readonly [member in keyof OwnPart]?: Check } = {
  profiles: aMap,
  ports: aList,
  purposes: ["a map with render", (value) => isMap(value) && typeof value["render"] === "function"],
  words: aFunction,
  metrics: ["a map with unit and says, perAgent, counts and worse if any", isMetric],
};

function isMetric(value: unknown): boolean {
  const { unit, perAgent = false, says, each, counts = {}, worse } = isMap(value) ? value : {};
  const isEach = each === undefined || (isMap(each) && typeof each["namesIn"] === "function");
  const isCounted = isMap(counts) && Object.values(counts).every(isCount);
  const isFair = worse === undefined || worse === "more" || worse === "less";
  const isShaped = typeof perAgent === "boolean" && isEach && isCounted && isFair;
  return [unit, says].every(aText[1]) && isShaped;
}

const isCount = (by: unknown): boolean => Number.isSafeInteger(by) || typeof by === "function";

/** Whether a part can be called so. */
export function isPartName(value: unknown): value is string {
  return typeof value === "string" && /^[a-z][a-z0-9-]{0,30}$/u.test(value);
}

function isScenarioPart(value: unknown): boolean {
  const { fields, events = {}, sectionsOf = () => ({}) } = isMap(value) ? value : {};
  return isMap(fields) && isMap(events) && typeof sectionsOf === "function";
}

/** The same part, once it is certain that it is one. Throws BadInput; `at` says where it stands. */
export function checkedPart(part: unknown, at: string): OwnPart {
  const noPart = { where: { path: at }, found: kindText(part), allowed: "a part: a map with name" };
  refuse(isMap(part) ? memberProblems(part, at) : [noPart], PART_TODO);
  // Each of its members is what it must be, as far as can be told before it is used.
  return part as unknown as OwnPart;
}

type Members = { readonly [name: string]: unknown };

function memberProblems(part: Members, at: string): Problem[] {
  const below = inside.flatMap(({ path, members: allowed, needed }) => {
    const value = path.reduce<unknown>((of, name) => (isMap(of) ? of[name] : undefined), part);
    return isMap(value) ? problemsIn(value, `${at} ${path.join(".")}.`, allowed, needed) : [];
  });
  const named = Object.entries(valued).flatMap(([member, check]) => {
    const value = part[member];
    if (!isMap(value)) return [];
    const [allowed, accepts] = check;
    return Object.entries(value).flatMap(([name, one]) =>
      accepts(one) ? [] : [notA(`${at} ${member}["${name}"]`, one, allowed)],
    );
  });
  const { policy } = part;
  return [
    ...problemsIn(part, `${at} `, members, ["name"]),
    ...below,
    ...named,
    ...(isMap(policy) ? leafProblems(policy, `${at} policy`) : []),
  ];
}

/** Members that nobody reads, and those that are not what they must be. */
function problemsIn(
  map: Members,
  at: string,
  members: { readonly [member: string]: Check },
  needed: readonly string[],
): Problem[] {
  const unknown = Object.keys(map).filter((name) => !Object.hasOwn(members, name));
  return [
    ...unknown.map((name) => ({
      where: { path: `${at}${name}` },
      found: "a member that no part has",
      allowed: Object.keys(members).join(" | "),
    })),
    ...Object.entries(members).flatMap(([name, [allowed, accepts]]) => {
      const value = map[name];
      const isLeftOut = value === undefined && !needed.includes(name);
      return isLeftOut || accepts(value) ? [] : [notA(`${at}${name}`, value, allowed)];
    }),
  ];
}

/** A branch holds branches and leaves; a leaf has its sentence. */
const leafProblems = (branch: Members, at: string): Problem[] =>
  Object.entries(branch).flatMap(([name, node]): Problem[] => {
    const path = `${at}.${name}`;
    const allowed = "a branch, or a leaf made by integer, flag, choice or subset";
    if (!isMap(node)) return [notA(path, node, allowed)];
    if (typeof node["says"] !== "string") return leafProblems(node, path);
    return "default" in node ? [] : [notA(path, node, allowed)];
  });

const notA = (path: string, value: unknown, allowed: string): Problem => ({
  ...{ where: { path }, found: kindText(value), allowed },
});

function kindText(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** The lists with these parts behind those that are there. */
export function withOwn(lists: PartLists, given: readonly OwnPart[]): PartLists {
  if (given.length === 0) return lists;
  const own = given.map(guardedPart);
  const { parts, scenarioParts, edgeParts } = lists;
  return {
    own: own.map(({ name }) => name),
    parts: [...parts, ...own.map(whole)],
    scenarioParts: [
      ...scenarioParts,
      ...own.flatMap(({ name, scenario }) =>
        scenario === undefined ? [] : [scenarioPart(name, scenario)],
      ),
    ],
    edgeParts: [...edgeParts, ...own.map(edgePart)],
  };
}

/** With what a part need not say: where it is, and which figures its runs are compared by. */
function whole(part: OwnPart): OwnPart {
  const field = part.scenario?.peopledBy;
  const isThere = (world: object): boolean =>
    field === undefined || Reflect.get(world, field) !== undefined;
  return { isThere, figures: plainFigures(part), ...part };
}

const scenarioPart = (name: string, scenario: OwnScenario): ScenarioPart => ({
  ...(scenario.sectionsOf === undefined && { sourceOf: asWritten(scenario.fields) }),
  ...{ events: {}, sectionsOf: asWritten(scenario.fields) },
  ...{ ...scenario, name },
});

/** Those of the part's fields that a scenario has, as they stand there. */
const asWritten =
  ({ before = {}, behind = {} }: ScenarioPart["fields"]) =>
  (source: object): object =>
    Object.fromEntries(
      Object.entries(source).filter(
        ([field]) => Object.hasOwn(before, field) || Object.hasOwn(behind, field),
      ),
    );

const edgePart = (part: OwnPart): EdgePart => ({
  ...part.edge,
  name: part.name,
  report: { ...plainReport(part), ...part.edge?.report },
});
