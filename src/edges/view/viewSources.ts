/** What `view` opens: bundles as they lie there, and logs of others, which are read first. */
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundlesBelow } from "../bundle/bundleFolders.ts";
import { hasManifest, kindOf, readManifest } from "../bundle/bundleReader.ts";
import { claimFolder, FILES } from "../bundle/bundleWriter.ts";
import { commandSaid } from "../command.ts";
import { BadInput, badInput, quoted } from "../errors.ts";
import type { PartLists } from "../parts/partLists.ts";

export interface Opened {
  readonly folders: readonly string[];
  /** What a reader should know before all else. */
  readonly notes: readonly string[];
  /** Removes what was only made to be looked at. */
  readonly dispose: () => void;
}

export interface OpenOptions {
  /** Where the bundles of foreign logs go; a temporary folder when absent. */
  readonly out?: string | undefined;
  readonly signal: AbortSignal;
  /** Of a folder of runs, only the newest that has no end is wanted. */
  readonly isFollowed?: boolean | undefined;
}

/** Where runs lie that nobody named. */
const RUNS = "runs";

/** Throws BadInput for a path where there is nothing to look at. */
export async function opened(
  lists: PartLists,
  path: string | undefined,
  options: OpenOptions,
): Promise<Opened> {
  if (path === undefined && !existsSync(RUNS)) {
    throw badInput(
      "view",
      "nothing to look at: no name, and no folder runs/ here",
      "a bundle, a log, or a folder of them",
      "Name one, or play one first: npm start.",
    );
  }
  const from = path ?? RUNS;
  const kind = kindOf(from);
  if (kind === "nothing" || kind === "something unreadable" || kind === "no regular file") {
    throw badInput(
      { file: from },
      kind === "nothing" ? "nothing" : kind,
      "a bundle, a log, or a folder of them",
      "Check the spelling of the path.",
    );
  }
  const all = kind === "a folder" ? bundlesIn(from) : [];
  const there = options.isFollowed && all.length > 1 ? [newestOpen(lists, all, from)] : all;
  if (there.length > 0) return { folders: there, notes: [], dispose: () => {} };
  return readBeside(lists, from, options);
}

/** Whether something lies there that is no bundle, holds none, and is no scenario by its ending. */
export function isLog(path: string): boolean {
  const kind = kindOf(path);
  if (kind === "a file") return !/\.ya?ml$/i.test(path);
  return kind === "a folder" && bundlesIn(path).length === 0;
}

/** One of them. Throws BadInput where the path leads to several. */
export async function openedOne(
  lists: PartLists,
  path: string,
  options: OpenOptions,
): Promise<Opened & { readonly folder: string }> {
  const one = await opened(lists, path, options);
  const [folder, ...others] = one.folders;
  if (folder !== undefined && others.length === 0) return { ...one, folder };
  one.dispose();
  // What was read for this look alone is gone.
  const isThere = folder !== undefined && existsSync(folder);
  throw badInput(
    { file: path },
    `${one.folders.length} runs or logs`,
    "one of them",
    isThere
      ? `Name one, such as ${quoted(folder)}.`
      : `Make a bundle of each, ${commandSaid`import ${path}`}, and name one.`,
  );
}

/** Two of them, side by side: each path leads to one. */
export async function openedBoth(
  lists: PartLists,
  paths: readonly [string, string],
  options: OpenOptions,
): Promise<Opened> {
  const { out, ...rest } = options;
  const both: Opened[] = [];
  const dispose = (): void => {
    for (const one of both) one.dispose();
  };
  try {
    for (const [at, path] of paths.entries()) {
      const own = { ...rest, out: out && join(out, String(at + 1)) };
      both.push(await openedOne(lists, path, own));
    }
  } catch (error) {
    dispose();
    throw error;
  }
  const folders = both.flatMap((one) => one.folders);
  return { folders, notes: both.flatMap((one) => one.notes), dispose };
}

function newestOpen({ parts }: PartLists, folders: readonly string[], from: string): string {
  const begunMs = (folder: string): number => statSync(join(folder, FILES.manifest)).mtimeMs;
  const isOpen = (folder: string): boolean => {
    try {
      return readManifest(parts, folder).final === undefined;
    } catch {
      return false;
    }
  };
  const newest = folders.toSorted((a, b) => begunMs(b) - begunMs(a)).find(isOpen);
  if (newest !== undefined) return newest;
  throw badInput(
    { file: from },
    "no run that has no end yet",
    "a run that still goes, to --follow it",
    "Name a bundle, or omit --follow.",
  );
}

/** None where it holds none: it may hold logs. */
function bundlesIn(folder: string): readonly string[] {
  if (hasManifest(folder)) return [folder];
  try {
    return bundlesBelow(folder);
  } catch (error) {
    if (error instanceof BadInput) return [];
    throw error;
  }
}

async function readBeside(
  { edgeParts }: PartLists,
  source: string,
  { out, signal }: OpenOptions,
): Promise<Opened> {
  const reads = edgeParts.find((part) => part.reads !== undefined)?.reads;
  const isKept = out !== undefined;
  if (isKept) claimFolder(out);
  const folder = out ?? mkdtempSync(join(tmpdir(), "ghostlight-view-"));
  const dispose = (): void => {
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const read = await reads?.([source], folder, signal);
    const { records = 0, unread = [] } = read ?? {};
    if (records > 0) return { folders: bundlesBelow(folder), notes: unread, dispose };
    throw badInput(
      { file: source },
      unread.length === 0 ? "nothing that is a record of a log" : unread.join(" "),
      "a bundle, or a log of agents in a format that `import` reads",
      "`npx ghostlight import --explain FILE` says what a file holds.",
    );
  } catch (error) {
    dispose();
    throw error;
  }
}
