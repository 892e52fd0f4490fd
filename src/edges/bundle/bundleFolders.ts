/** The bundles at or below a folder. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type BadInput, badInput, quoted } from "../errors.ts";
import { hasManifest } from "./bundleReader.ts";

/** Ours: deeper than anybody sorts logs, and an end to folders made without one. */
const DEPTH_MAX = 32;
/** Ours: folders and files that are looked at for bundles. */
const LOOKED_AT_MAX = 5_000_000;

/** Whether a folder lies there. */
export const isFolder = (path: string): boolean =>
  !path.includes("\0") && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);

/**
 * The folder itself where it is a bundle, else every bundle below it, sorted; links are not followed. Throws BadInput
 * where there is none.
 */
export function bundlesBelow(folder: string): readonly string[] {
  if (hasManifest(folder)) return [folder];
  const found: string[] = [];
  const open: (readonly [string, number])[] = [[folder, 0]];
  let seen = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [path, depth] = one;
    for (const entry of entriesOf(path)) {
      if (++seen > LOOKED_AT_MAX) throw tooMany(folder);
      if (!entry.isDirectory()) continue;
      const inner = join(path, entry.name);
      if (hasManifest(inner)) found.push(inner);
      else if (depth < DEPTH_MAX) open.push([inner, depth + 1]);
    }
  }
  if (found.length === 0) throw noBundle(folder);
  return found.sort();
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw badInput(
      { file: path },
      `a folder that cannot be read (${code})`,
      "",
      "Make it readable, or name a folder beside it.",
    );
  }
}

const noBundle = (folder: string): BadInput =>
  badInput(
    { file: folder },
    "a folder without a bundle, at any depth",
    "a bundle (a folder with manifest.json), or a folder that holds bundles",
    `If logs of agents lie there, make bundles of them first: ghostlight import ${quoted(folder)}.`,
  );

const tooMany = (folder: string): BadInput =>
  badInput(
    { file: folder },
    `a folder with more than ${LOOKED_AT_MAX} files and folders`,
    `up to ${LOOKED_AT_MAX}`,
    "Name a folder within it.",
  );
