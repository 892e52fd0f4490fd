/** One file: what it holds decides which reader takes it. */

import { type Format, type LogPiece, unread } from "../record.ts";
import { type Found, type Item, itemsOf } from "./input/items.ts";
import type { Mapping } from "./mapping.ts";
import { detected, readerFor, rival } from "./readers/detection.ts";
import { MappedReader } from "./readers/mapped.ts";
import type { Reader } from "./readers/reader.ts";

/** Ours: by so many values, or so many bytes of them, a format is known. */
const FIRST_MAX = 50;
/** Ours: after so many lines that cannot be read a file is taken for what it seems to be. */
const FOUND_MAX = 10_000;

export interface FileOptions {
  readonly format: Format | undefined;
  readonly map: Mapping | undefined;
  /** What names of logs begin with. */
  readonly stem: string;
}

export interface First {
  /** What was found before the format was asked for. */
  readonly found: readonly Found[];
  readonly items: readonly Item[];
  readonly rest: AsyncIterator<readonly Found[]>;
}

/** The beginning of a file, and how to go on. */
export async function firstOf(file: string, bytes: AsyncIterable<Buffer>): Promise<First> {
  const rest = itemsOf(file, bytes)[Symbol.asyncIterator]();
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

/** The pieces of a file. */
export async function* readFile(
  file: string,
  bytes: AsyncIterable<Buffer>,
  options: FileOptions,
): AsyncGenerator<LogPiece, undefined> {
  const { found, items, rest } = await firstOf(file, bytes);
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
