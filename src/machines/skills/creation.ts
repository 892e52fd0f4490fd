/** What create_skill asks of its arguments before anything is written or run. Source: seed 001; the real system's order. */
import { cutText } from "../cutText.ts";
import type { Json } from "../letter.ts";
import { readFault } from "../readJson.ts";

export const CREATION_FIELDS = [
  "name",
  "description",
  "parameters_schema",
  "python_code",
  "test_payload",
] as const;

export type CreationArgs = {
  readonly [field in (typeof CREATION_FIELDS)[number] | "filename"]?: Json;
};

const CHARS_MAX = 80;

/** How a value that a model wrote is shown to whoever hears that it is refused. */
export function showValue(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= CHARS_MAX ? text : `${cutText(text, CHARS_MAX)} …`;
}

/** As the real system: the name of a file stands in for a missing name. */
export function namedArgs({ filename, ...args }: CreationArgs): CreationArgs {
  const isNamed = !isMissing(args.name) || typeof filename !== "string" || filename === "";
  return isNamed ? args : { ...args, name: filename.replace(/\.py$/, "") };
}

interface CreationFault {
  readonly cause:
    | "missing-argument"
    | "name"
    | "name-taken"
    | "no-text"
    | "parameters-schema"
    | "test-payload";
  readonly found: string;
  readonly allowed: string;
  readonly todo: string;
}

/** Names that calls have already, with what they are: `a builtin`, `a macro`. */
export type TakenNames = ReadonlyMap<string, string>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const NAME_ALLOWED = "1 to 64 letters of ASCII, digits and underscores, the first no digit";

/** What keeps a name from being a skill's, and its file's; null when it can be both. */
export function skillNameFault(name: Json | undefined): string | null {
  if (typeof name !== "string") return "no text";
  if (name === "") return "an empty name";
  // No record of JSON may have a member of this name, and the registry is one.
  if (name === "__proto__") return '"__proto__"';
  if (name.length > 64) return `${name.length} characters`;
  return NAME.test(name) ? null : JSON.stringify(name);
}

/** The first fault, in the real system's order; but the name comes before the test run, not behind it. */
export function creationFault(args: CreationArgs, taken: TakenNames): CreationFault | null {
  const missing = CREATION_FIELDS.filter((field) => isMissing(args[field]));
  if (missing.length > 0) {
    return {
      cause: "missing-argument",
      found: `no ${missing.join(", no ")}`,
      allowed: CREATION_FIELDS.join(", "),
      todo: 'Give all five; a skill without parameters is tested with "{}".',
    };
  }
  return nameFault(args.name, taken) ?? textFault(args) ?? jsonFault(args);
}

/** As the real system: empty texts and lists are missing too. */
const isMissing = (given: Json | undefined): boolean =>
  given === undefined ||
  given === null ||
  given === "" ||
  given === 0 ||
  given === false ||
  (Array.isArray(given) && given.length === 0);

function nameFault(name: Json | undefined, taken: TakenNames): CreationFault | null {
  const fault = skillNameFault(name);
  if (fault !== null) {
    return {
      cause: "name",
      found: fault,
      allowed: NAME_ALLOWED,
      todo: "Name the skill as a Python function, such as top_news.",
    };
  }
  const owner = taken.get(String(name));
  if (owner === undefined) return null;
  return {
    cause: "name-taken",
    found: `${name}, the name of ${owner}`,
    allowed: "a name of its own",
    todo: "Choose another name; the old capability stays as it is.",
  };
}

/** Ours: a list of lines is Python too, which does nothing. */
function textFault(args: CreationArgs): CreationFault | null {
  for (const field of ["description", "python_code"] as const) {
    const given = args[field];
    if (typeof given === "string") continue;
    return {
      cause: "no-text",
      found: `${field} ${showValue(given)}`,
      allowed: "a text",
      todo: `Send ${field} as one text, with its newlines.`,
    };
  }
  return null;
}

function jsonFault(args: CreationArgs): CreationFault | null {
  for (const [field, cause, example] of JSON_FIELDS) {
    const given = args[field];
    const fault = typeof given === "string" ? readFault(given) : "JSON that is no text";
    if (fault === null) continue;
    const is = fault === "no JSON" ? "a text that is no JSON" : fault;
    const found = `${is}: ${showValue(given)}`;
    return { cause, found, allowed: "JSON as a text", todo: `Send the ${example}.` };
  }
  return null;
}

const JSON_FIELDS = [
  [
    "parameters_schema",
    "parameters-schema",
    'schema as text, such as {"type": "object", "properties": {}}',
  ],
  ["test_payload", "test-payload", 'payload as text, such as {"city": "Athens"}'],
] as const;
