/**
 * Foreign logs as a stream of pieces, whatever their format. Files, folders and standard input are read in order; nothing is
 * inferred, and what cannot be read is a piece of its own. Secrets are taken out on the way in.
 */
import type { Readable } from "node:stream";
import { type BadInput, badInput } from "../../../edges/errors.ts";
import type { Json } from "../../../machines/letter.ts";
import { type Format, type LogPiece, unread } from "../record.ts";
import { type Found, type Item, itemsOf } from "./input/items.ts";
import { sourcesOf } from "./input/sources.ts";
import { type Guess, guessedMapping, type Mapping } from "./mapping.ts";
import { detected, RULES, readerFor, rival } from "./readers/detection.ts";
import { isWired } from "./readers/exchange.ts";
import { mapOf } from "./readers/fields.ts";
import { MappedReader } from "./readers/mapped.ts";
import type { Reader } from "./readers/reader.ts";
import { LogStems } from "./readers/reader.ts";
import { Redaction } from "./redacted.ts";
import { NOT_THERE } from "./wire/exchangeLog.ts";
import { Unsharing } from "./wire/sharedMessages.ts";

export interface ReadOptions {
  /** Taken without asking what the content looks like. */
  readonly format?: Format;
  /** How lines of any shape are read; it goes before detection. */
  readonly map?: Mapping;
  /** What `-` stands for; by default this process's standard input. */
  readonly input?: Readable;
  /** Hears of each file that is opened, and of its bytes as they are read. */
  readonly onRead?: (read: { readonly files: number; readonly bytes: number }) => void;
}

/**
 * Reads files, folders (whose files are taken in the order of their paths) and `-`, standard input. Pieces of several logs may
 * alternate; each log is opened before its first record and closed once, at the latest at the end of its file. Throws BadInput
 * where a source that was named cannot be opened, or the format is `mapped` and no mapping is given.
 */
export async function* readLogs(
  sources: readonly string[],
  options: ReadOptions = {},
): AsyncIterable<LogPiece> {
  const { format, map, input } = options;
  if (format === "mapped" && map === undefined) throw withoutMap();
  const stems = new LogStems();
  const redaction = new Redaction();
  // All are looked at before the first is read, so that a misspelt name is no half of an import.
  for (const source of [...sourcesOf(sources, input)]) {
    if ("unread" in source) {
      yield* redaction.of({ kind: "unread", unread: source.unread });
      continue;
    }
    try {
      const size: Size = { bytes: 0, isShared: false };
      const bytes = heard(source.open(), (read) => {
        size.bytes += read.bytes;
        options.onRead?.(read);
      });
      const stem = stems.of(source.file);
      const pieces = readFile(source.file, bytes, { format, map, stem, size });
      for await (const piece of bounded(pieces, size)) yield* redaction.of(piece);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) throw error;
      yield unread({ file: source.file, line: null }, `${code}: it cannot be read on`);
    }
  }
}

/** Ours: what stands once in a file, such as what the system says, begins many conversations, but not without end. */
const TOLD_CHARS = 64_000_000;
const TOLD_TIMES = 64;

/** How much of a file was read. */
interface Size {
  bytes: number;
  /** Its lines name messages of others. */
  isShared: boolean;
}

/** A small file of a stranger's could name its messages so often that they fill the disk. */
async function* bounded(
  pieces: AsyncIterable<LogPiece>,
  size: Size,
): AsyncGenerator<LogPiece, undefined> {
  const open = new Set<string>();
  let chars = 0;
  for await (const piece of pieces) {
    if (piece.kind === "opened") open.add(piece.head.name);
    if (piece.kind === "closed") open.delete(piece.log);
    if (piece.kind === "record" && size.isShared) chars += JSON.stringify(piece.record).length;
    if (piece.kind === "record" && chars > TOLD_CHARS + TOLD_TIMES * size.bytes) {
      yield unread(piece.record.place, TOO_MUCH);
      for (const log of open) yield { kind: "closed", log };
      return;
    }
    yield piece;
  }
}

const TOO_MUCH = `messages that stand once in the file, told again and again: more than ${TOLD_CHARS / 1e6} MB, and ${TOLD_TIMES} times the file. Nothing from here on was read; keep the lines up to here in a file of their own, or record in shorter runs`;

async function* heard(
  chunks: AsyncIterable<Buffer>,
  onRead: NonNullable<ReadOptions["onRead"]>,
): AsyncGenerator<Buffer, undefined> {
  onRead({ files: 1, bytes: 0 });
  for await (const chunk of chunks) {
    onRead({ files: 0, bytes: chunk.length });
    yield chunk;
  }
}

const withoutMap = (): BadInput =>
  badInput(
    "--format",
    "mapped without a mapping",
    "mapped with --map FILE",
    "Give the mapping; `ghostlight import --explain FILE` prints one to begin with.",
  );

/** How a file would be read, and why. */
export interface Explained {
  readonly file: string;
  /** Null where no format is known. */
  readonly format: Format | null;
  /** Of the rule that decided, and which value kept it, from 1. */
  readonly because: { readonly words: string; readonly value: number } | null;
  /** Where no format is known: a mapping to begin with. */
  readonly guess: Guess | null;
}

