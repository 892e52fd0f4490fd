/**
 * What the program prints: results on stdout, progress and prose about the run on stderr. Whatever a
 * model, a tool or a stranger wrote leaves by here, so here its control codes are written out.
 */
import { writeSync } from "node:fs";
import { OutputRefused } from "../edges/errors.ts";
import { escapedJson, escapedLine, escapedText } from "../edges/escapedText.ts";
import { endedEarly, isFullDisk } from "../edges/exit.ts";

let fitted = (text: string, _columns: number): string => text;

/** From now on whatever is printed goes through this, with the width of the terminal. */
export const fitWith = (fit: typeof fitted): void => {
  fitted = fit;
};

/** Writes all of it before returning, so that an exit loses nothing. Where the reader has gone, nothing is written. */
export function print(text: string): void {
  const shown = fitted(escapedText(text), terminalWidth());
  const lines = shown.endsWith("\n") ? shown : `${shown}\n`;
  if (held === null) {
    writeAll(1, lines);
    return;
  }
  held += lines;
  if (held.length > HELD_MOST) releaseHeld();
}

/** Ours: what is longer goes to the terminal as it comes. */
const HELD_MOST = 8_000_000;

/** What waits for a pager; null where whatever is printed goes out at once. */
let held: string | null = null;

/** From now on what is printed waits. */
export function holdOutput(): void {
  held = "";
}

/** What has waited; nothing waits any longer. */
export function takeHeld(): string {
  const text = held ?? "";
  held = null;
  return text;
}

/** What has waited goes out as it is. */
export function releaseHeld(): void {
  const text = takeHeld();
  if (text !== "") writeAll(1, text);
}

export function printJson(value: unknown): void {
  print(escapedJson(value, 2));
}

/** Byte for byte, for a file or a pipe that is to hold nothing else. */
export function printExactly(text: string): void {
  writeAll(1, text);
}

/** Each on lines of its own; each can be forgotten once it is printed. What nobody reads any longer is not made. */
export function printEach(texts: Iterable<string>): void {
  let piece = "";
  for (const text of texts) {
    if (gone.has(1)) return;
    piece += text.endsWith("\n") ? text : `${text}\n`;
    if (piece.length < PIECE_CHARS) continue;
    print(piece);
    piece = "";
  }
  if (piece !== "") print(piece);
}

const PIECE_CHARS = 65_536;

/** As `printJson` of one object with a list as its last member; each of the list can be forgotten likewise. */
export function printJsonList(head: object, name: string, list: Iterable<unknown>): void {
  printEach(listLines(head, name, list));
}

function* listLines(
  head: object,
  name: string,
  list: Iterable<unknown>,
): Generator<string, undefined> {
  let before = `${escapedJson(head, 2).slice(0, -"\n}".length)},\n  ${JSON.stringify(name)}: [`;
  let isEmpty = true;
  for (const one of list) {
    yield isEmpty ? before : `${before},`;
    isEmpty = false;
    before = `    ${escapedJson(one, 2).replaceAll("\n", "\n    ")}`;
  }
  yield isEmpty ? `${before}]\n}` : `${before}\n  ]\n}`;
}

/** JSON on one line, as an answer of a batch. */
export function printJsonLine(value: unknown): void {
  print(escapedJson(value));
}

/** Ours: where nothing says how wide it is, as of a pipe. */
const WIDTH = 80;

/** Characters of a line on stdout. */
export const terminalWidth = (): number => process.stdout.columns || WIDTH;

/** A line that stands on the terminal, and how many columns it takes there. */
export interface ShownLine {
  readonly text: string;
  readonly columns: number;
}

/** What `showLines` wrote last; the cursor rests below it, at the start of a line of its own. */
let standing: readonly ShownLine[] = [];

/** Whether what stands on stderr can be written anew in its place. */
export const isScreen = (): boolean => process.stderr.isTTY && process.env["TERM"] !== "dumb";

/** Ours: rows of a terminal that does not say how many it has. */
const ROWS = 24;

/** Columns and rows of the terminal on stderr, as they are now. */
export const screenSize = (): { readonly columns: number; readonly rows: number } => ({
  columns: process.stderr.columns || WIDTH,
  rows: process.stderr.rows || ROWS,
});

