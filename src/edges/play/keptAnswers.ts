/**
 * Answers of Python and of the shell, kept by everything that they depend on: in memory for the runs of
 * this process, and in a folder for later ones and for other processes when one is named. A folder is
 * trusted as little as the process that answers: what it holds is read by the same reader.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { makeFolder } from "../bundle/makeFolder.ts";
import { OutputRefused } from "../errors.ts";

/** Ours: of all answers in memory together; the oldest go first. */
const HELD_CHARS_MAX = 32 * 1024 * 1024;
/** Ours: the longest file that is written or read. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
/** Other people's eyes have no business in what a stranger's code said. */
const FOLDER_MODE = 0o700;

export interface Question<T> {
  /** See engine.ts. */
  readonly engine: string;
  /** Plain JSON; in it the order of members counts, as it does for Python. */
  readonly asked: object;
  readonly ask: () => Promise<T>;
  /** Whether it is the same on every machine, however busy: a time-out by the wall's clock is not. */
  readonly isSure: (answer: T) => boolean;
  /** Undefined for a text that is no answer. */
  readonly read: (text: string) => T | undefined;
}

export class KeptAnswers {
  readonly #folder: string | null;
  readonly #held = new Map<string, string>();
  #heldChars = 0;

  /** Of a folder that `cacheFolder` gave. */
  constructor(folder: string | null = null) {
    this.#folder = folder;
  }

  async answer<T>({ engine, asked, ask, isSure, read }: Question<T>): Promise<T> {
    const key = sha256(`${engine}\n${JSON.stringify(asked)}`);
    for (const text of this.#kept(key)) {
      const found = text === undefined ? undefined : read(text);
      if (text === undefined || found === undefined || !isSure(found)) continue;
      this.#hold(key, text);
      return found;
    }
    const answer = await ask();
    if (isSure(answer)) {
      const text = JSON.stringify(answer);
      this.#hold(key, text);
      this.#write(key, text);
    }
    return answer;
  }

  /** The file is read only where memory has no answer. */
  *#kept(key: string): Generator<string | undefined, undefined> {
    yield this.#held.get(key);
    yield this.#inFolder(key);
  }

  #hold(key: string, text: string): void {
    if (this.#held.has(key)) return;
    this.#held.set(key, text);
    this.#heldChars += text.length;
    for (const [oldest, { length }] of this.#held) {
      if (this.#heldChars <= HELD_CHARS_MAX) return;
      this.#held.delete(oldest);
      this.#heldChars -= length;
    }
  }

  /** Undefined when there is none, or when it is torn, damaged, or another question's. */
  #inFolder(key: string): string | undefined {
    if (this.#folder === null) return undefined;
    const file = fileOf(this.#folder, key);
    try {
      const about = statSync(file, { throwIfNoEntry: false });
      // A pipe or device in its place would be read for ever.
      if (!about?.isFile() || about.size > FILE_BYTES_MAX) return undefined;
      const whole = readFileSync(file, "utf8");
      const end = whole.indexOf("\n");
      const text = whole.slice(end + 1);
      return whole.slice(0, end) === sealOf(key, text) ? text : undefined;
    } catch {
      return undefined;
    }
  }

  /** Written beside and renamed, so that a reader never sees half a file. What cannot be written is asked again. */
  #write(key: string, text: string): void {
    if (this.#folder === null) return;
    const whole = `${sealOf(key, text)}\n${text}`;
    if (Buffer.byteLength(whole) > FILE_BYTES_MAX) return;
    const file = fileOf(this.#folder, key);
    const beside = `${file}.${randomUUID()}`;
    try {
      makeFolder(path.dirname(file), FOLDER_MODE);
      writeFileSync(beside, whole, { mode: 0o600 });
      renameSync(beside, file);
    } catch {
      removed(beside);
    }
  }
}

/** As far as it is there and can be. */
function removed(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The folder above it is gone, or a file.
  }
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const sealOf = (key: string, text: string): string => sha256(`${key}\n${text}`);
const fileOf = (folder: string, key: string): string =>
  path.join(folder, key.slice(0, 2), `${key.slice(2)}.answer`);

/** In place of a folder, whatever the environment names. */
const NO_CACHE = "none";
/** The variable of the environment that names a folder where no option does. */
const VARIABLE = "GHOSTLIGHT_CACHE";

/**
 * The folder in which answers are kept, as an option or else the environment names it; null for none.
 * Makes it. Throws OutputRefused where that fails.
 */
export function cacheFolder(named: string | undefined, option: string = "--cache"): string | null {
  const folder = named ?? process.env[VARIABLE] ?? "";
  if (folder === NO_CACHE || (folder === "" && named === undefined)) return null;
  try {
    if (folder === "") throw new Error("an empty text");
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw new Error("a file, not a folder");
    }
    makeFolder(folder, FOLDER_MODE);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return path.resolve(folder);
  } catch (error) {
    throw new OutputRefused({
      where: named === undefined ? { path: VARIABLE } : { path: option, file: folder },
      found: error instanceof Error ? error.message : String(error),
      allowed: "a folder that can be made, read and written",
      todo: "Name another folder, or none: then Python and the shell are asked each time.",
    });
  }
}
