// An agent on Anthropic's SDK for Node: streamed messages, and one tool.
import { writeFileSync } from "node:fs";
import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic(); // Finds the gateway by ANTHROPIC_BASE_URL.

const tools = [
  {
    name: "write_file",
    description: "Writes a text file.",
    input_schema: {
      type: "object",
      properties: { path: { type: "string" }, text: { type: "string" } },
      required: ["path", "text"],
    },
  },
];

const messages = [{ role: "user", content: "Write hello to out.txt." }];
for (let turn = 0; turn < 5; turn++) {
  const asked = { model: "claude-haiku-4-5", max_tokens: 500, messages, tools };
  const { content } = await client.messages.stream(asked).finalMessage();
  messages.push({ role: "assistant", content });
  const calls = content.filter(({ type }) => type === "tool_use");
  if (calls.length === 0) {
    console.log(content.map(({ text }) => text ?? "").join(""));
    break;
  }
  const results = calls.map(({ id, input: { path, text } }) => {
    writeFileSync(path, text);
    const said = `wrote ${text.length} characters to ${path}`;
    return { type: "tool_result", tool_use_id: id, content: said };
  });
  messages.push({ role: "user", content: results });
}
