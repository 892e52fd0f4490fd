import { describe, expect, it } from "vitest";
import {
  patternFault,
  structureFault,
} from "../../../../src/machines/agents/synthesis/qualityGate.ts";
import type { FunctionSyntax, SyntaxSummary } from "../../../../src/machines/pythonSyntax.ts";

describe("patternFault", () => {
  it.each([
    ["x: tuple[int, ...]", "pattern ...", "Ellipsis stub"],
    ["pass\n pass", "pattern pass\\n pass", "Double-pass body"],
    ["x = 1  # TODO later", "pattern # TODO", "Placeholder comment"],
    ["# placeholder", "pattern # placeholder", "Explicit placeholder"],
    ['{"ok": true}', 'pattern {"ok": true', "JSON stub masquerading as Python"],
    ["raise NotImplementedError()", "pattern raise NotImplementedError", "Unimplemented skeleton"],
  ])("[SY2] turns down %j and names the pattern", (text, rule, reason) => {
    expect(patternFault(text)).toEqual({ rule, reason });
  });

  it.each(["..", "#TODO", "# todo", "# Placeholder", '{"ok": True', "raise  NotImplementedError"])(
    "[SY2] is literal: %j gets through",
    (text) => {
      expect(patternFault(text)).toBeUndefined();
    },
  );

  it("[SY2] a second pass is a whole word after at least one blank", () => {
    const rule = (text: string) => patternFault(text)?.rule;

    expect(rule("pass\n        pass\n")).toBe("pattern pass\\n pass");
    expect(rule("\tpass\n\tpass")).toBe("pattern pass\\n pass");
    expect(rule("pass\n    passed = True")).toBeUndefined();
    expect(rule("pass\n    passé = 1")).toBeUndefined();
    expect(rule("pass\npass")).toBeUndefined();
    expect(rule("pass\n\n    pass")).toBeUndefined();
  });

  it("[SY2] names the first one of the list when several match", () => {
    const all = [
      ...[
        ["...", "Ellipsis stub"],
        ["pass\n pass", "Double-pass body"],
      ],
      ...[
        ["# TODO", "Placeholder comment"],
        ["# placeholder", "Explicit placeholder"],
      ],
      ...[['{"ok": true', "JSON stub masquerading as Python"]],
      ["raise NotImplementedError", "Unimplemented skeleton"],
    ];
    const named = all.map(
      (_, at) =>
        patternFault(
          all
            .slice(at)
            .map(([text]) => text)
            .reverse()
            .join(" "),
        )?.reason,
    );

    expect(named).toEqual(all.map(([, reason]) => reason));
  });
});

const plain: FunctionSyntax = { name: "f", firstArgument: null, inClass: false, body: "code" };

const summary = (...functions: Partial<FunctionSyntax>[]): SyntaxSummary => ({
  ok: true,
  functions: functions.map((one) => ({ ...plain, ...one })),
  module: "code",
});

describe("structureFault", () => {
  it("[SY3] looks at every function for self, then for pass, then for a docstring", () => {
    const { rule: method } =
      structureFault(summary({ body: "pass" }, { firstArgument: "self" })) ?? {};
    const { rule: bare } = structureFault(summary({ body: "docstring" }, { body: "pass" })) ?? {};
    const { rule: silent } = structureFault(summary({}, { body: "docstring" })) ?? {};

    expect([method, bare, silent]).toEqual(["class method", "bare pass", "docstring only"]);
  });

  it("[SY3] takes self outside a class for a method too, and no other first argument", () => {
    expect(structureFault(summary({ firstArgument: "self", inClass: true }))).toBeDefined();
    expect(structureFault(summary({ firstArgument: "self", inClass: false }))).toBeDefined();
    expect(structureFault(summary({ firstArgument: "cls", inClass: true }))).toBeUndefined();
  });

  it("[SY3] counts the text's own statements, which become a body", () => {
    const fault = structureFault({ ...summary(), module: "pass" });

    expect(fault).toEqual({ rule: "bare pass", reason: "bare pass (the implementation)" });
    expect(structureFault({ ...summary(), module: "docstring" })).toEqual({
      rule: "docstring only",
      reason: "no executable logic beyond a docstring (the implementation)",
    });
  });
});
