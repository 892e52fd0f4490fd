// A server of tools on the official SDK for Node.
import { writeFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "files", version: "1.0.0" });
const inputSchema = { path: z.string(), text: z.string() };
server.registerTool(
  "write_file",
  { description: "Writes a text file.", inputSchema },
  ({ path, text }) => {
    writeFileSync(path, text);
    return { content: [{ type: "text", text: `wrote ${text.length} characters to ${path}` }] };
  },
);
await server.connect(new StdioServerTransport());
