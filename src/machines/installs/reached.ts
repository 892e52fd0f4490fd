/** What one name that a text reaches for lets it do, and the threats that code alone shows. */
import type { CodeFact } from "./codeFacts.ts";
import type { Inferable } from "./patterns.ts";
import type { ThreatPattern } from "./threats.ts";

/** How a language's names are judged. */
export interface Reach {
  capabilities(fact: CodeFact): readonly Inferable[];
  threats(fact: CodeFact): readonly ThreatPattern[];
  /** Whether a module that the language does not bring is in the table. */
  knows(module: string): boolean;
}

/** Whether a name is one of these, or a member of one. */
export function isBelow(name: string, roots: ReadonlySet<string>): boolean {
  for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1)) {
    if (roots.has(name.slice(0, end))) return true;
  }
  return false;
}

export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** A mode with w, a or x means Write, one with + means both, and one that only the running program knows too (I12). */
export function openedFor(mode: string | null): readonly Inferable[] {
  if (mode === null || mode.includes("+")) return ["ReadAccess", "WriteAccess"];
  return /[wax]/.test(mode) ? ["WriteAccess"] : ["ReadAccess"];
}

/** Code that runs what a person types. */
export const typedThreat = (pattern: string): ThreatPattern => ({
  ...{ pattern, kind: "CommandInjection", severity: "critical" },
});

/** A loop that nothing ends. */
export const LOOP: ThreatPattern = {
  ...{ pattern: "while true", kind: "ResourceExhaustion", severity: "low" },
};
