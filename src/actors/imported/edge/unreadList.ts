/** What could not be read of foreign logs: all of it in a file, counted by reason, and the first of each file for reports. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { Place, Unread } from "../record.ts";

/** Ours: of what is kept in memory. */
const most = { first: 10, reasons: 200, files: 1_000, ofFile: 10 } as const;

interface OfFile {
  count: number;
  readonly first: Unread[];
}

export class UnreadList {
  readonly #path: string;
  #file: number | undefined;
  readonly first: Unread[] = [];
  readonly #reasons = new Map<string, number>();
  readonly #files = new Map<string, OfFile>();
  count = 0;

  /** The file is made with its first line. */
  constructor(path: string) {
    this.#path = path;
  }

  add(unread: Unread): void {
    this.count += 1;
    if (this.first.length < most.first) this.first.push(unread);
    const kind = kindOfReason(unread.reason);
    const known = this.#reasons.has(kind) || this.#reasons.size < most.reasons;
    const name = known ? kind : "another reason";
    this.#reasons.set(name, (this.#reasons.get(name) ?? 0) + 1);
    const ofFile = this.#ofFile(unread.place.file);
    if (ofFile !== undefined) {
      ofFile.count += 1;
      if (ofFile.first.length < most.ofFile) ofFile.first.push(unread);
    }
    this.#file ??= openSync(this.#path, "ax");
    const { place, reason } = unread;
    writeSync(this.#file, `${JSON.stringify({ ...place, reason })}\n`);
  }

  /** The most frequent first. */
  byReason(): { readonly [reason: string]: number } {
    return Object.fromEntries([...this.#reasons].sort(([, a], [, b]) => b - a));
  }

  of(files: readonly string[]): { readonly count: number; readonly first: readonly Unread[] } {
    const found = files.flatMap((file) => this.#files.get(file) ?? []);
    const count = found.reduce((sum, one) => sum + one.count, 0);
    return { count, first: found.flatMap(({ first }) => first).slice(0, most.ofFile) };
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #ofFile(file: string): OfFile | undefined {
    const known = this.#files.get(file);
    if (known !== undefined || this.#files.size >= most.files) return known;
    const made = { count: 0, first: [] };
    this.#files.set(file, made);
    return made;
  }
}

/** What stands behind a colon is of one line alone. */
const kindOfReason = (reason: string): string =>
  (/^[^:]{1,100}/.exec(reason)?.[0] ?? reason).trim();

/** `a.jsonl:12`. */
export const placeText = ({ file, line }: Place): string =>
  line === null ? file : `${file}:${line}`;
