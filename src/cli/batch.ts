/** `--batch`: JSON objects on standard input, a line each, are answered a line each in their places. */
import { badInput, hintFor, isEdgeError, quoted } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import { lossIn } from "../edges/jsonText.ts";
import { isMap } from "../machines/isMap.ts";
import type { Json } from "../machines/letter.ts";
import { jsonFault } from "../machines/readJson.ts";
import { clearProgress, printJsonLine, progress } from "./output.ts";

type Answering<Answer> = (fields: Fields) => Answer | Promise<Answer> | BatchError;

interface BatchOptions<Answer> {
  /** All that a line may say; its command looks at the fields itself when absent. */
  readonly fields?: readonly string[];
  /** What its command looks at. A line may hold more, such as a case of a test: the answer names that as `unknown`. */
  readonly looksAt?: readonly string[];
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
  const answerTo: Answering<Answer> = (fields) => {
    onlyKnown(fields, options.fields);
    return answer(fields);
  };
  let [bad, refused] = [0, 0];
  for (const [index, line] of lines.entries()) {
    if (options.progress !== undefined) progress(options.progress(index, lines.length));
    const read = batchLine(line);
    const said =
      "error" in read ? unread(read, line, shown) : await answered(read, answerTo, shown);
    clearProgress();
    if ("error" in said) bad += 1;
    else if (isRefused(said as Answer)) refused += 1;
    printJsonLine("error" in said ? said : { id: read.id, ...said, ...unknownIn(read, options) });
  }
  if (bad > 0) return EXIT.badInput;
  return refused > 0 ? EXIT.failed : EXIT.ok;
}

const firstLine = (text: string): string => text.split("\n")[0] ?? "";

function unknownIn(line: BatchLine, { looksAt }: BatchOptions<never>): object {
  if (looksAt === undefined || "error" in line) return {};
  const unknown = Object.keys(line.fields).filter((name) => !looksAt.includes(name));
  return unknown.length > 0 ? { unknown } : {};
}

function onlyKnown(fields: Fields, known: readonly string[] | undefined): void {
  const path = known && Object.keys(fields).find((name) => !known.includes(name));
  if (path === undefined) return;
  throw badInput(
    path,
    "a field that no line has",
    known?.join(" | ") ?? "",
    "",
    hintFor(path, known ?? []),
  );
}

interface BatchError {
  readonly error: string;
}

/** What is wrong with a line, said of what may be shown of it: it is quoted, and may be cut within a secret. */
function unread(
  fault: { readonly id: Id } & BatchError,
  line: string | null,
  shown: (text: string) => string,
): { readonly id: Id } & BatchError {
  if (line === null) return fault;
  const read = batchLine(shown(line));
  return "error" in read ? read : { id: null, error: "no line that can be read, and not shown" };
}

async function answered<Answer extends object>(
  { id, fields }: Extract<BatchLine, { fields: Fields }>,
  answer: Answering<Answer>,
  shown: (text: string) => string,
): Promise<Answer | ({ readonly id: Id } & BatchError)> {
  try {
    const said = await answer(fields);
    return "error" in said ? { id, error: String(said.error) } : said;
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    return { id, error: shown(error.message) };
  }
}

/** Ours: what standard input may hold; as much as any user has. */
const BATCH_BYTES_MAX = 256 * 1024 * 1024;

/** The lines of standard input that are not empty; null for one whose bytes are no text. */
async function batchLines(): Promise<readonly (string | null)[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += (chunk as Buffer).length;
    if (bytes > BATCH_BYTES_MAX) {
      throw badInput(
        "standard input",
        `more than ${BATCH_BYTES_MAX} bytes`,
        "less",
        "Give the lines in several batches.",
      );
    }
    chunks.push(chunk as Buffer);
  }
  return linesOf(Buffer.concat(chunks)).filter((line) => line?.trim() !== "");
}

const LINE_FEED = 10;

/** Null for a line whose bytes are no text. */
export function linesOf(bytes: Buffer): readonly (string | null)[] {
  const lines: (string | null)[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start);
    lines.push(textOf(bytes.subarray(start, end < 0 ? bytes.length : end)));
    start = end < 0 ? bytes.length : end + 1;
  }
  return lines;
}

/** Without the mark that some editors write at the start of a file. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

type Id = string | number | null;

export interface Fields {
  readonly [field: string]: unknown;
}

type BatchLine =
  | { readonly id: Id; readonly fields: Fields }
  | { readonly id: Id; readonly error: string };

/** A line as an object with its id, or what is wrong with it. */
function batchLine(line: string | null): BatchLine {
  if (line === null) return { id: null, error: "found bytes that are no text; allowed: UTF-8" };
  let given: Json;
  try {
    given = JSON.parse(line) as Json;
  } catch {
    return { id: null, error: `no JSON: ${quoted(line)}` };
  }
  const loss = lossIn(line);
  if (loss !== undefined) {
    const { offset, found, allowed } = loss;
    return { id: null, error: `character ${offset + 1}: found ${found}; allowed: ${allowed}` };
  }
  const fault = jsonFault(given);
  if (fault !== null) return { id: null, error: `found ${fault}; allowed: plain JSON` };
  if (!isMap(given)) {
    return { id: null, error: `no object: ${quoted(given)}` };
  }
  const fields = given as Fields;
  const { id = null } = fields;
  if (id === null || typeof id === "string" || typeof id === "number") return { id, fields };
  return { id: null, error: `id: found ${quoted(id)}; allowed: a text | a number` };
}
