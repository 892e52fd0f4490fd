/** A part of a program's own: what the core may know of it and, in one object, its two halves at the edges. */
import type { Part } from "../actors/part.ts";
import { isMap } from "../machines/isMap.ts";
import type { EdgePart, PartReport } from "./edgePart.ts";
import { BadInput, type Problem } from "./errors.ts";
import type { PartLists } from "./partLists.ts";
import { plainFigures, plainReport } from "./plainReport.ts";
import type { ScenarioPart } from "./scenarioPart.ts";

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

const TODO = "`definePart` and the type `OwnPart` of ghostlight say what a part is.";

export const NAME_ALLOWED = "one word: 1 … 31 of a-z, 0-9 and -, starting with a letter";

type Check = readonly [allowed: string, accepts: (value: unknown) => boolean];

const aMap: Check = ["a map", isMap];
const aFunction: Check = ["a function", (value) => typeof value === "function"];

/** Every member of a part, and what it must be. */
const members: { readonly [member in keyof Required<OwnPart>]: Check } = {
  name: [NAME_ALLOWED, isPartName],
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
  fruitless: aFunction,
  metrics: aMap,
  meter: aFunction,
  story: aFunction,
  figures: aFunction,
  glance: aFunction,
  promises: aFunction,
  scenario: ["a map with fields", isScenarioPart],
  edge: ["a map", (value) => isMap(value) && isMap(value["report"] ?? {})],
};

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
  const [first, ...more] = isMap(part)
    ? memberProblems(part, at)
    : [{ where: { path: at }, found: shown(part), allowed: "a part: a map with name" }];
  if (first !== undefined) throw new BadInput({ ...first, more, todo: TODO });
  // Each of its members is what it must be, as far as can be told before it is used.
  return part as unknown as OwnPart;
}

function memberProblems(part: { readonly [name: string]: unknown }, at: string): Problem[] {
  const isMember = (name: string): name is keyof typeof members => Object.hasOwn(members, name);
  const unknown = Object.keys(part).filter((name) => !isMember(name));
  return [
    ...unknown.map((name) => ({
      where: { path: `${at} ${name}` },
      found: "a member that no part has",
      allowed: Object.keys(members).join(" | "),
    })),
    ...Object.entries(members).flatMap(([name, [allowed, accepts]]) => {
      const value = part[name];
      const isLeftOut = value === undefined && name !== "name";
      return isLeftOut || accepts(value)
        ? []
        : [{ where: { path: `${at} ${name}` }, found: shown(value), allowed }];
    }),
  ];
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** The lists with these parts behind those that are there. */
export function withOwn(lists: PartLists, own: readonly OwnPart[]): PartLists {
  if (own.length === 0) return lists;
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
  ...{ events: {}, sectionsOf: asWritten(scenario.fields) },
  ...{ ...scenario, name },
});

/** Those of the part's fields that a scenario has, as they stand there. */
const asWritten =
  ({ before = {}, behind = {} }: ScenarioPart["fields"]): ScenarioPart["sectionsOf"] =>
  (source) =>
    Object.fromEntries(
      Object.entries(source).filter(([field]) => field in before || field in behind),
    );

const edgePart = (part: OwnPart): EdgePart => ({
  ...part.edge,
  name: part.name,
  report: { ...plainReport(part), ...part.edge?.report },
});
