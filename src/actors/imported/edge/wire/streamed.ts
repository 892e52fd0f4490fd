/** Answers that came in pieces, as the one body that they amount to: server-sent events and Ollama's lines. */
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { readJson } from "../../../../machines/readJson.ts";
import { type Fields, listIn, mapIn, textOf } from "../readers/fields.ts";

/** The body; null where nothing of the text can be read. A stream that breaks off gives what came until then. */
export function bodyOfStream(text: string): Json {
  const events = mapsOf(text, text.includes("data:") ? "data:" : "");
  if (events.length === 0) return null;
  const done = events.find(({ type }) => type === "response.completed");
  if (done !== undefined) return done["response"] ?? null;
  if (events.some(({ type }) => type === "message_start")) return messageOf(events);
  if (events.some(({ choices }) => Array.isArray(choices))) return completionOf(events);
  if (events.some(({ done: isDone }) => typeof isDone === "boolean")) return ollamaOf(events);
  return events.at(-1) ?? null;
}

/** Of the lines that begin so, the maps that stand behind that. */
const mapsOf = (text: string, begin: string): readonly Fields[] =>
  text.split("\n").flatMap((line) => {
    const value = line.startsWith(begin) ? readJson(line.slice(begin.length)) : undefined;
    return isMap(value) ? [value] : [];
  });

const textIn = (value: Json | undefined): string => textOf(value) ?? "";

/** OpenAI's chat completions: the first choice of each piece, put together. */
function completionOf(events: readonly Fields[]): Json {
  const calls = new Map<number, { id: string; name: string; args: string }>();
  const [texts, refusals]: [string[], string[]] = [[], []];
  let [finish, usage]: [Json, Json] = [null, null];
  for (const event of events) {
    usage = event["usage"] ?? usage;
    const choice = mapIn(listIn(event["choices"])[0]);
    const delta = mapIn(choice["delta"]);
    texts.push(textIn(delta["content"]), textIn(choice["text"]));
    refusals.push(textIn(delta["refusal"]));
    finish = choice["finish_reason"] ?? finish;
    for (const [place, given] of listIn(delta["tool_calls"]).entries()) {
      const piece = mapIn(given);
      const at = typeof piece["index"] === "number" ? piece["index"] : place;
      const call = calls.get(at) ?? { id: "", name: "", args: "" };
      const asked = mapIn(piece["function"]);
      call.id ||= textIn(piece["id"]);
      call.name += textIn(asked["name"]);
      call.args += textIn(asked["arguments"]);
      calls.set(at, call);
    }
  }
  const tools = [...calls.values()].map(({ id, name, args }) => ({
    ...{ id, type: "function", function: { name, arguments: args } },
  }));
  const refusal = refusals.join("");
  const message = {
    ...{ role: "assistant", content: texts.join("") || null },
    ...(refusal !== "" && { refusal }),
    ...(tools.length > 0 && { tool_calls: tools }),
  };
  const { id = null, model = null } = events[0] ?? {};
  const choices = [{ index: 0, message, finish_reason: finish }];
  return { id, model, object: "chat.completion", choices, ...(usage !== null && { usage }) };
}

/** Anthropic's messages: blocks by their index. */
function messageOf(events: readonly Fields[]): Json {
  const start = mapIn(events.find(({ type }) => type === "message_start")?.["message"]);
  const blocks = new Map<
    number,
    { block: Fields; text: string; json: string; thought: string; seal: string }
  >();
  let end: Fields = {};
  let usage = mapIn(start["usage"]);
  for (const event of events) {
    const at = typeof event["index"] === "number" ? event["index"] : 0;
    if (event["type"] === "content_block_start") {
      const block = mapIn(event["content_block"]);
      const text = textIn(block["text"]);
      blocks.set(at, { block, text, json: "", thought: "", seal: "" });
    }
    const one = blocks.get(at);
    if (event["type"] === "content_block_delta" && one !== undefined) {
      const delta = mapIn(event["delta"]);
      one.text += textIn(delta["text"]);
      one.json += textIn(delta["partial_json"]);
      one.thought += textIn(delta["thinking"]);
      one.seal += textIn(delta["signature"]);
    }
    if (event["type"] === "message_delta") {
      end = { ...end, ...mapIn(event["delta"]) };
      usage = { ...usage, ...mapIn(event["usage"]) };
    }
  }
  const content = [...blocks.values()].map(({ block, text, json, thought, seal }) => ({
    ...block,
    ...(block["type"] === "text" && { text }),
    ...(block["type"] === "thinking" && { thinking: thought }),
    ...(seal !== "" && { signature: seal }),
    ...(block["type"] === "tool_use" && json !== "" && { input: readJson(json) ?? json }),
  }));
  return { ...start, content, ...end, usage };
}

