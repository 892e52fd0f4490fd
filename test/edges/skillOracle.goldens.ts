// Path A against the real system's answers that need real Python, where they are at hand.
import { afterAll, describe, expect, it } from "vitest";
import { normalisedSkill } from "../../src/actors/skills/edge/skillCheck.ts";
import {
  agreementOf,
  closeSandbox,
  isPython,
  type OracleCase,
  oracle,
  otherwise,
  python,
  real,
  type SanitizeInput,
  seed,
} from "./skillAgreement.ts";

afterAll(closeSandbox);

describe.skipIf(oracle.length === 0)(
  "path A as the real system's (skipped where shared/oracles/ghost.json is absent)",
  () => {
    it.each([
      ["sanitize_code", 86, 6],
      ["strip_cdata_envelope", 22, 0],
      ["html_unescape_rescue", 9, 4],
      ["extract_code_from_markdown", 37, 1],
      ["fix_python_syntax", 11, 0],
      ["create_skill", 12, 0],
    ])(
      "[SK17] %s: %i the same, %i not of skills, the others by a ruling",
      async (kind, same, not) => {
        const found = await agreementOf(kind);

        expect(found.otherwise.filter((id) => otherwise[id] === undefined)).toEqual([]);
        expect([found.same, found.notApplicable]).toEqual([same, not]);
      },
    );

    it("[SK17] under the seed's policy, code differs only where it is clean (K10) or was healed (K9)", async () => {
      const cases = oracle.filter(({ kind }) => kind === "sanitize_code") as readonly OracleCase<
        SanitizeInput,
        { readonly code: string; readonly error: string | null }
      >[];
      const unlike: string[] = [];
      for (const { id, input, expected } of cases) {
        if (!isPython(input.filename)) continue;
        const { code, verdict } = await normalisedSkill(input.content, python, seed);
        const theirs = expected.error === null ? expected.code : null;
        const isHealed =
          code === null && (await normalisedSkill(input.content, python, real)).code !== null;
        if (code !== theirs && verdict !== "clean" && !isHealed) unlike.push(id);
      }

      expect(unlike).toEqual([]);
    });
  },
);
