// A server of the Model Context Protocol that pays, and says so before it answers; PAID names a file that gets a line for each payment.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

if (process.env.PAID) appendFileSync(`${process.env.PAID}.started`, ".");

const say = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    say({ id, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} } } });
  }
  if (method === "tools/list") say({ id, result: { tools: [{ name: "pay" }, { name: "look" }] } });
  if (method === "tools/call") {
    if (process.env.PAID) appendFileSync(process.env.PAID, `${params.name}\n`);
    say({ method: "notifications/tools/list_changed" });
    say({ id, result: { content: [{ type: "text", text: `${params.name} is done` }] } });
  }
}
