/** Turns the pieces that readers give into bundles, one for each log, and into an index of them. */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { hasManifest } from "../../../edges/bundle/bundleReader.ts";
import { FILES } from "../../../edges/bundle/bundleWriter.ts";
import type { Outcome } from "../../../run/simulate.ts";
import type { LogPiece, LogRecord } from "../record.ts";
import { PICTURE } from "./importedReport.ts";
import { type LogCounts, type LogEntry, logEntry } from "./logEntry.ts";
import { type Counts, LinkCounts, LogWriter, SourceFiles, type WrittenLog } from "./logWriter.ts";
import { UnreadList } from "./unreadList.ts";
import { EXCHANGES, MESSAGES } from "./wire/exchangeLog.ts";

/** Ours: of logs whose records alternate. So many hold their files open, and so many wait for more at all. */
const most = { active: 64, open: 5_000 } as const;

/** Ours: some milliseconds of work. */
const PIECES_A_TURN = 64;

/** Names that the folder itself needs. */
const RESERVED: readonly string[] = [
  ...["logs.json", "unread.jsonl", "redacted.jsonl", EXCHANGES, MESSAGES, PICTURE],
  ...Object.values(FILES),
];

/** A log whose bundle an earlier import wrote. */
export interface DoneLog {
  /** Its bundle is named as it lies in the folder. */
  readonly entry: LogEntry;
  readonly links: Counts;
}

export interface SessionOptions {
  /** An empty folder: the bundle of the only log, or of the bundles of all. */
  readonly out: string;
  readonly sources: readonly string[];
  /** Writes what people read of a log, into the folder where its bundle lies from now on. */
  readonly tell: (log: WrittenLog, folder: string) => Promise<void>;
  /** Of an import that goes on: what it need not write again, by name. What else it left is removed. */
  readonly before?: ReadonlyMap<string, DoneLog>;
  /** Hears of each whole log once everything of it is written. */
  readonly onDone?: (log: string, done: DoneLog) => void;
}

export class ImportSession {
  readonly #options: SessionOptions;
  readonly #sources: SourceFiles;
  readonly unread: UnreadList;
  readonly links = new LinkCounts();
  readonly entries: LogEntry[] = [];
  records = 0;
  /** Texts in which secrets were replaced by marks. */
  redacted = 0;
  /** In the order of their last records. */
  readonly #open = new Map<string, LogWriter | DoneLog>();
  readonly #active = new Set<LogWriter | DoneLog>();
  readonly #closed = new Set<string>();
  /** The first log, until it is known whether there is another one. */
  #first: WrittenLog | undefined;
  #count = 0;

