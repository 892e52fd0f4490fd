/** What a span is: a request to a model, a call of a tool, the run of an agent, or anything else. */
import { fieldOf, textOf } from "../fields.ts";
import { NAMES, NUMBERED, OPERATIONS } from "./attributeNames.ts";
import type { Span } from "./export.ts";

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
