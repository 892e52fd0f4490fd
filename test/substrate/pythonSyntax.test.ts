import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../src/properties/anyText.ts";
import { PYTHON_CHARS_MAX, pythonSyntax } from "../../src/substrate/pythonSyntax.ts";

const bodies = (text: string) => pythonSyntax(text).functions.map(({ name, body }) => [name, body]);

describe("pythonSyntax", () => {
  it("[SY3] lists every function in order, at whatever depth", () => {
    const text = `
class A:
    def m(self, x):
        def inner(y, /): return y
        return inner
async def b(*args, self=None):
    try:
        def c(): return 1
    except E:
        def d(): return 2
    else:
        def e(): return 3
    finally:
        def f(): return 4
match x:
    case 1:
        def g(): return 5
`;

    const { ok, functions } = pythonSyntax(text);

    expect(ok).toBe(true);
    expect(functions.map(({ name }) => name)).toEqual(["m", "inner", "b", "c", "d", "e", "f", "g"]);
    expect(functions.slice(0, 3)).toEqual([
      { name: "m", firstArgument: "self", inClass: true, body: "code" },
      { name: "inner", firstArgument: "y", inClass: false, body: "code" },
      { name: "b", firstArgument: null, inClass: false, isAsync: true, body: "code" },
    ]);
  });

  it("[SY3] tells apart what a body does", () => {
    expect(bodies("def f():\n    pass")).toEqual([["f", "pass"]]);
    expect(bodies('def f():\n    """Does."""')).toEqual([["f", "docstring"]]);
    expect(bodies('def f():\n    """Does."""\n    pass')).toEqual([["f", "docstring"]]);
    expect(bodies("def f():\n    42")).toEqual([["f", "docstring"]]);
    expect(bodies("def f():\n    return None")).toEqual([["f", "code"]]);
    expect(
      ["pass", "# only a comment", "", "return 1"].map((text) => pythonSyntax(text).module),
    ).toEqual(["pass", "code", "code", "code"]);
  });

  it("[SY4] says where a text is no Python", () => {
    expect(pythonSyntax("def f(:\n  pass")).toMatchObject({
      ok: false,
      error: "Expected parameter name at line 1, column 6",
      functions: [],
    });
  });

  it("[SY4] reads up to its bound and no further", () => {
    expect(pythonSyntax("#".repeat(PYTHON_CHARS_MAX)).ok).toBe(true);
    expect(pythonSyntax("#".repeat(PYTHON_CHARS_MAX + 1)).error).toContain("at most 262144");
  });

  it("[SY4] survives what is nested without end", () => {
    for (const text of ["(".repeat(100_000), "a<b>(".repeat(40_000), "-".repeat(200_000)]) {
      expect(pythonSyntax(text)).toMatchObject({ ok: false });
    }
    expect(pythonSyntax("def f(): return 1\n".repeat(2_001)).error).toBe(
      "more than 2000 functions",
    );
  });

  it("[SY4] never throws", () => {
    const pieces = fc.constantFrom(
      "def ",
      "f",
      "(",
      ")",
      ":",
      "\n",
      "    ",
      "self",
      '"',
      "'''",
      "\\",
      "{",
      "class ",
      "\t",
      "async ",
      "lambda",
      "=",
      "\u0000",
      "😀",
      "\ud800",
    );
    const texts = fc.oneof(
      anyText(),
      fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join("")),
    );

    fc.assert(
      fc.property(texts, (text) => typeof pythonSyntax(text).ok === "boolean"),
      {
        numRuns: 1_000,
      },
    );
  });
});
