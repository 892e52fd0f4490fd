/** What a program answered at a port, checked against the port's contract. A program's answer is input. */

import * as Schema from "effect/Schema";
import type { Json } from "../../machines/letter.ts";
import { canonicalJson, NotJsonError } from "../../substrate/canonicalJson.ts";
import { hintFor, PortFailed, type Problem } from "../errors.ts";
import type { PartLists } from "../parts/partLists.ts";
import { anyText, listOf, mapOf, sentence, whole } from "../scenario/scenarioFields.ts";
import { findingsOf } from "../scenario/schemaFindings.ts";
import { pathText } from "../scenario/yamlText.ts";
import type { Asked, BuiltInContracts, PortAnswerOf, PortName } from "./portContracts.ts";
import { partContracts, partPorts } from "./portTranslations.ts";

const optional = Schema.optionalKey;
const flag = Schema.Boolean.annotate({ expected: "true | false" });
const TOKENS_MAX = 1_000_000_000;
const ITEMS_MAX = 10_000;
/** Ours: the largest models give some thousand numbers. */
export const VECTOR_LENGTH_MAX = 20_000;

const changesSchema = mapOf(
  /^\/agentOS\/.{1,990}$/u,
  "absolute paths below /agentOS/",
  Schema.Union([anyText, Schema.Null]).annotate({ expected: "a text, or null" }),
);

const usage = Schema.Struct({
  model: sentence,
  promptTokens: whole(0, TOKENS_MAX),
  answerTokens: whole(0, TOKENS_MAX),
  stop: optional(sentence),
}).annotate({ expected: "a map with model, promptTokens and answerTokens" });

const saidSchema = Schema.Struct({ text: anyText, usage: optional(usage) }).annotate({
  expected: "a map with text",
});

const vector = listOf(
  Schema.Finite.annotate({ expected: "a finite number" }),
  1,
  VECTOR_LENGTH_MAX,
);

const EXIT_MAX = 255;

const runSchema = Schema.Struct({
  ok: flag,
  result: optional(Schema.Unknown),
  isNone: optional(flag),
  error: optional(sentence),
  timedOut: optional(flag),
  exitCode: optional(whole(0, EXIT_MAX)),
  changed: optional(changesSchema),
  created: optional(listOf(sentence, 0, ITEMS_MAX)),
  needsArguments: optional(flag),
  functionName: optional(Schema.Union([sentence, Schema.Null])),
}).annotate({ expected: "a map with ok" });

const commandSchema = Schema.Struct({
  exitCode: whole(0, EXIT_MAX),
  stdout: anyText,
  stderr: anyText,
  changed: optional(changesSchema),
  reads: optional(listOf(sentence, 0, ITEMS_MAX)),
  fault: optional(sentence),
}).annotate({ expected: "a map with exitCode, stdout and stderr" });

const body = Schema.Literals(["pass", "docstring", "code"]).annotate({
  expected: "pass | docstring | code",
});
const syntax = {
  ok: flag,
  error: optional(sentence),
  functions: listOf(
    Schema.Struct({
      name: sentence,
      firstArgument: Schema.Union([sentence, Schema.Null]),
      inClass: flag,
      isAsync: optional(Schema.Literal(true).annotate({ expected: "true, or nothing" })),
      body,
    }).annotate({ expected: "a map with name, firstArgument, inClass and body" }),
    0,
    ITEMS_MAX,
  ),
  module: body,
};
const parseSchema = Schema.Struct(syntax).annotate({
  expected: "a map with ok, functions and module",
});
const profileSchema = Schema.Struct({
  ...syntax,
  imports: listOf(sentence, 0, ITEMS_MAX),
  calls: listOf(sentence, 0, ITEMS_MAX),
  opensToWrite: flag,
  hidden: optional(listOf(sentence, 0, ITEMS_MAX)),
}).annotate({
  expected: "a map with ok, functions, module, imports, calls and opensToWrite",
});

const toolSchema = Schema.Union([
  Schema.Struct({
    ok: Schema.Literal(true),
    result: Schema.Unknown,
    changed: optional(changesSchema),
  }),
  Schema.Struct({ ok: Schema.Literal(false), error: sentence }),
]).annotate({ expected: "{ok: true, result} | {ok: false, error}" });

