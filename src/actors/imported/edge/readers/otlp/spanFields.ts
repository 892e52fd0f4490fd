/** Attributes of a span that are told as they are. */
import type { Usage } from "../../../record.ts";
import { type Fields, fieldOf, hasWords, isEmpty, wholeOf } from "../fields.ts";
import { NAMES, NUMBERED, TOOLS_OWN, UNTOLD } from "./attributeNames.ts";

export function agentIn(attributes: Fields): Fields {
  const told = ["gen_ai.operation.name", ...NAMES.agent, ...NAMES.agentId].filter(
    (name) => !isEmpty(attributes[name]),
  );
  return Object.fromEntries(told.map((name) => [name, attributes[name] ?? null]));
}

/** Attributes that are told nowhere else. */
export function restOf(attributes: Fields, isTold: (name: string) => boolean): Fields {
  const numbered = [...NUMBERED.input, ...NUMBERED.output, ...NUMBERED.tools];
  const isRead = (name: string): boolean =>
    (UNTOLD.has(name) && !TOOLS_OWN.has(name)) ||
    isTold(name) ||
    numbered.some((prefix) => name.startsWith(`${prefix}.`));
  return Object.fromEntries(
    Object.entries(attributes).filter(
      ([name, value]) =>
        !isRead(name) && !isEmpty(value) && (hasWords(value) || !/^gen_ai\.request\./.test(name)),
    ),
  );
}

/** What a request to a model cost. */
export function usageOf(attributes: Fields): Usage | null {
  const promptTokens = wholeOf(fieldOf(attributes, NAMES.promptTokens));
  const answerTokens = wholeOf(fieldOf(attributes, NAMES.answerTokens));
  return promptTokens === null && answerTokens === null ? null : { promptTokens, answerTokens };
}
