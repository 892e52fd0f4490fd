/**
 * Step 2, the quality gate: six literal patterns, then the shape of every function.
 * Source: seed 000, "Quality gate"; rulings T3, T4, T5.
 */
import type { SyntaxSummary } from "../../pythonSyntax.ts";

/** Why the gate turns a text down: a name for the rule, and the reason that the agent reads. */
interface QualityFault {
  readonly rule: string;
  readonly reason: string;
}

interface Pattern {
  readonly shown: string;
  readonly reason: string;
  readonly matches: (text: string) => boolean;
}

const literal = (shown: string, reason: string): Pattern => ({
  shown,
  reason,
  matches: (text) => text.includes(shown),
});

/** In the seed's order, with its reasons; the first that matches is the one that is named. */
const patterns: readonly Pattern[] = [
  literal("...", "Ellipsis stub"),
  {
    shown: "pass\\n pass",
    reason: "Double-pass body",
    // `passed` is no second `pass` (T5; the real system's literal takes it for one).
    matches: (text) => /pass\n[ \t]+pass(?![\p{L}\p{N}_])/u.test(text),
  },
  literal("# TODO", "Placeholder comment"),
  literal("# placeholder", "Explicit placeholder"),
  literal('{"ok": true', "JSON stub masquerading as Python"),
  literal("raise NotImplementedError", "Unimplemented skeleton"),
];

/** False positives included: `tuple[int, ...]` is an ellipsis to it, as in the source. */
export function patternFault(text: string): QualityFault | undefined {
  const found = patterns.find(({ matches }) => matches(text));
  return found && { rule: `pattern ${found.shown}`, reason: found.reason };
}

/** The three structural checks, one after the other, each over every function of the text. */
export function structureFault({ functions, module }: SyntaxSummary): QualityFault | undefined {
  const bodies = [
    ...functions.map(({ name, body }) => ({ owner: `function ${name}`, body })),
    { owner: "the implementation", body: module },
  ];
  const method = functions.find(({ firstArgument }) => firstArgument === "self");
  if (method !== undefined) {
    const reason = `class method (function ${method.name} takes self)`;
    return { rule: "class method", reason };
  }
  const bare = bodies.find(({ body }) => body === "pass");
  if (bare !== undefined) return { rule: "bare pass", reason: `bare pass (${bare.owner})` };
  const silent = bodies.find(({ body }) => body === "docstring");
  if (silent === undefined) return undefined;
  const reason = `no executable logic beyond a docstring (${silent.owner})`;
  return { rule: "docstring only", reason };
}

/**
 * Step 1: from the name that an agent gave to the name of the files.
 * Source: seed 000, "Name sanitization"; ruling T2 (the real system also strips `_`; the seed does not).
 */

/** The seed's `[:60]`: characters of the sanitised name. */
export const NAME_CHARS_MAX = 60;

/**
 * Null when nothing but `_` is left: such a name says nothing. `__proto__` is one of those that
 * JavaScript keeps for itself; the registry takes no tool of that name, so none is deployed.
 */
export function sanitizedName(given: string): string | null {
  // One replacement for each code point, as Python counts them: an emoji becomes one `_`.
  const name = given
    .replaceAll(/[^a-zA-Z0-9_]/gu, "_")
    .slice(0, NAME_CHARS_MAX)
    .toLowerCase();
  return /^_*$/.test(name) || name === "__proto__" ? null : name;
}

/**
 * Steps 3 and 4: the text of the .py, from a stub when there is no implementation, wrapped when it
 * is no function. Source: seed 000, "Auto-stub generation", "Implementation wrapping"; T1, T3.
 */

/** JSON's escapes mean the same in Python, so no description can break out of its quotes. */
export const stubFor = (name: string, description: string): string => `def ${name}(**kwargs):
    return {"ok": True, "capability": ${JSON.stringify(name)}, "description": ${JSON.stringify(
      description,
    )}, "kwargs": str(kwargs)[:200]}
`;

/** Blank lines before it do not count; an import, a comment or a decorator does. */
export const startsWithDef = (text: string): boolean => /^(?:[ \t\f]*\r?\n)*def /.test(text);

/** The text as the body of a function. What defines a function inside it then returns nothing. */
export function wrapped(name: string, text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const body = lines.map((line) => `    ${line}`);
  return [`def ${name}(**kwargs):`, ...body, ""].join("\n");
}
