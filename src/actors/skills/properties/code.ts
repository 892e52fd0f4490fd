/**
 * What is promised of code before it is written, whatever parser decides what Python is; and of the rule by which skills
 * are retired. That CPython itself decides so is shown with CPython. Source: seed 001; rulings K1, K9, K10.
 */

import fc from "fast-check";
import { demand } from "../../../contract/demand.ts";
import { valuesOf } from "../../../contract/policy.ts";
import { unitPromises } from "../../../contract/promises.ts";
import { normaliseCode, type ParseVerdict } from "../../../machines/skills/normalise.ts";
import { retireClauses } from "../../../machines/skills/skillBook.ts";
import { skillsLeaves } from "../../../machines/skills/skillsPolicy.ts";

const policy = valuesOf({ skills: skillsLeaves }, {}).skills;

/** What a model may have wrapped around code, and what may stand in it. */
const PIECES = [
  ...["<![CDATA[", "]]>", "```python\n", "```", "&lt;", "&quot;", "&amp;", "\\n", "\\t", "\0"],
  ...[
    "print(1)",
    "def f():\n    return 2\n",
    "'",
    '"',
    "x = 1",
    "\n",
    "  ",
    "\r\n",
    "Here it is:\n",
  ],
];
const code = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(""));

/** Some parser, which says the same of the same text each time: of most texts that they are none. */
const parser = fc.func(fc.integer({ min: 0, max: 9 })).map(
  (number) =>
    (text: string): boolean =>
      number(text) < 3,
);
type Parser = typeof parser extends fc.Arbitrary<infer T> ? T : never;

/** Far above the texts that one search asks about. */
const QUESTIONS_MAX = 1_000;

/** As an actor asks, text after text. */
function normalisedBy(isPython: Parser, text: string) {
  const verdicts = new Map<string, ParseVerdict>();
  for (let question = 0; question < QUESTIONS_MAX; question += 1) {
    const found = normaliseCode(text, verdicts, policy);
    if (!("needs" in found)) return found;
    const { needs } = found;
    demand(!verdicts.has(needs), `it asks twice about ${JSON.stringify(needs)}`);
    const broken = { ok: false, message: "invalid syntax", line: 1 } as const;
    verdicts.set(needs, isPython(needs) ? { ok: true } : broken);
  }
  throw new Error(`it asks without end about ${JSON.stringify(text)}`);
}

export const codeProperties = unitPromises({
  "skills-clean-code-is-unchanged": {
    says: "Code that the parser takes stays as it is, byte for byte, whatever wrappers it seems to hold.",
    source: "seed 001, entry-point normalization; RULINGS K10",
    draw: () =>
      fc.property(code, parser, (text, isPython) => {
        const found = normalisedBy((one) => one === text || isPython(one), text);
        const isSame = "code" in found && found.code === text && found.changed.length === 0;
        demand(isSame, `${JSON.stringify(text)} becomes ${JSON.stringify(found)}`);
      }),
  },
  "skills-normalised-twice-is-once": {
    says: "What normalisation leaves, the parser takes, and normalising it again changes nothing.",
    source: "seed 001, entry-point normalization; RULINGS K9, K10",
    draw: () =>
      fc.property(code, parser, (text, isPython) => {
        const once = normalisedBy(isPython, text);
        if (!("code" in once)) return;
        demand(isPython(once.code), `what is left is no Python: ${JSON.stringify(once.code)}`);
        const twice = normalisedBy(isPython, once.code);
        const isSame = "code" in twice && twice.code === once.code && twice.changed.length === 0;
        demand(isSame, `${JSON.stringify(once.code)} becomes ${JSON.stringify(twice)}`);
      }),
  },
  "K1-young-clause-decides": {
    says: "A skill that failed often and was used little is retired by the clause that is there for it, where the other one does not hold.",
    source:
      "seed 001, Retire; RULINGS K1: five failures in a row are three, so the second clause is dead",
    expected: "violated",
    draw: () =>
      fc.property(fc.nat(20), fc.nat(30), (failureCount, usageCount) => {
        const { failures, failuresOfYoung } = retireClauses({ failureCount, usageCount }, policy);
        demand(
          !failuresOfYoung || !failures,
          `${failureCount} failures in a row and ${usageCount} uses meet both clauses`,
        );
      }),
  },
});
