/** The address on this machine at which an agent asks its models: it listens on loopback and serves who knows its token. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { APIS, type Api } from "./apis.ts";

export interface Asked {
  readonly api: Api;
  readonly method: string;
  /** Below the API's address. */
  readonly path: string;
  /** With the mark `?`, or empty. */
  readonly query: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** Aborted where the agent hangs up. */
  readonly signal: AbortSignal;
}

export interface Reply {
  head(status: number, headers: { readonly [name: string]: string | string[] }): void;
  piece(bytes: Uint8Array): void;
  end(): void;
}

/** Answers one request; what it throws is told to the agent as 502. */
export type Answering = (asked: Asked, reply: Reply) => Promise<void>;

export interface Gateway {
  readonly base: (api: Api) => string;
  /** Requests that did not know the token, or went to no API. */
  readonly strangers: () => number;
  close(): Promise<void>;
}

/** Ours: what a request may hold. */
const BODY_BYTES_MAX = 256 * 1024 * 1024;

/** Port 0 is any that is free. Throws what the host throws where the port is taken. */
export async function openGateway(port: number, answering: Answering): Promise<Gateway> {
  const token = randomBytes(18).toString("base64url");
  let strangers = 0;
  const server = createServer({ keepAlive: true, requestTimeout: 0 }, (request, response) => {
    const asked = pathOf(request, token);
    if (asked === null || !isLocal(request.headers.host)) {
      strangers += 1;
      request.resume();
      refuse(replyOf(response), 404, "nothing is served at this address");
      return;
    }
    answer(request, response, asked, answering).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(replyOf(response), 502, error instanceof Error ? error.message : String(error));
    });
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed).listen(port, "127.0.0.1", done);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    base: (api) => `http://127.0.0.1:${bound}/${token}/${api}`,
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

/** `/TOKEN/openai/chat/completions?x`; null for any other. */
function pathOf({ url = "" }: IncomingMessage, token: string) {
  const [, given, name, path = "", query = ""] =
    /^\/([^/]*)\/([^/?]*)([^?]*)(\?.*)?$/.exec(url) ?? [];
  const api = APIS.find((one) => one === name);
  return given === token && api !== undefined ? { api, path: path || "/", query } : null;
}

/** A body of JSON, all at once. */
function whole(reply: Reply, status: number, body: string): void {
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
  head: (status, given) => void response.writeHead(status, given as { [name: string]: string }),
  piece: (part) => void response.write(part),
  end: () => void response.end(),
});

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { api, path, query }: { readonly api: Api; readonly path: string; readonly query: string },
  answering: Answering,
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
  const asked = { api, method, path, query, headers, body, signal: hungUp.signal };
  await answering(asked, replyOf(response));
}
