/**
 * `fetch` for a client library, bounded in time and in bytes: what goes wrong under the client is a
 * Fault, and none of its own time-outs, retries or warnings is relied on.
 */
import { Fault, faultOf, faultOfStatus } from "./faults.ts";

export type Fetch = typeof fetch;

export interface Guard {
  /** Node's own when absent. */
  readonly fetch?: Fetch | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What stands between the bytes of an answer and its reader; the bytes as they are when absent. */
  readonly through?: (response: Response) => TransformStream<Uint8Array, Uint8Array>;
}

/** Ours: an answer of some thousand tokens takes a megabyte of stream; this is for runaways. */
export const ANSWER_BYTES_MAX = 64_000_000;
const ERROR_CHARS_MAX = 2_000;
/** Ours: no rest that a server asks for is longer. */
const RETRY_AFTER_MAX_S = 60;

/**
 * Does one thing through a `fetch` of its own, so that ending it ends no other. Throws a Fault only.
 */
export async function guardedly<T>(
  { fetch: ask = fetch, timeoutMs, signal, through = asItIs }: Guard,
  work: (hooked: Fetch) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(timeoutMs);
  const end = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  let hasBegun = false;
  const hooked: Fetch = async (url, init) => {
    const signals = init?.signal ? [end, init.signal] : [end];
    // Nobody but the named server is asked: one that sends elsewhere has refused.
    const response = await ask(url, {
      ...init,
      signal: AbortSignal.any(signals),
      redirect: "manual",
    }).catch((thrown: unknown) => {
      // A client may call it something else.
      throw faultOf(thrown, false);
    });
    if (!response.ok) {
      throw faultOfStatus(response.status, await errorOf(response), retryAfterMs(response));
    }
    hasBegun = true;
    if (response.body === null) return response;
    const body = response.body
      .pipeThrough(bounded(), { signal: end })
      .pipeThrough(through(response), { signal: end });
    return new Response(body, { headers: response.headers });
  };
  try {
    return await work(hooked);
  } catch (thrown) {
    if (limit.aborted) throw new Fault("timeout", `no whole answer within ${timeoutMs} ms`);
    if (signal?.aborted) throw new Fault("cancelled", "the run is over");
    throw faultOf(thrown, hasBegun);
  }
}

const asItIs = (): TransformStream<Uint8Array, Uint8Array> => new TransformStream();

function bounded(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, out) {
      bytes += chunk.byteLength;
      if (bytes > ANSWER_BYTES_MAX) throw new Fault("garbage", `more than ${bytes} bytes`);
      out.enqueue(chunk);
    },
  });
}

/** The server's own words: `{"error": …}`, or whatever stands in front of it says. */
async function errorOf(response: Response): Promise<string> {
  const text = await firstOf(response);
  try {
    const { error, detail, message } = (JSON.parse(text) ?? {}) as { [field: string]: unknown };
    const inner = (error as { readonly message?: unknown } | null | undefined)?.message;
    for (const said of [error, inner, message, detail]) {
      if (typeof said === "string" && said !== "") return said.slice(0, ERROR_CHARS_MAX);
    }
  } catch {
    // Not JSON: a proxy's page, most likely.
  }
  const plain = text
    .slice(0, ERROR_CHARS_MAX)
    .replace(/<[^>]*>|\s+/g, " ")
    .trim();
  return plain === "" ? response.statusText : plain;
}

/** Ours: far more than any server says of an error; the rest of an error without end is not read. */
const ERROR_BYTES_MAX = 64_000;

/** The beginning of a body; as much of it as came when it breaks off. */
async function firstOf({ body }: Response): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      if (bytes > ERROR_BYTES_MAX) break;
    }
  } catch {
    // What came before says enough.
  }
  return text;
}

/** `Retry-After` in seconds; a date is not taken, since it needs a clock that both share. */
function retryAfterMs({ headers }: Response): number {
  const text = headers.get("retry-after") ?? "";
  const seconds = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  return Math.ceil(Math.min(seconds, RETRY_AFTER_MAX_S) * 1_000);
}
