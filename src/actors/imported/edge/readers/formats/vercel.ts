/** Messages of Vercel's AI SDK: those of the model, and those of a user interface, of version 4 and later. */
import type { Json } from "../../../../../machines/letter.ts";
import { type Fields, fieldOf, listIn, listOf, mapIn, mapOf, mapsIn, textOf } from "../fields.ts";
import { callPart, resultPart } from "../parts.ts";

const CALLS = new Set(["tool-call", "tool-result", "tool-invocation", "dynamic-tool"]);

const isOwn = ({ type, toolCallId }: Fields): boolean =>
  CALLS.has(textOf(type) ?? "") ||
  type === "step-start" ||
  (/^tool-./.test(textOf(type) ?? "") && textOf(toolCallId) !== null);

const partsIn = (message: Fields): readonly Fields[] =>
  mapsIn([...listIn(message["content"]), ...listIn(message["parts"])]);

export const isVercel = (message: Fields): boolean =>
  textOf(message["role"]) !== null &&
  (listOf(message["toolInvocations"]) !== null || partsIn(message).some(isOwn));

/** A message of a user interface holds several steps of its agent: each is one of its own. */
export function vercelMessages(message: Fields): readonly Fields[] {
  const parts = listOf(message["parts"]);
  const { parts: _, toolInvocations, ...rest } = message;
  const invoked = mapsIn(toolInvocations);
  if (parts === null) {
    const content = listOf(message["content"]);
    const own = content === null ? (message["content"] ?? null) : content.flatMap(partOf);
    if (invoked.length === 0) return [{ ...rest, content: own }];
    const said = typeof own === "string" ? [{ type: "text", text: own }] : listIn(own);
    return [{ ...rest, content: [...invoked.flatMap(invocation), ...said] }];
  }
  const steps: Json[][] = [[]];
  for (const part of parts) {
    const type = mapOf(part)?.["type"];
    if (type === "step-start") steps.push([]);
    else steps.at(-1)?.push(...partOf(part));
  }
  const told = steps.filter((step) => step.length > 0);
  const { content: _text, ...others } = rest;
  return (told.length === 0 ? [[]] : told).map((content) => ({ ...others, content }));
}

function partOf(part: Json): readonly Json[] {
  const fields = mapOf(part);
  const type = textOf(fields?.["type"]) ?? "";
  if (fields === null) return [part];
  if (type === "tool-result") return [resultOf(fields)];
  if (type === "tool-call") return [part];
  if (type === "tool-invocation") return invocation(mapIn(fields["toolInvocation"]));
  if (type === "dynamic-tool") return invocation(fields);
  if (/^tool-./.test(type)) return invocation({ ...fields, toolName: type.slice("tool-".length) });
  if (/^(source|data)-/.test(type)) return [{ ...fields, type: "document" }];
  return [part];
}

/** A call with what came of it, as far as it has. */
function invocation(fields: Fields): readonly Json[] {
  const { toolCallId: id, toolName: name, state } = fields;
  const call = callPart(id, name, fieldOf(fields, ["input", "args", "rawInput"]));
  const error = textOf(fields["errorText"]);
  if (state === "output-error" || error !== null) return [call, resultPart(id, name, error, true)];
  if (state !== "output-available" && state !== "result") return [call];
  return [call, resultPart(id, name, fieldOf(fields, ["output", "result"]), null)];
}

function resultOf(fields: Fields): Json {
  const { toolCallId: id, toolName: name, isError, output: given } = fields;
  const output = mapIn(given);
  const kind = textOf(output["type"]);
  if (kind === null || !("value" in output || "reason" in output))
    return resultPart(id, name, fieldOf(fields, ["output", "result"]), isError);
  const failed = /^(error-|execution-denied)/.test(kind) || null;
  return resultPart(id, name, fieldOf(output, ["value", "reason"]), failed);
}
