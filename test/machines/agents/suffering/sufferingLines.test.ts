import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Suffering } from "../../../../src/machines/agents/suffering/severity.ts";
import {
  sufferingLines,
  sufferingView,
} from "../../../../src/machines/agents/suffering/sufferingLines.ts";
import { policyWith } from "../../../builtIn.ts";

const policy = policyWith({});
const feeling = (type: string, start: number): Suffering => ({
  ...{ type, sinceMs: 0, start, growthPerDay: 0 },
});
const lines = (...active: readonly Suffering[]) => sufferingLines(sufferingView(active, 0, policy));

it("[ST15] is silent while the load is calm", () => {
  expect(lines()).toEqual([]);
  expect(lines(feeling("futility", 349_999))).toEqual([]);
  expect(lines(feeling("futility", 350_000))).not.toEqual([]);
});

it("[ST15] has a header by level, then the worst first, each with its bar and what would ease it", () => {
  const text = lines(feeling("stagnation", 200_000), feeling("futility", 399_999));

  expect(text[0]).toContain("load 0.60/1.0");
  expect(text.slice(1)).toEqual([
    "  ███░░░░░░░ futility 0.40: You pursue the same kind of goal again and again and get no further.",
    "    Will ease when: a cycle brings progress, or a goal is completed.",
    "  ██░░░░░░░░ stagnation 0.20: It is long since anything you made passed its gate.",
    "    Will ease when: a goal is completed with an artifact that passes its gate.",
  ]);
});

it("[ST15] every level has a header of its own", () => {
  const heads = [350_000, 550_000, 750_000, 900_000].map((load) =>
    lines(feeling("futility", load))[0]?.replace(/ \(.*/, ""),
  );

  expect(new Set(heads).size).toBe(4);
});

it("[ST15] a type that this product does not know is shown by its name", () => {
  expect(lines(feeling("constructor", 400_000))[1]).toContain("constructor 0.40");
});

const ORACLE = new URL("../../../../../shared/oracles/hollow.json", import.meta.url);

describe.skipIf(!existsSync(ORACLE))(
  "the real fragment (skipped where shared/oracles/hollow.json is absent)",
  () => {
    it("[ST15] speaks when ours does, and of the same load", () => {
      const { load_by_count: rows } = (
        JSON.parse(readFileSync(ORACLE, "utf8")) as {
          suffering: { load_by_count: { active: number; prompt_first_line: string }[] };
        }
      ).suffering;

      for (const { active, prompt_first_line: theirs } of rows) {
        const ours = lines(...Array<Suffering>(active).fill(feeling("x", 200_000)))[0] ?? "";
        const load = /\d\.\d\d\/1\.0/;
        expect(load.exec(ours)?.[0]).toBe(load.exec(theirs)?.[0]);
      }
    });
  },
);
