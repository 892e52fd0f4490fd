/**
 * The official client with a `fetch` of ours under it. The client has no time-outs, prints broken
 * errors to stdout, and drops broken lines of a stream with a warning: here they are faults.
 */

import { Ollama } from "ollama";
import { isMap } from "../../machines/isMap.ts";
import { Fault, faultOf, faultOfStatus } from "./faults.ts";

export type Fetch = typeof fetch;

export interface Server {
  /** Such as `http://127.0.0.1:11434`. */
  readonly host: string;
  /** Node's own when absent; tests give one that misbehaves. */
  readonly fetch?: Fetch;
}

/** Ours: an answer of some thousand tokens takes a megabyte of stream; this is for runaways. */
const ANSWER_BYTES_MAX = 64_000_000;
const ERROR_CHARS_MAX = 2_000;

/**
 * Does one thing through a client of its own, so that ending it ends no other. Throws a Fault only.
 */
export async function withClient<T>(
  { host, fetch: ask = fetch }: Server,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  work: (client: Ollama) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(timeoutMs);
  const end = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  let hasBegun = false;
  const hooked: Fetch = async (url, init) => {
    const signals = init?.signal ? [end, init.signal] : [end];
    const response = await ask(url, { ...init, signal: AbortSignal.any(signals) });
    if (!response.ok) throw faultOfStatus(response.status, await errorOf(response));
    hasBegun = true;
    return guarded(response, end);
  };
  try {
    return await work(new Ollama({ host, fetch: hooked }));
  } catch (thrown) {
    if (limit.aborted) throw new Fault("timeout", `no whole answer within ${timeoutMs} ms`);
    if (signal?.aborted) throw new Fault("cancelled", "the run is over");
    throw faultOf(thrown, hasBegun);
  }
}

/** The server's own words: `{"error": …}`, or whatever stands in front of it says. */
async function errorOf(response: Response): Promise<string> {
  const text = (await response.text().catch(() => "")).slice(0, ERROR_CHARS_MAX);
  try {
    const said = (JSON.parse(text) as { error?: unknown } | null)?.error;
    if (typeof said === "string" && said !== "") return said;
  } catch {
    // Not JSON: a proxy's page, most likely.
  }
  const plain = text.replace(/<[^>]*>|\s+/g, " ").trim();
  return plain === "" ? response.statusText : plain;
}

/** A stream of lines passes one whole line at a time; the first that is no object ends it. */
function guarded(response: Response, signal: AbortSignal): Response {
  if (response.body === null) return response;
  const isLines = response.headers.get("content-type")?.includes("ndjson") ?? false;
  const guard = isLines ? lineGuard() : new TransformStream<Uint8Array, Uint8Array>();
  return new Response(response.body.pipeThrough(guard, { signal }), { headers: response.headers });
}

function lineGuard(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  let bytes = 0;
  return new TransformStream({
    transform(chunk, out) {
      bytes += chunk.byteLength;
      if (bytes > ANSWER_BYTES_MAX) throw new Fault("garbage", `more than ${bytes} bytes`);
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
