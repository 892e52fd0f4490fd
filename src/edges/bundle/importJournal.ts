/**
 * What an import has done so far, beside the bundles that it leaves: a first line that says what is imported, then one
 * for each whole log. It is gone once all is done, so that an import without its end is known, and can go on.
 */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMap } from "../../machines/isMap.ts";
import { command } from "../command.ts";

export const JOURNAL = "import.jsonl";

/** What the sources are, so that the same command can be told from another one. */
export interface ImportBegun {
  /** As the user gave them: sources, then options. */
  readonly words: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** Over paths, sizes and times of all files, and of the mapping; null where something cannot be read twice. */
  readonly stamp: string | null;
}

export interface ImportedSoFar {
  readonly filesRead: number;
  readonly bytesRead: number;
}

/** A line for one log, with what its importer needs of it. */
export interface DoneLine<Done> extends ImportedSoFar {
  readonly log: string;
  readonly done: Done;
}

export interface UnfinishedImport<Done = unknown> {
  readonly folder: string;
  readonly begun: ImportBegun;
  /** Of the process that writes, or wrote. */
  readonly pid: number;
  readonly lines: readonly DoneLine<Done>[];
}

/** Undefined where no import lacks its end. A line that a kill cut off is none. */
export function unfinishedImport<Done>(folder: string): UnfinishedImport<Done> | undefined {
  const [head, ...lines] = linesIn(join(folder, JOURNAL));
  if (!isMap(head) || !isMap(head["begun"])) return undefined;
  const { begun, pid } = head as unknown as { begun: ImportBegun; pid: number }; // Our own file; who changes it is answered by the bundles.
  return { folder, begun, pid, lines: lines.filter(isDone) as unknown as DoneLine<Done>[] };
}

const isDone = (line: unknown): boolean => isMap(line) && typeof line["log"] === "string";

function linesIn(file: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}

/** `84 logs are whole, of 84 of 200 files (41 % of their bytes)`. */
export function soFarText({ lines, begun: { files, bytes } }: UnfinishedImport): string {
  const { filesRead = 0, bytesRead = 0 } = lines.at(-1) ?? {};
  const logs = lines.length === 1 ? "1 log is whole" : `${lines.length} logs are whole`;
  const share = bytes === 0 ? "" : ` (${Math.floor((100 * bytesRead) / bytes)} % of the bytes)`;
  return `${logs}, from ${filesRead} of ${files} file${files === 1 ? "" : "s"}${share}`;
}

/** The command that goes on with it. */
export const onwardCommand = ({ begun: { words }, folder }: UnfinishedImport): string =>
  command`import ${words} --out ${folder}`;

export class ImportJournal<Done> {
  readonly #file: string;

  /** Goes on with the lines that there are, or begins. Throws what the disk throws. */
  constructor(folder: string, begun: ImportBegun, lines: readonly DoneLine<Done>[]) {
    this.#file = join(folder, JOURNAL);
    const all = [{ begun, pid: process.pid }, ...lines].map((one) => `${JSON.stringify(one)}\n`);
    writeFileSync(this.#file, all.join(""));
  }

  add(line: DoneLine<Done>): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** All is done. */
  end(): void {
    rmSync(this.#file, { force: true });
  }
}
