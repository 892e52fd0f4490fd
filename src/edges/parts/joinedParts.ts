/** Parts of a program's own beside those that are there: what a part calls its own must be its alone. */
import { attachedBy } from "../../contract/attached.ts";
import { policyWith } from "../../contract/policyTree.ts";
import { findings } from "../../findings/findings.ts";
import { groupedBy } from "../../machines/grouped.ts";
import type { Promised } from "../../run/check/promises.ts";
import { runProperties } from "../../run/check/runProperties.ts";
import { namedRandom } from "../../substrate/random.ts";
import { badInput, hintFor, isEdgeError, type Problem, quoted, refuse } from "../errors.ts";
import { emptyScenario } from "../scenario/scenarioOf.ts";
import { coreEvents, coreFields } from "../scenario/scenarioSchema.ts";
import { type OwnPart, PART_TODO, withOwn } from "./ownPart.ts";
import type { PartLists } from "./partLists.ts";

/** Something that only one part can have. */
interface Named {
  readonly what: string;
  readonly name: string;
  /** The part whose it is; some are the core's. */
  readonly of: string;
}

/** Throws BadInput that names both parts wherever a name is taken twice. */
export function joinedParts(lists: PartLists, own: readonly OwnPart[]): PartLists {
  const joined = withOwn(lists, own);
  if (own.length > 0) {
    refuseThrown(lists, own);
    const names = namesIn(joined);
    refuseTwice(names);
    refuseStrays(joined, own, names);
  }
  return joined;
}

/** Throws BadInput that names the first part whose own functions or schemas do not even say what there is. */
function refuseThrown(lists: PartLists, own: readonly OwnPart[]): void {
  const before: OwnPart[] = [];
  for (const part of own) {
    before.push(part);
    try {
      namesIn(withOwn(lists, before));
    } catch (thrown) {
      if (isEdgeError(thrown)) throw thrown;
      throw badInput(
        `part ${part.name}`,
        `a part that cannot be joined: ${thrown instanceof Error ? thrown.message : "it throws"}`,
        "functions that answer with what their types say, for the default policy too",
        PART_TODO,
      );
    }
  }
}

/** Throws BadInput: what may write to a port is listed by the name of a machine of the same part. */
function refuseStrays(lists: PartLists, own: readonly OwnPart[], taken: readonly Named[]): void {
  const names = lists.parts.map(({ name }) => name);
  const strays = own.flatMap((part): Problem[] => {
    const { ports = {}, attaches = {} } = part;
    const machines = taken
      .filter(({ what, of }) => what === "machine" && of === part.name)
      .map(({ name }) => name);
    const stray = (member: string, map: object, known: readonly string[], what: string) =>
      Object.keys(map)
        .filter((name) => !known.includes(name))
        .map((name) => ({
          where: { path: `part ${part.name} ${member}` },
          found: quoted(name),
          allowed: known.length === 0 ? `nothing: there is no ${what}` : known.join(" | "),
          ...hintFor(name, known),
        }));
    return [
      ...stray("ports", ports, machines, "machine in this part"),
      ...stray("attaches", attaches, names, "part"),
    ];
  });
  refuse(strays, PART_TODO);
}

/** The ids of promises are known only once they are loaded. Throws BadInput likewise. */
export function refusePromisedTwice({ promises }: Promised): void {
  const named = promises
    .toReversed()
    .flatMap(({ part, properties = [] }) =>
      properties.map(({ id }) => ({ what: "property", name: id, of: part.name })),
    );
  const core = [...runProperties, ...findings].map(({ id }) => ofCore("property", id));
  refuseTwice([...core, ...named]);
}

const CORE = "the core";
const ofCore = (what: string, name: string): Named => ({ what, name, of: CORE });

/** Every name that only one of these parts can have. Its world needs no policy but the default. */
export function namesIn(lists: PartLists): readonly Named[] {
  const policy = policyWith(lists.parts, {});
  const attached = attachedBy(lists.parts);
  const scenario = emptyScenario(lists);
  const setting = { scenario, policy, random: namedRandom(0), without: new Set<string>() };
  const keys = (map: object = {}): string[] => Object.keys(map);
  const ofParts = lists.parts.flatMap((part) => {
    const of = (what: string, names: Iterable<string>): Named[] =>
      [...names].map((name) => ({ what, name, of: part.name }));
    return [
      ...of("name", [part.name]),
      ...of("branch of the policy", keys(part.policy)),
      ...of("machine", keys(part.statecharts?.(policy, attached))),
      ...of("machine", keys(part.services?.(policy, attached))),
      ...of("port", keys(part.scriptedPorts?.(setting, {}))),
      ...of("purpose", keys(part.purposes)),
      ...of("metric", keys(part.metrics)),
      // A log is no run, so what is asked of it may be called alike.
      ...(part.ofLogs
        ? []
        : of("kind of question", new Set((part.questions?.forms ?? []).map(kindOf)))),
    ];
  });
  const ofScenarios = lists.scenarioParts.flatMap(
    ({ name: of, fields, agentFields = {}, events }) => [
      ...Object.keys({ ...fields.before, ...fields.behind }).map((name) => ({
        ...{ what: "field of a scenario", name, of },
      })),
      ...Object.keys(agentFields).map((name) => ({ what: "field of an agent", name, of })),
      ...[...(events.before ?? []), ...(events.behind ?? [])]
        .flatMap(eventNames)
        .map((name) => ({ what: "outside event", name, of })),
    ],
  );
  return [
    ...[...coreFields].map((name) => ofCore("field of a scenario", name)),
    ...coreEvents.flatMap(eventNames).map((name) => ofCore("outside event", name)),
    ...ofParts,
    ...ofScenarios,
  ];
}

const kindOf = (form: string): string => form.slice(0, form.indexOf(":") + 1);

/** What an outside event `does`, as its schema says. */
function eventNames(schema: object): string[] {
  const { fields } = schema as {
    readonly fields?: { readonly does?: { readonly literal?: unknown } };
  }; // Of a struct.
  const literal = fields?.does?.literal;
  return typeof literal === "string" ? [literal] : [];
}

/** Throws BadInput. */
export function refuseTwice(names: readonly Named[]): void {
  const groups = [...groupedBy(names, ({ what, name }) => `${what} ${name}`).values()];
  const clashes = groups.flatMap(([one, ...others]): Problem[] =>
    one === undefined ? [] : others.map((other) => clash(one, other)),
  );
  const todo = "Rename one of the two; what begins with the name of its part clashes with nothing.";
  refuse(clashes, todo);
}

const clash = ({ what, name, of }: Named, other: Named): Problem => ({
  where: { path: `part ${other.of}` },
  found: `the ${what} ${quoted(name)}, which ${of === CORE ? of : `the part ${of}`} has`,
  allowed: `a ${what} of its own`,
});
