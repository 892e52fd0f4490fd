// A server of the Model Context Protocol over streamable HTTP: `stream` answers by an event stream, `held` by one that ends once a
// notification came, `big` with many bytes, `hang` never, `fail` with 500, `moved` elsewhere, `shut` with 401 unless somebody signed in, others by JSON; what a session's GET opens gets a change of
// the list with each call.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpToolServer {
  readonly url: URL;
  /** Headers of what was asked, and the methods. */
  readonly asked: readonly { readonly method: string; readonly headers: IncomingHttpHeaders }[];
  /** Calls of `hang` whose client is gone. */
  readonly left: () => number;
  close(): void;
}

export async function httpToolServer(): Promise<HttpToolServer> {
  const asked: { method: string; headers: IncomingHttpHeaders }[] = [];
  let left = 0;
  let listener: ServerResponse | undefined;
  let release = (): void => {};
  const server = createServer(async (request, response) => {
    const { method = "", headers } = request;
    asked.push({ method, headers });
    let text = "";
    for await (const piece of request) text += String(piece);
    if (request.url === "/mcp?key=k") {
      return void response.writeHead(307, { location: "/mcp/?key=k" }).end();
    }
    if (request.url !== "/mcp/?key=k") return void response.writeHead(404).end("elsewhere");
    if (method === "DELETE") return void response.writeHead(204).end();
    const events = (): void => {
      response.writeHead(200, { "content-type": "text/event-stream" });
    };
    if (method === "GET") {
      events();
      response.flushHeaders();
      listener = response;
      return undefined;
    }
    const { id, method: wants, params = {} } = JSON.parse(text || "{}");
    if (id === undefined) {
      release();
      return void response.writeHead(202).end();
    }
    const answer = (result: object): string => JSON.stringify({ jsonrpc: "2.0", id, result });
    const whole = (result: object): void => {
      const type = { "content-type": "application/json" };
      const session = headers["mcp-session-id"] ?? "s1";
      response.writeHead(200, { ...type, "x-version": "3", "mcp-session-id": session });
      response.end(answer(result));
    };
    if (wants === "initialize") return whole({ protocolVersion: "2025-06-18", capabilities: {} });
    if (wants === "tools/list") return whole({ tools: [{ name: "stream" }] });
    const content = [{ type: "text", text: `${params.name} is done\u2028.` }];
    const changed = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
    listener?.write(`id: 7\r\nevent: message\r\ndata: ${JSON.stringify(changed)}\r\n\r\n`);
    if (params.name === "hang") return void response.once("close", () => void left++);
    if (params.name === "moved")
      return void response.writeHead(307, { location: "http://127.0.0.1:9/mcp?t=1" }).end();
    if (params.name === "shut" && headers.authorization === undefined)
      return void response
        .writeHead(401, { "www-authenticate": 'Bearer resource_metadata="https://a.example/meta"' })
        .end();
    if (params.name === "fail")
      return void response.writeHead(500).end("no room sk-nononononononono1");
    if (params.name === "big")
      content[0] = { type: "text", text: "x".repeat(params.arguments.bytes) };
    if (params.name !== "stream" && params.name !== "held") return whole({ content });
    events();
    const progress = { progressToken: params._meta?.progressToken ?? 0, progress: 1 };
    const notes = { jsonrpc: "2.0", method: "notifications/progress", params: progress };
    response.write(`: hello\n\nid: 1\ndata: ${JSON.stringify(notes)}\n\n`);
    release = () => void response.end(`id: 2\ndata: ${answer({ content })}\n\n`);
    if (params.name === "stream") release();
    return undefined;
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp?key=k`),
    asked,
    left: () => left,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
