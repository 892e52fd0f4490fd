/** A Python file that a command names. */
import { fileBytes, fileFault, textOfBytes } from "./boundedBytes.ts";
import { BadInput, badInput } from "./errors.ts";
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
    badInput({ file }, found, allowed, todo);
  try {
    const bytes = fileBytes(file, FILE_BYTES_MAX);
    if (bytes.length > FILE_BYTES_MAX) {
      throw refused(`more than ${FILE_BYTES_MAX} bytes`, `at most ${FILE_BYTES_MAX} bytes`);
    }
    return textOfBytes(bytes, true);
  } catch (error) {
    if (error instanceof BadInput) throw error;
    throw refused(
      fileFault(error),
      error instanceof TypeError ? "UTF-8" : "a file that can be read",
    );
  }
}
