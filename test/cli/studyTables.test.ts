import { expect, it } from "vitest";
import { terminalWidth } from "../../src/cli/output.ts";
import { fittedTables, shortNames } from "../../src/cli/study/studyTables.ts";

const cells = ["1", "2"];
const asked = {
  number: { head: "", cells: ["0", "1"] },
  settings: ["stressors.capabilityLock.growthPerDay", "stressors.repeatedFailure.clearsBelow"].map(
    (head) => ({ head, cells }),
  ),
  more: [{ head: "n", cells: ["30", "30"] }],
  // One block is wider than the other.
  blocks: ["peak", "locked until it ended"].map((head) => ({
    columns: [{ head, cells: ["0.5 [0.25, 0.75]", "0.5 [0.25, 0.75]"] }],
  })),
};

const at = (width: number): string => fittedTables({ ...asked, width }).join("\n");
const widest = (text: string): number => Math.max(...text.split("\n").map((line) => line.length));

it("[ST160] a table that fits is one; a wide one becomes a block for each outcome", () => {
  expect(at(200).split("\n")).toHaveLength(4);
  expect(at(120).split("\n\n")).toHaveLength(2);
  expect(at(120)).toContain("stressors.capabilityLock.growthPerDay | ");
});

it("[ST160] each way holds up to the column that it fills, and none is wider than the terminal", () => {
  const ways = new Map<string, number>();
  for (let width = 200; width >= 55; width -= 1) {
    const text = at(width);
    ways.set(text, width);
    expect(widest(text)).toBeLessThanOrEqual(width);
  }

  expect(ways.size).toBe(4);
  expect([...ways].slice(0, 3).map(([text, least]) => least - widest(text))).toEqual([0, 0, 0]);
});

it("[ST160] then names are short, and said; then the points stand apart", () => {
  for (const width of [65, 45]) {
    expect(at(width)).toContain("growthPerDay is stressors.capabilityLock.growthPerDay.");
  }
  expect(at(65).match(/clearsBelow \|/g)).toHaveLength(2);
  expect(at(45).match(/clearsBelow \|/g)).toHaveLength(1);
  expect(at(45)).toContain("|  1 | 30 | 0.5 [0.25, 0.75] |");
});

it("[ST160] without factors to tell apart there is no table of points", () => {
  const alone = fittedTables({ ...asked, settings: [], more: [], width: 20 });
  expect(alone.filter((line) => line.startsWith("| "))).toHaveLength(asked.blocks.length);
});

it.each([200, 120, 60])("[ST160] %i columns hold it, and all values are there", (width) => {
  expect(widest(at(width))).toBeLessThanOrEqual(width);
  expect(at(width).match(/0\.25, 0\.75/g)).toHaveLength(4);
});

it("[ST160] short names still differ", () => {
  expect(shortNames(["a.b.low", "a.c.low", "high", "x.high"])).toEqual([
    ...["b.low", "c.low", "high", "x.high"],
  ]);
  expect(shortNames(["locks.constrained"])).toEqual(["constrained"]);
});

it("[ST160] is as wide as the terminal, and of 80 columns where there is none", () => {
  const { stdout } = process;
  const own = stdout.columns;
  const widths = [120, undefined].map((columns) => {
    Reflect.set(stdout, "columns", columns);
    return terminalWidth();
  });
  Reflect.set(stdout, "columns", own);

  expect(widths).toEqual([120, 80]);
});
