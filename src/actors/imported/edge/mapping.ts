/** Which field of a line is what, as `--map FILE` says it and `import --explain` prints it. Paths have dots: `data.tool.name`. */

import { stringify } from "yaml";
import { fileBytes, fileFault, textOfBytes } from "../../../edges/boundedBytes.ts";
import {
  BadInput,
  badInput,
  hintFor,
  type Problem,
  quoted,
  refuse,
} from "../../../edges/errors.ts";
import { parseYaml, type YamlText } from "../../../edges/scenario/yamlText.ts";
import { isMap } from "../../../machines/isMap.ts";
import type { Json } from "../../../machines/letter.ts";
import { idOf, isEmpty, leaves, mapsIn } from "./readers/fields.ts";
import { knownRole } from "./readers/messageFields.ts";
import { timeOf } from "./readers/time.ts";

/** What a mapping can name, in the order in which it is printed. */
export const MAPPED = [
  "time",
  "speaker",
  "role",
  "to",
  "text",
  "tool",
  "args",
  "result",
  "call",
  "error",
  "log",
  "step",
] as const;

export type Mapped = (typeof MAPPED)[number];

/** The path of each; what is absent the lines do not hold. */
export type Mapping = { readonly [field in Mapped]?: string };

/** The YAML of `--map`: a path for each field that lines have. */
const BYTES_MAX = 1024 * 1024;
const TODO =
  "Write each field as `name: path`; `ghostlight import --explain FILE` prints a mapping to begin with.";

/** Throws BadInput when the file cannot be read or is no mapping. */
export function mappingFile(file: string): Mapping {
  const refused = (found: string): BadInput =>
    badInput({ file, path: "--map" }, found, "a mapping in YAML", TODO);
  try {
    const bytes = fileBytes(file, BYTES_MAX);
    if (bytes.length > BYTES_MAX) throw refused(`more than ${BYTES_MAX} bytes`);
    return mappingText(textOfBytes(bytes), file);
  } catch (error) {
    throw error instanceof BadInput ? error : refused(fileFault(error));
  }
}

/** The mapping of a text; `file` names it in errors. Throws BadInput with all that is wrong. */
export function mappingText(text: string, file: string): Mapping {
  const parsed = parseYaml(text, file);
  const problems = "problems" in parsed ? parsed.problems : faultsOf(parsed, file);
  refuse(problems, TODO);
  return (parsed as YamlText).value as Mapping;
}

function faultsOf({ value, whereOf }: YamlText, file: string): readonly Problem[] {
  if (!isMap(value)) {
    return [
      { where: { file, line: 1 }, found: quoted(value), allowed: `a map of ${MAPPED.join(" | ")}` },
    ];
  }
  const problems = Object.entries(value).flatMap(([name, path]): Problem[] => {
    if (!(MAPPED as readonly string[]).includes(name)) {
      return [
        {
          where: whereOf([name], "key"),
          found: quoted(name),
          allowed: MAPPED.join(" | "),
          ...hintFor(name, MAPPED),
        },
      ];
    }
    if (typeof path === "string" && path.trim() !== "" && path.length <= PATH_CHARS_MAX) return [];
    return [
      {
        where: whereOf([name], "value"),
        found: quoted(path),
        allowed: "a path such as data.tool.name",
      },
    ];
  });
  if (problems.length > 0 || NEEDED.some((name) => value[name] !== undefined)) return problems;
  return [
    {
      where: { file, line: 1 },
      found: `none of ${NEEDED.join(", ")}`,
      allowed: `at least one of ${NEEDED.join(" | ")}`,
    },
  ];
}

const PATH_CHARS_MAX = 500;
/** Without one of them, no line says anything. */
const NEEDED: readonly Mapped[] = ["text", "tool", "result"];

/** Which field of unknown lines may be what: guessed by its name and by what stands there, and printed with both. */
export interface Guess {
  readonly mapping: Mapping;
  /** The mapping as YAML that `--map` takes, with the reason of each line behind it. */
  readonly yaml: string;
}

interface Kind {
  /** Of the last word of a path; the first that fits is the best. */
  readonly names: readonly RegExp[];
  readonly what: string;
  readonly fits: (value: Json) => boolean;
}

const isShort = (value: Json): boolean =>
  idOf(value) !== null && String(value).length <= 80 && !/\n/.test(String(value));

const NAMED = { what: "short names", fits: isShort };
const IDS = { what: "ids", fits: isShort };
const VALUES = { what: "values", fits: (value: Json): boolean => value !== null };

