// Path A against the real system's answers, where they are at hand and need no Python: a table of agreement, kind by kind.
import { describe, expect, it } from "vitest";
import { agreementOf, oracle, otherwise } from "./skillAgreement.ts";

describe.skipIf(oracle.length === 0)(
  "path A as the real system's (skipped where shared/oracles/ghost.json is absent)",
  () => {
    it.each([
      ["repair_line", 11, 0],
      ["tdd_failure_summary", 13, 5],
      ["validate_skill_name", 45, 0],
      ["content_hash", 4, 0],
      ["skill_registry_sequence", 7, 0],
      ["retire_degraded_skills", 12, 0],
      ["retire_rule", 25, 0],
      ["skill_result_class", 10, 0],
    ])(
      "[SK17] %s: %i the same, %i not of skills, the others by a ruling",
      async (kind, same, not) => {
        const found = await agreementOf(kind);

        expect(found.otherwise.filter((id) => otherwise[id] === undefined)).toEqual([]);
        expect([found.same, found.notApplicable]).toEqual([same, not]);
      },
    );
  },
);
