/** Files that a command names, up to so many bytes. */
import { closeSync, openSync, readSync } from "node:fs";

/** What an open file holds: a pipe or a device gives it piece by piece, and says nothing of its size. */
export function boundedBytes(descriptor: number, bytesMax: number): Uint8Array {
  const bytes = new Uint8Array(bytesMax);
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/** All of a file, and one byte more than may be where there is more. */
export function fileBytes(file: string, bytesMax: number): Uint8Array {
  const descriptor = openSync(file, "r");
  try {
    return boundedBytes(descriptor, bytesMax + 1);
  } finally {
    closeSync(descriptor);
  }
}

/** The text of bytes in UTF-8, without a byte order mark unless it is kept. Throws TypeError for other bytes. */
export const textOfBytes = (bytes: Uint8Array, keepsMark = false): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: keepsMark }).decode(bytes);

/** What was found in place of a file or its text, by what reading it threw. */
export function fileFault(error: unknown, nothing = "no such file"): string {
  if (error instanceof TypeError) return "bytes that are no text";
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOENT" ? nothing : code === "EISDIR" ? "a folder" : (code ?? message);
}
