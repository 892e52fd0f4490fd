// Answers that a stage turns down, and the words it gives for it.

import { describe, expect, it } from "vitest";
import type { Draft } from "../../../../src/machines/synt/contract.ts";
import {
  fieldsIn,
  headOf,
  isCode,
  readStage,
} from "../../../../src/machines/synt/stages/stageAnswers.ts";
import type { SyntPurpose } from "../../../../src/machines/synt/stages/stageTiers.ts";
import { policyWith } from "../../../builtIn.ts";

const { naming, stages } = policyWith({}).synt;
const read = (purpose: SyntPurpose, answer: object, draft: Partial<Draft> = {}) =>
  readStage(purpose, JSON.stringify(answer), { naming, stages, pool: [], draft });

const named = { revertible: false, critical: false, target_kind: "none" };

it.each(["get_now", "find_entries", "undo_last_turn"])(
  "[SO4] %s is the system's own, so no new executor is called so",
  (name) => {
    expect(read("synt.naming", { ...named, name })).toEqual({
      fault: `${name} is a name of the system's own`,
    });
  },
);

describe("a signature", () => {
  const schema = (properties: unknown, more: object = {}) => ({
    args_schema: { type: "object", properties, ...more },
    ...{ capabilities: [], reverse_pattern: null },
  });

  it.each([
    [schema({ items: { type: "array" } }, { required: ["items"] }), null],
    [schema(null), "no JSON Schema of an object"],
    [schema([]), "no JSON Schema of an object"],
    [schema({ items: null }), "items in args_schema is no schema"],
    [schema({}, { required: "items" }), "required in args_schema is no list"],
    [schema({}, { required: ["items"] }), "items is required, but is no property"],
    [{ ...schema({}), reverse_pattern: ["swap_src_dst"] }, "not in the catalogue"],
    [{ ...schema({}), reverse_pattern: "" }, "not in the catalogue"],
  ])("[SO4] %j: %s", (answer, fault) => {
    const revertible = answer.reverse_pattern !== null;

    expect(read("synt.signature", answer, { revertible })).toEqual(
      fault === null ? { filled: expect.anything() } : { fault: expect.stringContaining(fault) },
    );
  });
});

it.each([
  ["move_files(src=[1], dst='b')", null],
  ["move_files(src, dst)", null],
  ["move_files(src=[a == b])", null],
  ["move_files(path='a')", "PATTERN uses path, which is no argument; these are: src, dst"],
  ["move_files(src=1, to=2)", "PATTERN uses to, which is no argument; these are: src, dst"],
])("[SO4] PATTERN: %s: %s", (pattern, fault) => {
  const description = `SCOPO: moves files to another place, one by one. PATTERN: ${pattern}. NON: copies nothing. OUT: ok.`;
  const affinity = ["move", "files", "place", "put", "shift", "folder"];
  const argsSchema = { type: "object", properties: { src: {}, dst: {} } };

  expect(read("synt.description", { description, affinity }, { argsSchema })).toEqual(
    fault === null ? { filled: { description, affinity } } : { fault },
  );
});

it.each([
  ["def invoke(): pass", "def invoke(): pass"],
  ["```python\ndef invoke(): pass\n```", "def invoke(): pass\n"],
  ["\n```\ndef invoke(): pass```\n", "def invoke(): pass\n"],
])("[SO7] code is taken out of a fence: %j", (text, code) => {
  expect(readStage("synt.code", text, { naming, stages, pool: [], draft: {} })).toEqual({
    filled: { code },
  });
  expect([isCode(text), isCode("def call(): pass")]).toEqual([true, false]);
});

it("[SO7] an object is found among words and fences; two of them are none", () => {
  expect(fieldsIn('```json\n{"a": 1}\n```')).toEqual({ a: 1 });
  expect(fieldsIn('{"a": 1} or {"b": 2}')).toBeUndefined();
  expect(fieldsIn("} nothing {")).toBeUndefined();
  expect(fieldsIn("nothing")).toBeUndefined();
});

it("[SO7] the head goes up to OUT:, or is the first sentence of a text without chapters", () => {
  expect(headOf("SCOPO: a. PATTERN: b. NON: c. OUT: d")).toBe("SCOPO: a. PATTERN: b. NON: c.");
  expect(headOf("SCOPO: a. PATTERN: b.")).toBe("SCOPO: a. PATTERN: b.");
  expect(headOf("Reads version 3.5 of a file. More.")).toBe("Reads version 3.5 of a file");
});

it("[SN98] a head has at most 260 characters, whoever wrote the description", () => {
  const long = `SCOPO: ${"😀".repeat(400)} OUT: nothing.`;

  expect([...headOf(long)]).toHaveLength(260);
  expect(headOf(long).startsWith("SCOPO: 😀")).toBe(true);
  expect(headOf("SCOPO: a. OUT: b")).toBe("SCOPO: a.");
});
