/** Where the results of tools stand in a request to a model, in the shapes of the three APIs. */
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { type Fields, mapIn, mapOf, mapsIn, textOf } from "../readers/fields.ts";

/** One result of a tool, as the agent tells it to its model. */
export interface ToolResult {
  /** The id of its call; of a call without one, its place among the results. */
  readonly call: string;
  readonly tool: string;
  readonly content: Json;
}

/** The request with each result as `change` gives it: what it gives for a result stands in its place. */
export function withResults(request: Json, change: (result: ToolResult) => Json): Json {
  if (!isMap(request)) return request;
  const named = toolNames(request);
  let count = 0;
  /** With what stands in a field of it changed; itself where nothing is. */
  const changed = (
    one: Fields,
    field: string,
    { call, tool }: { readonly call: Json | undefined; readonly tool?: Json | undefined },
  ): Fields => {
    count += 1;
    const id = textOf(call) ?? `result ${count}`;
    const content = one[field] ?? null;
    const now = change({ call: id, tool: textOf(tool ?? null) ?? named.get(id) ?? "", content });
    return now === content ? one : { ...one, [field]: now };
  };
  const message = (one: Json): Json => {
    if (!isMap(one)) return one;
    const { role, type, content } = one;
    // Chat completions and Ollama.
    if (role === "tool" || role === "function") {
      const tool = one["tool_name"] ?? one["name"];
      return changed(one, "content", { call: one["tool_call_id"], tool });
    }
    // Responses.
    if (type === "function_call_output") {
      return changed(one, "output", { call: one["call_id"] });
    }
    // Messages.
    if (role !== "user" || !Array.isArray(content)) return one;
    const blocks = content.map((block: Json) =>
      isMap(block) && block["type"] === "tool_result"
        ? changed(block, "content", { call: block["tool_use_id"] })
        : block,
    );
    return blocks.every((block, at) => block === content[at]) ? one : { ...one, content: blocks };
  };
  const key = Array.isArray(request["messages"]) ? "messages" : "input";
  const list = request[key];
  return Array.isArray(list) ? { ...request, [key]: list.map(message) } : request;
}

/** By the id of a call, the name of its tool, as the answers told it before. */
function toolNames(request: Fields): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const note = (id: Json | undefined, name: Json | undefined): void => {
    if (typeof id === "string" && typeof name === "string") names.set(id, name);
  };
  for (const one of [...mapsIn(request["messages"]), ...mapsIn(request["input"])]) {
    for (const call of mapsIn(one["tool_calls"])) note(call["id"], mapIn(call["function"])["name"]);
    if (one["type"] === "function_call") note(one["call_id"], one["name"]);
    for (const block of mapsIn(one["content"]))
      if (block["type"] === "tool_use") note(block["id"], block["name"]);
  }
  return names;
}

/** As clients name the tool of a server: alone, or behind the server's name. */
export const isCalled =
  (tool: string) =>
  (one: string): boolean =>
    tool === one || tool.endsWith(`__${one}`);

/** The tools that a request offers, by name. */
export const offeredIn = (request: Json): readonly string[] =>
  mapsIn(mapIn(request)["tools"]).flatMap((tool) => {
    const { name } = mapOf(tool["function"]) ?? tool;
    return typeof name === "string" ? [name] : [];
  });

/** What a model says in an answer to people, in the shapes of the three APIs; empty where it says nothing. */
export function answerText(response: Json): string {
  const { choices, output, content, message, response: generated } = mapIn(response);
  const said = (value: Json | undefined): string =>
    typeof value === "string"
      ? value
      : mapsIn(value)
          .map((block) => textOf(block["text"]) ?? "")
          .join("");
  const texts = [
    ...mapsIn(choices).map((one) => said(mapIn(one["message"])["content"] ?? one["text"])),
    ...mapsIn(output).map((one) => said(one["content"])),
    ...[said(content), said(mapIn(message)["content"]), said(generated)],
  ];
  return texts.join("");
}
