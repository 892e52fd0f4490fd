// A server that falls silent within its answer. On a socket of its own: msw 3 stops Node's fetch with an
// assertion when a request ends in the middle of an answer.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { chat } from "../../../src/edges/ollama/chat.ts";
import { policyWith } from "../../builtIn.ts";

it("[LV8] a server that falls silent within its answer is a time-out", async () => {
  const begun = { model: "tiny", message: { role: "assistant", content: "a" }, done: false };
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write(`${JSON.stringify(begun)}\n`);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;

  const answer = chat(
    { host: `http://127.0.0.1:${port}` },
    {
      model: {
        ...{ name: "tiny", digest: "", parameters: "1B", quantization: "unknown" },
        ...{ contextLength: 0, canThink: false },
      },
      ...{ prompt: "p", format: "json", seed: 7, maxTokens: 64 },
      policy: policyWith({ "live.timeoutMs": 200 }).live,
      signal: new AbortController().signal,
    },
  );

  await expect(answer).rejects.toMatchObject({ kind: "timeout" });
  server.closeAllConnections();
  server.close();
});