/** By port; some ports ask for different things. */
const schemas: {
  readonly [P in keyof BuiltInContracts]: (purpose: string) => Schema.Decoder<unknown>;
} = {
  "port/llm.chat": () =>
    Schema.Union([anyText, saidSchema]).annotate({ expected: "a text | a map with text" }),
  "port/llm.embed": () =>
    Schema.Struct({ vectors: listOf(vector, 0, ITEMS_MAX) }).annotate({
      expected: "a map with vectors",
    }),
  "port/sandbox.run": () => runSchema,
  "port/shell.run": () => commandSchema,
  "port/python.parse": (purpose) => (purpose === "profile" ? profileSchema : parseSchema),
  "port/tool.call": () => toolSchema,
};

/** Undefined for the port of a part. */
const schemaOf = (port: string, purpose: string): Schema.Decoder<unknown> | undefined =>
  Object.entries(schemas).find(([name]) => name === port)?.[1](purpose);

/** Every port that a program may serve. */
export const portNames = (lists: Lists): readonly PortName[] =>
  // Their keys are the names.
  [...Object.keys(schemas), ...partPorts(lists)] as readonly PortName[];

type Lists = Pick<PartLists, "edgeParts">;

/**
 * A copy of the answer, nothing of which the program can still change. Throws PortFailed that names
 * every place that is not as the port's contract says.
 */
export function checkedAnswer<P extends PortName>(
  lists: Lists,
  port: P,
  { purpose, from, nth }: Pick<Asked, "purpose" | "from" | "nth">,
  answer: unknown,
): PortAnswerOf<P> {
  const question = `the answer to question ${nth} of ${from} for ${purpose}`;
  const copy = strictCopy(port, answer, question);
  const own = partContracts(lists, purpose)[port];
  const schema =
    own !== undefined && "schema" in own ? own.schema(purpose) : schemaOf(port, purpose);
  if (schema === undefined) {
    const found = own !== undefined && "unusable" in own ? own.unusable(copy, purpose) : null;
    if (found === null) return copy as PortAnswerOf<P>; // Its part has looked at it.
    throw answerRefused(port, question, [{ where: { path: port }, found, allowed: OWN_ALLOWED }]);
  }
  const decoded = Schema.decodeUnknownResult(schema, {
    errors: "all",
    onExcessProperty: "error",
  })(copy);
  if (decoded._tag === "Success") return copy as PortAnswerOf<P>;
  const problems = findingsOf(decoded.failure.issue, copy).map(
    ({ path, found, allowed, meant }): Problem => ({
      where: { path: placeIn(port, pathText(path)) },
      found,
      allowed,
      ...(meant && hintFor(meant.word, meant.names)),
    }),
  );
  throw answerRefused(port, question, problems);
}

const OWN_ALLOWED = "an answer that the part of this port can use";

const placeIn = (port: string, path: string): string => (path === "" ? port : `${port} ${path}`);

function strictCopy(port: PortName, answer: unknown, question: string): Json {
  try {
    return JSON.parse(canonicalJson(answer, "answer")) as Json;
  } catch (thrown) {
    const allowed = "strict JSON: texts, finite numbers, true, false, null, lists and plain maps";
    // A getter may throw whatever it likes.
    if (!(thrown instanceof NotJsonError)) {
      const found = `a value that cannot be read: ${messageOf(thrown)}`;
      throw answerRefused(port, question, [{ where: { path: port }, found, allowed }]);
    }
    const path = thrown.path.replace(/^answer\.?/, "");
    const found = thrown.message.slice(thrown.path.length + 2).replace(/ is not JSON$/, "");
    throw answerRefused(port, question, [{ where: { path: placeIn(port, path) }, found, allowed }]);
  }
}

/** The words of anything that can be thrown. */
export const messageOf = (thrown: unknown): string => {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "something without words";
  }
};

/** What an answer got wrong; at least one problem. */
export function answerRefused(
  port: PortName,
  question: string,
  [first, ...more]: readonly Problem[],
): PortFailed {
  const problem = first ?? {
    where: { path: port },
    found: "an answer that fits nothing",
    allowed: "",
  };
  const todo = `Correct ${question}; the types \`PortContracts\` of ghostlight say what each port takes.`;
  return new PortFailed({ ...problem, more, todo });
}
