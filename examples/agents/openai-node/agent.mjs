// An agent on OpenAI's SDK for Node: a streamed chat completion, and one tool.
import { writeFileSync } from "node:fs";
import OpenAI from "openai";

const client = new OpenAI(); // Finds the gateway by OPENAI_BASE_URL.

const writeFile = {
  type: "function",
  function: {
    name: "write_file",
    description: "Writes a text file.",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, text: { type: "string" } },
      required: ["path", "text"],
    },
    parse: JSON.parse,
    function: ({ path, text }) => {
      writeFileSync(path, text);
      return `wrote ${text.length} characters to ${path}`;
    },
  },
};

const runner = client.chat.completions.runTools({
  model: "gpt-5-mini",
  messages: [{ role: "user", content: "Write hello to out.txt." }],
  tools: [writeFile],
  stream: true,
});
console.log(await runner.finalContent());
