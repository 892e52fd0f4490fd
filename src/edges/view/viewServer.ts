/**
 * Serves pages of runs to this machine alone. Whoever asks must name the token and the host, so that neither another user's
 * process nor a page of a stranger, by whatever name it found this port, reads a run. It answers GET, which changes nothing,
 * and POST where something is played.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What is answered, or `undefined` for what is not there. */
export interface Answer {
  readonly type: string;
  readonly body: string | Uint8Array;
  /** What the page may do. */
  readonly policy?: string;
}

/** `path` is without its leading slash, `query` bears the token for links. */
export type Answering = (path: string, query: string) => Promise<Answer | undefined>;

/** Plays what was posted, and says by lines of JSON how far it is; the signal is of a page that was closed. */
export type Posted = (
  said: string,
  tell: (line: object) => void,
  signal: AbortSignal,
) => Promise<void>;

/** What takes a POST to a path; `undefined` of any other. */
export type Posting = (path: string) => Posted | undefined;

export interface ViewServer {
  /** `http://127.0.0.1:PORT/`. */
  readonly origin: string;
  /** `?token=…`. */
  readonly query: string;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly port?: number;
  /** Hears what could not be answered. */
  readonly onError: (error: unknown) => void;
}

/** What it answers. */
export interface Served {
  readonly answering: Answering;
  readonly posting: Posting;
}

const LOOPBACK = "127.0.0.1";
/** Ours: of what is posted, a name. */
const POSTED_BYTES_MOST = 4_096;

/** Throws what listening throws, such as EADDRINUSE. */
export async function viewServer(
  { answering, posting }: Served,
  { port = 0, onError }: ServerOptions,
): Promise<ViewServer> {
  const token = randomBytes(24).toString("base64url");
  let hosts: readonly string[] = [];
  const server = createServer((request, response) => {
    const refusal = refused(request, hosts, token);
    if (refusal !== undefined) {
      answer(response, refusal.code, { type: "text/plain", body: refusal.says });
      return;
    }
    const path = new URL(request.url ?? "/", `http://${LOOPBACK}`).pathname.slice(1);
    if (request.method === "POST") {
      post(request, response, posting(path), onError);
      return;
    }
    answering(path, `?token=${token}`).then(
      (found) =>
        answer(
          response,
          found === undefined ? 404 : 200,
          found ?? {
            type: "text/plain",
            body: "There is no such page.",
          },
        ),
      (error: unknown) => {
        onError(error);
        const body = error instanceof Error ? error.message : String(error);
        answer(response, 500, { type: "text/plain", body });
      },
    );
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed).listen(port, LOOPBACK, () => done());
  });
  const { port: found } = server.address() as AddressInfo; // It listens on a port.
  hosts = [`${LOOPBACK}:${found}`, `localhost:${found}`];
  return {
    origin: `http://${LOOPBACK}:${found}/`,
    query: `?token=${token}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function refused(
  { method, headers, url = "/" }: IncomingMessage,
  hosts: readonly string[],
  token: string,
): { readonly code: number; readonly says: string } | undefined {
  if (method !== "GET" && method !== "HEAD" && method !== "POST") return NO_METHOD;
  const { host = "", origin } = headers;
  if (!hosts.includes(host)) return { code: 403, says: "Not asked by the name of this server." };
  if (origin !== undefined && !hosts.some((one) => origin === `http://${one}`)) {
    return { code: 403, says: "Asked from another page." };
  }
  const given = new URL(url, `http://${LOOPBACK}`).searchParams.get("token") ?? "";
  return isSame(given, token) ? undefined : { code: 403, says: "The token is missing or wrong." };
}

const NO_METHOD = { code: 405, says: "Only GET is answered, and POST where something is played." };

function post(
  request: IncomingMessage,
  response: ServerResponse,
  posted: Posted | undefined,
  onError: (error: unknown) => void,
): void {
  const refuse = (code: number, body: string): void =>
    answer(response, code, { type: "text/plain", body });
  if (posted === undefined) {
    refuse(NO_METHOD.code, NO_METHOD.says);
    return;
  }
  const closing = new AbortController();
  response.once("close", () => closing.abort());
  const tell = (line: object): void => void response.write(`${JSON.stringify(line)}\n`);
  const play = async (said: string): Promise<void> => {
    response.writeHead(200, headersOf({ type: "application/x-ndjson" }));
    try {
      await posted(said, tell, closing.signal);
    } catch (error) {
      if (closing.signal.aborted) return;
      onError(error);
      tell({ fault: error instanceof Error ? error.message : String(error) });
    }
    response.end();
  };
  const said: Buffer[] = [];
  let bytes = 0;
  request.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= POSTED_BYTES_MOST) said.push(piece);
  });
  request.once("end", () => {
    if (bytes > POSTED_BYTES_MOST) refuse(413, "That is more than a name.");
    else void play(Buffer.concat(said).toString("utf8"));
  });
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function answer(response: ServerResponse, code: number, given: Answer): void {
  const { body } = given;
  response.writeHead(code, { ...headersOf(given), "content-length": Buffer.byteLength(body) });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

const headersOf = ({ type, policy }: Omit<Answer, "body">) => ({
  "content-type": `${type}; charset=utf-8`,
  "content-security-policy": `${policy ?? "default-src 'none'"}; frame-ancestors 'none'`,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
});
