// A server that falls silent within its answer. On a socket of its own: msw 3 stops Node's fetch with an
// assertion when a request ends in the middle of an answer.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { chat } from "../../../src/edges/ollama/chat.ts";

it("[LV8] a server that falls silent within its answer is a time-out", async () => {
  const begun = { model: "tiny", message: { role: "assistant", content: "a" }, done: false };
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write(`${JSON.stringify(begun)}\n`);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;

  const answer = chat({
    server: { host: `http://127.0.0.1:${port}` },
    ...{ model: "tiny", prompt: "p", format: "json", think: false, keepAlive: "1ms" },
    options: { seed: 7, temperature: 0.7, num_ctx: 8192, num_predict: 64 },
    ...{ timeoutMs: 200, signal: new AbortController().signal },
  });

  await expect(answer).rejects.toMatchObject({ kind: "timeout" });
  server.closeAllConnections();
  server.close();
});
