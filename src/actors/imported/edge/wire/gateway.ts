/** The address on this machine at which an agent asks its models: it listens on loopback and serves who knows its token. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { APIS, type Api, type Served, STAND_INS } from "./apis.ts";

/** A request that came in, whole. */
export interface Came {
  readonly method: string;
  /** Below the address of whoever serves it. */
  readonly path: string;
  /** With the mark `?`, or empty. */
  readonly query: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** Aborted where the agent hangs up. */
  readonly signal: AbortSignal;
}

export interface Asked extends Came {
  readonly api: Api;
}

export interface Reply {
  head(status: number, headers: { readonly [name: string]: string | string[] }): void;
  piece(bytes: Uint8Array): void;
  end(): void;
}

/** Answers one request; what it throws is told to the agent as 502. */
export type Answering<C extends Came = Asked> = (came: C, reply: Reply) => Promise<void>;

/** Who answers at a gateway. */
export interface Answers {
  readonly answering: Answering;
  /** Stand-ins for servers of tools, which tell what passes them. */
  readonly standIn: Answering<Came>;
}

export interface Listening {
  /** Without a path. */
  readonly address: string;
  /** Requests that nobody answers: of a gateway, those that do not know the token, or go to no API. */
  readonly strangers: () => number;
  close(): Promise<void>;
}

export interface Gateway extends Omit<Listening, "address"> {
  readonly base: (of: Served) => string;
}

/** Ours: what a request may hold, and an answer that is read. */
export const BODY_BYTES_MAX = 256 * 1024 * 1024;

/** Port 0 is any that is free. Throws what the host throws where the port is taken. */
export async function openGateway(port: number, { answering, standIn }: Answers): Promise<Gateway> {
  const token = randomBytes(18).toString("base64url");
  const { address, strangers, close } = await listening(port, (path) => {
    // `/TOKEN/openai/chat/completions`
    const [, given, name, rest = ""] = /^\/([^/]*)\/([^/]*)(.*)$/.exec(path) ?? [];
    if (given !== token) return null;
    const api = APIS.find((one) => one === name);
    const own = (came: Came): Came => ({ ...came, path: rest || "/" });
    if (api !== undefined) return (came, reply) => answering({ ...own(came), api }, reply);
    return name === STAND_INS ? (came, reply) => standIn(own(came), reply) : null;
  });
  return { base: (of) => `${address}/${token}/${of}`, strangers, close };
}

/** Ours: connections that wait to be taken. */
const WAITING_MOST = 16_384;

/** Listens on loopback for who answers at a path; null for nobody. Throws what the host throws where the port is taken. */
export async function listening(
  port: number,
  answeringAt: (path: string) => Answering<Came> | null,
): Promise<Listening> {
  let strangers = 0;
  // A connection that waits stays: its other end may be about to use it.
  const options = { keepAlive: true, keepAliveTimeout: 0, requestTimeout: 0 };
  const server = createServer(options, (request, response) => {
    const [, path, query = ""] = /^(\/[^?]*)(\?.*)?$/s.exec(request.url ?? "") ?? [];
    const answering = path === undefined ? null : answeringAt(path);
    if (path === undefined || answering === null || !isLocal(request.headers.host)) {
      strangers += 1;
      request.resume();
      refuse(replyOf(response), 404, "nothing is served at this address");
      return;
    }
    answer(request, response, { path, query }, answering).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(replyOf(response), 502, error instanceof Error ? error.message : String(error));
    });
  });
  await new Promise<void>((done, failed) => {
    // Agents may ask much at once: those that the system does not let wait here it turns away.
    server.once("error", failed).listen({ port, host: "127.0.0.1", backlog: WAITING_MOST }, done);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${bound}`,
    strangers: () => strangers,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

const isLocal = (host: string | undefined): boolean =>
  /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host ?? "");

/** A body of JSON, all at once. */
export function whole(reply: Reply, status: number, body: string): void {
  reply.head(status, { "content-type": "application/json" });
  reply.piece(Buffer.from(body));
  reply.end();
}

/** What the gateway itself says, in the shape of the APIs' errors. */
export const refuse = (reply: Reply, status: number, message: string): void =>
  whole(
    reply,
    status,
    JSON.stringify({ error: { message: `ghostlight: ${message}`, type: "gateway" } }),
  );

const replyOf = (response: ServerResponse): Reply => ({
  head: (status, given) => {
    response.writeHead(status, given as { [name: string]: string });
    // A stream may say nothing for long, and its reader waits for its head.
    response.flushHeaders();
  },
  piece: (part) => void response.write(part),
  end: () => void response.end(),
});

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { path, query }: Pick<Came, "path" | "query">,
  answering: Answering<Came>,
): Promise<void> {
  const hungUp = new AbortController();
  response.once("close", () => {
    if (!response.writableEnded) hungUp.abort();
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_BYTES_MAX)
      return refuse(replyOf(response), 413, "a request of more than 256 MB");
    chunks.push(chunk as Buffer);
  }
  const { method = "GET", headers } = request;
  const body = Buffer.concat(chunks);
  const came = { method, path, query, headers, body, signal: hungUp.signal };
  await answering(came, replyOf(response));
}
