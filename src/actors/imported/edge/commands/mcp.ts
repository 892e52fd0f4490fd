/**
 * `ghostlight mcp -- SERVER…`: stands in for a server of tools, so that a client of the Model Context Protocol starts this in its
 * place. Standard output is the protocol's: whatever a person is told goes to standard error.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { note } from "../../../../cli/output.ts";
import { interruptible } from "../../../../cli/signals.ts";
import { countOf } from "../../../../contract/countOf.ts";
import { type BadInput, badInput } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { bundleOf } from "../recordedBundle.ts";
import { endChild, notStarted } from "../wire/agentProcess.ts";
import { ExchangeWriter, MESSAGES } from "../wire/exchangeLog.ts";
import { type McpLine, McpRelay } from "../wire/mcpRelay.ts";
import { faultOf, WireFaults } from "../wire/wireFaults.ts";
import { importText } from "./importText.ts";
import { outFolder, seedOf } from "./record.ts";

export interface McpFlags {
  readonly out?: string;
  readonly fault?: readonly string[];
  readonly seed?: string;
  readonly json?: true;
}

export async function mcpCommand(words: readonly string[], flags: McpFlags): Promise<number> {
  const [program, ...args] = words;
  if (program === undefined) throw noServer();
  const faults = (flags.fault ?? []).map((text) => faultOf(text, "server"));
  const out = outFolder(flags.out, words, "mcp");
  const writer = new ExchangeWriter<McpLine>(join(out, MESSAGES));
  const relay = new McpRelay(writer, new WireFaults(faults, seedOf(flags.seed)));
  const stop = interruptible("ending the server; what came so far is kept");
  let code: number | null;
  try {
    code = await relaying(program, args, relay, stop.signal);
  } finally {
    stop.dispose();
    writer.close();
  }
  if (writer.count === 0) {
    note("No message came through: the client did not speak to this server.");
    return EXIT.failed;
  }
  const session = await bundleOf(out, MESSAGES);
  const calls = [...relay.called].map(([tool, count]) => `${tool} ${count}`).join(", ");
  if (flags.json) {
    note(JSON.stringify({ out, calls: Object.fromEntries(relay.called), faulty: relay.faulty }));
  } else {
    note(`Calls of tools: ${calls || "none"}; ${countOf(relay.faulty, "result")} met a fault.`);
    note(importText({ session, out, interrupted: false }));
  }
  return code === 0 || code === null ? EXIT.ok : EXIT.failed;
}

/** Until the server ends, or the client leaves it; its exit code, null where a signal ended it. Throws BadInput where it cannot be started. */
async function relaying(
  program: string,
  args: readonly string[],
  relay: McpRelay,
  stop: AbortSignal,
): Promise<number | null> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const { stdin, stdout } = child;
  const ended = new Promise<number | null>((done, failed) => {
    child.once("error", (error: NodeJS.ErrnoException) => failed(notStarted(program, error)));
    child.once("close", done);
  });
  stop.addEventListener("abort", () => endChild(child), { once: true });
  // A server that is gone takes no more; why it is gone, its exit says.
  stdin.on("error", () => {});
  let isOver = false;
  // A client may speak on: nobody waits for it, and nothing of that is kept.
  void eachLine(process.stdin, stdin, (line) => {
    if (isOver) return undefined;
    const told = relay.client(line);
    if (told === undefined) return line;
    process.stdout.write(`${told}\n`);
    return undefined;
  }).then(
    () => stdin.end(),
    () => undefined,
  );
  const answering = eachLine(stdout, process.stdout, (line) => relay.server(line));
  const code = await ended;
  await answering;
  isOver = true;
  process.stdin.destroy();
  return code;
}

/** Passes lines on, each as it becomes, where it becomes one, and no faster than they are read. */
async function eachLine(
  from: Readable,
  to: Writable,
  become: (line: string) => string | undefined,
): Promise<void> {
  for await (const line of createInterface({ input: from, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (to.destroyed) return;
    const text = become(line);
    if (text !== undefined && !to.write(`${text}\n`)) {
      await Promise.race([once(to, "drain"), once(to, "close")]);
    }
  }
}

const noServer = (): BadInput =>
  badInput(
    "mcp",
    "no command",
    "the command of a server of tools, behind --",
    "For example: npx ghostlight mcp -- npx @modelcontextprotocol/server-filesystem .",
  );
