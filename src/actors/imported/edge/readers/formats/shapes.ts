/** Messages of frameworks as the messages that `readMessage` knows: each becomes none, one, or several. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Format } from "../../../record.ts";
import { type Fields, fieldOf, listOf, mapOf, mapsIn } from "../fields.ts";
import { autogenMessages, isAutogen } from "./autogen.ts";
import { geminiMessages, isGemini } from "./gemini.ts";
import { inspectMessages } from "./inspectMessages.ts";
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

/** Undefined where the format has no messages of its own shape. */
export function shaped(message: Fields, format: Format): readonly Fields[] | undefined {
  return SHAPES[format]?.(message);
}

/** Whether one of the messages that a value is or holds has that shape. */
const someMessage =
  (is: (message: Fields) => boolean) =>
  (value: Json): boolean => {
    const fields = mapOf(value);
    const whole = listOf(value) ?? [value];
    const request = mapOf(fields?.["request"]) ?? fields ?? {};
    const within = listOf(fieldOf(request, ["messages", "contents"])) ?? [];
    return mapsIn([...whole, ...within]).some(is);
  };

export const holdsAutogen = someMessage(isAutogen);
export const holdsGemini = someMessage(isGemini);
export const holdsLangchain = someMessage(isLangchain);
export const holdsVercel = someMessage(isVercel);
