/**
 * The official client with a `fetch` of ours under it. It knows neither the key nor anything else of
 * the environment, tries nothing again and prints nothing: all of that is ours.
 */
import OpenAI from "openai";
import { Fault } from "../live/faults.ts";
import { type Fetch, guardedly } from "../live/guardedFetch.ts";
import type { Server } from "../live/liveSetup.ts";

/** The client's own limit, were it ours, would race with the guard's and call it by another name. */
const NEVER_MS = 0x7fffffff;

/** What the client may say of itself and of this machine: nothing. */
const KEPT_HEADERS = ["accept", "content-type"];

/**
 * Does one thing through a client of its own, so that ending it ends no other. Throws a Fault only.
 */
export const withClient = <T>(
  { host, key, fetch }: Server,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  work: (client: OpenAI) => Promise<T>,
): Promise<T> =>
  guardedly({ fetch, timeoutMs, signal, through: eventByEvent }, (hooked) =>
    work(
      new OpenAI({
        baseURL: host,
        ...{ apiKey: "none", adminAPIKey: null, organization: null, project: null },
        webhookSecret: null,
        ...{ maxRetries: 0, logLevel: "off", timeout: NEVER_MS },
        fetch: withKey(hooked, key),
      }),
    ),
  );

/** The key joins a request on its way out: no error of the client can hold it. */
const withKey =
  (hooked: Fetch, key: string | undefined): Fetch =>
  (url, init) => {
    const given = new Headers(init?.headers);
    const headers = new Headers({ "user-agent": "ghostlight" });
    for (const name of KEPT_HEADERS) {
      const value = given.get(name);
      if (value !== null) headers.set(name, value);
    }
    if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
    return hooked(url, { ...init, headers });
  };

/** Ours: the client gathers an event in time that grows with its square. */
const EVENT_BYTES_MAX = 2_000_000;
/** The last bytes of a stream in which its end is looked for. */
const END_BYTES = 20;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Of a stream of events, none may be without end. */
function eventByEvent({ headers }: Response): TransformStream<Uint8Array, Uint8Array> {
  const isStream = headers.get("content-type")?.includes("text/event-stream") ?? false;
  if (!isStream) return new TransformStream();
  const decoder = new TextDecoder();
  let bytes = 0;
  let isAtLine = true;
  let end = "";
  return new TransformStream({
    transform(chunk, out) {
      for (const byte of chunk) {
        bytes += 1;
        if (byte === CARRIAGE_RETURN) continue;
        // An empty line ends an event.
        if (byte === LINE_FEED && isAtLine) bytes = 0;
        isAtLine = byte === LINE_FEED;
      }
      if (bytes > EVENT_BYTES_MAX) throw new Fault("garbage", "a piece of an answer without end");
      end = (end + decoder.decode(chunk.subarray(-END_BYTES), { stream: true })).slice(-END_BYTES);
      out.enqueue(chunk);
    },
    flush() {
      const isWhole = isAtLine || end.trimEnd().endsWith("[DONE]");
      if (!isWhole) throw new Fault("truncated", "the answer stopped within a line");
    },
  });
}
