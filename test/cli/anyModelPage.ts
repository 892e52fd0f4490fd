// docs/any-model.md, command by command, against the small server on loopback: what it quotes is printed.
import { openaiLoopback } from "../edges/openai/loopbackServer.ts";
import type { Said } from "./ghostlight.ts";
import { quotedCommands } from "./quotedCommands.ts";

const HOST = "http://127.0.0.1:8000/v1";

/** Times, counts and digests differ from run to run; a busy machine takes seconds, and may leave a question open. */
const masked = (line: string): string =>
  line
    .replace(/, \d+ open/, "")
    .replaceAll(/\b\d+(\.\d+)? m?s\b/g, "N ms")
    .replaceAll(/\b\d+\b/g, "N");

/** Quoted lines that a command does not print, by `run` in one folder after the other; and how many commands there were. */
export async function anyModelPage(
  run: (args: readonly string[]) => Promise<Said>,
): Promise<{ readonly commands: number; readonly faults: readonly string[] }> {
  const server = await openaiLoopback({ latencyMs: 5 });
  const faults: string[] = [];
  const commands = quotedCommands("docs/any-model.md");
  for (const { args, lines } of commands) {
    const { code, stdout, stderr } = await run(
      args.map((one) => (one === HOST ? server.host : one)),
    );
    const said = new Set(`${stdout}\n${stderr}`.split("\n").map(masked));
    const isRefused = lines.some((line) => line.includes(": found "));
    if (code !== (isRefused ? 2 : 0)) faults.push(`exit ${code}: ${args.join(" ")}\n${stderr}`);
    for (const line of lines) {
      if (line !== "…" && !said.has(masked(line))) faults.push(`not printed: ${line}`);
    }
  }
  await server.close();
  return { commands: commands.length, faults };
}
