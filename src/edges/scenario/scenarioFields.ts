/** What a field of a scenario may hold, and how an error says so. */
import * as Schema from "effect/Schema";
import { DURATION_ALLOWED, DURATION_PATTERN, parseDuration } from "../duration.ts";

/** Ours: far above every shipped scenario, and low enough that a mistake is named within seconds. */
const CHARS_MAX = 1_048_576;
export const SENTENCE_CHARS_MAX = 10_000;
export const ITEMS_MAX = 5_000;
export const WEIGHT_MAX = 1_000_000;
export const matching = (pattern: RegExp, expected: string) =>
  Schema.String.check(Schema.isPattern(pattern, { expected })).annotate({ expected });

export const words = (charsMax: number) => {
  const expected = `a text of 1 … ${charsMax} characters`;
  return Schema.String.check(Schema.isBetweenLength(1, charsMax, { expected })).annotate({
    expected,
  });
};

export const whole = (minimum: number, maximum: number) => {
  const expected = `a whole number ${minimum} … ${maximum}`;
  return Schema.Number.check(
    Schema.isInt({ expected }),
    Schema.isBetween({ minimum, maximum }, { expected }),
  ).annotate({ expected });
};

export const listOf = <S extends Schema.Top>(item: S, min: number, max: number) => {
  const expected = `a list of ${min} … ${max} items`;
  const list = Schema.Array(item).check(Schema.isMaxLength(max, { expected }));
  const atLeast = min === 0 ? list : list.check(Schema.isMinLength(min, { expected }));
  return atLeast.annotate({ expected });
};

export const mapOf = <S extends Schema.Top>(pattern: RegExp, name: string, value: S) =>
  Schema.Record(matching(pattern, name), value).annotate({
    expected: `a map from ${name} to values`,
  });

export const text = words(CHARS_MAX);
export const anyText = Schema.String.check(
  Schema.isMaxLength(CHARS_MAX, { expected: `a text of up to ${CHARS_MAX} characters` }),
).annotate({ expected: "a text" });
export const sentence = words(SENTENCE_CHARS_MAX);
export const duration = matching(DURATION_PATTERN, DURATION_ALLOWED).check(
  Schema.makeFilter((value: string) => parseDuration(value) !== undefined, {
    expected: DURATION_ALLOWED,
  }),
);
/** Which folders there are beside /agentOS, the policy says, and findings hold paths to it. */
export const path = matching(/^\/.{1,997}$/u, "an absolute path below /agentOS/");
const idExpected = "1 … 60 of a-z, 0-9 and -, starting with a letter or digit";
export const id = matching(/^[a-z0-9][a-z0-9-]{0,59}$/u, idExpected);
export const AGENT_ALLOWED = "an agent's name: 1 … 31 of a-z, 0-9 and -, starting with a letter";
export const agent = matching(/^[a-z][a-z0-9-]{0,30}$/u, AGENT_ALLOWED);

export const says = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotateKey({ description });

/** A field that may be absent. */
export const optional = <S extends Schema.Top>(schema: S, description: string) =>
  says(Schema.optionalKey(schema), description);

const shareExpected = "a number 0 … 1";
/** A load or a severity, as reports show it. */
export const share = Schema.Number.check(
  Schema.isBetween({ minimum: 0, maximum: 1 }, { expected: shareExpected }),
).annotate({ expected: shareExpected });

/** A view an agent holds: its words alone, or with what they are about. */
export const opinion = Schema.Struct({
  opinion: says(sentence, "What it thinks, in words."),
  domain: optional(words(100), "What it is about. `general` if absent."),
}).annotate({ identifier: "Opinion", expected: "a map with opinion and domain" });

/** Something that the outside does: `fields` besides its id, its time and what it is. */
export const outsideEvent = <const Does extends string, const Fields extends Schema.Struct.Fields>(
  does: Does,
  description: string,
  fields: Fields,
) =>
  Schema.Struct({
    id: says(id, "The name by which a variant omits it and a report cites it."),
    at: says(duration, "When, counted from the start. Not after the end."),
    does: says(Schema.Literal(does), description),
    ...fields,
  });
