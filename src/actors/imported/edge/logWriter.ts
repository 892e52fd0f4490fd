/** Writes one log as a bundle while its records come in. */

import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { kindOf } from "../../../edges/bundle/bundleReader.ts";
import { type BundleWriter, bundleWriter, FILES } from "../../../edges/bundle/bundleWriter.ts";
import { LineFile } from "../../../edges/bundle/lineFile.ts";
import { LogFile, LogIndex } from "../../../edges/bundle/logFile.ts";
import { makeFolder } from "../../../edges/bundle/makeFolder.ts";
import { PRODUCT } from "../../../edges/product.ts";
import { factsIn, findIn } from "../../../findings/findIn.ts";
import type { Occurrence } from "../../../findings/finding.ts";
import { findings } from "../../../findings/findings.ts";
import { type Suspect, suspectsIn } from "../../../findings/suspects.ts";
import type { LinkRule } from "../../../machines/imported/mail.ts";
import { FORMAT_VERSION, type ImportedLog, RULES_VERSION } from "../../../run/bundle.ts";
import { Meter } from "../../../run/meter.ts";
import { narrate } from "../../../run/narrate.ts";
import type { Outcome } from "../../../run/simulate.ts";
import { Story } from "../../../run/story.ts";
import { type Explanation, why } from "../../../run/why.ts";
import { Chain } from "../../../substrate/chain.ts";
import { chainedOf } from "../../../substrate/deliveryLine.ts";
import { sha256Hex } from "../../../substrate/digest.ts";
import type { Delivery, SeenDelivery } from "../../../substrate/envelope.ts";
import type { Log } from "../../../substrate/log.ts";
import { Importer } from "../importer.ts";
import { rules } from "../links.ts";
import { imported } from "../part.ts";
import type { LogHead, LogRecord } from "../record.ts";
import type { UnreadList } from "./unreadList.ts";

/** The parts that tell of an imported log. */
export const LOG_PARTS = [imported];

/** Deliveries between two looks at whether the disk takes them. */
const SLICE = 1_000;
/** Files of one log that are named. */
const FILES_MOST = 100;

/** A log that is in its bundle. */
export interface WrittenLog {
  readonly head: LogHead;
  readonly folder: string;
  /** Of what went wrong first; undefined where nothing did. */
  readonly explanation: Explanation | undefined;
  readonly imported: ImportedLog;
  readonly startsAt: string;
  readonly endMs: number;
  readonly outcome: Outcome;
  readonly records: number;
  readonly meter: Meter;
  readonly story: Story;
  readonly links: LinkCounts;
  readonly reading: Reading;
}

/** What a reader of a log looks at: where to look first, what was found, and the log itself, as far as a report holds it. */
export interface Reading {
  readonly suspects: readonly Suspect[];
  readonly found: readonly Occurrence[];
  /** Of each record its time and words. */
  readonly transcript: readonly (readonly [number, string])[];
}

/** Ours: of a log with more records `why --suspects` and `events` tell; and what a page holds. */
const READ = { records: 20_000, suspects: 5, found: 20, lines: 300 } as const;

export class LogWriter {
  readonly head: LogHead;
  readonly #folder: string;
  readonly #sources: SourceFiles;
  readonly #importer: Importer;
  readonly #chain = new Chain();
  readonly #kept = new KeptLog();
  readonly #files = new Set<string>();
  readonly links = new LinkCounts();
  #writer: BundleWriter | undefined;
  #count = 0;
  #redacted = 0;
  #endMs = 0;

  /** The folder is made once there is something to write. */
  constructor(head: LogHead, folder: string, sources: SourceFiles) {
    this.head = head;
    this.#folder = folder;
    this.#sources = sources;
    this.#importer = new Importer(head);
    this.#files.add(head.file);
  }

