/** `--batch`: JSON objects on standard input, a line each, are answered a line each in their places. */
import { BadInput, hintFor, isEdgeError, type Problem, quoted } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import { lossIn } from "../edges/jsonText.ts";
import { isMap } from "../machines/isMap.ts";
import { clearProgress, printJsonLine, progress } from "./output.ts";

type Answering<Answer> = (fields: Fields, line: string) => Answer | Promise<Answer> | BatchError;

interface BatchOptions<Answer> {
  /** Whether an answer makes the command fail in the end. */
  readonly isRefused?: (answer: Answer) => boolean;
  /** How far it is, for a person who waits. */
  readonly progress?: (done: number, count: number) => string;
  /** What may be shown of a line that is not read, and of what is wrong with another; the first line when absent. */
  readonly shown?: (text: string) => string;
}

/**
 * Each line is answered in its place, under its id. One that cannot be read, or whose answer is an `error` or throws BadInput, gets
 * the error there, and exit 2 in the end.
 */
export async function answerBatch<Answer extends object>(
  answer: Answering<Answer>,
  options: BatchOptions<Answer> = {},
): Promise<number> {
  const { isRefused = () => false, shown = firstLine } = options;
  const lines = await batchLines();
  let [bad, refused] = [0, 0];
  for (const [index, line] of lines.entries()) {
    if (options.progress !== undefined) progress(options.progress(index, lines.length));
    const read = batchLine(line);
    const said = "error" in read ? unread(line, shown) : await answered(read, line, answer, shown);
    clearProgress();
    if ("error" in said) bad += 1;
    else if (isRefused(said as Answer)) refused += 1;
    printJsonLine("error" in said ? said : { id: read.id, ...said });
  }
  if (bad > 0) return EXIT.badInput;
  return refused > 0 ? EXIT.failed : EXIT.ok;
}

const firstLine = (text: string): string => text.split("\n")[0] ?? "";

interface BatchError {
  readonly error: string;
}

/** What is wrong with a line, said of what may be shown of it: it is quoted, and may be cut within a secret. */
function unread(line: string, shown: (text: string) => string): { readonly id: Id } & BatchError {
  const read = batchLine(shown(line));
  return "error" in read ? read : { id: null, error: "no line that can be read, and not shown" };
}

async function answered<Answer extends object>(
  { id, fields }: Extract<BatchLine, { fields: Fields }>,
  line: string,
  answer: Answering<Answer>,
  shown: (text: string) => string,
): Promise<Answer | ({ readonly id: Id } & BatchError)> {
  try {
    const said = await answer(fields, line);
    return "error" in said ? { id, error: String(said.error) } : said;
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    return { id, error: shown(error.message) };
  }
}

/** Ours: what standard input may hold; as much as any user has. */
const BATCH_BYTES_MAX = 256 * 1024 * 1024;

/** The lines of standard input that are not empty. */
async function batchLines(): Promise<readonly string[]> {
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

type Id = string | number | null;

export interface Fields {
  readonly [field: string]: unknown;
}

type BatchLine =
  | { readonly id: Id; readonly fields: Fields }
  | { readonly id: Id; readonly error: string };

/** A line as an object with its id, or what is wrong with it. */
function batchLine(line: string): BatchLine {
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
