/** One file: what it holds decides which reader takes it. */

import type { Format, LogPiece, Place } from "../record.ts";
import { type Found, type Item, itemsOf } from "./input/items.ts";
import type { Mapping } from "./mapping.ts";
import { ChatReader } from "./readers/chat.ts";
import { detected, rival } from "./readers/detection.ts";
import { type Fields, fieldOf, idOf, mapOf } from "./readers/fields.ts";
import { isAdkEvent, tellAdkEvent, tellAdkSession } from "./readers/formats/adk.ts";
import { claudeCode } from "./readers/formats/claudeCode.ts";
import { codex } from "./readers/formats/codex.ts";
import { sampleId, samplesIn, tellSample } from "./readers/formats/inspect.ts";
import { mcp } from "./readers/formats/mcp.ts";
import { isOpenHandsEvent, tellOpenHands, tellOpenHandsRun } from "./readers/formats/openHands.ts";
import { tellMiniSwe, tellSweAgent } from "./readers/formats/programmers.ts";
import { langfuseSpans, langsmithSpans, openaiAgentsSpans } from "./readers/formats/runs.ts";
import { RunReader, SessionReader, type Told } from "./readers/formats/sessions.ts";
import { HollowReader } from "./readers/hollow.ts";
import { MappedReader } from "./readers/mapped.ts";
import type { OpenLog } from "./readers/openLog.ts";
import { OtlpReader } from "./readers/otlp/otlp.ts";
import type { Reader, ReaderOf } from "./readers/reader.ts";

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
  yield* rivalOf(file, items, options);
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

/** A file that fits two formats is read as one of them, and says so. */
function* rivalOf(
  file: string,
  items: readonly Item[],
  { format, map }: FileOptions,
): Generator<LogPiece, undefined> {
  if (format !== undefined || map !== undefined) return;
  const values = items.map(({ value }) => value);
  const found = detected(values);
  const other = found === null ? null : rival(values, found);
  if (found === null || other === null) return;
  const one = `${found.rule.format} (value ${found.by})`;
  const reason = `it fits two formats, ${one} and ${other.rule.format} (value ${other.by}), and is read as the first; --format takes another`;
  yield { kind: "unread", unread: { place: { file, line: null }, reason } };
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
    case "langsmith":
      return new OtlpReader(of, undefined, langsmithSpans);
    case "langfuse":
      return new OtlpReader(of, undefined, langfuseSpans);
    case "openai-agents":
      return new OtlpReader(of, undefined, openaiAgentsSpans);
    case "claude-code":
      return new SessionReader(of, claudeCode);
    case "codex":
      return new SessionReader(of, codex);
    case "mcp":
      return new SessionReader(of, mcp);
    case "adk":
      return eventsOrRuns(of, isAdkEvent, tellAdkEvent, tellAdkSession);
    case "openhands":
      return eventsOrRuns(of, isOpenHandsEvent, tellOpenHands, tellOpenHandsRun);
    case "mini-swe-agent":
      return new RunReader(of, { ...itself, tell: tellMiniSwe });
    case "swe-agent":
      return new RunReader(of, { ...itself, tell: tellSweAgent });
    case "inspect":
      return new RunReader(of, { logs: samplesIn, id: sampleId, tell: tellSample });
    default:
      return new ChatReader(of);
  }
}

const itself = {
  logs: (fields: Fields): readonly Fields[] => [fields],
  id: (fields: Fields): string | null =>
    idOf(fieldOf(fields, ["instance_id", "task_id", "id"])) ?? null,
};

type Tell = (log: OpenLog, place: Place, event: Fields, step: number | null) => void;

/** A file of events is one log; one of runs holds a log each. */
function eventsOrRuns(
  of: ReaderOf,
  isEvent: (fields: Fields) => boolean,
  tellEvent: Tell,
  tellRun: Told["tell"],
): Reader {
  if (!of.first.some(({ value }) => isEvent(mapOf(value) ?? {})))
    return new RunReader(of, { ...itself, tell: tellRun });
  let step = 0;
  return new SessionReader(of, (log) => ({
    take: (fields, place) => tellEvent(log, place, fields, step++),
  }));
}
