/** By what a format is known: its content alone. The first rule that one of the first values of a file keeps decides. */
import type { Json } from "../../../../machines/letter.ts";
import type { Format } from "../../record.ts";
import { ChatReader } from "./chat.ts";
import { messageListOf } from "./episode.ts";
import { answerOf, exchangeOf, inputOf, isBareResponse, isWired } from "./exchange.ts";
import { type Fields, fieldOf, listOf, mapIn, mapOf, mapsIn, textOf } from "./fields.ts";
import { isAdk, isAdkEvent, tellAdkEvent, tellAdkSession } from "./formats/adk.ts";
import { claudeCode, isClaudeCode } from "./formats/claudeCode.ts";
import { codex, isCodex } from "./formats/codex.ts";
import { isInspect, sampleId, samplesIn, tellSample } from "./formats/inspect.ts";
import { isMcp, isMcpBeside, mcp } from "./formats/mcp.ts";
import {
  isOpenHands,
  isOpenHandsEvent,
  tellOpenHands,
  tellOpenHandsRun,
} from "./formats/openHands.ts";
import { isMiniSwe, isSweAgent, tellMiniSwe, tellSweAgent } from "./formats/programmers.ts";
import {
  isLangfuse,
  isLangsmith,
  isOpenaiAgents,
  langfuseSpans,
  langsmithSpans,
  openaiAgentsSpans,
} from "./formats/runs.ts";
import { eventsOrRuns, itself, RunReader, SessionReader } from "./formats/sessions.ts";
import { holdsAutogen, holdsGemini, holdsLangchain, holdsVercel } from "./formats/shapes.ts";
import { HollowReader, isHollow } from "./hollow.ts";
import { isMessage, knownRole, NAMES } from "./messageFields.ts";
import { isOtlp } from "./otlp/export.ts";
import { OtlpReader } from "./otlp/otlp.ts";
import type { Reader, ReaderOf } from "./reader.ts";

type Known = Exclude<Format, "mapped">;

export interface Rule {
  readonly format: Known;
  /** What a value of the file must hold. */
  readonly words: string;
  readonly holds: (value: Json) => boolean;
  /** Who reads such a file; a ChatReader where it is absent. */
  readonly reader?: (of: ReaderOf) => Reader;
}

/** As `import --explain` prints it, in the order in which it is asked. */
export const RULES: readonly Rule[] = [
  {
    format: "otlp",
    words: "resourceSpans, as an OTLP export request in JSON has them",
    holds: isOtlp,
    reader: (of) => new OtlpReader(of),
  },
  {
    format: "hollow",
    words:
      "a step of execution_chain.jsonl, a goal of a registry, or another record of hollow-agentOS",
    holds: isHollow,
    reader: (of) => new HollowReader(of),
  },
  {
    format: "langsmith",
    words: "runs with run_type and inputs, as LangSmith exports them",
    holds: isLangsmith,
    reader: (of) => new OtlpReader(of, undefined, langsmithSpans),
  },
  {
    format: "langfuse",
    words: "observations with a type such as GENERATION and a startTime, alone or in a trace",
    holds: isLangfuse,
    reader: (of) => new OtlpReader(of, undefined, langfuseSpans),
  },
  {
    format: "openai-agents",
    words: "objects trace and trace.span, as OpenAI's Agents SDK exports them",
    holds: isOpenaiAgents,
    reader: (of) => new OtlpReader(of, undefined, openaiAgentsSpans),
  },
  {
    format: "claude-code",
    words: "lines with sessionId, type and uuid, as sessions of Claude Code have them",
    holds: isClaudeCode,
    reader: (of) => new SessionReader(of, claudeCode),
  },
  {
    format: "codex",
    words: "lines with payload and type response_item, session_meta or event_msg",
    holds: isCodex,
    reader: (of) => new SessionReader(of, codex),
  },
  {
    format: "mcp",
    words: "messages with jsonrpc 2.0 and a method of the Model Context Protocol",
    holds: isMcp,
    reader: (of) =>
      of.first.some(({ value }) => isMcpBeside(mapIn(value)))
        ? new ChatReader(of)
        : new SessionReader(of, (log) => mcp(() => ({ log, isMade: false }))),
  },
  {
    format: "inspect",
    words: "a sample with epoch and messages, or the log of an evaluation, of inspect_ai",
    holds: isInspect,
    reader: (of) => new RunReader(of, { logs: samplesIn, id: sampleId, tell: tellSample }),
  },
  {
    format: "mini-swe-agent",
    words: "messages beside trajectory_format or info.mini_version of mini-swe-agent",
    holds: isMiniSwe,
    reader: (of) => new RunReader(of, { ...itself, tell: tellMiniSwe }),
  },
  {
    format: "swe-agent",
    words: "a trajectory of steps with action and observation, as SWE-agent writes it",
    holds: isSweAgent,
    reader: (of) => new RunReader(of, { ...itself, tell: tellSweAgent }),
  },
  {
    format: "openhands",
    words: "events with source and action or observation, or a kind, of OpenHands",
    holds: isOpenHands,
    reader: eventsOrRuns(isOpenHandsEvent, tellOpenHands, tellOpenHandsRun),
  },
  {
    format: "adk",
    words: "events with author and invocationId, alone or in a session, of Google's ADK",
    holds: isAdk,
    reader: eventsOrRuns(isAdkEvent, tellAdkEvent, tellAdkSession),
  },
  {
    format: "gemini",
    words: "contents with the role model, or parts such as functionCall",
    holds: holdsGemini,
  },
  {
    format: "autogen",
    words: "messages whose type is one of AutoGen's, such as ToolCallRequestEvent",
    holds: holdsAutogen,
  },
  {
    format: "langchain",
    words: "messages of the type human or ai with LangChain's fields, or written by it",
    holds: holdsLangchain,
  },
  {
    format: "vercel",
    words: "parts of the type tool-call, tool-NAME or step-start, of Vercel's AI SDK",
    holds: holdsVercel,
  },
  {
    format: "anthropic",
    words:
      "content blocks tool_use, tool_result or thinking, tools with input_schema, or a response with stop_reason",
    holds: isAnthropic,
  },
  {
    format: "ollama",
    words: "calls whose arguments are objects, tool_name, or a response with done and message",
    holds: isOllama,
  },
  {
    format: "speakers",
    words:
      "messages whose role is a name, or with speaker, from or agent beside a text, or a history with name and without tool calls",
    holds: isSpeakers,
  },
  {
    format: "openai",
    words:
      "messages with role and content or tool_calls, alone, in a list, or in a request with its response",
    holds: (value) =>
      messagesIn(value).some(
        (message) => knownRole(roleOf(message)) !== null || message["type"] === "function_call",
      ),
  },
];

