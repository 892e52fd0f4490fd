// A server with OpenAI's chat completions: it has `write_file` called once, and says that all is done, unless it was told to check and
// sees nothing. Where it doubts, its seed says which.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Asked {
  readonly seed: number;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export interface TaskModel {
  readonly base: string;
  /** How often it was asked. */
  readonly asked: () => number;
  close(): void;
}

export async function taskModel(): Promise<TaskModel> {
  let asked = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { seed, messages } = JSON.parse(text) as Asked;
    asked += 1;
    const result = messages.find(({ role }) => role === "tool")?.content;
    const doubts = result === "null" && (messages[0]?.content.includes("check") || seed % 3 === 0);
    const write = { name: "write_file", arguments: "{}" };
    const message =
      result === undefined
        ? {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "c1", type: "function", function: write }],
          }
        : { role: "assistant", content: doubts ? "I see no result." : "Done." };
    const usage = { prompt_tokens: 100, completion_tokens: 10 };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        object: "chat.completion",
        model: "m",
        choices: [{ index: 0, message }],
        usage,
      }),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}/v1`,
    asked: () => asked,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
