// An agent with a task: it writes a file by a tool, and tells its model what came of that. `check` in its words makes the model look.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const [task = "", how = ""] = process.argv.slice(2);
const messages = [
  { role: "system", content: `You write files. ${how}` },
  { role: "user", content: task },
];
const tools = [{ type: "function", function: { name: "write_file" } }];
for (let turn = 0; turn < 4; turn++) {
  const answer = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({
      model: "m",
      messages,
      tools,
      seed: Number(process.env.GHOSTLIGHT_SEED),
    }),
  });
  if (!answer.ok) process.exit(7);
  const { message } = (await answer.json()).choices[0];
  messages.push(message);
  if (message.tool_calls === undefined) {
    console.log(message.content);
    break;
  }
  const [{ id }] = message.tool_calls;
  writeFileSync(join(process.env.GHOSTLIGHT_RUN, "out.txt"), task);
  messages.push({ role: "tool", tool_call_id: id, content: "wrote 12 bytes" });
}
