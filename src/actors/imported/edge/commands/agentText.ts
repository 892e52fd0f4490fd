/** What `ghostlight record` and `rerun` say when a program has ended. */
import { diffWords } from "diff";
import { countOf } from "../../../../contract/countOf.ts";
import { quoted } from "../../../../edges/errors.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import type { Json } from "../../../../machines/letter.ts";
import { mapIn, textOf } from "../readers/fields.ts";
import type { AgentEnded } from "../wire/agentProcess.ts";
import { HINTS } from "../wire/apis.ts";
import type { Exchange, McpLine, ReadExchanges } from "../wire/exchangeLog.ts";
import type { LearnedRule } from "../wire/learnedRules.ts";
import { type Hidden, RULES } from "../wire/matching.ts";
import { offeredIn, withResults } from "../wire/messages.ts";
import type { Parted } from "../wire/replayer.ts";
import { row } from "./importText.ts";

export const endedText = ({ code, signal }: AgentEnded): string =>
  code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;

/** No model was asked: what to look at. `kept` says what came all the same. */
export const unseenText = (
  others: number,
  ended: AgentEnded | null = null,
  kept = "nothing was recorded",
): string =>
  [
    `No call of a model came through the gateway: ${kept}.`,
    ...(ended === null || ended.code === 0
      ? []
      : ["The program failed, perhaps before it would have asked: see what it printed above."]),
    ...(others > 0
      ? [`${countOf(others, "other request")} came, none of which asks a model.`]
      : []),
    "The program reads none of OPENAI_BASE_URL, ANTHROPIC_BASE_URL and OLLAMA_HOST, or asks no model. What to set:",
    ...HINTS.map((hint) => `  ${hint}`),
  ].join("\n");

export interface CallCounts {
  readonly calls: number;
  readonly byApi: { readonly [api: string]: number };
  readonly streamed: number;
  readonly failed: number;
  readonly faults: number;
  readonly redacted: number;
  /** Every tool that a request offered. */
  readonly offered: readonly string[];
  /** How many calls' results the model was told, by tool. */
  readonly results: { readonly [tool: string]: number };
  /** Servers of tools that were spoken to, what they offer, and how often each tool was called there. */
  readonly servers: readonly string[];
  readonly served: readonly string[];
  readonly toolCalls: { readonly [tool: string]: number };
}

type Kept = Pick<ReadExchanges, "exchanges" | "messages">;

export function countsOf({ exchanges, messages }: Kept): CallCounts {
  const byApi: Record<string, number> = {};
  const seen = new Map<string, string>();
  for (const { api, request } of exchanges) {
    byApi[api] = (byApi[api] ?? 0) + 1;
    withResults(request, ({ call, tool, content }) => {
      seen.set(call, tool === "" ? "a tool without a name" : tool);
      return content;
    });
  }
  const told = messages.map(({ message }) => mapIn(message));
  const called = told.flatMap(({ method, params }) =>
    method === "tools/call" ? (textOf(mapIn(params)["name"]) ?? []) : [],
  );
  const served = told.flatMap(({ result }) => offeredIn(result ?? null));
  const all: readonly (Pick<Exchange, "faults" | "redacted"> & Pick<McpLine, "fault">)[] = [
    ...exchanges,
    ...messages,
  ];
  return {
    ...{ calls: exchanges.length, byApi, results: tallied([...seen.values()]) },
    servers: [...new Set(messages.flatMap(({ server }) => server ?? []))].sort(),
    ...{ served: [...new Set([...served, ...called])].sort(), toolCalls: tallied(called) },
    streamed: exchanges.filter(({ pieces }) => pieces !== undefined).length,
    failed: exchanges.filter(({ status }) => status >= 400).length,
    faults: all.reduce((sum, { faults = [], fault }) => sum + faults.length + (fault ? 1 : 0), 0),
    redacted: all.filter(({ redacted = 0 }) => redacted > 0).length,
    offered: [...new Set(exchanges.flatMap(({ request }) => offeredIn(request)))].sort(),
  };
}

function tallied(names: readonly string[]): { readonly [name: string]: number } {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

const listed = (counts: { readonly [name: string]: number }): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");

export function callRows(counts: CallCounts): readonly string[] {
  const { calls, byApi, streamed, failed, faults, redacted, offered, results } = counts;
  const { servers, toolCalls } = counts;
  const [told, asked] = [listed(results), listed(toolCalls)];
  return [
    row(
      "model",
      `${countOf(calls, "call")} (${listed(byApi) || "none"}), ${streamed} streamed, ${failed} answered with an error`,
    ),
    row("tools", offered.length === 0 ? "none was offered" : `offered: ${offered.join(", ")}`),
    ...(told === "" ? [] : [row("", `results told to the model: ${told}`)]),
    ...(servers.length === 0
      ? []
      : [row("servers", `${servers.join(", ")}; calls there: ${asked || "none"}`)]),
    ...(faults === 0 ? [] : [row("faults", `${faults} put on the wire`)]),
    ...(redacted === 0
      ? []
      : [row("redacted", `secrets were replaced in ${countOf(redacted, "call")}`)]),
  ];
}

/** What a program does outside the gateway, before it does it. `served` are tools whose servers a recording answers for. */
export function rightsText(offered: readonly string[], served: readonly string[] = []): string {
  // As clients name them: alone, or behind the name of the server.
  const own = offered.filter(
    (tool) => !served.some((one) => tool === one || tool.endsWith(`__${one}`)),
  );
  if (own.length === 0 && served.length === 0)
    return "The program runs with your rights. Its own tools really run: only its models are answered by the gateway.";
  const servers = served.length === 0 ? "" : ` and for servers of tools (${served.join(", ")})`;
  return `The program runs with your rights. The gateway answers for its models${servers}; these tools of its own really run again: ${own.join(", ") || "none that a model was offered"}.`;
}

export const hiddenRow = (hidden: Hidden, learned: readonly LearnedRule[]): string => {
  const own = learned.filter(({ accepted }) => accepted);
  const names = [...RULES, ...own].map(({ name }) => name);
  return row("hidden", names.map((name) => `${name} ${hidden.get(name) ?? 0}`).join(", "));
};

export function partedText({ number, path, difference }: Parted): string {
  const first = `Request ${number} (${path}) is not in the recording.`;
  if (difference === null) return `${first}\nNo recorded request of that path is left.`;
  const { recorded, asked } = difference;
  return [
    first,
    `It differs from the nearest one that was recorded at ${difference.path || "its whole"}:`,
    ...(typeof recorded === "string" && typeof asked === "string"
      ? wordsText(recorded, asked)
      : [`  recorded  ${shown(recorded)}`, `  now       ${shown(asked)}`]),
  ].join("\n");
}

const shown = (value: Json | undefined): string =>
  value === undefined ? "nothing" : escapedLine(quoted(value));

const CONTEXT_CHARS = 60;

/** Word by word: `[-was-]{+is+}`, with what stands around it. */
function wordsText(recorded: string, asked: string): readonly string[] {
  const parts = diffWords(recorded, asked).map(({ value, added, removed }, index, all) => {
    if (added) return `{+${value}+}`;
    if (removed) return `[-${value}-]`;
    const isFirst = index === 0;
    const isLast = index === all.length - 1;
    if (value.length <= 2 * CONTEXT_CHARS) return value;
    const head = isFirst ? "" : value.slice(0, CONTEXT_CHARS);
    return `${head}…${isLast ? "" : value.slice(-CONTEXT_CHARS)}`;
  });
  return [`  ${escapedLine(parts.join("").toWellFormed())}`];
}
