/** Stands in for a server of tools that is reached by streamable HTTP: what it says goes through as it comes, event by event. */
import type { Json } from "../../../../machines/letter.ts";
import { mapIn } from "../readers/fields.ts";
import { type Answering, type Came, type Reply, refuse, whole } from "./gateway.ts";
import { type McpRelay, messagesIn, NO_ANSWER } from "./mcpRelay.ts";
import { type Answered, askUpstream, linesOf, messageOf, wholeOf } from "./upstream.ts";

/** A page of another origin may have a name of its own point at this machine. */
const OWN_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;
const SESSION = "mcp-session-id";
/** Whoever goes there goes past us. */
const ELSEWHERE = "sent on, past this stand-in, to";
/** Of an answer that is an error, so much is kept. */
const ERROR_CHARS = 2_000;

interface HttpOptions {
  /** A recording answers, and nothing is passed on. */
  readonly isAnswered: boolean;
  /** Hears that the server lets nobody in who does not sign in. */
  readonly onShut?: () => void;
}

/** Paths other than the server's, such as those that say who lets people in, are passed on to its host and not kept. */
export function httpStandIn(
  upstream: URL,
  relay: McpRelay,
  { isAnswered, onShut }: HttpOptions,
): Answering<Came> {
  /** By the id of a session, its stream. Without sessions ids of requests are unique within what is posted at once. */
  const streams = new Map<string, string>();
  let count = 0;
  const isOwn = (path: string): boolean => without(path) === without(upstream.pathname);

  const ask = async ({ path, query, body, ...came }: Came): Promise<Answered> => {
    // By its parts: a path of two slashes would name another host.
    const address = new URL(upstream);
    address.pathname = path;
    if (query !== "" || !isOwn(path)) address.search = query;
    const answered = await askUpstream(address, came, body);
    // To a path with a slash at its end, as a rule: a client that was sent there would go past us.
    const to = URL.parse(String(answered.headers["location"] ?? ""), address.href);
    const isMoved = answered.status === 307 || answered.status === 308;
    if (!isMoved || to?.origin !== address.origin) return answered;
    await wholeOf(answered.pieces);
    return askUpstream(to, came, body);
  };

  /** What is no message of the protocol is kept as an error of what was asked. */
  const failed = async (sent: string, stream: string, message: string): Promise<void> => {
    for (const one of messagesIn(sent)) {
      const { id, method } = mapIn(one);
      const error: Json = { code: NO_ANSWER, message };
      if (id === undefined || method === undefined) continue;
      await relay.server(JSON.stringify({ jsonrpc: "2.0", id, error }), stream);
    }
  };

  return async (came, reply) => {
    const { method, path, headers, body, signal } = came;
    if (headers.origin !== undefined && !OWN_ORIGIN.test(headers.origin))
      return refuse(reply, 403, "a page of another origin is not served");
    const known = streams.get(String(headers[SESSION]));
    if (known === undefined) count += 1;
    const stream = known ?? `${count}`;
    const sent = isOwn(path) && method === "POST" ? body.toString("utf8") : "";
    const told = sent === "" ? undefined : await relay.client(sent, stream);
    if (told !== undefined) return say(reply, told);
    if (isAnswered) return refuse(reply, 405, "a recording answers what is posted, and no more");
    try {
      const answered = await ask(came);
      const { status } = answered;
      if (status === 401) onShut?.();
      const session = answered.headers[SESSION] ?? headers[SESSION];
      if (typeof session === "string") streams.set(session, stream);
      const isRead = isOwn(path) && status < 300;
      const begins = await pass(answered, reply, async (text) =>
        isRead && text !== "" ? await relay.server(text, stream) : text,
      );
      const { location } = answered.headers;
      const to = typeof location === "string" ? URL.parse(location, upstream.href) : null;
      const said = to === null ? begins : `${ELSEWHERE} ${to.origin}`;
      if (!isRead) await failed(sent, stream, `HTTP ${status}: ${said}`);
    } catch (error) {
      // Whoever hung up waits for no answer.
      if (!signal.aborted) await failed(sent, stream, messageOf(error));
      throw error;
    }
  };
}

const without = (path: string): string => path.replace(/\/+$/, "");

/** What the client is told in the server's place. */
function say(reply: Reply, told: readonly string[]): void {
  const [first, ...more] = told;
  if (first !== undefined && more.length === 0) {
    whole(reply, 200, first);
    return;
  }
  reply.head(first === undefined ? 202 : 200, first === undefined ? {} : { "content-type": SSE });
  for (const one of told) reply.piece(Buffer.from(`data: ${one}\n\n`));
  reply.end();
}

const SSE = "text/event-stream";

/** Passes an answer on, each message as it becomes; how it begins. */
async function pass(
  { status, headers, pieces }: Answered,
  reply: Reply,
  become: (text: string) => Promise<string>,
): Promise<string> {
  const type = String(headers["content-type"]).toLowerCase();
  const isPlain = headers["content-encoding"] === undefined;
  let begins = "";
  reply.head(status, headers);
  const give = (bytes: Buffer): void => {
    reply.piece(bytes);
    if (begins.length < ERROR_CHARS) begins += bytes.toString("utf8", 0, ERROR_CHARS);
  };
  if (isPlain && type.startsWith(SSE)) {
    let data: string[] = [];
    for await (const line of linesOf(pieces)) {
      if (line.startsWith("data:")) data.push(line.slice("data:".length).trimStart());
      else {
        const said = data.length === 0 || line !== "" ? [] : [await become(data.join("\n"))];
        if (line === "") data = [];
        const rows = said.flatMap((one) => one.split("\n"));
        give(Buffer.from(`${rows.map((row) => `data: ${row}\n`).join("")}${line}\n`));
      }
    }
  } else if (isPlain && type.startsWith("application/json")) {
    const bytes = await wholeOf(pieces);
    const text = bytes.toString("utf8");
    const became = await become(text);
    give(became === text ? bytes : Buffer.from(became));
  } else for await (const piece of pieces) give(piece);
  reply.end();
  return begins;
}