  /** Throws what the disk throws. */
  add(record: LogRecord): void {
    if (this.#files.size < FILES_MOST) this.#files.add(record.place.file);
    this.#write(this.#importer.add(record));
  }

  /** In so many texts of it secrets were replaced. */
  redacted(texts: number): void {
    this.#redacted += texts;
  }

  /** Gives memory and files back until there is more. */
  park(): void {
    this.#kept.letGo();
    this.#writer?.park();
  }

  /** Seals the bundle. */
  end(outcome: Outcome, unread: UnreadList): WrittenLog {
    this.#write(this.#importer.end());
    const writer = this.#opened();
    writer.flush();
    const deliveries = this.#kept.told(this.#folder);
    const meter = new Meter(LOG_PARTS, []);
    const story = new Story(LOG_PARTS);
    for (const one of deliveries) {
      meter.observe(one);
      story.observe(one);
    }
    // While the log lies where it was written.
    const explanation = why(LOG_PARTS, deliveries, []);
    const log = this.#log(unread);
    const { digest } = this.#chain;
    const totals = { envelopes: this.#count, virtualMs: this.#endMs, checkpoints: [] };
    const final = { outcome, error: null, digest, ...totals };
    writer.finish(final, { [FILES.metrics]: meter.csv() }, log);
    return {
      ...{ head: this.head, folder: this.#folder, explanation, imported: log },
      ...{ startsAt: this.#startsAt, endMs: this.#endMs, outcome, links: this.links },
      ...{ records: this.#count - 2, meter, story, reading: this.#reading(deliveries) },
    };
  }

  #reading(log: Log): Reading {
    const transcript: (readonly [number, string])[] = [];
    for (const one of log) {
      const words = narrate(LOG_PARTS, one, undefined);
      if (words !== null && /^log\.(?:said|called|returned)$/.test(one.event.type))
        transcript.push([one.dueMs, words]);
      if (transcript.length === READ.lines) break;
    }
    if (this.#count > READ.records) return { suspects: [], found: [], transcript };
    const facts = () => factsIn(LOG_PARTS, log);
    return {
      suspects: suspectsIn(facts()).suspects.slice(0, READ.suspects),
      found: findIn(findings, facts(), 1).occurrences.slice(0, READ.found),
      transcript,
    };
  }

  abandon(): void {
    this.#writer?.abandon();
  }

  #write(deliveries: readonly Delivery[]): void {
    for (const made of deliveries) {
      this.#chain.add(chainedOf(made));
      const { endsBlock, start } = this.#chain;
      const delivery = endsBlock ? { ...made, digest: this.#chain.digest } : made;
      this.#opened().delivery(delivery, start);
      this.#kept.add(delivery, start.length);
      this.links.count(delivery);
      this.#count += 1;
      this.#endMs = delivery.dueMs;
      if (this.#count % SLICE === 0) this.#writer?.flush();
    }
  }

  #opened(): BundleWriter {
    if (this.#writer !== undefined) return this.#writer;
    makeFolder(this.#folder);
    const { name, format } = this.head;
    const opening = {
      ...{ format: FORMAT_VERSION, product: PRODUCT, rulesVersion: RULES_VERSION },
      scenario: { name, text: "", sha256: sha256Hex("") },
      ...{ variant: null, seed: 0, policy: {}, untilMs: null, providers: {} },
      ...{ origin: `imported:${format}` as const, startsAt: this.#startsAt },
      imported: { format, clock: this.#importer.clock, files: [], redacted: 0 },
    };
    this.#writer = bundleWriter(this.#folder, opening, true);
    return this.#writer;
  }

  get #startsAt(): string {
    return new Date(this.#importer.startMs ?? 0).toISOString();
  }

  #log(all: UnreadList): ImportedLog {
    const files = [...this.#files].map((file) => this.#sources.of(file));
    const { clock } = this.#importer;
    const unread = all.of(this.head.name, this.#files);
    const { format } = this.head;
    return { format, clock, files, redacted: this.#redacted, ...(unread && { unread }) };
  }
}

/** Ours, in bytes of the log: hundreds of logs may be open at once. */
const KEPT_MOST = 4_000_000;

class KeptLog {
  readonly #index = new LogIndex();
  #deliveries: Delivery[] | undefined = [];
  #bytes = 0;

  add(delivery: Delivery, bytes: number): void {
    this.#index.add(delivery);
    this.#deliveries?.push(delivery);
    this.#bytes += bytes;
    if (this.#bytes > KEPT_MOST) this.letGo();
  }

  letGo(): void {
    this.#deliveries = undefined;
  }

  /** Once everything is in the file of the bundle in this folder. */
  told(folder: string): Log {
    if (this.#deliveries !== undefined) return this.#deliveries;
    return new LogFile(new LineFile(join(folder, FILES.events), { mayGrow: true }), this.#index);
  }
}

/** How many links of which rule there are. */
export type Counts = { readonly [rule: string]: number };

export class LinkCounts {
  readonly #counts = new Map<LinkRule, number>();

  count({ event }: SeenDelivery): void {
    if (!("links" in event)) return;
    for (const { rule } of event.links) this.#add(rule, 1);
  }

  addAll(other: LinkCounts): void {
    for (const [rule, count] of other.#counts) this.#add(rule, count);
  }

  /** As a program keeps it. */
  saved(): Counts {
    return Object.fromEntries(this.#counts);
  }

  addSaved(saved: Counts): void {
    for (const [rule, count] of Object.entries(saved)) {
      if (Object.hasOwn(rules, rule)) this.#add(rule as LinkRule, count);
    }
  }

  /** Those that the log states, and those that the importer inferred. */
  told(): { readonly stated: Counts; readonly inferred: Counts } {
    const all = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
    const of = (isInferred: boolean): Counts =>
      Object.fromEntries(all.filter(([rule]) => rules[rule].inferred === isInferred));
    return { stated: of(false), inferred: of(true) };
  }

  #add(rule: LinkRule, count: number): void {
    this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + count);
  }
}

/** The files that logs are read from, with their sizes and hashes, so that a bundle says what it was made of. */
interface SourceFile {
  readonly file: string;
  readonly bytes: number | null;
  readonly sha256: string | null;
}

const PIECE = 1 << 20;

export class SourceFiles {
  readonly #sources: readonly string[];
  readonly #known = new Map<string, SourceFile>();

  /** Files and folders as the user named them. */
  constructor(sources: readonly string[]) {
    this.#sources = sources;
  }

  /** `file` is one of the sources, or a path below one that is a folder. Hashes are null of what cannot be read twice. */
  of(file: string): SourceFile {
    const known = this.#known.get(file);
    if (known !== undefined) return known;
    const path = [file, ...this.#sources.map((source) => join(source, file))].find(
      (one) => kindOf(one) === "a file",
    );
    const found = path === undefined || file === "-" ? undefined : hashed(path);
    const one = { file, ...(found ?? { bytes: null, sha256: null }) };
    this.#known.set(file, one);
    return one;
  }
}

function hashed(path: string): Omit<SourceFile, "file"> | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const hash = createHash("sha256");
    const piece = Buffer.allocUnsafe(PIECE);
    let bytes = 0;
    for (;;) {
      const read = readSync(file, piece);
      if (read === 0) return { bytes, sha256: hash.digest("hex") };
      bytes += read;
      hash.update(piece.subarray(0, read));
    }
  } catch {
    // It was there when its records were read; what is told of it is what can be.
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