const KINDS: { readonly [field in Mapped]: Kind } = {
  time: {
    names: [/^(time|timestamp|ts|@timestamp|datetime)$/i, /(created|started|time|date|_at$|At$)/],
    what: "times",
    fits: (value) => timeOf(value) !== null,
  },
  speaker: {
    names: [
      /^(speaker|agent|agent_?name|sender|actor|author)$/i,
      /^(from|who|name|user|source|agent_?id)$/i,
    ],
    ...NAMED,
  },
  role: {
    names: [/^role$/i, /^(type|kind)$/i],
    what: "known roles",
    fits: (value) => typeof value === "string" && knownRole(value) !== null,
  },
  to: { names: [/^(to|recipient|receiver|target|addressee)$/i], ...NAMED },
  text: {
    names: [
      /^(text|content|message|msg|body|utterance)$/i,
      /^(value|output_text|response|prompt)$/i,
    ],
    what: "texts",
    fits: (value) => typeof value === "string" && value !== "",
  },
  tool: {
    names: [
      /^(tool|tool_?name|function|function_?name|capability|capability_id|action)$/i,
      /^(name|command)$/i,
    ],
    what: "short names",
    fits: (value) => isShort(value) && !/\s/.test(String(value)),
  },
  args: {
    names: [/^(args|arguments|params|parameters|kwargs|tool_?(args|input))$/i, /^input$/i],
    what: "maps or lists",
    fits: (value) =>
      typeof value === "string"
        ? /^\s*[[{]/.test(value)
        : typeof value === "object" && value !== null,
  },
  result: {
    names: [/^(result|output|return|returned|observation|tool_?(result|output))$/i, /^response$/i],
    ...VALUES,
  },
  call: {
    names: [/^(call_?id|tool_?call_?id|tool_use_id|invocation_?id)$/i, /^(call|request_?id)$/i],
    ...IDS,
  },
  error: { names: [/^(error|exception|err|is_error|failed|error_message)$/i], ...VALUES },
  log: {
    names: [
      /^(log|log_?id|session|session_?id|conversation|conversation_?id|trace|trace_?id|thread_?id|run|run_?id|episode|episode_?id)$/i,
    ],
    ...IDS,
  },
  step: {
    names: [/^(step|step_?(id|no|number)|turn|index|seq|i)$/i],
    what: "whole numbers",
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
};

/** Ours: how much of what stands in a field must fit. */
const SHARE_MIN = 0.6;

/** Null where no field looks like a text, a tool or a result. */
export function guessedMapping(values: readonly Json[]): Guess | null {
  const lines = mapsIn(values);
  const fields = new Map<string, Json[]>();
  for (const line of lines) {
    for (const [path, value] of leaves(line)) {
      if (isEmpty(value)) continue;
      const known = fields.get(path);
      if (known === undefined) fields.set(path, [value]);
      else known.push(value);
    }
  }
  const taken = new Set<string>();
  const found: { readonly field: Mapped; readonly path: string; readonly why: string }[] = [];
  for (const field of MAPPED) {
    const best = bestOf(KINDS[field], fields, taken);
    if (best === null) continue;
    taken.add(best.path);
    found.push({ field, ...best });
  }
  if (!found.some(({ field }) => field === "text" || field === "tool" || field === "result"))
    return null;
  const mapping = Object.fromEntries(found.map(({ field, path }) => [field, path])) as Mapping;
  const yaml = found
    .map(
      ({ field, path, why }) =>
        `${stringify({ [field]: path }, { lineWidth: 0 }).trimEnd()} # ${why}\n`,
    )
    .join("");
  return { mapping, yaml };
}

function bestOf(
  { names, what, fits }: Kind,
  fields: ReadonlyMap<string, readonly Json[]>,
  taken: ReadonlySet<string>,
) {
  for (const name of names) {
    let best: { readonly path: string; readonly share: number; readonly why: string } | null = null;
    for (const [path, values] of fields) {
      if (taken.has(path) || /\n/.test(path) || !name.test(path.slice(path.lastIndexOf(".") + 1)))
        continue;
      const count = values.filter(fits).length;
      const share = count / values.length;
      // The shallower of two equals.
      if (
        share < SHARE_MIN ||
        (best !== null &&
          (share < best.share || (share === best.share && path.length >= best.path.length)))
      )
        continue;
      best = { path, share, why: `by its name; ${count} of ${values.length} are ${what}` };
    }
    if (best !== null) return { path: best.path, why: best.why };
  }
  return null;
}
