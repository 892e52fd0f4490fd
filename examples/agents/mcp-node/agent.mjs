// A client on the official SDK for Node. Its words are the command of the server: npx ghostlight mcp -- node server.mjs
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "clerk", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
await client.listTools();
const said = await client.callTool({
  name: "write_file",
  arguments: { path: "out.txt", text: "hello" },
});
console.log(said.content.length > 0 ? "Done." : "It returned nothing.");
await client.close();
