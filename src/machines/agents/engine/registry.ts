/**
 * The capability list, read from the tools folder. A JSON spec makes an entry at once; a .py
 * becomes an implementation only when the engine loads code. Between the two lives the ghost.
 * Source: seed 000, steps 6 and 7; ruling T15.
 */

import { cutText } from "../../cutText.ts";
import { defined } from "../../defined.ts";
import type { Json } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { choice, subset, type ValuesOf } from "../../policyLeaf.ts";
import { readObject } from "../../readJson.ts";
import type { BroughtBuiltin } from "../hooks.ts";
import { builtins as catalogue } from "./builtins.ts";
import type { RouterPolicy } from "./router.ts";
import { type EngineState, type Entry, type Implementation, TOOLS_FOLDER } from "./state.ts";

export const registryLeaves = {
  rescan: choice("on-change", ["on-change", "300s"], {
    says: "When the engine reads the specs again: at any change of the folder, or every 300 s.",
    source: "RULINGS T15",
    atStart: "an engine says how it watches its folder when it starts",
  }),
};

const builtinNames = catalogue.map(({ name }) => name);

/** `engine.builtins`. */
export const builtinsLeaf = subset(builtinNames, builtinNames, {
  says: "The engine's own capabilities that this world has.",
  source: "seed 000, seed 004; which of them a scenario omits is ours",
  atStart: "an engine lists its builtins when it starts",
});

export type RegistryPolicy = ValuesOf<typeof registryLeaves>;

type Spec = Pick<Entry, "name" | "description" | "takes">;

/** What a tool takes is read only where it is called by name: elsewhere nothing in a world depends on it. */
type Router = Pick<RouterPolicy, "kind">;

type Registered = Pick<EngineState, "entries" | "implementations" | "archived">;

/**
 * The engine at start: the builtins of this world, other parts' behind its own, then every spec and every
 * .py of the folder, by name.
 */
export function registeredAtStart(
  folder: { readonly [path: string]: string },
  { seq, writers }: Pick<Looked, "seq" | "writers">,
  names: readonly string[],
  brought: readonly BroughtBuiltin[],
  router: Router,
): Registered {
  const own = catalogue.map(({ name, description }): Entry => {
    return { name, description, builtin: true, madeBy: seq };
  });
  const builtins = [...own, ...brought.map((one) => builtinEntry(one, seq))].filter(({ name }) =>
    names.includes(name),
  );
  const implementations = builtins.map(({ name }) => [name, { code: "", madeBy: seq }]);
  const state: Registered = {
    entries: builtins,
    implementations: Object.fromEntries(implementations),
    archived: [],
  };
  const looked: Looked = { seq, nowMs: 0, writers };
  return withCode(withSpecs(state, folder, looked, router), folder, looked);
}

/** When the folder was looked at, and who had written last what lay in it then, as far as that is known. */
interface Looked {
  readonly seq: number;
  readonly nowMs: number;
  readonly writers: { readonly [path: string]: number } | undefined;
}

const writerOf = ({ seq, writers = {} }: Pick<Looked, "seq" | "writers">, path: string): number =>
  ownValue(writers, path) ?? seq;

const builtinEntry = (
  { name, description, servedBy: by, isPublic }: BroughtBuiltin,
  madeBy: number,
): Entry => ({
  ...{ name, description, builtin: true, madeBy },
  brought: defined({ by, description, isPublic }),
});

/** Every spec of the folder as it is now: new and changed entries in, vanished ones out. */
export function withSpecs<TState extends Registered>(
  state: TState,
  folder: { readonly [path: string]: string },
  now: Looked,
  router: Router,
): TState {
  const paths = Object.keys(folder).filter(isSpec).sort();
  const gone = state.entries.filter(
    ({ name, builtin, brought }) => !builtin && !brought && !Object.hasOwn(folder, specPath(name)),
  );
  const without = gone.reduce((next, { name }) => withoutSpec(next, name, now.nowMs), state);
  return paths.reduce(
    (next, path) => withSpec(next, path, folder[path] ?? "", writerOf(now, path), router),
    without,
  );
}

/** Registers or updates one spec. A file that is no spec changes nothing. */
export function withSpec<TState extends Registered>(
  state: TState,
  path: string,
  text: string,
  seq: number,
  router: Router,
): TState {
  const spec = parseSpec(path, text, router);
  if (spec === undefined) return state;
  const index = state.entries.findIndex(({ name }) => name === spec.name);
  const old = state.entries[index];
  if (old?.description === spec.description && old.takes === spec.takes) return state;
  const entry: Entry = { builtin: false, ...old, ...spec, madeBy: seq };
  return {
    ...state,
    entries: old ? state.entries.with(index, entry) : [...state.entries, entry],
  };
}

