import { expect, it } from "vitest";
import { suspectsJson, suspectsText } from "../../src/cli/suspects.ts";
import { suspectsIn } from "../../src/findings/suspects.ts";
import { said } from "../findings/facts.ts";

const found = suspectsIn(Array.from({ length: 60 }, (_, at) => said(at + 1, `Word ${at}.`)));

it("[FI43] prints the first five of sixty, and tells fifty as JSON, with all that each has", () => {
  const text = suspectsText(found, (seq) => `why log ${seq}`);
  const { suspects } = suspectsJson(found);

  expect(text.match(/^\d+\. step/gm)).toHaveLength(5);
  expect(text).toContain("… and 55 more, of which --json has the first 50.");
  expect(suspects).toHaveLength(50);
  expect(Object.keys(suspects[0] ?? {}).sort()).toEqual([
    ...["agent", "evidence", "reason", "score", "seq", "step"],
  ]);
});
