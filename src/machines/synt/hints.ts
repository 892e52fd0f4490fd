/**
 * The prompt repertoire: what is added to the prompt for code, by provider and model. The user's
 * file comes first and the first match wins. Source: seed 002, 4.2.2 (the real system appends the
 * user's entries, so that none can override a bundled one; dossier 1.8).
 */
import { parse, type TomlError } from "smol-toml";

export interface Hint {
  readonly provider: string;
  /** A glob on the model's name, in any letter case: `qwen*` is meant for `Qwen3.6-35B`. */
  readonly modelPattern: string;
  readonly useCase: string;
  readonly text: string;
}

/** Where a user may put entries of their own. */
export const HINTS_PATH = "/agentOS/config/metnos/prompts.toml";

/** A model that can write the whole file well needs to be told to. */
const WHOLE = "Constraints: write the whole file, def invoke included. Never leave it empty.";

/** Ours, after the seed's three and the real system's for local models: one line, imperative, no reasons. */
export const BUNDLED_HINTS: readonly Hint[] = [
  codeHint("anthropic", "claude-*", "Constraints: follow the spec. Simple regular expressions."),
  codeHint("llamacpp", "*", "Constraints: raw strings with one backslash. No docstrings."),
  codeHint("ollama", "qwen2.5:*", "Constraints: write the whole file. Standard library only."),
  codeHint("ollama", "qwen3:*", WHOLE),
  codeHint("openai", "gpt-*", WHOLE),
];

function codeHint(provider: string, modelPattern: string, text: string): Hint {
  return { provider, modelPattern, useCase: "code_gen", text };
}

/** The text of the first entry that fits, the user's before the bundled ones; nothing when none does. */
export const hintFor = (coder: Coder, users: readonly Hint[]): string =>
  firstFit([...users, ...BUNDLED_HINTS], coder);

export interface Coder {
  readonly provider: string;
  /** A model without a name fits a pattern that takes any. */
  readonly model: string | null;
}

export function firstFit(entries: readonly Hint[], { provider, model }: Coder): string {
  const found = entries.find(
    (hint) =>
      hint.useCase === "code_gen" &&
      hint.provider === provider &&
      globOf(hint.modelPattern).test(model ?? ""),
  );
  return found?.text ?? "";
}

function globOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/\[[^\]]+\]|[\s\S]/g, (part) => {
    if (part === "*") return "[^]*";
    if (part === "?") return "[^]";
    return part.length > 1 ? `[${escaped(part.slice(1, -1))}]` : escaped(part);
  });
  return new RegExp(`^${source}$`, "i");
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|-]/g, "\\$&");

export interface Repertoire {
  readonly entries: readonly Hint[];
  /** What is wrong with the file; none of its entries count then. Null for nothing. */
  readonly fault: string | null;
}

/** The `[[hint]]` tables of a user's TOML file: all of them, or none and the reason. */
export function repertoireOf(text: string): Repertoire {
  const tables = tablesOf(text);
  if (typeof tables === "string") return { entries: [], fault: tables };
  const entries: Hint[] = [];
  for (const [index, table] of tables.entries()) {
    const entry = entryOf(table);
    if (typeof entry === "string") return { entries: [], fault: `hint ${index + 1}: ${entry}` };
    entries.push(entry);
  }
  return { entries, fault: null };
}

function tablesOf(text: string): readonly unknown[] | string {
  try {
    const { hint = [], ...others } = parse(text);
    const [other] = Object.keys(others);
    if (other !== undefined) return `${other} is not known; entries stand under [[hint]]`;
    return Array.isArray(hint) ? hint : "hint is no list of tables; write [[hint]]";
  } catch (error) {
    // The first line says what is wrong; a picture of the place follows.
    const { line, message } = error as TomlError;
    return `no TOML, line ${line}: ${message.split("\n")[0]}`;
  }
}

const FIELDS = ["provider", "model_pattern", "use_case", "text"] as const;

function entryOf(table: unknown): Hint | string {
  const fields = table as { readonly [field: string]: unknown };
  const stray = Object.keys(fields).find((one) => !(FIELDS as readonly string[]).includes(one));
  if (stray !== undefined) return `${stray} is not known; there are ${FIELDS.join(", ")}`;
  const { model_pattern: modelPattern = "*", provider, use_case: useCase, text } = fields;
  const given = { provider, model_pattern: modelPattern, use_case: useCase, text };
  const wrong = FIELDS.find((field) => typeof given[field] !== "string");
  return wrong === undefined
    ? ({ provider, modelPattern, useCase, text } as Hint)
    : `${wrong} is no text`;
}
