/** JSON that a command names: a file, or standard input. */
import { closeSync, openSync } from "node:fs";
import { boundedBytes } from "../../../edges/boundedBytes.ts";
import { BadInput, type Where } from "../../../edges/errors.ts";
import { jsonText } from "../../../edges/jsonText.ts";
import type { Json } from "../../../machines/letter.ts";

/** Ours: instructions are long, and no intent is longer. */
const BYTES_MAX = 4 * 1024 * 1024;

const TODO = "Give the path of a JSON file, or - for standard input.";
const refused = (where: Where, found: string, allowed: string, todo = TODO): BadInput =>
  new BadInput({ where, found, allowed, todo });

export async function jsonFile(file: string): Promise<Json> {
  const where = { file: file === "-" ? "standard input" : file };
  const bytes = file === "-" ? await standardInput() : fileBytes(file);
  if (bytes.length > BYTES_MAX) {
    throw refused(where, `more than ${BYTES_MAX} bytes`, `at most ${BYTES_MAX} bytes`);
  }
  try {
    return jsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes), where, TODO);
  } catch (error) {
    if (error instanceof TypeError) throw refused(where, "bytes that are no text", "UTF-8");
    throw error;
  }
}

async function standardInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    // Chunks of a stream without an encoding are bytes.
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > BYTES_MAX) break;
  }
  return Buffer.concat(chunks);
}

/** Up to one byte more than may be: a device or a pipe says nothing of its size. */
function fileBytes(file: string): Uint8Array {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    return boundedBytes(descriptor, BYTES_MAX + 1);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const found =
      code === "EISDIR" ? "a folder" : code === "ENOENT" ? "no such file" : String(code);
    throw refused({ file: file === "" ? '""' : file }, found, "a file that can be read");
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
