// `mcp --url`: between a client and a server of tools over streamable HTTP.
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Redaction } from "../../../../src/actors/imported/edge/redacted.ts";
import {
  exchangesIn,
  type McpLine,
  MESSAGES,
  readExchanges,
} from "../../../../src/actors/imported/edge/wire/exchangeLog.ts";
import { type Listening, listening } from "../../../../src/actors/imported/edge/wire/gateway.ts";
import { httpStandIn } from "../../../../src/actors/imported/edge/wire/httpStandIn.ts";
import { McpRelay } from "../../../../src/actors/imported/edge/wire/mcpRelay.ts";
import { ownKeeper } from "../../../../src/actors/imported/edge/wire/standIns.ts";
import { faultOf, WireFaults } from "../../../../src/actors/imported/edge/wire/wireFaults.ts";
import { newFolder } from "../../../folders.ts";
import { type HttpToolServer, httpToolServer } from "./httpToolServer.ts";

let server: HttpToolServer;
const open: Listening[] = [];
beforeAll(async () => {
  server = await httpToolServer();
});
afterAll(async () => {
  for (const one of open) await one.close();
  server.close();
});

async function standingIn(faults: readonly string[] = [], upstream = server.url) {
  const folder = newFolder();
  const keeper = ownKeeper(folder, new Redaction());
  const made = faults.map((one) => faultOf(one, "server"));
  const relay = new McpRelay(keeper.keep, new WireFaults(made, 0));
  let shut = 0;
  const onShut = (): void => void shut++;
  const answering = httpStandIn(upstream, relay, { isAnswered: false, onShut });
  const listener = await listening(0, () => answering);
  open.push(listener);
  const post = (message: object, headers: object = {}, path = "/mcp"): Promise<Response> =>
    fetch(`${listener.address}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify(message),
    });
  const kept = (): readonly McpLine[] =>
    readExchanges(exchangesIn(folder).replace("exchanges.jsonl", MESSAGES)).messages;
  return { address: listener.address, post, kept, shut: () => shut };
}
const rpc = { jsonrpc: "2.0" };
const call = (id: number, name: string, args: object = {}, more: object = {}) => ({
  ...{ ...rpc, id, method: "tools/call", params: { name, arguments: args, ...more } },
});
const done = (name: string) => ({ content: [{ type: "text", text: `${name} is done\u2028.` }] });
const read = async (stream: ReadableStreamDefaultReader<Uint8Array> | undefined) =>
  Buffer.from((await stream?.read())?.value ?? []).toString("utf8");

describe("streamable HTTP", () => {
  it("[WR34, WR35] passes a stream on event by event, and what a session's GET opens", async () => {
    const { post, address, kept } = await standingIn();
    const session = { "mcp-session-id": "s1" };
    await post({ ...rpc, id: 0, method: "initialize", params: { clientInfo: { name: "clerk" } } });
    const listener = await fetch(`${address}/mcp`, { headers: session });
    const stream = (await post(call(1, "held", {}, { _meta: {} }), session)).body?.getReader();
    let first = "";
    while (!first.includes("progress")) first += await read(stream);
    // Only now does the server say more.
    await post({ ...rpc, method: "notifications/initialized" }, session);
    const event = { ...rpc, id: 1, result: done("held") };
    let rest = "";
    while (!rest.endsWith("}\n\n")) rest += await read(stream);

    expect(first).toContain(": hello\n\nid: 1\n");
    expect(rest).toContain(`id: 2\ndata: ${JSON.stringify(event)}\n\n`);
    expect(await read(listener.body?.getReader())).toMatch(/^id: 7\n/);
    const told = kept().map(
      ({ from, message }) => `${from} ${(message as { readonly method?: string }).method}`,
    );
    // On two connections they come in any order.
    expect(told.sort()).toEqual([
      ...["client initialize", "client notifications/initialized", "client tools/call"],
      ...["server notifications/progress", "server notifications/tools/list_changed"],
      ...["server undefined", "server undefined"],
    ]);
    // All of one session: its ids are one count.
    expect(new Set(kept().map(({ stream }) => stream))).toEqual(new Set(["1"]));
  });

  it("[WR2, WR34] headers go both ways as they are, and none of them is kept", async () => {
    const { post, kept } = await standingIn();
    const headers = {
      "mcp-protocol-version": "2025-06-18",
      "mcp-session-id": "s9",
      "last-event-id": "7",
      authorization: "Bearer sk-headerheaderheader1",
    };
    const answer = await post(call(1, "whole"), headers);

    expect(await answer.json()).toEqual({ ...rpc, id: 1, result: done("whole") });
    const given = ["mcp-session-id", "x-version"].map((name) => answer.headers.get(name));
    expect(given).toEqual(["s9", "3"]);
    expect(server.asked.at(-1)?.headers).toMatchObject(headers);
    expect(JSON.stringify(kept())).not.toMatch(/sk-header|s9|key=k/);
  });

  it("[WR34] goes to that host alone, whatever is asked for", async () => {
    const { address } = await standingIn();
    const { port, host } = new URL(address);
    const asked = (path: string): Promise<number> =>
      new Promise((told, failed) => {
        request({ port, path, headers: { host } }, (answer) => {
          answer.resume();
          told(answer.statusCode ?? 0);
        })
          .once("error", failed)
          .end();
      });
    const before = server.asked.length;
    const statuses = [await asked("//evil.example/mcp"), await asked("http://evil.example/mcp")];

    // The first is another path of the server; the second is no path.
    expect([statuses, server.asked.length - before]).toEqual([[404, 404], 1]);
  });

  it("[WR36] a page of another origin, and another name of this machine, are refused", async () => {
    const { post, kept } = await standingIn();
    const statuses = await Promise.all(
      ["http://evil.example", "null", "http://localhost.evil.example", "http://localhost:6274"].map(
        async (origin) => (await post(call(1, "whole"), { origin })).status,
      ),
    );

    expect(statuses).toEqual([403, 403, 403, 200]);
    expect(kept()).toHaveLength(2);
  });

  it("[WR35] results meet faults in a stream and in one piece; a ghost reaches no server", async () => {
    const { post, kept } = await standingIn(["told-as-error@stream", "nothing@whole", "ghost@pay"]);
    const streamed = await (await post(call(1, "stream"))).text();
    const before = server.asked.length;
    const ghost = await (await post(call(3, "pay"))).json();

    expect(streamed).toMatch(
      /id: 2\ndata: {"jsonrpc":"2.0","id":1,"result":{"content":.*"isError":true}}\n\n/,
    );
    expect(ghost).toEqual({ ...rpc, id: 3, result: { content: [] } });
    expect(server.asked).toHaveLength(before);
    expect(await (await post(call(2, "whole"))).json()).toMatchObject({ result: { content: [] } });
    expect(await (await post({ ...rpc, id: 4, method: "tools/list" })).json()).toMatchObject({
      result: { tools: [{ name: "stream" }, { name: "pay" }] },
    });
    expect(kept().flatMap(({ fault }) => fault?.fault ?? [])).toEqual([
      ...["told-as-error", "ghost", "nothing", "ghost"],
    ]);
  });

  it("[WR35] the same id in two sessions is two calls, each with its own result", async () => {
    const { post } = await standingIn(["truncated@whole"]);
    const of = async (session: string, name: string) =>
      (await post(call(1, name), { "mcp-session-id": session })).json();

    expect(await of("a", "whole")).toMatchObject({ result: { content: [{ text: "whole i" }] } });
    expect(await of("b", "other")).toMatchObject({ result: done("other") });
  });

  it("[WR35] a list of messages is kept one by one", async () => {
    const { post, kept } = await standingIn();
    await post([call(1, "whole"), call(2, "whole")]);

    expect(kept().filter(({ from }) => from === "client")).toHaveLength(2);
    expect(new Set(kept().map(({ stream }) => stream))).toEqual(new Set(["1"]));
    // Without a session the ids of what is posted next are others.
    await post(call(1, "whole"));
    expect(kept().at(-1)?.stream).toBe("2");
  });

  it("[WR37] an error of the server, and none that answers, are errors of what was asked", async () => {
    const { post, kept } = await standingIn();
    const answer = await post(call(1, "fail"));
    const closed = await standingIn([], new URL("http://127.0.0.1:9/mcp"));
    const none = await closed.post(call(1, "whole"));

    expect([answer.status, await answer.text()]).toEqual([500, "no room sk-nononononononono1"]);
    expect(kept().at(-1)?.message).toMatchObject({
      id: 1,
      error: { message: expect.stringMatching(/^HTTP 500: no room (?!sk-)/) },
    });
    expect(none.status).toBe(502);
    expect(closed.kept().at(-1)?.message).toMatchObject({
      error: { message: expect.stringContaining("ECONNREFUSED") },
    });
    // Nobody waits for an answer to a notification.
    await closed.post({ ...rpc, method: "notifications/initialized" });
    expect(closed.kept().map(({ from }) => from)).toEqual(["client", "server", "client"]);
  });

  it("[WR34, WR37] what the server sends elsewhere is an error of what was asked, which names where to", async () => {
    const { post, kept } = await standingIn();
    const answer = await post(call(1, "moved"));
    // Also where it is so at the first step.
    const straight = await standingIn([], new URL("/mcp/?key=k", server.url));
    expect((await straight.post(call(1, "moved"), {}, "/mcp/")).status).toBe(307);

    expect([answer.status, answer.headers.get("location")]).toEqual([
      307,
      "http://127.0.0.1:9/mcp?t=1",
    ]);
    expect(kept().at(-1)?.message).toEqual({
      ...{ ...rpc, id: 1 },
      error: expect.objectContaining({
        message: "HTTP 307: sent on, past this stand-in, to http://127.0.0.1:9",
      }),
    });
  });

  it("[WR45] where the server asks to sign in, that goes both ways, is told, and no header is kept", async () => {
    const { post, kept, shut } = await standingIn();
    const asked = await post(call(1, "shut"));
    const headers = { authorization: "Bearer tok-tokentokentoken" };
    const signed = await post(call(2, "shut"), headers);

    expect([asked.status, asked.headers.get("www-authenticate"), shut()]).toEqual([
      401,
      'Bearer resource_metadata="https://a.example/meta"',
      1,
    ]);
    expect(await signed.json()).toMatchObject({ id: 2, result: done("shut") });
    expect(kept().map(({ message }) => Object.keys(message as object).at(-1))).toEqual([
      ...["params", "error", "params", "result"],
    ]);
    expect(JSON.stringify(kept())).not.toMatch(/tok-token|resource_metadata/);
  });

  it("[WR37] a call that never ends ends with its client, and many bytes are no end", async () => {
    const { post, kept, address } = await standingIn();
    const [leaving, before] = [new AbortController(), server.asked.length];
    const left = fetch(`${address}/mcp`, {
      ...{ method: "POST", body: JSON.stringify(call(1, "hang")), signal: leaving.signal },
    });
    // Once by the path without a slash.
    while (server.asked.length < before + 2) await new Promise(setImmediate);
    leaving.abort();
    await expect(left).rejects.toThrow();
    while (server.left() === 0) await new Promise(setImmediate);
    const bytes = 2_000_000;
    const big = await (await post(call(2, "big", { bytes }))).text();

    expect(big.match(/x{2,}/)?.[0]).toHaveLength(bytes);
    expect(kept().map(({ from }) => from)).toEqual(["client", "client", "server"]);
  });
});
