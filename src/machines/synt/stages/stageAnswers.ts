/**
 * Reads what the stages answer, and says what a live model's answers must look like. What does not fit
 * is a fault in words, which the model is shown when it is asked again. Source: seed 002, 4.2.3;
 * dossier metnos 1.5.
 */
import {
  type AnswerSchema,
  objectSchema,
  textOrNullSchema,
  textSchema,
} from "../../answerSchema.ts";
import { cutText } from "../../cutText.ts";
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { readObject } from "../../readJson.ts";
import type { Draft } from "../contract.ts";
import { checkName, type NamingPolicy } from "../naming.ts";
import { NONE, type Share, shareOfDecimal } from "../score/exactShare.ts";
import {
  type BirthTestPolicy,
  type Fields,
  pocTests,
  stageTests,
  type TestsWanted,
  testsFrom,
} from "./birthTests.ts";
import { CAPABILITIES, REVERSE_PATTERNS } from "./stagePrompts.ts";
import type { SyntPurpose } from "./stageTiers.ts";

export type StageAnswer =
  | { readonly filled: Partial<Draft> }
  /** Asked again, with this. */
  | { readonly fault: string }
  /** The model says that there is no such thing: the end of the pipeline. */
  | { readonly noSuchThing: string };

export interface AnswerSetting {
  readonly naming: NamingPolicy;
  readonly stages: BirthTestPolicy;
  /** Names of the pool. */
  readonly pool: readonly string[];
  readonly draft: Partial<Draft>;
}

type Reader = (fields: Fields, setting: AnswerSetting) => StageAnswer;

const TARGET_KINDS: readonly string[] = ["path_glob", "host", "exact", "none"];

const readers: { readonly [purpose in SyntPurpose]?: Reader } = {
  "synt.naming": (fields, setting) =>
    fields["name"] === null
      ? { noSuchThing: `no name of the vocabulary fits: ${fields["reason"] ?? "no reason given"}` }
      : joined(nameOf(fields, setting), () => classOf(fields)),
  "synt.signature": signatureOf,
  "synt.tests": (fields, { stages }) => testsOf(fields, stageTests(stages)),
  "synt.description": (fields, { draft }) =>
    joined(descriptionOf(fields, draft.argsSchema), () => affinityOf(fields)),
  "synt.propose": (fields, setting) =>
    joined(
      nameOf(fields, setting),
      () => classOf({ target_kind: "none", revertible: false, critical: false }),
      () => signatureOf(fields, setting),
      () => textOf(fields, "description", (description) => ({ description, affinity: [] })),
      () => textOf(fields, "code", codeOf),
    ),
  "synt.pocTests": (fields, { stages }) => testsOf(fields, pocTests(stages)),
  "synt.transform": (fields, setting) =>
    joined(
      nameOf({ name: fields["name"] ?? setting.draft.name ?? "" }, setting),
      () => classOf({ target_kind: "none", revertible: false, critical: false }),
      () => signatureOf(fields, setting),
      () => testsOf(fields, stageTests(setting.stages)),
      () => descriptionOf(fields, fields["args_schema"]),
      () => affinityOf(fields),
      () => textOf(fields, "code", codeOf),
    ),
};

/** What a stage has filled in, or why it has not. Only code comes as it is; the rest is JSON. */
export function readStage(purpose: SyntPurpose, text: string, setting: AnswerSetting): StageAnswer {
  if (purpose === "synt.code") return codeAnswer(text);
  const fields = fieldsIn(text);
  const read = readers[purpose];
  if (fields === undefined || read === undefined) return { fault: "the answer is no JSON object" };
  return read(fields, setting);
}

/** The JSON object of an answer. Models put words or a fence around it now and then. */
export const fieldsIn = (text: string): Fields | undefined =>
  readObject(text) ?? readObject(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));

/** All of them together, or the first that is no good. */
function joined(first: StageAnswer, ...rest: readonly (() => StageAnswer)[]): StageAnswer {
  let all = first;
  for (const next of rest) {
    if (!("filled" in all)) return all;
    const answer = next();
    all = "filled" in answer ? { filled: { ...all.filled, ...answer.filled } } : answer;
  }
  return all;
}

function nameOf({ name }: Fields, { naming, pool }: AnswerSetting): StageAnswer {
  if (typeof name !== "string") return { fault: "name is no text" };
  const { ok, reason, means, exception } = checkName(name, naming, pool);
  if (exception === "system") return { fault: `${name} is a name of the system's own` };
  if (!ok) return { fault: `${name}: ${reason}${means === null ? "" : `; ${means} would do`}` };
  return pool.includes(name) ? { fault: `${name} is in the pool already` } : { filled: { name } };
}

