import fc from "fast-check";
import { expect, it } from "vitest";
import { namedBlock, promptBlock, promptChanges } from "../../src/cli/prompts.ts";

const lines = (count: number): string =>
  Array.from({ length: count }, (_, n) => `line ${n + 1}`).join("\n");

const cut = { lines: 3, columns: 10 };

it.each([
  [lines(3), "    answer:\n    | line 1\n    | line 2\n    | line 3"],
  [lines(4), "    answer:\n    | line 1\n    | line 2\n    | line 3\n    … 1 more line"],
  [lines(9), "    answer:\n    | line 1\n    | line 2\n    | line 3\n    … 6 more lines"],
  ["x".repeat(30), `    answer:\n    | ${"x".repeat(30)}`],
  ["x".repeat(31), `    answer:\n    | ${"x".repeat(30)}\n    … 1 more characters`],
  [
    `a\n${"x".repeat(25)}\nb`,
    `    answer:\n    | a\n    | ${"x".repeat(20)}\n    … 5 more characters, and 1 more line`,
  ],
  ["", "    answer:\n    |"],
])("[PQ3] a long text is cut, and what is left is counted: %j", (text, shown) => {
  expect(namedBlock("answer", text, cut)).toBe(shown);
  expect(namedBlock("answer", text, undefined)).toBe(
    `    answer:\n${text
      .split("\n")
      .map((line) => (line === "" ? "    |" : `    | ${line}`))
      .join("\n")}`,
  );
});

it("[PQ6] a prompt that this version words differently is said to be, and not shown", () => {
  expect(promptBlock(null, cut)).toBe(
    "    prompt: in words that this version does not put as they were recorded, and so does not show",
  );
  expect(promptBlock("Hello", undefined)).toBe("    prompt:\n    | Hello");
});

it("[PQ4] changes make the later prompt of the earlier one, whatever both are", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "", "- c", "  (2 lines as before)"), { maxLength: 12 })
    .map((all) => all.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changes = promptChanges(before, after) ?? [];
      const stays = changes.filter((line) => line.startsWith("  ("));
      const added = changes.filter((line) => line.startsWith("+ "));
      const same = stays.reduce((sum, line) => sum + Number(/\d+/.exec(line)?.[0]), 0);

      expect(same + added.length).toBe(after.split("\n").length);
      if (before === after) expect(added).toEqual([]);
    }),
  );
});

it("[PQ4] where nearly all is new there are no changes to show, and none are searched for long", () => {
  const [before, after] = ["a", "b"].map((one) =>
    Array.from({ length: 50_000 }, (_, n) => `${one}${n}`).join("\n"),
  );

  expect(promptChanges(before ?? "", after ?? "")).toBeNull();
});
