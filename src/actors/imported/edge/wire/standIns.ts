/**
 * Stand-ins for servers of tools, and where they keep what passes them: a file of their own, or the log of the gateway that the
 * agent runs under. A gateway alone writes its log; a message goes on once it is written, so that what came of it comes later.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { badInput } from "../../../../edges/errors.ts";
import type { Json } from "../../../../machines/letter.ts";
import { readJson } from "../../../../machines/readJson.ts";
import type { Redaction } from "../redacted.ts";
import { GATEWAY } from "./apis.ts";
import { ExchangeWriter, isMcpLine, type McpLine, MESSAGES } from "./exchangeLog.ts";
import { type Answering, type Came, refuse, whole } from "./gateway.ts";
import type { KeepMessage } from "./mcpRelay.ts";
import { askUpstream, messageOf, wholeOf } from "./upstream.ts";

/** What a gateway tells a stand-in that comes to it. */
interface Welcome {
  /** How many came before it, and itself. */
  readonly number: number;
  /** What it does with messages: answers all of them, keeps them and answers some, or nothing: they are the stand-in's own to keep. */
  readonly does: "keep" | "answer" | "nothing";
  /** Secrets stay in them. */
  readonly isWhole: boolean;
}

/** Null for the redaction: secrets stay. */
function cleaned(line: McpLine, redaction: Redaction | null): McpLine {
  // Nothing else of what a stand-in sends: other members of a line have other meanings.
  const { message, fault, redacted = 0, timestamp, from, server, stream } = line;
  const rest = {
    ...{ timestamp, from },
    ...(server !== undefined && { server }),
    ...(stream !== undefined && { stream }),
  };
  if (redaction === null)
    return { ...rest, message, ...(fault !== undefined && { fault }), isWhole: true };
  const { clean, texts } = redaction.value(message);
  const noted = fault && redaction.value(fault as unknown as Json).clean;
  const all = redacted + texts;
  return {
    ...{ ...rest, message: clean },
    ...(noted !== undefined && { fault: noted as unknown as NonNullable<McpLine["fault"]> }),
    ...(all > 0 && { redacted: all }),
  };
}

/** The gateway's half. `take` gets each message; where it answers one, it gives what the client is told. `onCome` hears of processes. */
export function standInsAt(
  does: Welcome["does"],
  redaction: Redaction | null,
  take: (line: McpLine) => readonly Json[],
  onCome?: (pid: number) => void,
): Answering<Came> {
  let number = 0;
  return async ({ method, query, body }, reply) => {
    if (method === "GET") {
      number += 1;
      onCome?.(Number(query.slice(1)));
      const welcome: Welcome = { number, does, isWhole: redaction === null };
      return whole(reply, 200, JSON.stringify(welcome));
    }
    const line = readJson(body.toString("utf8")) ?? null;
    if (!isMcpLine(line)) return refuse(reply, 400, "no message of a server of tools");
    const answers = take(cleaned(line as unknown as McpLine, redaction));
    whole(reply, 200, JSON.stringify({ answers }));
  };
}

/** The stand-in's half. */
export interface Keeper {
  readonly keep: KeepMessage;
  /** A recording answers in the server's place: the server is not to run. */
  readonly isAnswered: boolean;
  /** The folder of a bundle of its own. */
  readonly out: string | null;
  /** How many messages came. */
  close(): number;
}

const stamped = (line: Parameters<KeepMessage>[0], redaction: Redaction | null): McpLine =>
  cleaned({ timestamp: new Date().toISOString(), ...line }, redaction);

/** In a file of its own. */
export function ownKeeper(out: string, redaction: Redaction): Keeper {
  const writer = new ExchangeWriter(join(out, MESSAGES));
  return {
    keep: async (line) => {
      writer.add(stamped(line, redaction));
      return undefined;
    },
    ...{ isAnswered: false, out },
    close: () => {
      writer.close();
      return writer.count;
    },
  };
}

/**
 * By the gateway that this process runs under; null where there is none, or it does nothing with tools. `server` names the server
 * wherever it is started. Throws BadInput where the gateway is named and does not answer. `onLost` hears why a message is not kept.
 */
export async function gatewayKeeper(
  server: string,
  redaction: Redaction,
  onLost: (reason: string) => void,
): Promise<Keeper | null> {
  const base = gatewayAround();
  if (base === undefined) return null;
  let welcome: Welcome;
  try {
    welcome = JSON.parse(await asked(`${base}?${process.pid}`, "GET", "")) as Welcome;
  } catch (error) {
    throw badInput(
      GATEWAY,
      `a gateway that does not answer: ${messageOf(error)}`,
      "the gateway of `record` or `rerun`, while it runs",
      "Start the agent by `npx ghostlight record -- COMMAND`, or unset the variable.",
    );
  }
  const { number, does, isWhole } = welcome;
  if (does === "nothing") return null;
  const isAnswered = does === "answer";
  let count = 0;
  const keep: KeepMessage = async ({ stream, ...line }) => {
    count += 1;
    const own = stream === undefined ? `${number}` : `${number}.${stream}`;
    const told = stamped({ ...line, server, stream: own }, isWhole ? null : redaction);
    try {
      const text = await asked(base, "POST", JSON.stringify(told));
      const { answers } = JSON.parse(text) as { answers: readonly Json[] };
      return isAnswered || answers.length > 0 ? answers : undefined;
    } catch (error) {
      // A server whose answers lie in a recording is not there to be asked.
      if (isAnswered) throw error;
      onLost(messageOf(error));
      return undefined;
    }
  };
  return { keep, isAnswered, out: null, close: () => count };
}

/** Throws what the network throws, and where the answer is an error. */
async function asked(base: string, method: string, body: string): Promise<string> {
  const { signal } = new AbortController();
  const came = { method, headers: {}, signal };
  const { status, pieces } = await askUpstream(new URL(base), came, Buffer.from(body));
  const text = (await wholeOf(pieces)).toString("utf8");
  if (status !== 200) throw new Error(`HTTP ${status}: ${text}`);
  return text;
}

/**
 * What the environment says. The official SDKs hand a server few variables on, so that on Linux those of the programs that started
 * this one are looked at, the nearest first.
 */
function gatewayAround(): string | undefined {
  const own = process.env[GATEWAY];
  if (own !== undefined) return own;
  try {
    for (let pid = process.ppid; pid > 1; ) {
      const found = readFileSync(`/proc/${pid}/environ`, "utf8")
        .split("\0")
        .find((one) => one.startsWith(`${GATEWAY}=`));
      if (found !== undefined) return found.slice(GATEWAY.length + 1);
      const [, parent = "0"] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      pid = Number(parent);
    }
  } catch {
    // Another system, or another person's program.
  }
  return undefined;
}
