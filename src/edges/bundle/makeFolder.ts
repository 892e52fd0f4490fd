import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** With the folders above it. Node's own recursive way never returns below /proc. */
export function makeFolder(folder: string, mode?: number): void {
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
