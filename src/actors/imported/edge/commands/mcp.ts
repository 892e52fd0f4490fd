/**
 * `ghostlight mcp -- SERVER…`: stands in for a server of tools, so that a client of the Model Context Protocol starts this in its
 * place; with `--url`, for one that is reached by HTTP. Standard output is the protocol's, or has the address alone: whatever a
 * person is told goes to standard error. Under `record` and `rerun` the gateway keeps what passes, or answers.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { flagError } from "../../../../cli/flags.ts";
import { note, print } from "../../../../cli/output.ts";
import { interruptible } from "../../../../cli/signals.ts";
import { countOf } from "../../../../contract/countOf.ts";
import { badInput } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { sha256Hex } from "../../../../substrate/digest.ts";
import { bundleOf } from "../recordedBundle.ts";
import { Redaction } from "../redacted.ts";
import { endChild, notStarted } from "../wire/agentProcess.ts";
import { httpAddress } from "../wire/apis.ts";
import { MESSAGES } from "../wire/exchangeLog.ts";
import { listening } from "../wire/gateway.ts";
import { httpStandIn } from "../wire/httpStandIn.ts";
import { masks } from "../wire/matching.ts";
import { McpRelay } from "../wire/mcpRelay.ts";
import { gatewayKeeper, type Keeper, ownKeeper } from "../wire/standIns.ts";
import { linesOf, messageOf } from "../wire/upstream.ts";
import { faultsOf, WireFaults } from "../wire/wireFaults.ts";
import { importText } from "./importText.ts";
import { atPort, nameOf, outFolder, portOf, seedOf } from "./record.ts";

/** How often it is looked whether who started it is there, in ms. */
const LOOK_MS = 1_000;

export interface McpFlags {
  /** Of a server that is reached by HTTP. */
  readonly url?: string;
  readonly listen?: string;
  readonly out?: string;
  readonly fault?: readonly string[];
  readonly seed?: string;
  readonly json?: true;
}

export async function mcpCommand(words: readonly string[], flags: McpFlags): Promise<number> {
  const url = urlOf(words, flags);
  const port = portOf(flags.listen);
  const faults = faultsOf(flags.fault ?? [], "server");
  const seed = seedOf(flags.seed);
  const redaction = new Redaction();
  const named = url === null ? words : [url.hostname];
  let isLost = false;
  const around = await gatewayKeeper(serverName(words, url), redaction, (reason) => {
    if (!isLost) note(`A message is not kept, and goes on: ${reason}`);
    isLost = true;
  });
  const keeper = around ?? ownKeeper(outFolder(flags.out, named, "mcp"), redaction);
  if (around !== null && flags.out !== undefined)
    note(`The gateway keeps what passes: --out ${flags.out} is not used.`);
  const relay = new McpRelay(keeper.keep, new WireFaults(faults, seed));
  const stop = interruptible("ending the server; what came so far is kept");
  let [code, count]: [number | null, number] = [0, 0];
  try {
    if (url !== null) await serving(url, port, relay, keeper, stop.signal);
    else if (keeper.isAnswered) code = await answering(relay, stop.signal);
    else code = await relaying(words, relay, stop.signal);
  } finally {
    stop.dispose();
    count = keeper.close();
  }
  if (count === 0) {
    note("No message came through: the client did not speak to this server.");
    return EXIT.failed;
  }
  const { out } = keeper;
  const session = out === null ? null : await bundleOf(out, MESSAGES);
  const calls = [...relay.called].map(([tool, times]) => `${tool} ${times}`).join(", ");
  if (flags.json) {
    note(JSON.stringify({ out, calls: Object.fromEntries(relay.called), faulty: relay.faulty }));
  } else {
    note(`Calls of tools: ${calls || "none"}; ${countOf(relay.faulty, "result")} met a fault.`);
    if (session !== null && out !== null) note(importText({ session, out, interrupted: false }));
  }
  return code === 0 || code === null ? EXIT.ok : EXIT.failed;
}

