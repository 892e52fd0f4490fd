/** Messages of LangChain: as fields, as `messages_to_dict` writes them, and as `dumpd` does. */
import { type Fields, fieldOf, idOf, isEmpty, listOf, mapOf, mapsIn, textOf } from "../fields.ts";

const TYPES: ReadonlyMap<string, string> = new Map([
  ...(["human", "ai", "system", "tool", "function", "chat", "developer"] as const).map(
    (one) => [one, one] as const,
  ),
  ...(["Human", "AI", "System", "Tool", "Function", "Chat"] as const).flatMap((one) => [
    [`${one}Message`, one.toLowerCase()] as const,
    [`${one}MessageChunk`, one.toLowerCase()] as const,
  ]),
]);

/** The message itself, out of what was written around it; null for anything else. */
export function unwrapped(message: Fields): Fields | null {
  const kwargs = mapOf(message["kwargs"]);
  if (message["lc"] === 1 && kwargs !== null) {
    const name = textOf(listOf(message["id"])?.at(-1)) ?? "";
    const type = TYPES.get(name);
    return type === undefined ? null : { ...kwargs, type };
  }
  const type = TYPES.get(textOf(message["type"]) ?? "");
  const data = mapOf(message["data"]);
  if (type !== undefined && data !== null && Object.hasOwn(data, "content"))
    return { ...data, type };
  return null;
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
  (TYPES.has(textOf(message["type"]) ?? "") &&
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
  const kwargs = mapOf(more) ?? {};
  const calls = listOf(own["tool_calls"]) ?? [];
  const legacy = listOf(kwargs["tool_calls"]) ?? [];
  const invalid = mapsIn(listOf(own["invalid_tool_calls"]) ?? []);
  const all = calls.length + invalid.length > 0 ? [...calls, ...invalid] : legacy;
  const ids = new Set(mapsIn(all).map(({ id }) => idOf(id)));
  const {
    artifact: _artifact,
    example: _example,
    invalid_tool_calls: _invalid,
    tool_call_chunks: _chunks,
    ...fields
  } = rest;
  const thought = fieldOf(kwargs, ["reasoning_content", "reasoning"]);
  return [
    {
      ...fields,
      role:
        TYPES.get(textOf(own["type"]) ?? "") === "chat"
          ? (own["role"] ?? "assistant")
          : (own["type"] ?? null),
      content: withoutCalls(own["content"] ?? null, ids),
      tool_calls: all,
      ...(kwargs["function_call"] !== undefined && { function_call: kwargs["function_call"] }),
      ...(!isEmpty(thought) && { reasoning_content: thought }),
      ...(mapOf(usage) !== null && { usage: usage ?? null }),
      ...modelIn(mapOf(answered) ?? {}),
    },
  ];
}

const modelIn = (answered: Fields): Fields => {
  const model = textOf(fieldOf(answered, ["model_name", "model"]));
  return model === null ? {} : { model };
};

/** Blocks of a call stand in the content, and again in `tool_calls`. */
function withoutCalls(content: Fields[string], ids: ReadonlySet<string | null>): Fields[string] {
  const list = listOf(content);
  if (list === null) return content;
  return list.filter((part) => {
    const { type, id } = mapOf(part) ?? {};
    return !((type === "tool_use" || type === "tool_call") && ids.has(idOf(id)));
  });
}
