// A real small model for recordings: `smallModel/server.mjs`, in the cache of the agents. No devDependency: node-llama-cpp runs a script
// when it is installed (CL28), and brings 132 packages of 86 MB, beside 94 MB of weights, for which no newcomer should wait.
import { spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { cached } from "./exampleAgents.ts";

export interface SmallModel {
  readonly variables: { readonly [name: string]: string };
  close(): void;
}

/** Undefined where its packages cannot be had, or have no program for this machine: standard error tells. */
export async function smallModel(): Promise<SmallModel | undefined> {
  const from = resolve("test/agents/smallModel");
  const folder = cached(from);
  if (folder === undefined) return undefined;
  // The server as it is now.
  cpSync(join(from, "server.mjs"), join(folder, "server.mjs"));
  const child = spawn(process.execPath, ["server.mjs"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "inherit"],
  });
  for await (const port of child.stdout) {
    const variables = {
      OPENAI_BASE_URL: `http://127.0.0.1:${Number(port)}/v1`,
      OPENAI_API_KEY: "none",
    };
    return { variables, close: () => child.kill() };
  }
  return undefined;
}
