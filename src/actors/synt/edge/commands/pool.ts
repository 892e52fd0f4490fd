/** A pool as a file or a batch line gives it: executors, and the mnests between them. */

import { readFileSync, statSync } from "node:fs";
import type { Fields } from "../../../../cli/batch.ts";
import { fileFault } from "../../../../edges/boundedBytes.ts";
import { BadInput, badInput, hintFor, quoted } from "../../../../edges/errors.ts";
import { jsonText } from "../../../../edges/jsonText.ts";
import { defined } from "../../../../machines/defined.ts";
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import type { Edge, Link, Pool } from "../../../../machines/synt/pool/compose.ts";
import { BILLION } from "../../../../machines/synt/score/reward.ts";

const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Where something stands: a path inside the file, and the file when there is one. */
interface Place {
  readonly file?: string;
  readonly path: string;
}

const A_POOL =
  'A pool is {"executors": [{"name", "takes", "gives", "state"}], ' +
  '"mnests": [{"from", "to", "weight", "state", "ok", "runs"}]}.';

const poolError = (where: Place, found: string, allowed: string): BadInput =>
  badInput(where, found, allowed, A_POOL);

export interface ReadPool extends Pool {
  /** Every name that the pool knows. */
  readonly names: readonly string[];
}

export function poolFile(file: string): ReadPool {
  return poolFrom(jsonOf(file), { file });
}

function jsonOf(file: string): Json {
  try {
    const { size } = statSync(file);
    if (size > FILE_BYTES_MAX) throw poolError({ file, path: "" }, `${size} bytes`, "less");
    return jsonText(readFileSync(file, "utf8"), { file }, A_POOL);
  } catch (error) {
    if (error instanceof BadInput) throw error;
    throw poolError({ file, path: "" }, fileFault(error), "a JSON file that can be read");
  }
}

/** A list is one of names; mnests may also be called edges, and be `[from, to, weight, state]`. */
export function poolFrom(given: unknown, where: { readonly file?: string } = {}): ReadPool {
  if (!isMap(given) && !Array.isArray(given)) {
    throw poolError({ ...where, path: "pool" }, quoted(given), "an object, or a list of names");
  }
  const fields: Fields = Array.isArray(given) ? { executors: given } : given;
  const key = fields["mnests"] === undefined ? "edges" : "mnests";
  const links = listOf(fields["executors"] ?? [], { ...where, path: "executors" }).map(linkOf);
  const mnests = listOf(fields[key] ?? [], { ...where, path: key }).map(mnestOf);
  const ends = mnests.flatMap(({ edge }) => [edge.from, edge.to]);
  const names = [...new Set([...links.map(({ name }) => name), ...ends])];
  // Only active mnests are walked over.
  const edges = mnests.filter(({ isActive }) => isActive).map(({ edge }) => edge);
  return { links, edges, names };
}

interface Item {
  readonly given: unknown;
  readonly where: Place;
}

function listOf(given: unknown, where: Place): readonly Item[] {
  if (!Array.isArray(given)) throw poolError(where, quoted(given), "a list");
  return given.map((one, index) => ({
    given: one,
    where: { ...where, path: `${where.path}[${index}]` },
  }));
}

function linkOf({ given, where }: Item): Link {
  if (typeof given === "string") return { name: given };
  const fields = fieldsOf(given, where);
  const { takes, gives, state = "active" } = fields;
  return defined({
    name: textOf(fields["name"], inside(where, "name")),
    isActive: textOf(state, inside(where, "state")) === "active",
    takes: takes === undefined ? undefined : textsOf(takes, inside(where, "takes")),
    gives: gives === undefined ? undefined : textsOf(gives, inside(where, "gives")),
  });
}

function mnestOf({ given, where }: Item): { readonly edge: Edge; readonly isActive: boolean } {
  const fields = Array.isArray(given)
    ? { from: given[0], to: given[1], weight: given[2], state: given[3] }
    : fieldsOf(given, where);
  const {
    from,
    to,
    weight,
    state = "active",
    ok = 1,
    runs = typeof ok === "number" ? Math.max(1, ok) : 1,
  } = fields as Fields;
  const edge = {
    from: textOf(from, inside(where, "from")),
    to: textOf(to, inside(where, "to")),
    weight: Math.round(numberIn(weight, inside(where, "weight"), 1) * BILLION),
    seen: {
      ok: countIn(ok, inside(where, "ok")),
      runs: countIn(runs, inside(where, "runs")),
    },
  };
  if (edge.seen.ok > edge.seen.runs) {
    throw poolError(
      inside(where, "ok"),
      `${edge.seen.ok} of ${edge.seen.runs} runs`,
      "at most runs",
    );
  }
  return { edge, isActive: textOf(state, inside(where, "state")) === "active" };
}

const inside = (where: Place, field: string): Place => ({
  ...where,
  path: `${where.path}.${field}`,
});

function fieldsOf(given: unknown, where: Place): Fields {
  if (typeof given === "object" && given !== null) return given as Fields;
  throw poolError(where, quoted(given), "an object");
}

function textOf(given: unknown, where: Place): string {
  if (typeof given === "string" && given !== "") return given;
  throw poolError(where, quoted(given), "a text");
}

function textsOf(given: unknown, where: Place): readonly string[] {
  return listOf(given, where).map((one) => textOf(one.given, one.where));
}

function numberIn(given: unknown, where: Place, most: number): number {
  if (typeof given === "number" && given >= 0 && given <= most) return given;
  throw poolError(where, quoted(given), `a number 0 … ${most}`);
}

function countIn(given: unknown, where: Place): number {
  const count = numberIn(given, where, 1e9);
  if (Number.isInteger(count)) return count;
  throw poolError(where, quoted(given), "a whole number");
}

/** An end of a chain: an executor of the pool, or for its target the words that begin one's name. */
export function endIn(name: string, { names }: ReadPool, path: "FROM" | "TO"): string {
  const isThere =
    names.includes(name) || (path === "TO" && names.some((one) => one.startsWith(`${name}_`)));
  if (isThere) return name;
  throw badInput(
    path,
    quoted(name),
    path === "TO"
      ? "an executor of the pool, or the first words of one"
      : "an executor of the pool",
    `The pool has ${names.length} executors: ${names.slice(0, 8).join(", ") || "none"}.`,
    hintFor(name, names),
  );
}
