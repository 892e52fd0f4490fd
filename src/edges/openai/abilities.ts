/**
 * What a server takes of a question. Nobody lists it, so it is asked for everything first; what it
 * refuses by name is omitted from then on, and said once.
 */

/** How an answer is made to keep to a schema: by the server, as a function's arguments, as some JSON, by the prompt alone. */
type Shape = "schema" | "tool" | "json" | "prompt";

export interface Abilities {
  readonly stream: boolean;
  /** Counts of tokens at the end of a stream. */
  readonly streamUsage: boolean;
  readonly seed: boolean;
  readonly temperature: boolean;
  /** How the field is called that cuts an answer off. */
  readonly cutOff: "max_tokens" | "max_completion_tokens" | null;
  /** Of a question whose answer has a schema. */
  readonly shape: Shape;
  /** Whether it can be asked for any JSON. */
  readonly json: boolean;
}

/** All of it, as a server is believed to have before it was asked. */
export const everything = (stream: boolean): Abilities => ({
  ...{ stream, streamUsage: true, seed: true, temperature: true },
  ...{ cutOff: "max_tokens", shape: "schema", json: true },
});

export interface Refused {
  /** What is asked for no more. */
  readonly change: Partial<Abilities>;
  /** The same in words. */
  readonly says: string;
}

interface Omission extends Refused {
  readonly isSent: boolean;
  readonly isNamed: RegExp;
}

/** A refusal says so: an error that merely mentions a field takes nothing away. */
const REFUSES =
  /unsupport|not (be )?(support|permit|allow|availab|implement|valid)|unknown|unrecogni[sz]ed|unexpected|extra (inputs|fields)|invalid|must be|does not|is no stream|deprecated/i;
/** Too long a prompt is no refusal of the field that bounds the answer. */
const TOO_LONG = /context (length|window|size)|too (large|long|many)|exceed/i;

/** What this refusal of a question that was asked with `used` names; undefined when it names nothing that can be omitted. */
export function refusedBy(used: Abilities, refusal: string): Refused | undefined {
  if (!REFUSES.test(refusal) || TOO_LONG.test(refusal)) return undefined;
  return omissions(used).find(({ isSent, isNamed }) => isSent && isNamed.test(refusal));
}

const omissions = ({ stream, streamUsage, seed, temperature, cutOff, shape }: Abilities) =>
  [
    {
      isSent: stream && streamUsage,
      isNamed: /stream_options|include_usage/i,
      change: { streamUsage: false },
      says: "counts of tokens in a stream",
    },
    {
      isSent: cutOff === "max_tokens",
      isNamed: /max_completion_tokens/i,
      change: { cutOff: "max_completion_tokens" },
      says: "max_tokens, but max_completion_tokens",
    },
    {
      isSent: cutOff !== null,
      isNamed: /max_(completion_)?tokens/i,
      change: { cutOff: null },
      says: "a bound on the tokens of an answer",
    },
    { isSent: seed, isNamed: /\bseed\b/i, change: { seed: false }, says: "a seed" },
    {
      isSent: temperature,
      isNamed: /\btemperature\b/i,
      change: { temperature: false },
      says: "a temperature",
    },
    {
      isSent: shape === "schema",
      isNamed: /response_format|json_schema|\bschema\b|structured|grammar/i,
      change: { shape: "tool" },
      says: "a JSON Schema for an answer",
    },
    {
      isSent: shape === "tool",
      isNamed: /\btools?\b|tool_choice|\bfunctions?\b/i,
      change: { shape: "json" },
      says: "a function to be called with the answer",
    },
    {
      isSent: shape === "json",
      isNamed: /response_format|json_object|\bjson\b/i,
      change: { json: false },
      says: "that an answer is to be JSON",
    },
    {
      isSent: stream,
      isNamed: /\bstream(ing|ed)?\b/i,
      change: { stream: false },
      says: "answers in pieces",
    },
  ] as const satisfies readonly Omission[];
