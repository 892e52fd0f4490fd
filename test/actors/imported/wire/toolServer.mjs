// A server of the Model Context Protocol with one tool, which says what it wrote.
import { createInterface } from "node:readline";

const say = (message) =>
  // Spaced as JSON.stringify does not: whoever passes it on as it is keeps that.
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message }).replace(":", " : ")}\n`);

const tool = {
  name: "write_file",
  description: "Writes a file.",
  inputSchema: { type: "object" },
  outputSchema: { type: "object", properties: { said: { type: "string" } }, required: ["said"] },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const capabilities = { tools: {} };
    say({ id, result: { protocolVersion: "2025-06-18", capabilities, instructions: line } });
  }
  if (method === "tools/list") say({ id, result: { tools: [tool] } });
  if (method === "tools/call") {
    if (params.arguments.path === "die") process.exit(3);
    const said = `wrote ${params.arguments.path} and more`;
    const content = [{ type: "text", text: said }];
    say({
      id,
      result: {
        content,
        structuredContent: { said, bytes: said.length, isNew: true, parts: [said] },
      },
    });
  }
}
