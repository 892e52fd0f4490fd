// SPEC CL: tables on a terminal.
import { markdownTable } from "markdown-table";
import { describe, expect, it } from "vitest";
import { CUT, fittedTables } from "../../src/cli/fittedTables.ts";

const LONG = "one two three four five six seven eight nine ten eleven twelve";

describe("[CL35] a table that is wider than the terminal", () => {
  const table = markdownTable(
    [
      ["Path", "Value", "Meaning"],
      ["gate.claimsMax", "a | b", LONG],
      ["x", "12", "short"],
    ],
    { align: ["l", "r", "l"] },
  );

  it("wraps long cells within its columns, and loses no word", () => {
    const lines = fittedTables(`before\n${table}\nbehind`, 60).split("\n");
    const inside = lines.slice(1, -1);

    expect(lines.at(0)).toBe("before");
    expect(lines.at(-1)).toBe("behind");
    expect(Math.max(...inside.map(({ length }) => length))).toBeLessThanOrEqual(60);
    expect(new Set(inside.map(({ length }) => length)).size).toBe(1);
    for (const word of [...LONG.split(" "), "gate.claimsMax", "a | b"]) {
      expect(inside.some((line) => line.includes(word))).toBe(true);
    }
    expect(inside.some((line) => line.includes("|    12 |"))).toBe(true);
  });

  it("ends a cell of very many lines with …, and says how to see it whole", () => {
    const many = markdownTable([
      ["Name", "Text"],
      ["a", `${LONG} `.repeat(20)],
    ]);
    const lines = fittedTables(many, 40).split("\n");

    expect(lines.filter((line) => line.includes("…"))).toHaveLength(2);
    expect(lines.at(-1)).toBe(CUT);
  });

  it.each([
    ["that fits", table, 200],
    ["whose lines are no columns of it", table.replace("| x", "| x |"), 60],
    ["that is none", `| ${LONG} |`, 40],
  ])("stays as it is %s", (_, text, columns) => {
    expect(fittedTables(text, columns)).toBe(text);
  });
});
