// What the crew's models answered, in words.
import { expect, it } from "vitest";
import { parts } from "../../../src/builtIn/parts.ts";
import { narrate } from "../../../src/run/narrate.ts";
import { delivery } from "../../handLog.ts";

const told = (to: string, answer: object | string) =>
  narrate(
    parts,
    delivery({
      ...{ seq: 1, to, from: "port/llm.chat" },
      event: {
        type: "llm.replied",
        text: typeof answer === "string" ? answer : JSON.stringify(answer),
      },
    }),
  );

it.each<[to: string, answer: object, says: string, none: string]>([
  [
    "planner.default",
    { next: "build", why: "none is there" },
    "told the planner to build",
    "gave the planner no plan",
  ],
  [
    "specialized_builder.default",
    { tool: "artifact.inspect", why: "first" },
    "wanted the builder to call artifact.inspect",
    "gave the builder no call",
  ],
  [
    "coder.default",
    { files: { "main.py": "print(1)", "b.py": "x = 1" } },
    "wrote the coder main.py, b.py",
    "wrote the coder no files",
  ],
])(
  "[VB29] what %s was answered is told as done where it can be used, else as none",
  (to, answer, says, none) => {
    expect(told(to, answer)).toBe(`The model ${says}.`);
    for (const unusable of ["Sure!", "{", "{}", "[]"])
      expect(told(to, unusable)).toBe(`The model ${none}.`);
  },
);

it("[VB29] a judgement is told as what it is, and none as none", () => {
  const judged = (pass: boolean) => told("evaluator.default", { pass, record: true, findings: [] });

  expect(judged(true)).toBe("The model passed it for evaluator.default.");
  expect(judged(false)).toBe("The model failed it for evaluator.default.");
  for (const judge of ["evaluator.default", "auditor.default"])
    expect(told(judge, "Sure!")).toBe(`The model gave no judgement to ${judge}.`);
});
