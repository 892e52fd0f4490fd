import { expect, it } from "vitest";
import { suspectsJson, suspectsText } from "../../src/cli/suspects.ts";
import { MEASURED } from "../../src/findings/measuredShares.ts";
import { GUESS_RULES, suspectsIn } from "../../src/findings/suspects.ts";
import { said } from "../findings/facts.ts";

const found = suspectsIn(Array.from({ length: 60 }, (_, at) => said(at + 1, `Word ${at}.`)));

it("[FI43] prints the first five of sixty, and tells fifty as JSON, with all that each has", () => {
  const text = suspectsText(found, (seq) => `why log ${seq}`);
  const { suspects, beside } = suspectsJson(found);

  expect(text.match(/^\d+\. step/gm)).toHaveLength(5);
  expect(text).toContain("… and 55 more, of which --json has the first 50.");
  expect(suspects).toHaveLength(50);
  expect(Object.keys(suspects[0] ?? {}).sort()).toEqual([
    ...["agent", "evidence", "reason", "score", "seq", "step"],
  ]);
  expect(suspects[0]).toEqual({
    ...{ seq: 11, step: 11, agent: "cedar", score: 1, evidence: ["long"] },
    reason: "the longest of what agents said (8 characters)",
  });
  expect(beside).toHaveLength(Object.keys(GUESS_RULES).length - 1);
  for (const { rule, says, measured } of beside) {
    expect(measured).toBe(MEASURED[rule]);
    const shares = [measured.step, measured.agent].map((share) => `${share.toFixed(1)} %`);
    expect(text).toMatch(
      new RegExp(`^  ${says}: .*\\(the step ${shares[0]}, the agent ${shares[1]}\\)$`, "m"),
    );
  }
});
