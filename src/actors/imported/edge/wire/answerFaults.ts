/**
 * What can go wrong on purpose with a model's answer: in place of it, before it, or in it. Blocks that a provider signed or
 * encrypted stay as they are: a changed one would be refused, and that would be another fault.
 */

import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { LATE_MS } from "../../bounds.ts";
import { type Fields, listIn, mapIn, mapsIn } from "../readers/fields.ts";
import type { Api } from "./apis.ts";

export type AnswerFault = { readonly says: string } & (
  | { readonly status: number; readonly body: (api: Api) => Json }
  | { readonly delayMs: number }
  /** It begins, and does not go on. */
  | { readonly stallMs: number }
  /** Undefined where there is nothing to change. */
  | { readonly change: (body: Json) => Json | undefined }
);

const failed =
  (message: string) =>
  (api: Api): Json =>
    api === "ollama"
      ? { error: message }
      : { type: "error", error: { type: "overloaded_error", message, code: null, param: null } };

const SORRY = "I'm sorry, but I can't help with that.";

/** How a fault changes the pieces that an answer is made of; what it does not name stays. */
interface Changes {
  readonly text?: (text: string) => string;
  /** Null for a call that is left out. */
  readonly call?: (call: Call) => Call | null;
  /** Why the answer ended, in the words of each API. */
  readonly ends?: { readonly chat: string; readonly messages: string; readonly ollama: string };
}

interface Call {
  readonly name: Json;
  /** A text of JSON in OpenAI's APIs, a map in the others. */
  readonly args: Json;
}

const ENDED = { chat: "stop", messages: "end_turn", ollama: "stop" } as const;
const CUT = { chat: "length", messages: "max_tokens", ollama: "length" } as const;
const REFUSED = { chat: "content_filter", messages: "refusal", ollama: "stop" } as const;

const halfOf = (text: string): string => text.slice(0, Math.floor(text.length / 2)).toWellFormed();
const cutArgs = ({ name, args }: Call, cut: (text: string) => string): Call | null =>
  typeof args === "string" ? { name, args: cut(args) } : null;

/** Ours: a client that waits longer has given up before, or never does. */
const STALL_MS = 60_000;

export const ANSWERS: { readonly [name: string]: AnswerFault } = {
  "rate-limited": {
    says: "429: too many requests",
    status: 429,
    body: failed("rate limit reached"),
  },
  "server-error": {
    says: "500 from the model's server",
    status: 500,
    body: failed("internal error"),
  },
  overloaded: { says: "529: overloaded", status: 529, body: failed("overloaded") },
  slow: { says: "the answer five seconds later", delayMs: LATE_MS },
  stalled: { says: "half of the answer, and then silence for a minute", stallMs: STALL_MS },
  "empty-answer": {
    says: "an answer without words and calls",
    change: changing({ text: () => "", call: () => null, ends: ENDED }),
  },
  "cut-off": {
    says: "the first half of the answer, as where it was too long",
    change: changing({ text: halfOf, call: (call) => cutArgs(call, halfOf), ends: CUT }),
  },
  "no-json": {
    says: "text around the JSON, and its last character gone",
    change: changing({
      text: (text) => (text === "" ? text : `Sure, here it is:\n${text.slice(0, -1)}`),
      call: (call) => cutArgs(call, (text) => text.slice(0, -1)) ?? call,
    }),
  },
  "unknown-tool": {
    says: "a call of a tool that does not exist",
    change: changing({ call: ({ name, args }) => ({ name: `${String(name)}_v2`, args }) }),
  },
  refusal: {
    says: "a refusal in place of the answer",
    change: changing({ text: () => SORRY, call: () => null, ends: REFUSED }),
  },
  "wrong-usage": { says: "0 tokens, whatever it took", change: withoutUsage },
};

/** Signed or encrypted, at any depth. */
export function isSealed(value: Json): boolean {
  if (Array.isArray(value)) return value.some(isSealed);
  if (!isMap(value)) return false;
  return Object.entries(value).some(
    ([name, one]) =>
      (/^(?:signature|thought_signature|encrypted_\w+)$/.test(name) &&
        one !== null &&
        one !== "") ||
      (name === "type" && one === "redacted_thinking") ||
      isSealed(one),
  );
}

/** In the shape of each API. */
function changing({ text = (said) => said, call = (one) => one, ends }: Changes) {
  const block = (one: Fields): readonly Fields[] => {
    const { type, text: said, name, input } = one;
    if (isSealed(one)) return [one];
    if (type === "text" || type === "output_text") {
      return typeof said === "string" ? [{ ...one, text: text(said) }] : [one];
    }
    if (type !== "tool_use" || name === undefined) return [one];
    const changed = call({ name, args: input ?? {} });
    return changed === null ? [] : [{ ...one, name: changed.name, input: changed.args }];
  };
  const item = (one: Fields): readonly Fields[] => {
    const { type, content, name, arguments: args } = one;
    if (isSealed(one)) return [one];
    if (type === "message") return [{ ...one, content: mapsIn(content).flatMap(block) }];
    if (type !== "function_call" || name === undefined) return [one];
    const changed = call({ name, args: args ?? "" });
    return changed === null ? [] : [{ ...one, name: changed.name, arguments: changed.args }];
  };
  /** Chat completions and Ollama. */
  const message = (one: Fields): Fields => {
    const { content, tool_calls: calls, ...rest } = one;
    const own = mapsIn(calls).flatMap((given): Json[] => {
      const { name = "", arguments: args = "" } = mapIn(given["function"]);
      const changed = call({ name, args });
      if (changed === null) return [];
      const asked = { ...mapIn(given["function"]), name: changed.name, arguments: changed.args };
      return [{ ...given, function: asked }];
    });
    // What only calls has no words, and gets some where it calls no more.
    const words = typeof content === "string" ? content : "";
    const isMute = content === null && own.length > 0;
    return {
      ...rest,
      ...(content !== undefined && { content: isMute ? null : text(words) }),
      ...(own.length > 0 && { tool_calls: own }),
    };
  };
  return (body: Json): Json | undefined => {
    const fields = mapIn(body);
    const { choices, output, content, message: said, response } = fields;
    const changed: Fields = {
      ...fields,
      ...(Array.isArray(choices) && {
        choices: mapsIn(choices).map((one) => ({
          ...one,
          message: message(mapIn(one["message"])),
          ...(ends && { finish_reason: ends.chat }),
        })),
      }),
      ...(Array.isArray(output) && { output: listIn(output).flatMap((one) => item(mapIn(one))) }),
      ...(Array.isArray(content) && {
        content: mapsIn(content).flatMap(block),
        ...(ends && { stop_reason: ends.messages }),
      }),
      ...(isMap(said) && {
        message: message(said as Fields),
        ...(ends && { done_reason: ends.ollama }),
      }),
      ...(typeof response === "string" && { response: text(response) }),
    };
    return JSON.stringify(changed) === JSON.stringify(fields) ? undefined : changed;
  };
}

/** Tokens are counted in maps called `usage`, and by Ollama beside the answer. */
function withoutUsage(body: Json): Json | undefined {
  const none = (value: Json): Json =>
    typeof value === "number"
      ? 0
      : isMap(value)
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, none(one)]))
        : value;
  const fields = mapIn(body);
  const changed = Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [
      name,
      name === "usage" || /^(?:prompt_)?eval_count$/.test(name) ? none(one) : one,
    ]),
  );
  return JSON.stringify(changed) === JSON.stringify(fields) ? undefined : changed;
}
