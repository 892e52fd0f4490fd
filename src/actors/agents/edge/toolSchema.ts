/** The `tools:` of a scenario: what a tool says of itself, and what it answers; what is wrong with it; its decoded form. */
import * as Schema from "effect/Schema";
import { DURATION_ALLOWED, parseDuration } from "../../../edges/duration.ts";
import type { Finding } from "../../../edges/scenario/finding.ts";
import { wrong } from "../../../edges/scenario/findingParts.ts";
import {
  duration,
  listOf,
  mapOf,
  matching,
  optional,
  says,
  sentence,
  text,
  whole,
} from "../../../edges/scenario/scenarioFields.ts";
import {
  eachSaid,
  type Given,
  lasting,
  mapSaid,
  present,
} from "../../../edges/scenario/sourceFields.ts";
import type { Path } from "../../../edges/scenario/yamlText.ts";
import { defined } from "../../../machines/defined.ts";
import { isMap } from "../../../machines/isMap.ts";
import type { Json } from "../../../machines/letter.ts";
import type { Tool } from "../tool.ts";
import type { Arguments, Latency, ToolOutcome, ToolRow } from "../toolTable.ts";

const ROWS_MAX = 5_000;
const TURNS_MAX = 5_000;

const latency = optional(
  Schema.Union([duration, listOf(duration, 2, 2)]).annotate({
    expected: `${DURATION_ALLOWED}, or a list of two: the least and the most`,
  }),
  "How long it takes, in virtual time; of two, a time from the first to the second is drawn.",
);

const outcomeFields = {
  returns: optional(Schema.Unknown, "What comes back: any JSON."),
  error: optional(sentence, "Why it failed, in words."),
  latency,
};

const outcome = Schema.Struct(outcomeFields).annotate({
  identifier: "ToolOutcome",
  expected: "a map with returns or error",
});

const argumentsMap = mapOf(/^.{1,100}$/u, "names of arguments", Schema.Unknown);

const row = Schema.Struct({
  when: optional(
    argumentsMap,
    "Only to a call with these arguments, whatever others it has: a value, a text in which * stands for " +
      "any characters, or a list of alternatives. To any call if absent.",
  ),
  args: optional(
    argumentsMap,
    "Only to a call with exactly these arguments and no others; nothing in them is a pattern. Not beside `when`.",
  ),
  ...outcomeFields,
  inTurn: optional(
    listOf(outcome, 1, TURNS_MAX),
    "The outcomes of the calls with the same arguments, in turn; the last one again for those behind it.",
  ),
}).annotate({
  identifier: "ToolRow",
  expected: "a map with when or args, and one of returns, error and inTurn",
});

export const tool = Schema.Struct({
  name: says(matching(/^[a-z0-9_]{1,60}$/u, "1 … 60 of a-z, 0-9 and _"), "The tool's name."),
  description: says(sentence, "What its spec says; routers read this."),
  returns: optional(
    Schema.Unknown,
    "What the scripted sandbox answers: any JSON. Either this, `python` or `answers`.",
  ),
  python: optional(
    text,
    "Its code, which runs in the sandbox as agents' own does: a function of the tool's name. It sees the files " +
      "that its arguments name, and of folders that they are there.",
  ),
  answers: optional(
    listOf(row, 1, ROWS_MAX),
    "What it answers to which arguments: the first row that fits.",
  ),
  otherwise: optional(
    outcome,
    "Beside `answers`: what it answers where no row fits. An error that says so if absent.",
  ),
  failsPerMille: optional(
    whole(0, 1_000),
    "Of a thousand calls, how many fail. The choice's name is `failure:<name>`, by which a variant omits it.",
  ),
  failure: optional(sentence, "What such a call says. `the tool failed` if absent."),
  nothing: optional(
    Schema.Literal(true).annotate({ expected: "true" }),
    "Such a call returns nothing, as if all were well. Not beside `failure`.",
  ),
  latency,
  parameters: optional(
    mapOf(/^.{1,100}$/u, "words of JSON Schema", Schema.Unknown),
    "The JSON Schema of its arguments, an object's; where tools are called by name, prompts show it.",
  ),
}).annotate({
  identifier: "Tool",
  expected: "a map with name, description, and one of returns, python and answers",
});

export type ToolSource = typeof tool.Type;
type RowSource = typeof row.Type;
type OutcomeSource = typeof outcome.Type;

const BEHAVIOURS = ["returns", "python", "answers"] as const;

/** What is wrong with tools whose fields, one by one, are right. */
export const toolFindings = (tools: readonly ToolSource[]): Finding[] =>
  tools.flatMap((one, index) => {
    const own: Path = ["tools", index];
    return [
      ...oneOf(one, BEHAVIOURS, own),
      ...beside(one, "otherwise", "answers", own),
      ...["failure", "nothing"].flatMap((word) => beside(one, word, "failsPerMille", own)),
      ...both(one, "failure", "nothing", own),
      ...latencyFindings(one, own),
      ...(one.answers ?? []).flatMap((each, at) => rowFindings(each, [...own, "answers", at])),
      ...(one.otherwise === undefined ? [] : outcomeFindings(one.otherwise, [...own, "otherwise"])),
      ...parameterFindings(one, own),
    ];
  });

const oneOf = (one: object, words: readonly string[], path: Path): Finding[] => {
  const found = words.filter((word) => Object.hasOwn(one, word));
  if (found.length === 1) return [];
  const allowed = `exactly one of ${words.join(", ")}`;
  return [{ path, found: found.length === 0 ? "none of them" : found.join(" and "), allowed }];
};

