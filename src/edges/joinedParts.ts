/** Parts of a program's own beside those that are there: what a part calls its own must be its alone. */
import { attachedBy } from "../actors/attached.ts";
import { groupedBy } from "../machines/grouped.ts";
import { policyWith } from "../policy.ts";
import type { Promised } from "../properties/promises.ts";
import { runProperties } from "../properties/runProperties.ts";
import { namedRandom } from "../substrate/random.ts";
import { BadInput, type Problem, quoted } from "./errors.ts";
import { type OwnPart, withOwn } from "./ownPart.ts";
import type { PartLists } from "./partLists.ts";
import { emptyScenario } from "./scenarioOf.ts";
import { coreEvents, coreFields } from "./scenarioSchema.ts";

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
  if (own.length > 0) refuseTwice(namesIn(joined));
  return joined;
}

/** The ids of promises are known only once they are loaded. Throws BadInput likewise. */
export function refusePromisedTwice({ promises }: Promised): void {
  const named = promises
    .toReversed()
    .flatMap(({ part, properties = [] }) =>
      properties.map(({ id }) => ({ what: "property", name: id, of: part.name })),
    );
  refuseTwice([...runProperties.map(({ id }) => ofCore("property", id)), ...named]);
}

const CORE = "the core";
const ofCore = (what: string, name: string): Named => ({ what, name, of: CORE });

/** Every name that only one of these parts can have. Its world needs no policy but the default. */
export const namesIn = (lists: PartLists): readonly Named[] => [
  ...[...coreFields].map((name) => ofCore("field of a scenario", name)),
  ...coreEvents.flatMap(eventNames).map((name) => ofCore("outside event", name)),
  ...lists.parts.flatMap((part) => {
    const policy = policyWith(lists.parts, {});
    const attached = attachedBy(lists.parts);
    const scenario = emptyScenario(lists);
    const setting = { scenario, policy, random: namedRandom(0), without: new Set<string>() };
    const of = (what: string, names: Iterable<string>): Named[] =>
      [...names].map((name) => ({ what, name, of: part.name }));
    const keys = (map: object = {}): string[] => Object.keys(map);
    return [
      ...of("name", [part.name]),
      ...of("branch of the policy", keys(part.policy)),
      ...of("machine", keys(part.statecharts?.(policy, attached))),
      ...of("machine", keys(part.services?.(policy, attached))),
      ...of("port", keys(part.scriptedPorts?.(setting))),
      ...of("purpose", keys(part.purposes)),
      ...of("metric", keys(part.metrics)),
      ...of("kind of question", new Set((part.questions?.forms ?? []).map(kindOf))),
    ];
  }),
  ...lists.scenarioParts.flatMap(({ name: of, fields, agentFields = {}, events }) => [
    ...Object.keys({ ...fields.before, ...fields.behind }).map((name) => ({
      ...{ what: "field of a scenario", name, of },
    })),
    ...Object.keys(agentFields).map((name) => ({ what: "field of an agent", name, of })),
    ...[...(events.before ?? []), ...(events.behind ?? [])]
      .flatMap(eventNames)
      .map((name) => ({ what: "outside event", name, of })),
  ]),
];

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
  const [first, ...more] = groups.flatMap(([one, ...others]): Problem[] =>
    one === undefined ? [] : others.map((other) => clash(one, other)),
  );
  if (first === undefined) return;
  const todo = "Rename one of the two; what begins with the name of its part clashes with nothing.";
  throw new BadInput({ ...first, more, todo });
}

const clash = ({ what, name, of }: Named, other: Named): Problem => ({
  where: { path: `part ${other.of}` },
  found: `the ${what} ${quoted(name)}, which ${of === CORE ? of : `the part ${of}`} has`,
  allowed: `a ${what} of its own`,
});
