/** What could not be read of foreign logs: all of it in a file, counted by reason, and the first of each file for reports. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { UnreadOfLog } from "../../../run/bundle.ts";
import type { Place, Unread } from "../record.ts";

/** Ours: of what is kept in memory. */
const most = { first: 10, reasons: 200, files: 10_000, ofFile: 10 } as const;

interface Told {
  count: number;
  readonly first: Unread[];
}

/** By names of files or of logs, as far as there is room. */
type TellsOf = Map<string, Told>;

export class UnreadList {
  readonly #path: string;
  #file: number | undefined;
  readonly first: Unread[] = [];
  readonly #reasons = new Map<string, number>();
  /** Of a file, whichever of its logs it belongs to. */
  readonly #files: TellsOf = new Map();
  readonly #logs: TellsOf = new Map();
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
    const { place, reason, log } = unread;
    tell(log === undefined ? this.#files : this.#logs, log ?? place.file, unread);
    this.#file ??= openSync(this.#path, "ax");
    writeSync(this.#file, `${JSON.stringify({ ...place, reason })}\n`);
  }

  /** The most frequent first. */
  byReason(): { readonly [reason: string]: number } {
    return Object.fromEntries([...this.#reasons].sort(([, a], [, b]) => b - a));
  }

  /** What that log lacks so far, and what its files lack of which nobody knows whose it is; undefined where that is nothing. */
  of(log: string, files: Iterable<string>): UnreadOfLog | undefined {
    const found = [
      ...[this.#logs.get(log)],
      ...Array.from(files, (file) => this.#files.get(file)),
    ].flatMap((one) => one ?? []);
    const count = found.reduce((sum, one) => sum + one.count, 0);
    if (count === 0) return undefined;
    const first = found.flatMap((one) => one.first).slice(0, most.ofFile);
    return { count, first: first.map(({ place, reason }) => ({ ...place, reason })) };
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

function tell(those: TellsOf, name: string, unread: Unread): void {
  const known = those.get(name) ?? { count: 0, first: [] };
  if (!those.has(name) && those.size < most.files) those.set(name, known);
  known.count += 1;
  if (known.first.length < most.ofFile) known.first.push(unread);
}

/** What stands behind a colon is of one line alone. */
const kindOfReason = (reason: string): string =>
  (/^[^:]{1,100}/.exec(reason)?.[0] ?? reason).trim();

/** `a.jsonl:12`. */
export const placeText = ({ file, line }: Place): string =>
  line === null ? file : `${file}:${line}`;