/** Null for a server that is started here. */
function urlOf(words: readonly string[], { url, listen }: McpFlags): URL | null {
  const todo = "For example: npx ghostlight mcp -- npx @modelcontextprotocol/server-filesystem .";
  const allowed = "the command of a server of tools, behind --, or --url with its address";
  if (url === undefined) {
    if (words.length === 0) throw badInput("mcp", "no command", allowed, todo);
    if (listen === undefined) return null;
    throw badInput("--listen", "no --url", "--listen beside --url", "Leave --listen out.");
  }
  if (words.length > 0) throw badInput("mcp", "a command and --url", allowed, "Leave one out.");
  const address = httpAddress(url);
  if (address !== null) return address;
  throw flagError("--url", url, "an address, such as https://host/mcp", "Give one.");
}

/** Alike wherever the server is started; tells nothing of its words or its address, since secrets may be among them. */
function serverName(words: readonly string[], url: URL | null): string {
  const all = words.map((word) => (existsSync(word) ? basename(word) : word));
  const text = url === null ? all.join(" ") : `${url.hostname}${url.pathname}`;
  return `${url?.hostname ?? nameOf(words)}-${sha256Hex(masks(text)).slice(0, 8)}`;
}

/** Until it is stopped; under a gateway, until who started it is gone. */
async function serving(
  upstream: URL,
  port: number,
  relay: McpRelay,
  { isAnswered, out }: Keeper,
  stop: AbortSignal,
): Promise<void> {
  let isShut = false;
  const onShut = (): void => {
    if (!isShut) note(SHUT);
    isShut = true;
  };
  const answering = httpStandIn(upstream, relay, { isAnswered, onShut });
  const { address, close } = await atPort(port, (free) => listening(free, () => answering));
  note(`Stands in for a server at ${upstream.host}; Ctrl-C ends it. The address for the agent:`);
  print(`${address}${upstream.pathname}`);
  const parent = process.ppid;
  while (!stop.aborted && (out !== null || process.ppid === parent)) {
    await setTimeout(LOOK_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  await close();
}

const SHUT =
  "The server asks the agent to sign in (401). An Authorization header of the agent's goes through and is never kept. Signing in by OAuth is not supported through a stand-in, since the server names its own address and the agent knows another one: give the agent a token, as a header.";

/** A recording answers. */
async function answering(relay: McpRelay, stop: AbortSignal): Promise<number> {
  stop.addEventListener("abort", () => process.stdin.destroy(), { once: true });
  try {
    await eachLine(process.stdin, process.stdout, async (line) => {
      const told = (await relay.client(line)) ?? [];
      return told.length === 0 ? undefined : told.join("\n");
    });
    return 0;
  } catch (error) {
    note(`The gateway answers no longer: ${messageOf(error)}`);
    return 1;
  }
}

/** Until the server ends, or the client leaves it; its exit code, null where a signal ended it. Throws BadInput where it cannot be started. */
async function relaying(
  [program = "", ...args]: readonly string[],
  relay: McpRelay,
  stop: AbortSignal,
): Promise<number | null> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const { stdin, stdout } = child;
  const ended = new Promise<number | null>((done, failed) => {
    child.once("error", (error: NodeJS.ErrnoException) => failed(notStarted(program, error)));
    // Null where we ended it: a signal of somebody else's is a failure.
    child.once("close", (code) => done(code ?? (stop.aborted ? null : EXIT.failed)));
  });
  stop.addEventListener("abort", () => endChild(child), { once: true });
  // A server that is gone takes no more; why it is gone, its exit says.
  stdin.on("error", () => {});
  let isOver = false;
  // A client may speak on: nobody waits for it, and nothing of that is kept.
  void eachLine(process.stdin, stdin, async (line) => {
    if (isOver) return undefined;
    const told = await relay.client(line);
    for (const one of told ?? []) process.stdout.write(`${one}\n`);
    return told === undefined ? line : undefined;
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
  become: (line: string) => Promise<string | undefined>,
): Promise<void> {
  for await (const line of linesOf(from)) {
    if (to.destroyed) return;
    const text = await become(line);
    if (text !== undefined && !to.write(`${text}\n`)) {
      await Promise.race([once(to, "drain"), once(to, "close")]);
    }
  }
}