/** These lines in the place of those before; for a screen. No mode of the terminal changes. */
export function showLines(lines: readonly ShownLine[]): void {
  const texts = lines.map(({ text }) => `${escapedLine(text)}\u001b[K\n`);
  writeAll(2, `${toTop()}${texts.join("")}\u001b[J`);
  standing = lines;
}

/** To where the standing lines begin. A terminal that became narrower has wrapped them. */
function toTop(): string {
  const { columns } = screenSize();
  const rows = standing.reduce(
    (sum, one) => sum + Math.max(1, Math.ceil(one.columns / columns)),
    0,
  );
  return rows === 0 ? "\r" : `\r\u001b[${rows}A`;
}

/** So that whatever is written next is written as if they had never been there. */
function clearLines(): void {
  if (standing.length > 0) writeAll(2, `${toTop()}\u001b[J`);
  standing = [];
}

/** One line for a person who waits; nothing when stderr is no terminal. */
export function progress(text: string): void {
  clearLines();
  if (!process.stderr.isTTY) return;
  writeAll(2, `\r${escapedLine(text).slice(0, process.stderr.columns - 1)}\u001b[K`);
}

/** Counts towards `total`: on a terminal in place, elsewhere a plain line at every tenth of it. */
export function countProgress(what: string, total: number): (done: number) => void {
  return (done) => {
    const text = `${what}: ${done} of ${total} runs`;
    if (process.stderr.isTTY) progress(text);
    else if (tenths(done, total) > tenths(done - 1, total)) note(text);
  };
}

const tenths = (done: number, total: number): number => Math.floor((done * 10) / total);

export function clearProgress(): void {
  progress("");
}

/** Prose on stderr; what it quotes steers no terminal. */
export function note(text: string): void {
  clearLines();
  writeAll(2, `${escapedText(text)}\n`);
}

/** Where questions to a person go. */
export const personOutput = {
  write(text: string): void {
    clearProgress();
    writeAll(2, escapedText(text));
  },
};

/** Files whose readers have gone (`| head`): the work goes on without them, to the exit code that it has. */
const gone = new Set<number>();

function writeAll(file: number, text: string): void {
  if (gone.has(file)) return;
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(file, bytes, done);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The latter of a socket, with lines unread.
      if (code === "EPIPE" || code === "ECONNRESET") {
        gone.add(file);
        return;
      }
      if (isFullDisk(error)) {
        // Nothing can be told where stderr itself is full.
        if (file === 2) return;
        throw fullOutput(error.message);
      }
      if (code !== "EAGAIN") throw error;
      // A full pipe: the reader is slow. Wait a little without losing the order.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Set with the first line that stdout did not take. */
let isOutputFull = false;

function fullOutput(found: string): OutputRefused {
  isOutputFull = true;
  return new OutputRefused({
    where: { path: "standard output" },
    found,
    allowed: "room for what is printed",
    todo: "Make room, or print it elsewhere, and run again; what was printed is not whole.",
  });
}

/** Whether an error can still be told on stdout. */
export const canPrint = (): boolean => !isOutputFull;

let isLeaving = false;

/** Ends the process before its command is done. */
export function leaveNow(code: number): never {
  isLeaving = true;
  process.exit(code);
}

/**
 * Runs a command. `failed` hears of what no `catch` can: a part of a program's own that ends the process, or throws where
 * nothing waits for it. It prints that, as JSON too
 * unless the command has printed its own, and gives the exit code.
 */
export async function inCommand(
  command: () => Promise<unknown>,
  failed: (error: unknown, hasPrinted: boolean) => number,
): Promise<void> {
  let isDone = false;
  const onExit = (): void => {
    if (isLeaving) return;
    process.exitCode = failed(endedEarly(), isDone);
  };
  const onThrown = (error: unknown): never => leaveNow(failed(error, isDone));
  process.on("exit", onExit).on("uncaughtException", onThrown);
  try {
    await command();
  } catch (error) {
    process.exitCode = failed(error, false);
  }
  isDone = true;
  // Node tells of a rejection when nothing else is left to do at once.
  await new Promise(setImmediate);
  process.off("exit", onExit).off("uncaughtException", onThrown);
}
