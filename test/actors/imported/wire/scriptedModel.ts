// A server with OpenAI's chat completions: it has `pay` called so often, and then says that all is done.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const SAID = "Done. The key is sk-answeranswer";

export interface ScriptedModel {
  readonly base: string;
  /** What the results of tools were that it was told last. */
  readonly results: () => readonly string[];
  close(): void;
}

interface Asked {
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export async function scriptedModel(calls: number): Promise<ScriptedModel> {
  let results: readonly string[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { stream = false, messages } = JSON.parse(text) as Asked;
    results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    const id = `call_${results.length}`;
    const pay = { name: "pay", arguments: '{"amount": 42}' };
    const message =
      results.length < calls
        ? {
            role: "assistant",
            content: null,
            tool_calls: [{ id, type: "function", function: pay }],
          }
        : { role: "assistant", content: `${SAID}answer1.` };
    response.writeHead(200, {
      "content-type": stream ? "text/event-stream" : "application/json",
      "set-cookie": "session=sk-cookiecookiecookie1",
    });
    if (!stream) {
      response.end(
        JSON.stringify({ object: "chat.completion", model: "m", choices: [{ index: 0, message }] }),
      );
      return;
    }
    const piece = (delta: object): void => {
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
    };
    if (message.tool_calls === undefined) {
      for (const part of message.content?.match(/.{1,7}/g) ?? []) piece({ content: part });
    } else {
      piece({ tool_calls: [{ index: 0, id, type: "function", function: { name: "pay" } }] });
      for (const part of pay.arguments.match(/.{1,5}/g) ?? []) {
        piece({ tool_calls: [{ index: 0, function: { arguments: part } }] });
      }
    }
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}/v1`,
    results: () => results,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
