// What tools/mutants.ts makes of a file.
import { expect, it } from "vitest";
import { mutantsOf, mutated } from "../tools/mutate.ts";

const ways = (source: string) => mutantsOf(source).map((one) => mutated(source, one));

it("changes comparisons at their boundary, conditions, and numbers by one", () => {
  expect(ways("const f = (a: number): boolean => a < 2;")).toEqual([
    "const f = (a: number): boolean => a <= 2;",
    "const f = (a: number): boolean => a < 3;",
    "const f = (a: number): boolean => a < 1;",
  ]);
  expect(ways("if (!a) b();")).toEqual([
    "if ((a)) b();",
    "if (true) b();",
    "if (false) b();",
    "if (!a) ;",
  ]);
});

it("takes one side of what is joined, and leaves spreads and statements out", () => {
  expect(ways("const c = a && b;").sort()).toEqual([
    "const c = (a);",
    "const c = (b);",
    "const c = a || b;",
  ]);
  expect(ways("f([...a], { ...b });")).toEqual([
    ";",
    "f([...[]], { ...b });",
    "f([...a], { ...{} });",
  ]);
});

it("leaves types alone, and says the line and what stood there", () => {
  const [only, ...rest] = mutantsOf("type A = 1 | 2;\nlet a: A;\na =\n  b as 1;\n");

  expect(rest).toEqual([]);
  expect(only).toMatchObject({ line: 3, was: "a = b as 1;", by: ";" });
});
