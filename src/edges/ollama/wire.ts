/**
 * The official client with a `fetch` of ours under it. The client has no time-outs, prints broken
 * errors to stdout, and drops broken lines of a stream with a warning: here they are faults.
 */

import { Ollama } from "ollama";
import { isMap } from "../../machines/isMap.ts";
import { Fault } from "../live/faults.ts";
import { guardedly } from "../live/guardedFetch.ts";
import type { Server } from "../live/liveSetup.ts";

/**
 * Does one thing through a client of its own, so that ending it ends no other. Throws a Fault only.
 */
export const withClient = <T>(
  { host, fetch }: Server,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  work: (client: Ollama) => Promise<T>,
): Promise<T> =>
  guardedly({ fetch, timeoutMs, signal, through: lineByLine }, (hooked) =>
    work(new Ollama({ host, fetch: hooked })),
  );

/** A stream of lines passes one whole line at a time; the first that is no object ends it. */
function lineByLine({ headers }: Response): TransformStream<Uint8Array, Uint8Array> {
  const isLines = headers.get("content-type")?.includes("ndjson") ?? false;
  return isLines ? lineGuard() : new TransformStream();
}

function lineGuard(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  return new TransformStream({
    transform(chunk, out) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.trim() === "") continue;
        if (!isObject(line)) throw new Fault("garbage", "a line of the answer is not JSON");
        out.enqueue(encoder.encode(`${line}\n`));
      }
    },
    flush(out) {
      if (rest.trim() === "") return;
      if (!isObject(rest)) throw new Fault("truncated", "the answer stopped within a line");
      out.enqueue(encoder.encode(`${rest}\n`));
    },
  });
}

function isObject(line: string): boolean {
  try {
    return isMap(JSON.parse(line));
  } catch {
    return false;
  }
}
