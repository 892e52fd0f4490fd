/** A request as it goes on to the API that it was meant for, and what comes back, piece by piece. */
import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import type { Asked } from "./gateway.ts";

export interface Answered {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] };
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

/** Sends `body` in place of what the agent sent. Throws what the network throws. */
export function askUpstream(base: string, asked: Asked, body: Buffer): Promise<Answered> {
  const address = new URL(`${base}${asked.path}${asked.query}`);
  const send = address.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((done, failed) => {
    const request = send(
      address,
      {
        method: asked.method,
        // What is compressed could not be read.
        headers: {
          ...passed(asked.headers),
          "accept-encoding": "identity",
          ...(body.length > 0 && { "content-length": body.length }),
        },
        signal: asked.signal,
      },
      (response) => {
        const { statusCode: status = 502, headers } = response;
        done({ status, headers: passed(headers), pieces: response });
      },
    );
    request.once("error", failed);
    request.end(body);
  });
}
