/** Which field of unknown lines may be what: guessed by its name and by what stands there, and printed with both. */
import { stringify } from "yaml";
import type { Json } from "../../../machines/letter.ts";
import { MAPPED, type Mapped, type Mapping } from "./mapping.ts";
import { idOf, isEmpty, listOf, mapOf, mapsIn } from "./readers/fields.ts";
import { leaves } from "./readers/paths.ts";
import { knownRole } from "./readers/speaker.ts";
import { timeOf } from "./readers/time.ts";

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

const isText = (value: Json): boolean => typeof value === "string" && value !== "";
const isShort = (value: Json): boolean =>
  idOf(value) !== null && String(value).length <= 80 && !/\n/.test(String(value));

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
    what: "short names",
    fits: isShort,
  },
  role: {
    names: [/^role$/i, /^(type|kind)$/i],
    what: "known roles",
    fits: (value) => typeof value === "string" && knownRole(value) !== null,
  },
  to: {
    names: [/^(to|recipient|receiver|target|addressee)$/i],
    what: "short names",
    fits: isShort,
  },
  text: {
    names: [
      /^(text|content|message|msg|body|utterance)$/i,
      /^(value|output_text|response|prompt)$/i,
    ],
    what: "texts",
    fits: isText,
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
      mapOf(value) !== null ||
      listOf(value) !== null ||
      (typeof value === "string" && /^\s*[[{]/.test(value)),
  },
  result: {
    names: [/^(result|output|return|returned|observation|tool_?(result|output))$/i, /^response$/i],
    what: "values",
    fits: (value) => value !== null,
  },
  call: {
    names: [/^(call_?id|tool_?call_?id|tool_use_id|invocation_?id)$/i, /^(call|request_?id)$/i],
    what: "ids",
    fits: isShort,
  },
  error: {
    names: [/^(error|exception|err|is_error|failed|error_message)$/i],
    what: "values",
    fits: (value) => value !== null,
  },
  log: {
    names: [
      /^(log|log_?id|session|session_?id|conversation|conversation_?id|trace|trace_?id|thread_?id|run|run_?id|episode|episode_?id)$/i,
    ],
    what: "ids",
    fits: isShort,
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