const beside = (one: object, word: string, other: string, path: Path): Finding[] =>
  !Object.hasOwn(one, word) || Object.hasOwn(one, other)
    ? []
    : [wrongKey(path, word, `${word} beside ${other}`)];

const both = (one: object, word: string, other: string, path: Path): Finding[] =>
  Object.hasOwn(one, word) && Object.hasOwn(one, other)
    ? [wrongKey(path, other, `${word} or ${other}, not both`)]
    : [];

const wrongKey = (path: Path, key: string, allowed: string): Finding => ({
  ...wrong([...path, key], key, allowed),
  part: "key",
});

function rowFindings(one: RowSource, own: Path): Finding[] {
  return [
    ...both(one, "when", "args", own),
    ...oneOf(one, ["returns", "error", "inTurn"], own),
    ...(one.inTurn === undefined ? [] : both(one, "inTurn", "latency", own)),
    ...latencyFindings(one, own),
    ...(one.inTurn ?? []).flatMap((each, at) => outcomeFindings(each, [...own, "inTurn", at])),
  ];
}

const outcomeFindings = (one: OutcomeSource, own: Path): Finding[] => [
  ...oneOf(one, ["returns", "error"], own),
  ...latencyFindings(one, own),
];

function latencyFindings(
  { latency: written }: Pick<OutcomeSource, "latency">,
  own: Path,
): Finding[] {
  const [least, most] = latencyOf(written) ?? [0, 0];
  return least <= most
    ? []
    : [wrong([...own, "latency"], written, "the least first, then the most")];
}

/** The schema must be an object's, and the table may speak of nothing that it does not name. */
function parameterFindings({ parameters, answers = [] }: ToolSource, own: Path): Finding[] {
  if (parameters === undefined) return [];
  const path = [...own, "parameters"];
  const { type = "object", properties = {}, required = [] } = parameters;
  if (type !== "object") return [wrong([...path, "type"], type, '"object"')];
  if (!isMap(properties)) return [wrong([...path, "properties"], properties, "a map of schemas")];
  const names = Object.keys(properties);
  const isList = Array.isArray(required) && required.every((name) => typeof name === "string");
  if (!isList) return [wrong([...path, "required"], required, "a list of names of properties")];
  const unknown = (name: string, at: Path): Finding[] =>
    names.includes(name)
      ? []
      : [
          {
            ...wrong(at, name, `one of the parameters: ${names.join(", ") || "there is none"}`),
            part: "key",
            meant: { word: name, names },
          },
        ];
  return [
    ...(required as readonly string[]).flatMap((name, at) =>
      unknown(name, [...path, "required", at]).map(({ part: _, ...one }) => one),
    ),
    ...answers.flatMap(({ when, args }, at) =>
      Object.keys(when ?? args ?? {}).flatMap((name) =>
        unknown(name, [...own, "answers", at, when === undefined ? "args" : "when", name]),
      ),
    ),
  ];
}

/** Least and most, in milliseconds; the caller has found nothing wrong with their form. */
function latencyOf(written: OutcomeSource["latency"]): Latency | undefined {
  if (written === undefined) return undefined;
  const [least = "", most = least] = typeof written === "string" ? [written] : written;
  return [parseDuration(least) ?? 0, parseDuration(most) ?? 0];
}

const outcomeOf = ({ returns = null, error, latency: written }: OutcomeSource): ToolOutcome =>
  defined({
    ...(error === undefined
      ? { ok: true as const, result: returns as Json }
      : { ok: false as const, error }),
    latencyMs: latencyOf(written),
  });

const rowOf = ({ when = {}, args, inTurn, ...one }: RowSource): ToolRow => ({
  fits:
    args === undefined
      ? { kind: "when", args: when as Arguments }
      : { kind: "args", args: args as Arguments },
  outcomes: (inTurn ?? [one]).map(outcomeOf),
});

/** The caller has found nothing wrong with the source. */
export function toolOf(source: ToolSource): Tool {
  const { name, description, python, answers, otherwise, parameters } = source;
  const { failsPerMille, failure, nothing } = source;
  return defined<Tool>({
    name,
    description,
    returns: Object.hasOwn(source, "returns") ? (source.returns as Json) : undefined,
    python,
    table: answers && {
      rows: answers.map(rowOf),
      otherwise: otherwise === undefined ? null : outcomeOf(otherwise),
    },
    failsPerMille,
    failure: nothing ? null : failure,
    latencyMs: latencyOf(source.latency),
    parameters: parameters as Arguments | undefined,
  });
}

const latencySaid = (latency: unknown): unknown =>
  Array.isArray(latency) ? latency.map(lasting) : latency;

const outcomeSaid = ({ ok, result, latencyMs, ...rest }: Given): object => ({
  ...present({ ...rest, latency: latencySaid(latencyMs) }),
  ...(ok === true && { returns: result }),
});

/** The other way round: what the YAML would say. */
export function toolSaid({ table, failure, latencyMs, returns, ...tool }: Given): object {
  const said = mapSaid(table, ({ rows, otherwise }) => ({
    answers: eachSaid(rows, ({ fits, outcomes }) => ({
      ...(mapSaid(fits, ({ kind, args }) => ({ [String(kind)]: args })) as object),
      inTurn: eachSaid(outcomes, outcomeSaid),
    })),
    otherwise: mapSaid(otherwise, outcomeSaid),
  }));
  return {
    ...present({ ...tool, latency: latencySaid(latencyMs), ...(isMap(said) ? said : { table }) }),
    ...(returns !== undefined && { returns }),
    ...(failure !== undefined && (failure === null ? { nothing: true } : { failure })),
  };
}
