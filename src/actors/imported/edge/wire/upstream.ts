/** A request as it goes on to where it was meant for, and what comes back. */
import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { BODY_BYTES_MAX, type Came } from "./gateway.ts";

export interface Answered {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] };
  /** `host:port` of the other end. */
  readonly from: string;
  readonly pieces: AsyncIterable<Buffer>;
}

/** Of this connection, and not of what is said over it. */
const HOP = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer"],
  ...["transfer-encoding", "upgrade", "host", "content-length", "accept-encoding"],
]);

const passed = (headers: object) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !HOP.has(name) && value !== undefined),
  );

/** Sends `body` in place of what came. Throws what the network throws. */
export function askUpstream(
  address: URL,
  { method, headers, signal }: Pick<Came, "method" | "headers" | "signal">,
  body: Buffer,
): Promise<Answered> {
  const send = address.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((done, failed) => {
    const request = send(
      address,
      {
        method,
        // What is compressed could not be read.
        headers: {
          ...passed(headers),
          "accept-encoding": "identity",
          ...(body.length > 0 && { "content-length": body.length }),
        },
        signal,
      },
      (response) => {
        const { statusCode: status = 502, socket } = response;
        const from = `${socket.remoteAddress}:${socket.remotePort}`;
        done({ status, headers: passed(response.headers), from, pieces: response });
      },
    );
    request.once("error", failed);
    request.end(body);
  });
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Pieces as one. Throws where they are longer than is read. */
class Held {
  #pieces: Buffer[] = [];
  #bytes = 0;

  push(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > BODY_BYTES_MAX) throw new Error("more than 256 MB at once");
    this.#pieces.push(piece);
  }

  taken(): Buffer {
    const all = Buffer.concat(this.#pieces);
    [this.#pieces, this.#bytes] = [[], 0];
    return all;
  }
}

export async function wholeOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const held = new Held();
  for await (const piece of pieces) held.push(piece);
  return held.taken();
}

const LINE_FEED = 10;

/** Lines end with a line feed, and at no other sign of a line's end: a text in JSON may hold each of those. */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  const held = new Held();
  const taken = (): string => held.taken().toString("utf8").replace(/\r$/, "");
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      held.push(piece.subarray(from, end));
      yield taken();
      from = end + 1;
    }
    held.push(piece.subarray(from));
  }
  const rest = taken();
  if (rest !== "") yield rest;
}
