/** The tools of a log as a scenario's: a table of what they returned to which arguments, call by call. */

import { isMap } from "../../machines/isMap.ts";
import type { Json } from "../../machines/letter.ts";
import { sortedJson } from "../../machines/sortedJson.ts";
import { worldBounds } from "./worldBounds.ts";
import type { CallItem, ItemOutcome, ItemsOfLog } from "./worldItems.ts";
import type { WorldNames } from "./worldNames.ts";
import type { Cutter } from "./worldValues.ts";
import { durationOf } from "./worldValues.ts";

type Fields = { readonly [name: string]: Json };

interface Row {
  readonly args: Fields;
  readonly outcomes: Fields[];
}

export interface WorldTool {
  /** As the log names it. */
  readonly own: string;
  readonly source: Fields;
}

/** A call as the scenario holds it. */
export interface CallOfWorld {
  readonly item: CallItem;
  readonly args: Fields;
  readonly outcome: Fields;
}

export function toolsOf(
  calls: readonly CallOfWorld[],
  offered: ItemsOfLog["offered"],
  names: WorldNames,
  cutter: Cutter,
): readonly WorldTool[] {
  const tables = new Map<string, Map<string, Row>>();
  for (const { item, args, outcome } of calls) {
    const rows = tables.get(item.tool) ?? new Map<string, Row>();
    tables.set(item.tool, rows);
    const key = sortedJson(args);
    const row = rows.get(key) ?? { args, outcomes: [] };
    rows.set(key, row);
    row.outcomes.push(outcome);
  }
  return [...tables].map(([own, rows]) => ({
    own,
    source: toolSource(own, rows, offered, names, cutter),
  }));
}

function toolSource(
  own: string,
  rows: ReadonlyMap<string, Row>,
  offered: ItemsOfLog["offered"],
  names: WorldNames,
  cutter: Cutter,
): Fields {
  const { description = null, schema = null } = offered.get(own) ?? {};
  const name = names.of(own);
  const words =
    description === null || description.trim() === "" ? `${name} of the log.` : description;
  const parameters = parametersOf(
    schema,
    [...rows.values()].flatMap(({ args }) => Object.keys(args)),
  );
  return {
    name,
    description: cutter.text(words, worldBounds.errorChars),
    ...(parameters !== undefined && { parameters }),
    latency: "0ms",
    answers: [...rows.values()].map(rowSource),
  };
}

const rowSource = ({ args, outcomes }: Row): Fields => {
  const [first = {}, ...more] = outcomes;
  return more.every((one) => sortedJson(one) === sortedJson(first))
    ? { args, ...first }
    : { args, inTurn: outcomes };
};

/** What the log holds no result of returns nothing. */
export function outcomeSource(outcome: ItemOutcome | null, cutter: Cutter): Fields {
  if (outcome === null) return { returns: null };
  const { result, error, latencyMs } = outcome;
  const latency = durationOf(Math.min(latencyMs ?? 0, worldBounds.latencyMs));
  const took = latency !== undefined && latency !== "0s" && { latency };
  return error === null
    ? { returns: cutter.value(result), ...took }
    : { error: errorWords(error, cutter), ...took };
}

/** A scenario's error has words. */
export const errorWords = (error: string, cutter: Pick<Cutter, "text">): string =>
  error === "" ? "the call failed" : cutter.text(error, worldBounds.errorChars);

/** As it was offered, where it is an object's; arguments that it does not name are added to it. */
function parametersOf(schema: Json, given: readonly string[]): Fields | undefined {
  if (!isMap(schema) || JSON.stringify(schema).length > worldBounds.schemaChars) return undefined;
  const { type = "object", properties = {}, required = [] } = schema;
  if (type !== "object" || !isMap(properties) || !isNamed(schema)) return undefined;
  const names = Object.keys(properties);
  const more = [...new Set(given)].filter((name) => !names.includes(name));
  const all = { ...properties, ...Object.fromEntries(more.map((name) => [name, {}])) };
  const needed = Array.isArray(required)
    ? required.filter((name) => typeof name === "string" && Object.hasOwn(all, name))
    : [];
  return { ...schema, type: "object", properties: all, required: needed };
}

/** Nothing in it that YAML or the schema of scenarios refuses. */
function isNamed(value: Json, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth > 16) return false;
  return Object.entries(value).every(
    ([key, member]) =>
      key !== "__proto__" &&
      (depth > 0 || /^.{1,100}$/u.test(key)) &&
      isNamed(member as Json, depth + 1),
  );
}
