/** A Python file that a command names. */
import { closeSync, openSync } from "node:fs";
import { boundedBytes } from "./boundedBytes.ts";
import { BadInput } from "./errors.ts";
import { PYTHON_CHARS_MAX } from "./python/parsePort.ts";

const FILE_BYTES_MAX = 4 * PYTHON_CHARS_MAX;

/** Its text without a byte order mark, as CPython reads a file. */
export const pythonFile = (file: string): string => unmarked(markedPythonFile(file));

export const unmarked = (text: string): string => text.replace(/^\ufeff/, "");

/** Its text as it is. */
export const markedPythonFile = (file: string): string =>
  textFile(file, "Give the path of a Python file.");

/** The text of a small file that a command names, in UTF-8. */
export function textFile(file: string, todo: string): string {
  const refused = (found: string, allowed: string): BadInput =>
    new BadInput({ where: { file }, found, allowed, todo });
  try {
    const bytes = bytesOf(file);
    if (bytes.length > FILE_BYTES_MAX) {
      throw refused(`more than ${FILE_BYTES_MAX} bytes`, `at most ${FILE_BYTES_MAX} bytes`);
    }
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof BadInput) throw error;
    if (error instanceof TypeError) throw refused("bytes that are no text", "UTF-8");
    const { code } = error as NodeJS.ErrnoException;
    throw refused(code === "ENOENT" ? "no such file" : String(code), "a file that can be read");
  }
}

/** Up to one byte more than may be: a device or a pipe says nothing of its size. */
function bytesOf(file: string): Uint8Array {
  const descriptor = openSync(file, "r");
  try {
    return boundedBytes(descriptor, FILE_BYTES_MAX + 1);
  } finally {
    closeSync(descriptor);
  }
}