function classOf({ revertible, critical, target_kind: targetKind }: Fields): StageAnswer {
  if (typeof revertible !== "boolean" || typeof critical !== "boolean") {
    return { fault: "revertible and critical are true or false" };
  }
  return typeof targetKind === "string" && TARGET_KINDS.includes(targetKind)
    ? { filled: { revertible, critical, targetKind } }
    : { fault: `target_kind is one of ${TARGET_KINDS.join(", ")}` };
}

function signatureOf(fields: Fields, { draft }: AnswerSetting): StageAnswer {
  const { args_schema: argsSchema, capabilities, reverse_pattern: reverse = null } = fields;
  const wrong = schemaFault(argsSchema);
  if (wrong !== null) return { fault: wrong };
  if (!isTexts(capabilities)) return { fault: "capabilities is no list of names" };
  const unknown = capabilities.find((one) => !CAPABILITIES.includes(one));
  if (unknown !== undefined) return { fault: `${unknown} is no capability of the closed set` };
  const isPattern = typeof reverse === "string" && REVERSE_PATTERNS.includes(reverse);
  if (reverse !== null && !isPattern) {
    return { fault: `${JSON.stringify(reverse)} is not in the catalogue of reverse patterns` };
  }
  if ((draft.revertible ?? false) !== (reverse !== null)) {
    return { fault: "a reverse pattern goes with what is revertible, and with nothing else" };
  }
  const takes = fields["takes"] ?? [];
  const gives = fields["gives"] ?? [];
  if (!isTexts(takes) || !isTexts(gives)) return { fault: "takes and gives are lists of names" };
  const reversePattern = isPattern ? reverse : null;
  return { filled: { argsSchema: argsSchema as Json, capabilities, reversePattern, takes, gives } };
}

/** What is wrong with the schema of the arguments; null for nothing. */
function schemaFault(schema: Json | undefined): string | null {
  const { type, properties, required = [] } = isMap(schema) ? schema : {};
  if (type !== "object" || !isMap(properties)) return "args_schema is no JSON Schema of an object";
  const odd = Object.keys(properties).find((name) => !isMap(properties[name]));
  if (odd !== undefined) return `${odd} in args_schema is no schema`;
  if (!isTexts(required)) return "required in args_schema is no list of names";
  const unknown = required.find((name) => !Object.hasOwn(properties, name));
  return unknown === undefined ? null : `${unknown} is required, but is no property of args_schema`;
}

function testsOf({ tests }: Fields, wanted: TestsWanted): StageAnswer {
  const read = testsFrom(tests, wanted);
  return "fault" in read ? read : { filled: { tests: read.tests } };
}

const CHAPTERS = ["SCOPO:", "PATTERN:", "NON:", "OUT:"] as const;
/** The real system's bounds. */
const DESCRIPTION_CHARS = { least: 80, most: 320, head: 240 };
const AFFINITY = { least: 6, most: 10 };

function descriptionOf({ description }: Fields, argsSchema: Json | undefined): StageAnswer {
  if (typeof description !== "string") return { fault: "description is no text" };
  const places = CHAPTERS.map((chapter) => description.indexOf(chapter));
  const isInOrder = places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
  if (!isInOrder) return { fault: `description has not the chapters ${CHAPTERS.join(" ")}` };
  const { least, most, head } = DESCRIPTION_CHARS;
  if (description.includes("\n")) return { fault: "description is not one line" };
  if (description.length < least || description.length > most) {
    return {
      fault: `description has ${description.length} characters; ${least} … ${most} are wanted`,
    };
  }
  if (headOf(description).length > head) {
    return { fault: `description has more than ${head} characters before OUT:` };
  }
  const unknown = strayArgument(description, argumentsOf(argsSchema));
  return unknown === null ? { filled: { description } } : { fault: unknown };
}

