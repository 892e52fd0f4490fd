/** One file: what it holds decides which reader takes it. */

import type { Format, LogPiece } from "../record.ts";
import { type Found, type Item, itemsOf } from "./input/items.ts";
import type { Mapping } from "./mapping.ts";
import { ChatReader } from "./readers/chat.ts";
import { detected } from "./readers/detection.ts";
import { HollowReader } from "./readers/hollow.ts";
import { MappedReader } from "./readers/mapped.ts";
import { OtlpReader } from "./readers/otlp/otlp.ts";
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
  if (reader === null) {
    const place = { file, line: null };
    const isEndless = items.length === 0 && found.length >= FOUND_MAX;
    if (isEndless) yield { kind: "unread", unread: { place, reason: NO_JSON } };
    const unread = isEndless ? [] : found.flatMap((one) => ("unread" in one ? [one] : []));
    for (const { unread: one } of unread) yield { kind: "unread", unread: one };
    if (items.length > 0) yield { kind: "unread", unread: { place, reason: NO_FORMAT } };
    await rest.return?.();
    return;
  }
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
    else yield { kind: "unread", unread: one.unread };
  }
}

/** Null where no format is known. */
function readerOf(
  file: string,
  first: readonly Item[],
  { format, map, stem }: FileOptions,
): Reader | null {
  const chosen =
    map !== undefined
      ? "mapped"
      : (format ?? detected(first.map(({ value }) => value))?.rule.format);
  if (chosen === undefined || first.length === 0) return null;
  const of = { file, stem, format: chosen, first };
  switch (chosen) {
    case "mapped":
      return new MappedReader(of, map ?? {});
    case "otlp":
      return new OtlpReader(of);
    case "hollow":
      return new HollowReader(of);
    default:
      return new ChatReader(of);
  }
}
