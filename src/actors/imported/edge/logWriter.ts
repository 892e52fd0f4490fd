/** Writes one log as a bundle while its records come in. */

import { type BundleWriter, bundleWriter, FILES } from "../../../edges/bundle/bundleWriter.ts";
import { makeFolder } from "../../../edges/bundle/makeFolder.ts";
import { PRODUCT } from "../../../edges/product.ts";
import { FORMAT_VERSION, type ImportedLog, RULES_VERSION } from "../../../run/bundle.ts";
import { Meter } from "../../../run/meter.ts";
import type { Outcome } from "../../../run/simulate.ts";
import { Story } from "../../../run/story.ts";
import { type Explanation, why } from "../../../run/why.ts";
import { Chain } from "../../../substrate/chain.ts";
import { chainedOf } from "../../../substrate/deliveryLine.ts";
import { sha256Hex } from "../../../substrate/digest.ts";
import type { Delivery } from "../../../substrate/envelope.ts";
import { Importer } from "../importer.ts";
import { imported } from "../part.ts";
import type { LogHead, LogRecord } from "../record.ts";
import { KeptLog } from "./keptLog.ts";
import { LinkCounts } from "./linkCounts.ts";
import type { SourceFiles } from "./sourceFiles.ts";
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
}

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
      ...{ records: this.#count - 2, meter, story },
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
