/** The source of a decoded scenario, as its file would say it: the other way round than scenarioOf.ts. */

import type { ScenarioPart } from "../../contract/edge/scenarioPart.ts";
import { defined } from "../../machines/defined.ts";
import { isMap } from "../../machines/isMap.ts";
import { sourceSaid } from "./scenarioOf.ts";
import { eachSaid, filled, type Given, lasting, mapSaid, present } from "./sourceFields.ts";

/** Of whatever a program says is a scenario: what is none, the judge of files finds. Throws nothing. */
export function sourceOf(scenarioParts: readonly ScenarioPart[], scenario: Given): object {
  const { why, source, startsAt, seed, runsForMs, agents, files, events } = scenario;
  const { faults, policy, limits, expect, variants } = scenario;
  const eventsSaid = (list: unknown): unknown =>
    eachSaid(list, (event) => eventSaid(scenarioParts, event));
  return defined<object>({
    ...{ why, source, startsAt, seed, runsFor: lasting(runsForMs), agents, files },
    ...Object.assign({}, ...Object.values(scenario).map(sourceSaid)),
    ...Object.assign({}, ...scenarioParts.map((part) => part.sourceOf?.(scenario))),
    ...{
      events: eventsSaid(events),
      faults: eachSaid(faults, faultSaid),
      policy,
      limits,
      expect: eachSaid(expect, expectationSaid),
    },
    variants: mapSaid(variants, (all) =>
      Object.fromEntries(
        Object.entries(all).map(([name, variant]) => [
          name,
          mapSaid(variant, (one) =>
            present({
              ...{ ...one, events: eventsSaid(one["events"]) },
              faults: eachSaid(one["faults"], faultSaid),
              ...{ without: mapSaid(one["without"], withoutSaid) },
              expect: eachSaid(one["expect"], expectationSaid),
            }),
          ),
        ]),
      ),
    ),
  });
}

const faultSaid = ({ fromMs, toMs, byMs, ...rest }: Given): object =>
  present({ ...rest, from: lasting(fromMs), to: lasting(toMs), by: lasting(byMs) });

const expectationSaid = ({ at, ...rest }: Given): object => present({ ...rest, at: lasting(at) });

const withoutSaid = ({ events, choices, ...rest }: Given): object =>
  present({ ...rest, events: filled(events), choices: filled(choices) });

const eventSaid = (scenarioParts: readonly ScenarioPart[], given: Given): object => {
  const said = sourceSaid(given);
  if (said !== undefined) return said;
  const { atMs, ...event } = given;
  const written = scenarioParts.flatMap((part) => part.eventSourceOf?.(event) ?? []);
  return present({ ...(written[0] ?? event), at: lasting(atMs) });
};

/** Where a program's value is another than the one that the file's words come to. */
export interface Difference {
  readonly path: readonly (string | number)[];
  readonly given: unknown;
  /** Undefined where there is nothing. */
  readonly said: unknown;
  /** The fields beside it that there are. */
  readonly names: readonly string[];
}

/** The first difference; what is undefined is not there. */
export function differenceOf(
  given: unknown,
  said: unknown,
  path: Difference["path"] = [],
  names: readonly string[] = [],
): Difference | undefined {
  if (Object.is(given, said) || (given === 0 && said === 0)) return undefined;
  const isBoth = Array.isArray(given) ? Array.isArray(said) : isMap(given) && isMap(said);
  if (!isBoth) return { path, given, said, names };
  const [a, b] = [given, said] as readonly [Given, Given];
  const fields = Object.keys(b);
  // What is given first: a misspelt field is told before the one that is missing.
  for (const key of new Set([...Object.keys(a), ...fields])) {
    const step = Array.isArray(given) ? Number(key) : key;
    const own = (map: Given): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);
    const found = differenceOf(own(a), own(b), [...path, step], fields);
    if (found !== undefined) return found;
  }
  return undefined;
}
