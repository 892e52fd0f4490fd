/**
 * Step 2, the quality gate: six literal patterns, then the shape of every function.
 * Source: seed 000, "Quality gate"; rulings T3, T4, T5.
 */
import type { SyntaxSummary } from "../../pythonSyntax.ts";

/** Why the gate turns a text down: a name for the rule, and the reason that the agent reads. */
export interface QualityFault {
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
