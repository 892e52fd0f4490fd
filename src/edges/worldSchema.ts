/** The part `world:` of a scenario: its fields, its checks, and what it is decoded to. */
import * as Schema from "effect/Schema";
import { isPlainPath } from "../machines/files.ts";
import type { Json } from "../machines/letter.ts";
import { OUTSIDE_CAPABILITIES, type World } from "../substrate/scriptedWorld.ts";
import { DURATION_ALLOWED, DURATION_PATTERN, parseDuration } from "./duration.ts";
import { quoted } from "./errors.ts";
import type { Finding } from "./finding.ts";

const ANSWERS_MAX = 500;
const WEIGHT_MAX = 1_000_000;
const SENTENCE_CHARS_MAX = 10_000;
const FILE_CHARS_MAX = 1_048_576;

const says = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotateKey({ description });

const matching = (pattern: RegExp, expected: string) =>
  Schema.String.check(Schema.isPattern(pattern, { expected })).annotate({ expected });

const sentenceExpected = `a text of 1 … ${SENTENCE_CHARS_MAX} characters`;
const sentence = Schema.String.check(
  Schema.isBetweenLength(1, SENTENCE_CHARS_MAX, { expected: sentenceExpected }),
).annotate({ expected: sentenceExpected });

const weightExpected = `a whole number 1 … ${WEIGHT_MAX}`;
const weight = Schema.Number.check(
  Schema.isInt({ expected: weightExpected }),
  Schema.isBetween({ minimum: 1, maximum: WEIGHT_MAX }, { expected: weightExpected }),
).annotate({ expected: weightExpected });

const text = Schema.String.check(
  Schema.isMaxLength(FILE_CHARS_MAX, { expected: `a text of up to ${FILE_CHARS_MAX} characters` }),
);

const answer = Schema.Struct({
  id: says(
    matching(
      /^[a-z0-9][a-z0-9-]{0,59}$/u,
      "1 … 60 of a-z, 0-9 and -, starting with a letter or digit",
    ),
    "Unique; `answer:<id>` is the choice's name, by which a variant leaves it out.",
  ),
  capability: says(
    Schema.Literals(OUTSIDE_CAPABILITIES).annotate({ expected: OUTSIDE_CAPABILITIES.join(" | ") }),
    "What was called.",
  ),
  match: says(
    Schema.optionalKey(sentence),
    "Only to a request that holds this text, in whatever case. To any if absent.",
  ),
  weight: says(
    Schema.optionalKey(weight),
    "How often it is drawn, relative to others that fit. 1 if absent.",
  ),
  answer: says(
    Schema.optionalKey(Schema.Unknown),
    "What comes back: any JSON. Texts may hold {agent}. Either this or `error`.",
  ),
  error: says(Schema.optionalKey(sentence), "Why it failed, in words. May hold {agent}."),
  files: says(
    Schema.optionalKey(
      Schema.Record(
        matching(/^\/agentOS\/.{1,990}$/u, "absolute paths below /agentOS/"),
        Schema.Union([text, Schema.Null]).annotate({ expected: "a text, or null" }),
      ).annotate({ expected: "a map from absolute paths below /agentOS/ to texts or null" }),
    ),
    "What is changed before the answer comes: texts by path, null to remove. May hold {agent}.",
  ),
  after: says(
    Schema.optionalKey(
      matching(DURATION_PATTERN, DURATION_ALLOWED).check(
        Schema.makeFilter((value: string) => parseDuration(value) !== undefined, {
          expected: DURATION_ALLOWED,
        }),
      ),
    ),
    "How long it takes. Drawn from what is usual if absent.",
  ),
}).annotate({ identifier: "WorldAnswer", expected: "a map with id, capability and answer" });

const answersExpected = `a list of 0 … ${ANSWERS_MAX} items`;

export const world = Schema.Struct({
  answers: says(
    Schema.Array(answer)
      .check(Schema.isMaxLength(ANSWERS_MAX, { expected: answersExpected }))
      .annotate({ expected: answersExpected }),
    "What proposals, other models and the web answer. Where none fits: pending, unavailable, nothing.",
  ),
}).annotate({ expected: "a map with answers" });

export type WorldSource = typeof world.Type;

/** Names under which a variant may leave answers out. */
export const worldChoices = ({ answers }: WorldSource): string[] =>
  answers.map(({ id }) => `answer:${id}`);

/** What is wrong with answers whose fields, one by one, are right; their ids are the caller's. */
export function worldFindings({ answers }: WorldSource): Finding[] {
  return answers.flatMap((one, index) => {
    const base = ["world", "answers", index];
    const isOne = Object.hasOwn(one, "answer") !== Object.hasOwn(one, "error");
    const allowed = "a path below /agentOS/ without empty, . or .. segments";
    const paths = Object.keys(one.files ?? {}).filter((path) => !isPlainPath(path));
    return [
      ...(isOne
        ? []
        : [
            {
              path: base,
              found: quoted(one.id),
              allowed: "either answer or error, not both or none",
            },
          ]),
      ...paths.map((path) => ({
        ...{ path: [...base, "files", path], found: quoted(path), allowed },
        part: "key" as const,
      })),
    ];
  });
}

/** The caller has found nothing wrong with the source. */
export function worldOf({ answers }: WorldSource): World {
  return {
    answers: answers.map(
      ({ id, capability, match, weight: drawn, answer: result, error, files, after }) => ({
        ...{ id, capability, match: match ?? null, weight: drawn ?? 1, files: files ?? {} },
        reply:
          error === undefined
            ? { ok: true, result: (result ?? null) as Json }
            : { ok: false, error },
        afterMs: after === undefined ? null : (parseDuration(after) ?? null),
      }),
    ),
  };
}
