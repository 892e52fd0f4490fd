/** Messages of LangChain: as fields, as `messages_to_dict` writes them, and as `dumpd` does. */
import type { Json } from "../../../../../machines/letter.ts";
import {
  type Fields,
  fieldOf,
  idOf,
  isEmpty,
  listIn,
  listOf,
  mapIn,
  mapOf,
  mapsIn,
  textIn,
  textOf,
} from "../fields.ts";

/** The kind of a message, as `type` or the name of its class says it. */
function kindOf(type: Json | undefined): string | null {
  const [, plain, named] =
    /^(human|ai|system|tool|function|chat|developer)$|^(Human|AI|System|Tool|Function|Chat)Message(?:Chunk)?$/.exec(
      textOf(type) ?? "",
    ) ?? [];
  return plain ?? named?.toLowerCase() ?? null;
}

/** The message itself, out of what was written around it; null for anything else. */
export function unwrapped(message: Fields): Fields | null {
  const kwargs = mapOf(message["kwargs"]);
  if (message["lc"] === 1 && kwargs !== null) {
    const type = kindOf(listIn(message["id"]).at(-1));
    return type === null ? null : { ...kwargs, type };
  }
  const type = kindOf(message["type"]);
  const data = mapOf(message["data"]);
  return type !== null && data !== null && Object.hasOwn(data, "content")
    ? { ...data, type }
    : null;
}

const OWN = [
  "additional_kwargs",
  "response_metadata",
  "invalid_tool_calls",
  "usage_metadata",
  "lc_kwargs",
];

export const isLangchain = (message: Fields): boolean =>
  unwrapped(message) !== null ||
  (kindOf(message["type"]) !== null &&
    Object.hasOwn(message, "content") &&
    OWN.some((name) => Object.hasOwn(message, name)));

/** One of another shape stays as it is: traces hold those of any client. */
export function langchainMessages(message: Fields): readonly Fields[] {
  const own = unwrapped(message) ?? (isLangchain(message) ? message : null);
  if (own === null) return [message];
  const {
    additional_kwargs: more,
    response_metadata: answered,
    usage_metadata: usage,
    ...rest
  } = own;
  const kwargs = mapIn(more);
  const stated = [...listIn(own["tool_calls"]), ...mapsIn(own["invalid_tool_calls"])];
  const all = stated.length > 0 ? stated : listIn(kwargs["tool_calls"]);
  const ids = new Set(mapsIn(all).map(({ id }) => idOf(id)));
  const {
    artifact: _artifact,
    example: _example,
    invalid_tool_calls: _invalid,
    tool_call_chunks: _chunks,
    ...fields
  } = rest;
  const model = textIn(mapIn(answered), "model_name", "model");
  const thought = fieldOf(kwargs, ["reasoning_content", "reasoning"]);
  return [
    {
      ...fields,
      role: kindOf(own["type"]) === "chat" ? (own["role"] ?? "assistant") : (own["type"] ?? null),
      content: withoutCalls(own["content"] ?? null, ids),
      tool_calls: all,
      ...(kwargs["function_call"] !== undefined && { function_call: kwargs["function_call"] }),
      ...(!isEmpty(thought) && { reasoning_content: thought }),
      ...(mapOf(usage) !== null && { usage: usage ?? null }),
      ...(model !== null && { model }),
    },
  ];
}

/** Blocks of a call stand in the content, and again in `tool_calls`. */
function withoutCalls(content: Json, ids: ReadonlySet<string | null>): Json {
  const list = listOf(content);
  if (list === null) return content;
  return list.filter((part) => {
    const { type, id } = mapIn(part);
    return !((type === "tool_use" || type === "tool_call") && ids.has(idOf(id)));
  });
}