/** Ollama's lines: the last one says how it ended. */
function ollamaOf(events: readonly Fields[]): Json {
  const last = events.at(-1) ?? {};
  const said = events.map((one) => textIn(mapIn(one["message"])["content"])).join("");
  const calls = events.flatMap((one) => listIn(mapIn(one["message"])["tool_calls"]));
  const response = events.map((one) => textIn(one["response"])).join("");
  if (!events.some((one) => isMap(one["message"]))) return { ...last, response };
  const message = {
    role: "assistant",
    content: said,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return { ...last, message };
}

/** A body as a stream of its API, all at once. */
export function streamOf(body: Json): string {
  const fields = mapIn(body);
  if (typeof fields["done"] === "boolean") return `${JSON.stringify(body)}\n`;
  if (fields["object"] === "response") {
    return eventsText(responseEvents(fields));
  }
  if (fields["type"] === "message") return eventsText(messageEvents(fields));
  const choice = mapIn(listIn(fields["choices"])[0]);
  const { tool_calls: calls, ...said } = mapIn(choice["message"]);
  const pieces = listIn(calls).map((call, index) => ({ index, ...mapIn(call) }));
  const delta = { ...said, ...(pieces.length > 0 && { tool_calls: pieces }) };
  const finish_reason = choice["finish_reason"] ?? "stop";
  const head = { ...fields, object: "chat.completion.chunk" };
  const piece = { ...head, choices: [{ index: 0, delta, finish_reason }] };
  return `${eventsText([piece])}data: [DONE]\n\n`;
}

const eventsText = (events: readonly Fields[]): string =>
  events
    .map((event) => {
      const name = typeof event["type"] === "string" ? `event: ${event["type"]}\n` : "";
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    })
    .join("");

/** OpenAI's responses: its SDKs want to hear that one was begun, and each piece of it. */
function responseEvents(response: Fields): readonly Fields[] {
  const begun = { ...response, status: "in_progress", output: [] };
  const items = listIn(response["output"]).flatMap((given, output_index): Fields[] => {
    const item = mapIn(given);
    const at = { item_id: item["id"] ?? "", output_index };
    const { content, arguments: args } = item;
    const parts = listIn(content).flatMap((part, content_index): Fields[] => {
      const { text } = mapIn(part);
      const here = { ...at, content_index };
      if (typeof text !== "string" || mapIn(part)["type"] !== "output_text") return [];
      return [
        { type: "response.content_part.added", ...here, part: { ...mapIn(part), text: "" } },
        { type: "response.output_text.delta", ...here, delta: text },
        { type: "response.output_text.done", ...here, text },
        { type: "response.content_part.done", ...here, part },
      ];
    });
    const called: Fields[] =
      typeof args === "string"
        ? [
            { type: "response.function_call_arguments.delta", ...at, delta: args },
            { type: "response.function_call_arguments.done", ...at, arguments: args },
          ]
        : [];
    const bare = {
      ...item,
      ...(Array.isArray(content) && { content: [] }),
      ...(typeof args === "string" && { arguments: "" }),
    };
    return [
      { type: "response.output_item.added", output_index, item: bare },
      ...parts,
      ...called,
      { type: "response.output_item.done", output_index, item },
    ];
  });
  const events: readonly Fields[] = [
    { type: "response.created", response: begun },
    ...items,
    { type: "response.completed", response },
  ];
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

function messageEvents(message: Fields): readonly Fields[] {
  const { content, stop_reason = null, stop_sequence = null, usage = {} } = message;
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...listIn(content).flatMap((given, index): Fields[] => {
      const block = mapIn(given);
      const [start, ...deltas] = blockPieces(block);
      return [
        { type: "content_block_start", index, content_block: start },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ];
    }),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
    { type: "message_stop" },
  ];
}

function blockPieces(block: Fields): readonly [start: Fields, ...deltas: Fields[]] {
  if (block["type"] === "text") {
    return [
      { ...block, text: "" },
      { type: "text_delta", text: block["text"] ?? "" },
    ];
  }
  if (block["type"] === "tool_use") {
    const partial_json = JSON.stringify(block["input"] ?? {});
    return [
      { ...block, input: {} },
      { type: "input_json_delta", partial_json },
    ];
  }
  if (block["type"] === "thinking") {
    const { thinking = "", signature, ...rest } = block;
    return [
      { ...rest, thinking: "", ...(signature !== undefined && { signature: "" }) },
      { type: "thinking_delta", thinking },
      ...(signature === undefined ? [] : [{ type: "signature_delta", signature }]),
    ];
  }
  return [block];
}
