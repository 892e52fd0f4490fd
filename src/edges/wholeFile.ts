/** A file that a command writes whole, where a person named it. */
import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { OutputRefused } from "./errors.ts";

export const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

export function refuseFolder(path: string, file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== false) return;
  throw new OutputRefused({
    where: { path, file },
    found: "something there that is no file",
    allowed: "a file, new or to be replaced",
    todo: "Name another file.",
  });
}

/**
 * Takes the place of what is there, or with `a` goes behind it; with `wx` a link gives way, and not what it leads to. Gives the
 * bytes; throws OutputRefused.
 */
export function writeWhole(
  path: string,
  file: string,
  pieces: Iterable<string>,
  how: "w" | "a" | "wx" = "w",
): number {
  try {
    if (how === "wx") rmSync(file, { force: true });
    const open = openSync(file, how);
    let bytes = 0;
    try {
      for (const piece of pieces) bytes += writeSync(open, piece);
    } finally {
      closeSync(open);
    }
    return bytes;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new OutputRefused({
      where: { path, file },
      found: `a file that cannot be written (${code})`,
      allowed: "a file in a folder that is there and can be written",
      todo: "Name another file, or make its folder.",
    });
  }
}
