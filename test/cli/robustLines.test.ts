import { expect, it } from "vitest";
import { robustLines } from "../../src/cli/study/robust.ts";
import { numberStudy } from "../studies/numberStudy.ts";

it("[ST245] the least regret comes first in the text, and last what has none", () => {
  const robust = { outcome: "y", direction: "maximise", over: ["b", "c"] } as const;
  const lines = robustLines(numberStudy({ robust }), [
    { setting: { a: 1 }, maxRegret: null, satisfied: null },
    { setting: { a: 2 }, maxRegret: 6, satisfied: null },
    { setting: { a: 3 }, maxRegret: 0.5, satisfied: null },
  ]);

  expect(lines[0]?.match(/^\| +\d (?=\|)/gm)?.map((cell) => Number(cell.slice(1)))).toEqual([
    3, 2, 1,
  ]);
});