  get logCount(): number {
    return this.#count;
  }

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#sources = new SourceFiles(options.sources);
    this.unread = new UnreadList(join(options.out, "unread.jsonl"));
    if (options.before === undefined) return;
    for (const name of RESERVED) rmSync(join(options.out, name), { force: true });
  }

  /** Of all logs. */
  get counts(): LogCounts {
    const sum = (name: keyof LogCounts): number =>
      this.entries.reduce((total, one) => total + one[name], 0);
    const [messages, calls] = [sum("messages"), sum("calls")];
    return { messages, calls, errors: sum("errors"), empty: sum("empty") };
  }

  /** All pieces there are, or those until the signal. Throws what the disk throws: what was written stays. */
  async all(
    pieces: AsyncIterable<LogPiece>,
    stop?: AbortSignal,
    onPiece?: () => void,
  ): Promise<void> {
    try {
      let count = 0;
      for await (const piece of pieces) {
        await this.piece(piece);
        onPiece?.();
        // Of pieces that are there already none waits for the host, and no signal would be heard.
        if (++count % PIECES_A_TURN === 0) await setImmediate();
        if (stop?.aborted) break;
      }
      await this.finish(stop?.aborted ? "interrupted" : "ended");
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  /** Throws what the disk throws. */
  async piece(piece: LogPiece): Promise<void> {
    switch (piece.kind) {
      case "opened": {
        const { head } = piece;
        this.#count += 1;
        if (this.#count === 2 && this.#first !== undefined) await this.#tellFirst();
        const folder = join(this.#options.out, folderName(head.name, this.#count));
        const { before } = this.#options;
        const done = hasManifest(folder) ? before?.get(head.name) : undefined;
        if (before !== undefined && done === undefined) {
          rmSync(folder, { recursive: true, force: true });
        }
        this.#open.set(head.name, done ?? new LogWriter(head, folder, this.#sources));
        if (this.#open.size > most.open) await this.#endOldest();
        return;
      }
      case "record":
        this.#add(piece.log, piece.record);
        return;
      case "redacted":
        this.redacted += piece.texts;
        this.#tellRemoved(piece);
        this.#writer(piece.log)?.redacted(piece.texts);
        return;
      case "closed":
        await this.#end(piece.log, "ended");
        return;
      default:
        this.unread.add(piece.unread);
    }
  }

  /** Whoever misses a text in a log finds what it was, by file, line and step. */
  #tellRemoved({ log, removed }: Extract<LogPiece, { readonly kind: "redacted" }>): void {
    const lines = removed.map((one) => `${JSON.stringify({ log, ...one })}\n`);
    appendFileSync(join(this.#options.out, "redacted.jsonl"), lines.join(""));
  }

  /** The logs that are still open end as they are. */
  async finish(outcome: Outcome): Promise<void> {
    for (const name of [...this.#open.keys()]) await this.#end(name, outcome);
    const first = this.#first;
    if (first !== undefined) {
      this.#first = undefined;
      moveUp(first.folder, this.#options.out);
      await this.#tell(first, this.#options.out);
    } else if (this.entries.length > 0) this.#writeIndex();
    this.unread.close();
  }

  /** Keeps what was written, as a kill would. */
  abandon(): void {
    for (const name of this.#open.keys()) this.#writer(name)?.abandon();
    this.unread.close();
  }

  /** Undefined of a log that is there already. */
  #writer(name: string): LogWriter | undefined {
    const one = this.#open.get(name);
    return one instanceof LogWriter ? one : undefined;
  }

  #add(name: string, record: LogRecord): void {
    const writer = this.#open.get(name);
    if (writer === undefined) {
      const reason = this.#closed.has(name)
        ? `a record of the log ${name}, which ended because ${most.open} others were open`
        : `a record of the log ${name}, which was never opened`;
      this.unread.add({ place: record.place, reason });
      return;
    }
    this.records += 1;
    // In the same order as when it was written: which logs end early is the same.
    if (!this.#active.has(writer)) this.#activate(name, writer);
    if (writer instanceof LogWriter) writer.add(record);
  }

  #activate(name: string, writer: LogWriter | DoneLog): void {
    this.#open.delete(name);
    this.#open.set(name, writer);
    this.#active.add(writer);
    if (this.#active.size <= most.active) return;
    for (const oldest of this.#active) {
      if (oldest instanceof LogWriter) oldest.park();
      this.#active.delete(oldest);
      return;
    }
  }

  async #endOldest(): Promise<void> {
    for (const name of this.#open.keys()) {
      this.#closed.add(name);
      await this.#end(name, "ended");
      return;
    }
  }

  async #end(name: string, outcome: Outcome): Promise<void> {
    const writer = this.#open.get(name);
    if (writer === undefined) return;
    this.#open.delete(name);
    this.#active.delete(writer);
    if (!(writer instanceof LogWriter)) {
      const { entry, links } = writer;
      this.links.addSaved(links);
      this.entries.push({ ...entry, bundle: join(this.#options.out, entry.bundle) });
      return;
    }
    const log = writer.end(outcome, this.unread);
    this.links.addAll(log.links);
    if (this.#count === 1) this.#first = log;
    else await this.#tell(log, log.folder);
  }

  async #tellFirst(): Promise<void> {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) await this.#tell(first, first.folder);
  }

  async #tell(log: WrittenLog, folder: string): Promise<void> {
    const entry = logEntry(log, folder);
    this.entries.push(entry);
    await this.#options.tell(log, folder);
    if (log.outcome !== "ended") return;
    const links = log.links.saved();
    this.#options.onDone?.(log.head.name, { entry: this.#within(entry), links });
  }

  /** With its bundle as it lies in the folder. */
  #within({ bundle, ...rest }: LogEntry): LogEntry {
    return { bundle: relative(this.#options.out, bundle), ...rest };
  }

  #writeIndex(): void {
    const { out } = this.#options;
    const logs = this.entries.map((entry) => this.#within(entry));
    writeFileSync(join(out, "logs.json"), `${JSON.stringify({ logs }, null, 2)}\n`);
  }
}

/** A name of dots alone would be another folder. */
function folderName(name: string, count: number): string {
  if (/^\.*$/.test(name)) return `log-${count}`;
  return RESERVED.includes(name) ? `${name}-log` : name;
}

/** What lies in a folder lies in the one above it afterwards. */
function moveUp(folder: string, above: string): void {
  mkdirSync(above, { recursive: true });
  for (const name of readdirSync(folder)) renameSync(join(folder, name), join(above, name));
  rmdirSync(folder);
}
