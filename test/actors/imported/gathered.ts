/** What a reader gave, in the shape in which tests compare it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ReadOptions, readLogs } from "../../../src/actors/imported/edge/readLogs.ts";
import type { LogPiece, LogRecord, Unread } from "../../../src/actors/imported/record.ts";
import { newFolder } from "../../folders.ts";

export interface Gathered {
  /** Records by the name of their log. */
  readonly logs: ReadonlyMap<string, readonly LogRecord[]>;
  readonly formats: ReadonlyMap<string, string>;
  readonly unread: readonly Unread[];
  readonly redacted: ReadonlyMap<string, number>;
  readonly pieces: readonly LogPiece[];
}

/** Throws where the order of pieces is broken: each log is opened once, then told, then closed once. */
export async function gathered(
  sources: readonly string[],
  options?: ReadOptions,
): Promise<Gathered> {
  const logs = new Map<string, LogRecord[]>();
  const formats = new Map<string, string>();
  const closed = new Set<string>();
  const unread: Unread[] = [];
  const redacted = new Map<string, number>();
  const pieces: LogPiece[] = [];
  const openLog = (name: string): LogRecord[] => {
    const log = logs.get(name);
    if (log === undefined || closed.has(name)) throw new Error(`${name} is not open`);
    return log;
  };
  for await (const piece of readLogs(sources, options)) {
    pieces.push(piece);
    if (piece.kind === "opened") {
      if (logs.has(piece.head.name)) throw new Error(`${piece.head.name} is opened twice`);
      logs.set(piece.head.name, []);
      formats.set(piece.head.name, piece.head.format);
    } else if (piece.kind === "record") openLog(piece.log).push(piece.record);
    else if (piece.kind === "redacted") redacted.set(piece.log, piece.texts);
    else if (piece.kind === "unread") unread.push(piece.unread);
    else {
      openLog(piece.log);
      closed.add(piece.log);
    }
  }
  if (closed.size !== logs.size) throw new Error("a log was not closed");
  return { logs, formats, unread, redacted, pieces };
}

/** A file of this name with this text, in a folder of its own. */
export function fileOf(name: string, text: string | Uint8Array): string {
  const file = join(newFolder(), name);
  writeFileSync(file, text);
  return file;
}

export const lines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** The only log of a file of this text. */
export async function recordsOf(text: string, name = "log.json", options?: ReadOptions) {
  const { logs, unread, formats } = await gathered([fileOf(name, text)], options);
  const [first] = logs;
  return {
    name: first?.[0],
    records: first?.[1] ?? [],
    unread: unread.map(({ place, reason }) => `${place.line}: ${reason}`),
    format: first === undefined ? undefined : formats.get(first[0]),
    count: logs.size,
  };
}

/** A record without what is null or says where it stands. */
export const brief = (record: LogRecord): object =>
  Object.fromEntries(
    Object.entries(record).filter(([name, value]) => name !== "place" && value !== null),
  );
