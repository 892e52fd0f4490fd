/** JSON that a command names: a file, or standard input. */
import { fileBytes, fileFault, textOfBytes } from "../../../edges/boundedBytes.ts";

import { type BadInput, badInput, type Where } from "../../../edges/errors.ts";
import { jsonText } from "../../../edges/jsonText.ts";
import type { Json } from "../../../machines/letter.ts";

/** Ours: instructions are long, and no intent is longer. */
const BYTES_MAX = 4 * 1024 * 1024;

const TODO = "Give the path of a JSON file, or - for standard input.";
const refused = (where: Where, found: string, allowed: string, todo = TODO): BadInput =>
  badInput(where, found, allowed, todo);

export async function jsonFile(file: string): Promise<Json> {
  const where = { file: file === "-" ? "standard input" : file };
  const bytes = file === "-" ? await standardInput() : bytesOf(file);
  if (bytes.length > BYTES_MAX) {
    throw refused(where, `more than ${BYTES_MAX} bytes`, `at most ${BYTES_MAX} bytes`);
  }
  try {
    return jsonText(textOfBytes(bytes), where, TODO);
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

function bytesOf(file: string): Uint8Array {
  try {
    return fileBytes(file, BYTES_MAX);
  } catch (error) {
    const where = { file: file === "" ? '""' : file };
    throw refused(where, fileFault(error), "a file that can be read");
  }
}
