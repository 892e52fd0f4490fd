/** What `ghostlight record` and `rerun` say when a program has ended. */
import { diffWords } from "diff";
import { countOf } from "../../../../contract/countOf.ts";
import { quoted } from "../../../../edges/errors.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import type { Json } from "../../../../machines/letter.ts";
import type { AgentEnded } from "../wire/agentProcess.ts";
import { HINTS } from "../wire/apis.ts";
import type { Exchange } from "../wire/exchangeLog.ts";
import type { LearnedRule } from "../wire/learnedRules.ts";
import { type Hidden, RULES } from "../wire/matching.ts";
import { offeredIn, withResults } from "../wire/messages.ts";
import type { Parted } from "../wire/replayer.ts";
import { row } from "./importText.ts";

export const endedText = ({ code, signal }: AgentEnded): string =>
  code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;

/** Nothing went through: what to look at. */
export const unseenText = (others: number, ended: AgentEnded | null = null): string =>
  [
    "No call of a model came through the gateway: nothing was recorded.",
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
}

export function countsOf(exchanges: readonly Exchange[]): CallCounts {
  const byApi: Record<string, number> = {};
  const seen = new Map<string, string>();
  for (const { api, request } of exchanges) {
    byApi[api] = (byApi[api] ?? 0) + 1;
    withResults(request, ({ call, tool, content }) => {
      seen.set(call, tool === "" ? "a tool without a name" : tool);
      return content;
    });
  }
  const results = new Map<string, number>();
  for (const tool of seen.values()) results.set(tool, (results.get(tool) ?? 0) + 1);
  return {
    ...{ calls: exchanges.length, byApi, results: Object.fromEntries(results) },
    streamed: exchanges.filter(({ pieces }) => pieces !== undefined).length,
    failed: exchanges.filter(({ status }) => status >= 400).length,
    faults: exchanges.reduce((sum, { faults = [] }) => sum + faults.length, 0),
    redacted: exchanges.filter(({ redacted = 0 }) => redacted > 0).length,
    offered: [...new Set(exchanges.flatMap(({ request }) => offeredIn(request)))].sort(),
  };
}

export function callRows(counts: CallCounts): readonly string[] {
  const { calls, byApi, streamed, failed, faults, redacted, offered, results } = counts;
  const each = Object.entries(byApi).map(([api, count]) => `${api} ${count}`);
  const told = Object.entries(results).map(([tool, count]) => `${tool} ${count}`);
  return [
    row(
      "model",
      `${countOf(calls, "call")} (${each.join(", ")}), ${streamed} streamed, ${failed} answered with an error`,
    ),
    row("tools", offered.length === 0 ? "none was offered" : `offered: ${offered.join(", ")}`),
    ...(told.length === 0 ? [] : [row("", `results told to the model: ${told.join(", ")}`)]),
    ...(faults === 0 ? [] : [row("faults", `${faults} put on the wire`)]),
    ...(redacted === 0
      ? []
      : [row("redacted", `secrets were replaced in ${countOf(redacted, "call")}`)]),
  ];
}

/** What a program does outside the gateway, before it does it. */
export const rightsText = (offered: readonly string[]): string =>
  offered.length === 0
    ? "The program runs with your rights. Its own tools really run: only its models are answered by the gateway."
    : `The program runs with your rights. The gateway answers for its models; these tools of its own really run again: ${offered.join(", ")}.`;

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
