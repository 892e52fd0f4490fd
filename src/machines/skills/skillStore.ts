/**
 * What lies in the store: files and registry, read together, so that after a loss they agree again. Source: seed 001,
 * persistence and migration; dossier 1.4.
 */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { readJson } from "../readJson.ts";
import { skillNameFault } from "./creation.ts";
import type { SkillBook, SkillRow } from "./skillBook.ts";
import { registryPath, skillPath, storeFolder } from "./skillFolders.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";

type Files = { readonly [path: string]: string };
type Store = SkillsPolicy["store"];

/** The registry as the real system writes it. */
export const registryText = (book: SkillBook): string =>
  `${JSON.stringify(Object.fromEntries(book.map((row) => [row.name, written(row)])), null, 2)}\n`;

const written = (row: SkillRow): object => ({
  name: row.name,
  description: row.description,
  parameters_schema: row.parametersSchema,
  usage_count: row.usageCount,
  failure_count: row.failureCount,
  status: row.status,
  content_hash: row.contentHash,
});

export interface FoundStore {
  readonly book: SkillBook;
  readonly filesAlone: readonly string[];
  readonly rowsAlone: readonly string[];
  readonly fault: string | null;
}

/** A row counts when its file is there; a file without a row is nobody's. */
export function storeFound(files: Files, store: Store): FoundStore {
  const text = ownValue(files, registryPath(store));
  const rows = text === undefined ? [] : rowsIn(text);
  const names = filesIn(files, store);
  const book = (rows ?? []).filter(({ name }) => names.includes(name));
  return {
    book,
    filesAlone: names.filter((name) => !book.some((row) => row.name === name)),
    rowsAlone: (rows ?? []).filter((row) => !book.includes(row)).map(({ name }) => name),
    fault: rows === null ? "the registry is no JSON of skills" : null,
  };
}

/** Names of skills whose files lie in the folder itself, retired ones apart. */
export function filesIn(files: Files, store: Store): readonly string[] {
  const folder = storeFolder(store);
  return Object.keys(files)
    .filter((path) => path.startsWith(`${folder}/`) && path.endsWith(".py"))
    .map((path) => path.slice(folder.length + 1, -".py".length))
    .filter((name) => !name.includes("/"))
    .sort();
}

export const isEmptyStore = (files: Files, store: Store): boolean =>
  filesIn(files, store).length === 0 && ownValue(files, registryPath(store)) === undefined;

/** What earlier installs left in the sandbox: names that are names, with their files. */
export function legacyFound(files: Files): { readonly book: SkillBook; readonly files: Files } {
  const { book: all } = storeFound(files, "sandbox");
  const book = all.filter(({ name }) => skillNameFault(name) === null);
  const copied = book.map(({ name }): [string, string] => [
    skillPath(name, "memory"),
    ownValue(files, skillPath(name, "sandbox")) ?? "",
  ]);
  return { book, files: Object.fromEntries(copied) };
}

/** Null when the text is no registry at all; rows that are none are passed over. */
function rowsIn(text: string): readonly SkillRow[] | null {
  const read = readJson(text);
  if (!isMap(read)) return null;
  return Object.entries(read as { readonly [name: string]: Json }).flatMap(([name, row]) =>
    isMap(row) ? rowIn(name, row as { readonly [field: string]: Json }) : [],
  );
}

function rowIn(name: string, row: { readonly [field: string]: Json }): SkillRow[] {
  const { description, parameters_schema: parametersSchema = {}, content_hash: hash } = row;
  const { usage_count: usageCount, failure_count: failureCount, status } = row;
  if (typeof description !== "string" || typeof hash !== "string") return [];
  if (!isCount(usageCount) || !isCount(failureCount)) return [];
  if (status !== "active" && status !== "degraded") return [];
  const counts = { usageCount, failureCount, status } as const;
  return [{ name, description, parametersSchema, ...counts, contentHash: hash }];
}

const isCount = (value: Json | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
