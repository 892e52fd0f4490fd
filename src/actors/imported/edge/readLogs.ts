/**
 * Foreign logs as a stream of pieces, whatever their format. Files, folders and standard input are read in order; nothing is
 * inferred, and what cannot be read is a piece of its own. Secrets are taken out on the way in.
 */
import type { Readable } from "node:stream";
import { BadInput } from "../../../edges/errors.ts";
import type { Json } from "../../../machines/letter.ts";
import type { Format, LogPiece } from "../record.ts";
import { type Guess, guessedMapping } from "./guessedMapping.ts";
import { sourcesOf } from "./input/sources.ts";
import type { Mapping } from "./mapping.ts";
import { detected, RULES } from "./readers/detection.ts";
import { LogStems } from "./readers/logNames.ts";
import { firstOf, readFile } from "./readFile.ts";
import { Redaction } from "./redacted.ts";

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
      for await (const piece of readFile(source.file, heard(source.open(), options.onRead), {
        format,
        map,
        stem: stems.of(source.file),
      })) {
        yield* redaction.of(piece);
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) throw error;
      yield {
        kind: "unread",
        unread: {
          place: { file: source.file, line: null },
          reason: `${code}: it cannot be read on`,
        },
      };
    }
  }
}

async function* heard(
  chunks: AsyncIterable<Buffer>,
  onRead: ReadOptions["onRead"],
): AsyncGenerator<Buffer, undefined> {
  onRead?.({ files: 1, bytes: 0 });
  for await (const chunk of chunks) {
    onRead?.({ files: 0, bytes: chunk.length });
    yield chunk;
  }
}

const withoutMap = (): BadInput =>
  new BadInput({
    where: { path: "--format" },
    found: "mapped without a mapping",
    allowed: "mapped with --map FILE",
    todo: "Give the mapping; `ghostlight import --explain FILE` prints one to begin with.",
  });

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
    const { items, rest } = await firstOf(source.file, source.open());
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