/** Of a format, who reads it. */
export const readerFor = (format: Known, of: ReaderOf): Reader =>
  RULES.find((rule) => rule.format === format)?.reader?.(of) ?? new ChatReader(of);

export interface Detected {
  readonly rule: Rule;
  /** The number of the value that decided, from 1. */
  readonly by: number;
}

/** Null where no rule is kept. */
export function detected(values: readonly Json[]): Detected | null {
  // What passed servers of tools stands beside what a model was asked, and is read with it.
  const isBeside = values.some((value) => isWired(mapIn(value)));
  for (const rule of RULES) {
    const at = values.findIndex(
      (value) => rule.holds(value) && !(isBeside && isMcpBeside(mapIn(value))),
    );
    if (at >= 0) return { rule, by: at + 1 };
  }
  return null;
}

/** Formats of which a message of one may well look like one of another: they are read alike. */
const ALIKE: ReadonlySet<Format> = new Set(["anthropic", "ollama", "speakers", "openai"]);

/** Another format that values of the file fit as well, where one that is taken is no mere shape of messages. */
export function rival(values: readonly Json[], { rule: taken }: Detected): Detected | null {
  if (ALIKE.has(taken.format)) return null;
  for (const rule of RULES) {
    if (rule === taken || ALIKE.has(rule.format)) continue;
    // A value that the one taken reads is its own, whatever else it looks like.
    const at = values.findIndex((value) => rule.holds(value) && !taken.holds(value));
    if (at >= 0) return { rule, by: at + 1 };
  }
  return null;
}

const roleOf = (message: Fields): string =>
  textOf(message["role"]) ?? textOf(message["type"]) ?? textOf(message["from"]) ?? "";

/** The messages that a value is or holds, whatever stands around them. */
function messagesIn(value: Json): readonly Fields[] {
  const list = listOf(value);
  if (list !== null) return mapsIn(list.filter(isMessage));
  const fields = mapOf(value);
  if (fields === null) return [];
  const bare = { request: fields, response: isBareResponse(fields) ? fields : null };
  const { request, response } = exchangeOf(fields) ?? bare;
  const asked = inputOf(request ?? {}) ?? [];
  const answered = response === null ? [] : answerOf(response).messages;
  const found = [...asked, ...answered];
  if (found.length > 0) return mapsIn(found);
  return isMessage(value) ? [fields] : [];
}

const BLOCKS = new Set(["tool_use", "tool_result", "thinking", "server_tool_use"]);

/** Of the value itself, and of the request and the response in it. */
function bodies(value: Json): readonly Fields[] {
  const fields = mapOf(value);
  if (fields === null) return [];
  const exchange = exchangeOf(fields);
  return mapsIn([fields, exchange?.request ?? null, exchange?.response ?? null]);
}

function isAnthropic(value: Json): boolean {
  const isBlock = ({ type }: Fields): boolean => BLOCKS.has(textOf(type) ?? "");
  if (messagesIn(value).some(({ content }) => mapsIn(content).some(isBlock))) return true;
  return bodies(value).some(
    (body) =>
      mapsIn(body["tools"]).some((tool) => mapOf(tool["input_schema"]) !== null) ||
      (body["type"] === "message" && Object.hasOwn(body, "stop_reason")) ||
      Object.hasOwn(body, "anthropic_version"),
  );
}

function isOllama(value: Json): boolean {
  const isCall = (call: Fields): boolean => mapOf(mapIn(call["function"])["arguments"]) !== null;
  const isOwn = ({ tool_calls, tool_name }: Fields): boolean =>
    mapsIn(tool_calls).some(isCall) || textOf(tool_name) !== null;
  const isAnswer = ({ done, message, eval_count }: Fields): boolean =>
    typeof done === "boolean" && (mapOf(message) !== null || eval_count !== undefined);
  return messagesIn(value).some(isOwn) || bodies(value).some(isAnswer);
}

function isSpeakers(value: Json): boolean {
  const messages = messagesIn(value);
  if (messages.some(hasCalls)) return false;
  const isNamed = (message: Fields): boolean => {
    const role = textOf(message["role"]);
    if (role !== null) return knownRole(role) === null;
    // What has a type alone is an item of a response, and no speaker.
    return textOf(fieldOf(message, NAMES)) !== null && knownRole(roleOf(message)) === null;
  };
  if (messages.some(isNamed)) return true;
  const fields = mapOf(value);
  const isHistory = fields !== null && messageListOf(fields) === "history";
  return isHistory && messages.some(({ name }) => textOf(name) !== null);
}

const hasCalls = ({ tool_calls, function_call, tool_call_id }: Fields): boolean =>
  listOf(tool_calls) !== null || mapOf(function_call) !== null || textOf(tool_call_id) !== null;
