/**
 * What a live model's answers to synt must look like, as JSON Schema: the fields that
 * `stageAnswers.ts` reads. What a field may hold beyond its type is the reader's to judge.
 */
import { CAPABILITIES, REVERSE_PATTERNS } from "./stagePrompts.ts";
import type { SyntPurpose } from "./stageTable.ts";

interface AnswerSchema {
  readonly [keyword: string]: unknown;
}

const object = (
  properties: { readonly [name: string]: unknown },
  required: readonly string[] = Object.keys(properties),
): AnswerSchema => ({ type: "object", properties, required });

const text = { type: "string", minLength: 1 };
const orNull = { type: ["string", "null"] };
const flag = { type: "boolean" };
const listOf = (items: unknown, maxItems: number) => ({ type: "array", items, maxItems });
const names = listOf(text, 20);

const naming = {
  name: orNull,
  reason: text,
  revertible: flag,
  critical: flag,
  target_kind: { type: "string", enum: ["path_glob", "host", "exact", "none"] },
};
const signature = {
  args_schema: { type: "object" },
  capabilities: listOf({ type: "string", enum: CAPABILITIES }, 10),
  reverse_pattern: { enum: [...REVERSE_PATTERNS, null] },
  takes: names,
  gives: names,
};
const test = object(
  {
    name: text,
    setup: { type: "object" },
    input: { type: "object" },
    expect: { type: "object" },
    teardown: names,
  },
  ["name", "input", "expect"],
);
const tests = { tests: listOf(test, 6) };
const description = { description: text, affinity: listOf(text, 10) };
const code = { code: text };

/** By purpose: Ollama's `format`; nothing where the answer is no JSON. */
export const syntAnswerSchemas: { readonly [purpose in SyntPurpose]: AnswerSchema | undefined } = {
  "synt.plan": object({ steps: listOf(text, 20), towards: names, missing: text }, ["steps"]),
  "synt.naming": object(naming, ["name"]),
  "synt.signature": object(signature),
  "synt.tests": object(tests),
  "synt.description": object(description),
  // A Python file, as it is.
  "synt.code": undefined,
  "synt.propose": object({ name: text, ...signature, description: text, ...code }),
  "synt.pocTests": object(tests),
  "synt.transform": object({ name: text, ...signature, ...tests, ...description, ...code }),
  "synt.judge": object({ score: { type: "number" }, reasoning: text, violates: orNull }),
};