/** The rules of detection in words, in the order in which they are asked. */
export const DETECTION: readonly { readonly format: Format; readonly words: string }[] = RULES.map(
  ({ format, words }) => ({ format, words }),
);

/** Says of each file how it would be read; unreadable files are left to `readLogs`. Throws BadInput as it does. */
export async function* explainLogs(
  sources: readonly string[],
  { input }: ReadOptions = {},
): AsyncIterable<Explained> {
  for (const source of [...sourcesOf(sources, input)]) {
    if ("unread" in source) continue;
    const size: Size = { bytes: 0, isShared: false };
    const { items, rest } = await firstOf(source.file, source.open(), size);
    await rest.return?.();
    const values: readonly Json[] = items.map(({ value }) => value);
    const found = detected(values);
    yield {
      file: source.file,
      format: found?.rule.format ?? null,
      because: found === null ? null : { words: found.rule.words, value: found.by },
      guess: found === null ? guessedMapping(values) : null,
    };
  }
}

/** Ours: by so many values, or so many bytes of them, a format is known. */
const FIRST_MAX = 50;
/** Ours: after so many lines that cannot be read a file is taken for what it seems to be. */
const FOUND_MAX = 10_000;

interface FileOptions {
  readonly format: Format | undefined;
  readonly map: Mapping | undefined;
  /** What names of logs begin with. */
  readonly stem: string;
  readonly size: Size;
}

interface First {
  /** What was found before the format was asked for. */
  readonly found: readonly Found[];
  readonly items: readonly Item[];
  readonly rest: AsyncIterator<readonly Found[]>;
}

/** The beginning of a file, and how to go on. */
async function firstOf(file: string, bytes: AsyncIterable<Buffer>, size: Size): Promise<First> {
  const rest = unshared(itemsOf(file, bytes), size)[Symbol.asyncIterator]();
  const found: Found[] = [];
  const items: Item[] = [];
  while (items.length < FIRST_MAX && found.length < FOUND_MAX) {
    const next = await rest.next();
    if (next.done === true) break;
    found.push(...next.value);
    for (const one of next.value) if ("item" in one) items.push(one.item);
  }
  return { found, items: items.slice(0, FIRST_MAX), rest };
}

/** Lines of our own file of exchanges hold each message once. */
async function* unshared(
  batches: AsyncIterable<readonly Found[]>,
  size: Size,
): AsyncGenerator<readonly Found[], undefined> {
  const unsharing = new Unsharing();
  const whole = (one: Found): Found => {
    const value = "item" in one ? mapOf(one.item.value) : null;
    if (!("item" in one) || value === null || !isWired(value)) return one;
    size.isShared ||= value["shared"] !== undefined;
    const line = unsharing.line(value);
    return line === undefined
      ? { unread: { place: one.item.place, reason: NOT_THERE } }
      : { item: { ...one.item, value: line } };
  };
  for await (const found of batches) yield found.map(whole);
}

/** The pieces of a file. */
async function* readFile(
  file: string,
  bytes: AsyncIterable<Buffer>,
  options: FileOptions,
): AsyncGenerator<LogPiece, undefined> {
  const { found, items, rest } = await firstOf(file, bytes, options.size);
  const reader = readerOf(file, items, options);
  const place = { file, line: null };
  if (reader === null) {
    const isEndless = items.length === 0 && found.length >= FOUND_MAX;
    if (isEndless) yield unread(place, NO_JSON);
    else for (const one of found) if ("unread" in one) yield { kind: "unread", ...one };
    if (items.length > 0) yield unread(place, NO_FORMAT);
    await rest.return?.();
    return;
  }
  const other = rivalOf(items, options);
  if (other !== null) yield unread(place, other);
  yield* piecesOf(reader, found);
  for (let next = await rest.next(); next.done !== true; next = await rest.next())
    yield* piecesOf(reader, next.value);
  yield* reader.end();
}

const NO_JSON = `no log: none of the first ${FOUND_MAX} lines can be read as JSON`;
const NO_FORMAT =
  "no log: JSON of no known format; `ghostlight import --explain FILE` prints a mapping for `--map`, where it finds one";

function* piecesOf(reader: Reader, found: readonly Found[]): Generator<LogPiece, undefined> {
  for (const one of found) {
    if ("item" in one) yield* reader.take(one.item);
    else yield { kind: "unread", ...one };
  }
}

/** A file that fits two formats is read as one of them, and says so. */
function rivalOf(items: readonly Item[], { format, map }: FileOptions): string | null {
  if (format !== undefined || map !== undefined) return null;
  const values = items.map(({ value }) => value);
  const found = detected(values);
  const other = found === null ? null : rival(values, found);
  if (found === null || other === null) return null;
  const one = `${found.rule.format} (value ${found.by})`;
  return `it fits two formats, ${one} and ${other.rule.format} (value ${other.by}), and is read as the first; --format takes another`;
}

/** Null where no format is known. */
function readerOf(
  file: string,
  first: readonly Item[],
  { format, map, stem }: FileOptions,
): Reader | null {
  const known = format ?? detected(first.map(({ value }) => value))?.rule.format;
  const chosen = map === undefined ? known : "mapped";
  if (chosen === undefined || first.length === 0) return null;
  const of = { file, stem, format: chosen, first };
  return chosen === "mapped" ? new MappedReader(of, map ?? {}) : readerFor(chosen, of);
}
