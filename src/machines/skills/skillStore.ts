/**
 * Where skills lie, and what lies there: files and registry, read together, so that after a loss they agree again. The paths of
 * seed 001 begin with /ghost; virtual files lie below /agentOS, so these do. Source: seed 001, persistence and migration; dossier 1.4.
 */
import { cutText } from "../cutText.ts";
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { choice } from "../policyLeaf.ts";
import { readJson } from "../readJson.ts";
import { contentHash } from "./contentHash.ts";
import { showValue, skillNameFault } from "./creation.ts";
import type { SkillBook, SkillRow } from "./skillBook.ts";

export const storeLeaves = {
  store: choice("memory", ["memory", "sandbox"], {
    says: "Where skills are kept: outside the sandbox, or within it, as earlier installs did.",
    source: "seed 001 (memory), legacy storage (sandbox)",
    atStart: "a world is opened with its skills where they are kept",
  }),
};

/** The store outside the sandbox, and where earlier installs left skills: within it. */
export type Store = "memory" | "sandbox";

/** The address of the keeper of skills. */
export const SKILLS = "skills";

/** What a wipe of the sandbox empties. */
export const SANDBOX_FOLDER = "/agentOS/ghost/sandbox";
/** The transient copy of what is being tested. */
export const TEST_PATH = `${SANDBOX_FOLDER}/test_skill.py`;

export const storeFolder = (store: Store): string =>
  store === "memory"
    ? "/agentOS/ghost/system/memory/acquired_skills"
    : `${SANDBOX_FOLDER}/acquired_skills`;

export const registryPath = (store: Store): string => `${storeFolder(store)}/skills_registry.json`;
export const skillPath = (name: string, store: Store): string => `${storeFolder(store)}/${name}.py`;
export const retiredPath = (name: string, store: Store): string =>
  `${storeFolder(store)}/retired/${name}.py`;

type Files = { readonly [path: string]: string };

/** The registry as the real system writes it. */
export function registryText(book: SkillBook): string {
  const rows = book.map((row) => [
    row.name,
    {
      name: row.name,
      description: row.description,
      parameters_schema: row.parametersSchema,
      usage_count: row.usageCount,
      failure_count: row.failureCount,
      status: row.status,
      content_hash: row.contentHash,
    },
  ]);
  return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`;
}

interface FoundStore {
  readonly book: SkillBook;
  readonly filesAlone: readonly string[];
  readonly rowsAlone: readonly string[];
  readonly unfit: readonly UnfitRow[];
  /** Skills whose file is another than the one that was registered. */
  readonly changed: readonly string[];
  readonly fault: string | null;
}

/** A row that cannot be taken, whether its file is there or not. */
export interface UnfitRow {
  readonly skill: string;
  readonly why: string;
}

/** A row counts when it is one and its file is there; a file without a row is nobody's. */
export function readStore(files: Files, store: Store, taken: readonly string[]): FoundStore {
  const text = ownValue(files, registryPath(store));
  const entries = text === undefined ? [] : entriesIn(text);
  const read = (entries ?? []).map(([name, row]) => rowIn(name, row, taken));
  const rows = read.flatMap((row) => ("why" in row ? [] : [row]));
  const names = filesIn(files, store);
  const book = rows.filter(({ name }) => names.includes(name));
  const named = new Set((entries ?? []).map(([name]) => name));
  return {
    book,
    filesAlone: names.filter((name) => !named.has(name)),
    rowsAlone: rows.filter((row) => !book.includes(row)).map(({ name }) => name),
    unfit: read.flatMap((row) => ("why" in row ? [row] : [])),
    changed: book.filter((row) => isChanged(row, files, store)).map(({ name }) => name),
    fault: entries === null ? "the registry is no JSON of skills" : null,
  };
}

function isChanged(row: SkillRow, files: Files, store: Store): boolean {
  const code = ownValue(files, skillPath(row.name, store)) ?? "";
  return contentHash(code, row.parametersSchema, row.description) !== row.contentHash;
}

/** Names of skills whose files lie in the folder itself, retired ones apart. */
function filesIn(files: Files, store: Store): readonly string[] {
  const folder = storeFolder(store);
  return Object.keys(files)
    .filter((path) => path.startsWith(`${folder}/`) && path.endsWith(".py"))
    .map((path) => path.slice(folder.length + 1, -".py".length))
    .filter((name) => !name.includes("/"))
    .sort();
}

export const isEmptyStore = (files: Files, store: Store): boolean =>
  filesIn(files, store).length === 0 && ownValue(files, registryPath(store)) === undefined;

/** What earlier installs left in the sandbox, with its files as they are to lie in the store. */
export function readLegacy(files: Files, taken: readonly string[]) {
  const found = readStore(files, "sandbox", taken);
  const copied = found.book.map(({ name }): [string, string] => [
    skillPath(name, "memory"),
    ownValue(files, skillPath(name, "sandbox")) ?? "",
  ]);
  // Whatever else lies there stays, and is nobody's business.
  return { found: { ...found, filesAlone: [], rowsAlone: [] }, files: Object.fromEntries(copied) };
}

/** Null when the text is no registry at all. What no recording could hold spoils its own row alone. */
function entriesIn(text: string): readonly [string, Json | undefined][] | null {
  const read = parseJson(text);
  if (!isMap(read)) return null;
  return Object.entries(read).map(([name, row]) => [name, readJson(JSON.stringify(row))]);
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The row, or what is wrong with it. */
function rowIn(
  name: string,
  given: Json | undefined,
  taken: readonly string[],
): SkillRow | UnfitRow {
  // A name that a log can hold.
  const skill = name.isWellFormed() ? cutText(name, 64) : shownIn(name);
  const unfit = (why: string) => ({ skill, why });
  const nameFault = skillNameFault(name);
  if (nameFault !== null) return unfit(`${nameFault} is no name of a skill`);
  if (taken.includes(name)) return unfit("a builtin has this name");
  if (given === undefined) return unfit("it holds what no log can hold");
  if (!isMap(given)) return unfit("it is no map");
  const { description, parameters_schema: parametersSchema = {}, content_hash: hash } = given;
  const { usage_count: usageCount, failure_count: failureCount, status } = given;
  if (typeof description !== "string") return unfit("its description is no text");
  if (typeof hash !== "string") return unfit("its content_hash is no text");
  if (!isCount(usageCount)) return unfit(`its usage_count is ${shownIn(usageCount)}`);
  if (!isCount(failureCount)) return unfit(`its failure_count is ${shownIn(failureCount)}`);
  if (status !== "active" && status !== "degraded") {
    return unfit(`its status is ${shownIn(status)}`);
  }
  const counts = { usageCount, failureCount, status } as const;
  return { name, description, parametersSchema, ...counts, contentHash: hash };
}

const shownIn = (value: Json | undefined): string =>
  value === undefined ? "missing" : showValue(value);

const isCount = (value: Json | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