/** Drops the entry of a spec that was removed; builtins and what other parts brought stay. */
export function withoutSpec<TState extends Registered>(
  state: TState,
  name: string,
  nowMs: number,
): TState {
  const entry = state.entries.find((one) => one.name === name);
  if (entry === undefined) return state;
  const builtin = entry.builtin ? catalogue.find((one) => one.name === name) : undefined;
  const own = entry.brought ?? builtin;
  if (own !== undefined) return withEntry(state, { ...entry, description: own.description });
  return {
    ...state,
    entries: state.entries.filter((one) => one !== entry),
    archived: [
      ...state.archived,
      { name, hadCode: ownValue(state.implementations, name) !== undefined, atMs: nowMs },
    ],
  };
}

const withEntry = <TState extends Registered>(state: TState, entry: Entry): TState => ({
  ...state,
  entries: state.entries.map((one) => (one.name === entry.name ? entry : one)),
});

/**
 * The code as the folder holds it now, beside the builtins that nothing shadows: what was loaded
 * from a file that is gone is gone.
 */
export function reloaded<TState extends Registered>(
  state: TState,
  folder: { readonly [path: string]: string },
  looked: Looked,
): TState {
  const kept = Object.entries(state.implementations).flatMap(([name, own]) => {
    const isBuiltin = state.entries.some((entry) => entry.name === name && isServed(entry));
    const isThere = `${TOOLS_FOLDER}/${name}.py` in folder;
    if (own.code === "" || isThere) return [[name, own] as const];
    return isBuiltin ? [[name, { code: "", madeBy: looked.seq }] as const] : [];
  });
  return withCode({ ...state, implementations: Object.fromEntries(kept) }, folder, looked);
}

/** Whether something serves it without code of the folder. */
const isServed = ({ builtin, brought }: Entry): boolean => builtin || brought?.runs === true;

/** Loads every .py of the folder, over what is loaded already. */
function withCode<TState extends Registered>(
  state: TState,
  folder: { readonly [path: string]: string },
  looked: Looked,
): TState {
  const loaded: { [name: string]: Implementation } = { ...state.implementations };
  for (const path of Object.keys(folder).sort()) {
    const name = toolName(path, ".py");
    if (name !== undefined && ownValue(loaded, name)?.code !== folder[path]) {
      loaded[name] = { code: folder[path] ?? "", madeBy: writerOf(looked, path) };
    }
  }
  return { ...state, implementations: loaded };
}

const specPath = (name: string): string => `${TOOLS_FOLDER}/${name}.json`;
export const isSpec = (path: string): boolean => toolName(path, ".json") !== undefined;

/** `safe_file_executor` for a direct child of the tools folder with that ending. */
export function toolName(path: string, ending: ".json" | ".py"): string | undefined {
  if (!path.startsWith(`${TOOLS_FOLDER}/`) || !path.endsWith(ending)) return undefined;
  const name = path.slice(TOOLS_FOLDER.length + 1, -ending.length);
  return isName(name) ? name : undefined;
}

const isName = (name: string): boolean => /^[a-z0-9_]{1,60}$/.test(name) && name !== "__proto__";

/** The file's name is the tool's name; the text must be an object with a description. */
function parseSpec(path: string, text: string, { kind }: Router): Spec | undefined {
  const name = toolName(path, ".json");
  if (name === undefined) return undefined;
  const fields = readObject(text);
  const description = fields?.["description"];
  if (typeof description !== "string") return undefined;
  return kind === "name"
    ? defined({ name, description, takes: taken(fields?.["inputSchema"]) })
    : { name, description };
}

/* What a tool takes, in a line for a prompt, from the JSON Schema of its arguments. Ours. */

/** Ours: a tool with more parameters shows these, and `…`. */
const PARAMETERS_MAX = 20;
const LINE_MAX = 600;

type Fields = { readonly [field: string]: Json };

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * `path: string, limit?: integer`: the names in the order of the schema, what each is, and a question mark
 * behind what may be missing. Undefined where the schema says nothing about them, or is none.
 */
export function taken(schema: Json | undefined): string | undefined {
  if (!isFields(schema)) return undefined;
  const properties = ownValue(schema, "properties");
  if (!isFields(properties)) return undefined;
  const names = Object.keys(properties);
  const isOpen = ownValue(schema, "additionalProperties") !== false;
  if (names.length === 0) return isOpen ? undefined : "";
  const required = ownValue(schema, "required");
  const needed = Array.isArray(required) ? required : [];
  const shown = names.slice(0, PARAMETERS_MAX).map((name) => {
    const what = kindOf(properties[name] ?? null);
    return `${name}${needed.includes(name) ? "" : "?"}${what === undefined ? "" : `: ${what}`}`;
  });
  return cutText([...shown, ...(names.length > PARAMETERS_MAX ? ["…"] : [])].join(", "), LINE_MAX);
}

/** `"fast" | "slow"` of an enumeration, `string | null` of several types. */
function kindOf(schema: Json): string | undefined {
  if (!isFields(schema)) return undefined;
  const options = ownValue(schema, "enum");
  if (Array.isArray(options)) return options.map((one) => JSON.stringify(one)).join(" | ");
  const type = ownValue(schema, "type");
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  return types.length === 0 ? undefined : types.join(" | ");
}
