/** Promises about the synthesis of one tool, over drawn inputs. Source: seed 000, "The nine steps". */
import fc from "fast-check";
import { anyText } from "../../../contract/anyText.ts";
import { demand } from "../../../contract/demand.ts";
import type { PolicyValue } from "../../../contract/policy.ts";
import { unitPromises } from "../../../contract/promises.ts";
import { sanitizedName } from "../../../machines/agents/synthesis/qualityGate.ts";
import { seconds } from "../../../machines/units.ts";
import { type Answers, synthesized } from "./synthesized.ts";

/** Raw names as agents write them: words, signs, emoji, very long ones. */
const rawName = fc.oneof(
  anyText({ maxLength: 80 }),
  fc.string({ maxLength: 80 }),
  fc.constantFrom("My Tool (v2)", "___", "", "ÄÖ", "__proto__", "constructor", "x".repeat(200)),
);

const WINDOW_MS = seconds(90);

const tools: fc.Arbitrary<{ answers: Answers; policy: { readonly [path: string]: PolicyValue } }> =
  fc.record({
    answers: fc.record({
      implementation: fc.constantFrom(null, "", "def t(**kwargs):\n    return 1\n", "x = 1", "..."),
      parses: fc.boolean(),
      execFails: fc.boolean(),
      call: fc.constantFrom("value", "none", "raises", "needs", "late", "other"),
    }),
    policy: fc.record({
      "tools.order": fc.constantFrom("reload-then-test", "test-then-reload"),
      "tools.cleanup": fc.constantFrom("spec-only", "both"),
      "tools.raisingCall": fc.constantFrom("untested", "deploy", "reject"),
      "tools.missingImplementation": fc.constantFrom("stub", "refuse"),
    }),
  });

export const synthesisUnitProperties = unitPromises({
  "sanitised-names-are-plain": {
    says: "Whatever an agent calls its tool, the capability's name is 1 to 60 of a-z, 0-9 and _, or refused.",
    source: "seed 000, Name sanitization; RULINGS T2",
    draw: () =>
      fc.property(rawName, (raw) => {
        const name = sanitizedName(raw);
        if (name === null) return;
        demand(/^[a-z0-9_]{1,60}$/.test(name), `${JSON.stringify(raw)} becomes ${name}`);
        demand(sanitizedName(name) === name, `${name} is not its own name`);
      }),
  },
  "dedup-window-is-exact": {
    says: "A tool is refused as already deployed for 89,999 ms after its .py was written, not at 90,000.",
    source: "seed 000, Dedup guard; RULINGS T6",
    draw: () =>
      fc.property(
        fc.nat(seconds(1_000)),
        fc.oneof(
          fc.constantFrom(0, WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1),
          fc.nat(WINDOW_MS * 3),
        ),
        (writtenMs, ageMs) => {
          const { verdict } = synthesized({ writtenMs, nowMs: writtenMs + ageMs });
          const isRefused = verdict === "already_deployed";
          demand(isRefused === ageMs < WINDOW_MS, `at ${ageMs} ms the verdict is ${verdict}`);
        },
      ),
  },
  "deployed-or-gone": {
    says: "A synthesis ends with both files, or after a failed step 9 with neither.",
    source: "seed 000, The nine steps, Auto-test: null return check",
    draw: () =>
      fc.property(tools, ({ answers, policy }) => {
        const { verdict, lastStep, files } = synthesized(answers, policy);
        const isUp = verdict === "deployed" || verdict === "untested";
        if (isUp) demand(files.length === 2, `${verdict} with the files ${files}`);
        if (verdict === "rejected" && lastStep === 9) {
          demand(files.length === 0, `step 9 failed and ${files} stayed`);
        }
      }),
  },
  "T8-leftover-code": {
    says: "A tool that was rejected leaves no file behind.",
    source: "RULINGS T8: a failed step 8 removes the spec only, and the .py blocks a fix for 90 s",
    expected: "violated",
    draw: () =>
      fc.property(tools, ({ answers, policy }) => {
        const { verdict, lastStep, files } = synthesized(answers, policy);
        demand(
          verdict !== "rejected" || files.length === 0,
          `rejected at step ${lastStep} under ${JSON.stringify(policy["tools.cleanup"])}, and ${files} stayed`,
        );
      }),
  },
});
