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
import { Remembered } from "../wire/messageDigests.ts";
import { isCalled, offeredIn, withResults } from "../wire/messages.ts";
import { listed } from "../wire/recordedTools.ts";
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
    ...hints(),
  ].join("\n");

const hints = (): readonly string[] => HINTS.map((hint) => `  ${hint}`);

/** The program asks a model's server by itself as well, at these addresses. */
export const someText = (past: readonly string[]): string =>
  [
    `Only some calls of models came through the gateway: the program itself connected to ${past.join(", ")}, where those went, too. What to set:`,
    ...hints(),
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

/** Counts what is kept while it comes: a recording may be longer than the memory. */
export class CallCounter {
  #calls = 0;
  #streamed = 0;
  #failed = 0;
  #faults = 0;
  #redacted = 0;
  readonly #byApi = new Map<string, number>();
  readonly #toolCalls = new Map<string, number>();
  readonly #results = new Map<string, number>();
  /** Calls whose results were told: a conversation repeats them. */
  readonly #told = new Remembered<string, true>();
  readonly #offered = new Set<string>();
  readonly #servers = new Set<string>();
  readonly #served = new Set<string>();

  add(kept: Exchange | McpLine): void {
    if ((kept.redacted ?? 0) > 0) this.#redacted += 1;
    if ("api" in kept) this.#call(kept);
    else this.#message(kept);
  }

  #call({ api, request, pieces, status, faults = [] }: Exchange): void {
    this.#calls += 1;
    this.#faults += faults.length;
    if (pieces !== undefined) this.#streamed += 1;
    if (status >= 400) this.#failed += 1;
    oneMoreOf(this.#byApi, api);
    for (const tool of offeredIn(request)) this.#offered.add(tool);
    withResults(request, ({ call, tool, content }) => {
      if (this.#told.take(call) === undefined)
        oneMoreOf(this.#results, tool === "" ? "a tool without a name" : tool);
      this.#told.keep(call, true);
      return content;
    });
    this.#told.forget();
  }

  #message({ message, server, fault }: McpLine): void {
    if (fault !== undefined) this.#faults += 1;
    if (server !== undefined) this.#servers.add(server);
    const { method, params, result } = mapIn(message);
    const called = method === "tools/call" ? textOf(mapIn(params)["name"]) : null;
    if (called !== null) oneMoreOf(this.#toolCalls, called);
    for (const tool of [...offeredIn(result ?? null), ...(called === null ? [] : [called])])
      this.#served.add(tool);
  }

  get counts(): CallCounts {
    return {
      ...{ calls: this.#calls, streamed: this.#streamed, failed: this.#failed },
      ...{ faults: this.#faults, redacted: this.#redacted },
      byApi: Object.fromEntries(this.#byApi),
      ...{
        results: Object.fromEntries(this.#results),
        toolCalls: Object.fromEntries(this.#toolCalls),
      },
      ...{ offered: sorted(this.#offered), servers: sorted(this.#servers) },
      served: sorted(this.#served),
    };
  }
}

const sorted = (names: ReadonlySet<string>): readonly string[] => [...names].sort();

function oneMoreOf(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function countsOf({
  exchanges,
  messages,
}: Pick<ReadExchanges, "exchanges" | "messages">): CallCounts {
  const counter = new CallCounter();
  for (const one of [...exchanges, ...messages]) counter.add(one);
  return counter.counts;
}

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

/** Of a recording whose program was killed. */
export const cutText = (recording: string): string =>
  `${recording} breaks off in its last line, as a kill leaves it: that line is left out.`;

/** What a program does outside the gateway, before it does it. `served` are tools whose servers a recording answers for. */
export function rightsText(offered: readonly string[], served: readonly string[] = []): string {
  const own = offered.filter((tool) => !served.some(isCalled(tool)));
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
