/**
 * Serves pages of runs to this machine alone. Whoever asks must name the token and the host, so that neither another user's
 * process nor a page of a stranger, by whatever name it found this port, reads a run. It answers GET and changes nothing.
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

export interface ViewServer {
  /** `http://127.0.0.1:PORT/`. */
  readonly origin: string;
  /** `?token=…`. */
  readonly query: string;
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";

/** Throws what listening throws, such as EADDRINUSE. */
export async function viewServer(
  answering: Answering,
  { port = 0, onError }: { readonly port?: number; readonly onError: (error: unknown) => void },
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
  if (method !== "GET" && method !== "HEAD") return { code: 405, says: "Only GET is answered." };
  const { host = "", origin } = headers;
  if (!hosts.includes(host)) return { code: 403, says: "Not asked by the name of this server." };
  if (origin !== undefined && !hosts.some((one) => origin === `http://${one}`)) {
    return { code: 403, says: "Asked from another page." };
  }
  const given = new URL(url, `http://${LOOPBACK}`).searchParams.get("token") ?? "";
  return isSame(given, token) ? undefined : { code: 403, says: "The token is missing or wrong." };
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function answer(response: ServerResponse, code: number, { type, body, policy }: Answer): void {
  response.writeHead(code, {
    "content-type": `${type}; charset=utf-8`,
    "content-length": Buffer.byteLength(body),
    "content-security-policy": `${policy ?? "default-src 'none'"}; frame-ancestors 'none'`,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
