/** What `--batch` reads: a JSON object a line, on standard input. */
import { BadInput, hintFor, type Problem, quoted } from "../edges/errors.ts";
import { lossIn } from "../edges/jsonText.ts";
import { isMap } from "../machines/isMap.ts";

/** Ours: what standard input may hold; as much as any user has. */
const BATCH_BYTES_MAX = 256 * 1024 * 1024;

/** The lines of standard input that are not empty. */
export async function batchLines(): Promise<readonly string[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += (chunk as Buffer).length;
    if (bytes > BATCH_BYTES_MAX) {
      throw new BadInput({
        where: { path: "standard input" },
        found: `more than ${BATCH_BYTES_MAX} bytes`,
        allowed: "less",
        todo: "Give the lines in several batches.",
      });
    }
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return text.split("\n").filter((line) => line.trim() !== "");
}

export type Id = string | number | null;

export interface Fields {
  readonly [field: string]: unknown;
}

export type BatchLine =
  | { readonly id: Id; readonly fields: Fields }
  | { readonly id: Id; readonly error: string };

/** A line as an object with its id, or what is wrong with it. */
export function batchLine(line: string): BatchLine {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return { id: null, error: `no JSON: ${quoted(line)}` };
  }
  const loss = lossIn(line);
  if (loss !== undefined) {
    const { offset, found, allowed } = loss;
    return { id: null, error: `character ${offset + 1}: found ${found}; allowed: ${allowed}` };
  }
  if (!isMap(given)) {
    return { id: null, error: `no object: ${quoted(given)}` };
  }
  const fields = given as Fields;
  const { id = null } = fields;
  if (id === null || typeof id === "string" || typeof id === "number") return { id, fields };
  return { id: null, error: `id: found ${quoted(id)}; allowed: a text | a number` };
}

/** A field of a line that its command knows nothing of. */
export function strangeField(
  fields: Fields,
  known: readonly string[],
): { readonly path: string; readonly problem: Omit<Problem, "where"> } | undefined {
  const path = Object.keys(fields).find((name) => !known.includes(name));
  if (path === undefined) return undefined;
  const problem = { found: "a field that no line has", allowed: known.join(" | ") };
  return { path, problem: { ...problem, ...hintFor(path, known) } };
}
