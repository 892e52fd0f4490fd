// SPEC VW: a page is served to whoever has its token, on this machine, and to nobody else.
import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ViewServer, viewServer } from "../../../src/edges/view/viewServer.ts";

let server: ViewServer;

beforeAll(async () => {
  server = await viewServer(
    {
      answering: async (path) =>
        path === "0/" ? { type: "text/html", body: "the run" } : undefined,
      posting: (path) => (path === "0/play" ? async (said, tell) => tell({ said }) : undefined),
    },
    { onError: () => {} },
  );
});
afterAll(() => server.close());

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
}

function asked({ path = `0/${server.query}`, method = "GET", headers = {} }: Asked = {}) {
  return new Promise<{ readonly code: number; readonly text: string; readonly headers: object }>(
    (done, failed) => {
      const { port } = new URL(server.origin);
      request({ host: "127.0.0.1", port, path: `/${path}`, method, headers }, (response) => {
        let text = "";
        response.on("data", (bytes: Buffer) => {
          text += bytes.toString();
        });
        response.on("end", () =>
          done({ code: response.statusCode ?? 0, text, headers: response.headers }),
        );
      })
        .on("error", failed)
        .end();
    },
  );
}

describe("[VW11] of a page that is served", () => {
  it("who has the token reads it, and no page of a stranger frames or keeps it", async () => {
    const { code, text, headers } = await asked();

    expect({ code, text }).toEqual({ code: 200, text: "the run" });
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-frame-options": "DENY",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    });
  });

  it("it listens on the loopback alone, at a port of its own", () => {
    expect(server.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(server.query).toMatch(/^\?token=[\w-]{32}$/);
  });

  it.runIf(process.platform === "linux")("nobody is there at another address", async () => {
    const other = connect({ host: "127.0.0.2", port: Number(new URL(server.origin).port) });
    const isRefused = await new Promise((done) => {
      other.once("error", () => done(true)).once("connect", () => done(false));
    });
    other.destroy();

    expect(isRefused).toBe(true);
  });

  it("a page whose address begins as this server's does is another page", async () => {
    const origin = `${server.origin.slice(0, -1)}.stranger.example`;

    expect((await asked({ headers: { origin } })).code).toBe(403);
  });

  it("who names no host reads nothing", async () => {
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(server.origin).port) });
    socket.end(`GET /0/${server.query} HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n`);
    let text = "";
    for await (const bytes of socket) text += bytes;

    expect(text).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each([
    ["without the token", { path: "0/" }, 403],
    ["with another token", { path: "0/?token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }, 403],
    ["by another name of this machine", { headers: { host: "rebound.example:80" } }, 403],
    [
      "by a POST by another name of this machine",
      { method: "POST", headers: { host: "rebound.example:80" } },
      403,
    ],
    ["by a page of a stranger", { headers: { origin: "https://stranger.example" } }, 403],
    ["by a page without an origin", { headers: { origin: "null" } }, 403],
    ["at what is no address", { path: "/" }, 400],
    ["with another method", { method: "DELETE" }, 405],
    ["where nothing takes a POST", { method: "POST" }, 405],
    ["by a POST without the token", { path: "0/play", method: "POST" }, 403],
    [
      "by a POST of a stranger's page",
      { method: "POST", headers: { origin: "https://stranger.example" } },
      403,
    ],
  ])("nothing is read %s", async (_, how, refused) => {
    const { code, text } = await asked(how);

    expect(code).toBe(refused);
    expect(text).not.toContain("the run");
  });

  it("what is not there is not found", async () => {
    expect((await asked({ path: `9/${server.query}` })).code).toBe(404);
  });
});
