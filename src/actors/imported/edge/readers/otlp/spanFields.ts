/** What the attributes of a span say: what it is, whose, what it cost, and what is told as it is. */
import type { Usage } from "../../../record.ts";
import { type Fields, fieldOf, hasWords, restIn, textOf, wholeOf } from "../fields.ts";
import { NAMES, NUMBERED, OPERATIONS, TOOLS_OWN, UNTOLD } from "./attributeNames.ts";
import type { Span } from "./export.ts";

/** A request to a model, a call of a tool, the run of an agent, or anything else. */
export type SpanKind = "model" | "tool" | "agent" | "other";

export function kindOf({ attributes, events, name }: Span): SpanKind {
  const written = [
    textOf(fieldOf(attributes, NAMES.operation)),
    ...NAMES.spanKind.map((one) => textOf(attributes[one])),
  ];
  for (const word of written) {
    if (word === null) continue;
    for (const kind of ["model", "tool", "agent"] as const)
      if ((OPERATIONS[kind] as readonly string[]).includes(word)) return kind;
  }
  if (written.some((word) => word !== null && word !== "completion")) return "other";
  const names = Object.keys(attributes);
  const has = (prefixes: readonly string[]): boolean =>
    names.some((one) => prefixes.some((prefix) => one === prefix || one.startsWith(`${prefix}.`)));
  if (has([...NAMES.call, ...NAMES.tool])) return "tool";
  if (has([...NUMBERED.input, ...NUMBERED.output, ...NAMES.input, ...NAMES.output])) return "model";
  if (
    events.some((event) =>
      /^gen_ai\.(choice|content|(user|system|assistant|tool)\.message|client\.inference)/.test(
        event.name,
      ),
    )
  )
    return "model";
  if (has([...NAMES.agent])) return "agent";
  return name.startsWith("execute_tool ") ? "tool" : "other";
}

export function agentIn(attributes: Fields): Fields {
  const names = ["gen_ai.operation.name", ...NAMES.agent, ...NAMES.agentId];
  return restIn(Object.fromEntries(names.map((name) => [name, attributes[name] ?? null])));
}

/** Attributes that are told nowhere else. */
export function restOf(attributes: Fields, isTold: (name: string) => boolean): Fields {
  const numbered = [...NUMBERED.input, ...NUMBERED.output, ...NUMBERED.tools];
  const isRead = (name: string): boolean =>
    (UNTOLD.has(name) && !TOOLS_OWN.has(name)) ||
    isTold(name) ||
    numbered.some((prefix) => name.startsWith(`${prefix}.`)) ||
    (/^gen_ai\.request\./.test(name) && !hasWords(attributes[name]));
  return restIn(attributes, isRead);
}

/** What a request to a model cost. */
export function usageOf(attributes: Fields): Usage | null {
  const promptTokens = wholeOf(fieldOf(attributes, NAMES.promptTokens));
  const answerTokens = wholeOf(fieldOf(attributes, NAMES.answerTokens));
  return promptTokens === null && answerTokens === null ? null : { promptTokens, answerTokens };
}
