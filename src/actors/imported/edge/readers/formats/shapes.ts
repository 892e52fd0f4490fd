/** Messages of frameworks as the messages that `readMessage` knows: each becomes none, one, or several. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Format } from "../../../record.ts";
import { type Fields, fieldOf, listIn, listOf, mapIn, mapOf, mapsIn, textOf } from "../fields.ts";
import { autogenMessages, isAutogen } from "./autogen.ts";
import { geminiMessages, isGemini } from "./gemini.ts";
import { isLangchain, langchainMessages } from "./langchain.ts";
import { isVercel, vercelMessages } from "./vercel.ts";

type Shape = (message: Fields) => readonly Fields[];

const SHAPES: { readonly [format in Format]?: Shape } = {
  autogen: autogenMessages,
  gemini: geminiMessages,
  adk: geminiMessages,
  langchain: langchainMessages,
  langsmith: langchainMessages,
  langfuse: langchainMessages,
  vercel: vercelMessages,
  inspect: inspectMessages,
};

/** Those of `inspect_ai` name the tool of a call under `function`. */
function inspectMessages(message: Fields): readonly Fields[] {
  const { function: name = null, source: _, tool_calls: calls, error, ...rest } = message;
  const told = mapOf(error);
  return [
    {
      ...rest,
      ...(textOf(name) !== null && { name }),
      ...(told !== null && { error: told["message"] ?? "it says that it failed", is_error: true }),
      ...(listOf(calls) !== null && {
        tool_calls: mapsIn(calls).map(
          ({ id = null, function: called = null, arguments: args = null }) => ({
            ...{ id, name: called, arguments: args },
          }),
        ),
      }),
    },
  ];
}

/** Undefined where the format has no messages of its own shape. */
export function shaped(message: Fields, format: Format): readonly Fields[] | undefined {
  return SHAPES[format]?.(message);
}

/** Whether one of the messages that a value is or holds has that shape. */
const someMessage =
  (is: (message: Fields) => boolean) =>
  (value: Json): boolean => {
    const fields = mapIn(value);
    const whole = listOf(value) ?? [value];
    const request = mapOf(fields["request"]) ?? fields;
    const within = listIn(fieldOf(request, ["messages", "contents"]));
    return mapsIn([...whole, ...within]).some(is);
  };

export const holdsAutogen = someMessage(isAutogen);
export const holdsGemini = someMessage(isGemini);
export const holdsLangchain = someMessage(isLangchain);
export const holdsVercel = someMessage(isVercel);
