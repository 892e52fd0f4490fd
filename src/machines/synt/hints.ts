/**
 * The prompt repertoire: what is added to the prompt for code, by provider and model. The user's
 * file comes first and the first match wins. Source: seed 002, 4.2.2 (the real system appends the
 * user's entries, so that none can override a bundled one; dossier 1.8).
 */

export interface Hint {
  readonly provider: string;
  /** A glob on the model's name. Case counts. */
  readonly modelPattern: string;
  readonly useCase: string;
  readonly text: string;
}

/** Where a user may put entries of their own. */
export const HINTS_PATH = "/agentOS/config/metnos/prompts.toml";

/** Ours, after the seed's three: one or two lines, imperative, no reasons. */
export const BUNDLED_HINTS: readonly Hint[] = [
  codeHint("anthropic", "claude-*", "Constraints: follow the spec. Simple regular expressions."),
  codeHint("llamacpp", "[Qq]wen*", "Constraints: raw strings with one backslash. No docstrings."),
  codeHint("openai", "gpt-*", "Constraints: write the whole code, def invoke included."),
];

function codeHint(provider: string, modelPattern: string, text: string): Hint {
  return { provider, modelPattern, useCase: "code_gen", text };
}

/** The text of the first entry that fits; nothing when none does. */
export function hintFor(
  { provider, model }: { readonly provider: string; readonly model: string | null },
  userText: string | null,
): string {
  const entries = [...(userText === null ? [] : hintsOf(userText)), ...BUNDLED_HINTS];
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
  return new RegExp(`^${source}$`);
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|-]/g, "\\$&");

/** The `[[hint]]` tables of a TOML text: one key and one string a line. Anything else is passed over. */
export function hintsOf(text: string): readonly Hint[] {
  const tables: { [key: string]: string }[] = [];
  for (const line of text.split("\n")) {
    if (/^\s*\[\[hint\]\]\s*(#.*)?$/.test(line)) tables.push({});
    const [, key, basic, literal] =
      /^\s*([a-z_]+)\s*=\s*(?:("(?:[^"\\]|\\.)*")|'([^']*)')\s*(?:#.*)?$/.exec(line) ?? [];
    const table = tables.at(-1);
    const value = literal ?? textOf(basic);
    if (table !== undefined && key !== undefined && value !== null) table[key] = value;
  }
  return tables.flatMap(
    ({ provider, model_pattern: modelPattern, use_case: useCase, text: says }) =>
      provider === undefined || useCase === undefined || says === undefined
        ? []
        : [{ provider, modelPattern: modelPattern ?? "*", useCase, text: says }],
  );
}

/** A basic string of TOML is one of JSON where its escapes are JSON's. */
function textOf(quoted: string | undefined): string | null {
  try {
    return quoted === undefined ? null : String(JSON.parse(quoted));
  } catch {
    return null;
  }
}