/** An argument that PATTERN names and the schema does not have; planners would copy it. */
function strayArgument(description: string, known: readonly string[]): string | null {
  const [, pattern = ""] = /PATTERN:(.*?)NON:/.exec(description) ?? [];
  const named = [...pattern.matchAll(/[(,]\s*([A-Za-z_]\w*)\s*=/g)].map(([, name]) => name ?? "");
  const stray = named.find((name) => !known.includes(name));
  return stray === undefined
    ? null
    : `PATTERN uses ${stray}, which is no argument; these are: ${known.join(", ") || "none"}`;
}

const argumentsOf = (schema: Json | undefined): readonly string[] =>
  Object.keys((schema as { readonly properties?: Fields } | undefined)?.properties ?? {});

/** The real system's: what it shows of a text without chapters. */
const SENTENCE_CHARS = 180;
/** The real system's bound on a head, whichever author wrote the description. */
const HEAD_CHARS = 260;

/** What planners are shown: everything before `OUT:`, up to a bound; of a text without chapters, its first sentence. */
export function headOf(description: string): string {
  if (CHAPTERS.some((chapter) => description.includes(chapter))) {
    return cutText((description.split("OUT:")[0] ?? description).trim(), HEAD_CHARS);
  }
  const [sentence = ""] = description.trim().split(/\.(?:\s|$)/);
  return cutText(sentence, SENTENCE_CHARS);
}

function affinityOf({ affinity }: Fields): StageAnswer {
  if (!isTexts(affinity)) return { fault: "affinity is no list of words" };
  return affinity.length < AFFINITY.least || affinity.length > AFFINITY.most
    ? {
        fault: `${affinity.length} words of affinity; ${AFFINITY.least} … ${AFFINITY.most} are wanted`,
      }
    : { filled: { affinity } };
}

/** Whether an answer of the code stage holds code. */
export const isCode = (text: string): boolean => "filled" in codeAnswer(text);

/** Models wrap code in a fence now and then. */
function codeAnswer(text: string): StageAnswer {
  const [, fenced] = /^\s*```(?:python)?\n([\s\S]*?)\n?```\s*$/.exec(text) ?? [];
  const code = fenced === undefined ? text : `${fenced}\n`;
  return code.includes("def invoke") ? { filled: { code } } : { fault: "there is no def invoke" };
}

const codeOf = (code: string): Partial<Draft> => ({ code });

function textOf(
  fields: Fields,
  field: string,
  fill: (text: string) => Partial<Draft>,
): StageAnswer {
  const text = fields[field];
  if (typeof text !== "string" || text === "") return { fault: `${field} is no text` };
  return field === "code" ? codeAnswer(text) : { filled: fill(text) };
}

const isTexts = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

export interface Judgement {
  /** Exactly what its digits say. */
  readonly score: Share;
  readonly reasoning: string;
  /** What it breaks outright; null for nothing. */
  readonly violates: string | null;
}

/** A judge that says nothing clear gives nothing. */
export function readJudgement(text: string | null): Judgement {
  const { score, reasoning, violates = null } = fieldsIn(text ?? "") ?? {};
  if (typeof score !== "number" || score < 0 || score > 1) {
    return { score: NONE, reasoning: "the judge gave no score", violates: null };
  }
  return {
    score: shareOfDecimal(score),
    reasoning: typeof reasoning === "string" ? reasoning : "no reason given",
    violates: typeof violates === "string" && violates !== "" ? violates : null,
  };
}

/*
 * What a live model's answers must look like, as JSON Schema: the fields that are read above. What a
 * field may hold beyond its type is the reader's to judge.
 */
const anyFlag = { type: "boolean" };
const listOf = (items: unknown, maxItems: number) => ({ type: "array", items, maxItems });
const anyNames = listOf(textSchema, 20);

const namingFields = {
  name: textOrNullSchema,
  reason: textSchema,
  revertible: anyFlag,
  critical: anyFlag,
  target_kind: { type: "string", enum: TARGET_KINDS },
};
const signatureFields = {
  args_schema: { type: "object" },
  capabilities: listOf({ type: "string", enum: CAPABILITIES }, 10),
  reverse_pattern: { enum: [...REVERSE_PATTERNS, null] },
  takes: anyNames,
  gives: anyNames,
};
const testSchema = objectSchema(
  {
    name: textSchema,
    setup: { type: "object" },
    input: { type: "object" },
    expect: { type: "object" },
    teardown: anyNames,
  },
  ["name", "input", "expect"],
);
const testsFields = { tests: listOf(testSchema, 6) };
const descriptionFields = { description: textSchema, affinity: listOf(textSchema, 10) };
const codeFields = { code: textSchema };

/** By purpose: Ollama's `format`; nothing where the answer is no JSON. */
export const syntAnswerSchemas: { readonly [purpose in SyntPurpose]: AnswerSchema | undefined } = {
  "synt.plan": objectSchema(
    { steps: listOf(textSchema, 20), towards: anyNames, missing: textSchema },
    ["steps"],
  ),
  "synt.naming": objectSchema(namingFields, ["name"]),
  "synt.signature": objectSchema(signatureFields),
  "synt.tests": objectSchema(testsFields),
  "synt.description": objectSchema(descriptionFields),
  // A Python file, as it is.
  "synt.code": undefined,
  "synt.propose": objectSchema({
    name: textSchema,
    ...signatureFields,
    description: textSchema,
    ...codeFields,
  }),
  "synt.pocTests": objectSchema(testsFields),
  "synt.transform": objectSchema({
    name: textSchema,
    ...signatureFields,
    ...testsFields,
    ...descriptionFields,
    ...codeFields,
  }),
  "synt.judge": objectSchema({
    score: { type: "number" },
    reasoning: textSchema,
    violates: textOrNullSchema,
  }),
};
