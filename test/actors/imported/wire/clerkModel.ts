// A clerk whose tools really run: it writes two files and looks at one where it is in doubt. What it says and calls follows from what it was
// told, and from what it is like.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentVariables } from "../../../../src/index.ts";

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly function: Called }[];
}

interface Called {
  readonly name: string;
  readonly arguments: string;
}

/** `careful` writes again what came to nothing; `doubting` looks first; `trusting` goes on. */
export type Kind = "careful" | "doubting" | "trusting";

const write = (path: string) => ({ name: "write_file", args: { path, text: "order" } });

function next(kind: Kind, messages: readonly Message[]) {
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  const calls = messages.flatMap(({ tool_calls: own = [] }) => own.map((one) => one.function));
  const last = results.at(-1);
  const files = new Set(calls.map((one) => one.arguments)).size;
  const isNothing = last === "null" && calls.at(-1)?.name === "write_file";
  if (last === undefined) return write("a.txt");
  if (isNothing && kind === "doubting") return { name: "read_file", args: { path: "a.txt" } };
  const isAgain = calls.at(-1)?.arguments === calls.at(-2)?.arguments;
  if (isNothing && kind === "careful" && !isAgain) return write(`${files === 1 ? "a" : "b"}.txt`);
  if (isNothing && kind === "careful") return "I could not write it.";
  return calls.some((one) => one.arguments.includes("b.txt")) ? "Done." : write("b.txt");
}

export async function clerkModel() {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { user, messages } = JSON.parse(text) as { user: Kind; messages: readonly Message[] };
    const does = next(user, messages);
    const id = `c${messages.length}`;
    const message =
      typeof does === "string"
        ? { role: "assistant", content: does }
        : {
            ...{ role: "assistant", content: null },
            tool_calls: [
              {
                id,
                type: "function",
                function: { name: does.name, arguments: JSON.stringify(does.args) },
              },
            ],
          };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ object: "chat.completion", choices: [{ index: 0, message }] }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { base: `http://127.0.0.1:${port}/v1`, close };
}

/** The clerk's own loop around its model. */
export const clerk =
  (kind: Kind, task = "Store the order twice.") =>
  async ({ OPENAI_BASE_URL }: AgentVariables): Promise<void> => {
    const messages: object[] = [{ role: "user", content: task }];
    const files = new Map<string, string>();
    for (;;) {
      const body = JSON.stringify({ model: "m", user: kind, messages });
      const answer = await fetch(`${OPENAI_BASE_URL}/chat/completions`, { method: "POST", body });
      const { choices } = (await answer.json()) as {
        choices: [{ message: { tool_calls?: readonly { id: string; function: Called }[] } }];
      };
      const [{ message }] = choices;
      messages.push(message);
      if (message.tool_calls === undefined) return;
      for (const { id, function: called } of message.tool_calls) {
        const { path, text } = JSON.parse(called.arguments) as { path: string; text?: string };
        if (text !== undefined) files.set(path, text);
        const content = text === undefined ? (files.get(path) ?? "no such file") : `wrote ${path}`;
        messages.push({ role: "tool", tool_call_id: id, content });
      }
    }
  };
