import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../../../src/contract/anyText.ts";
import {
  patternFault,
  startsWithDef,
  structureFault,
  stubFor,
  wrapped,
} from "../../../../src/machines/agents/synthesis/qualityGate.ts";
import { pythonReader } from "../../../edges/python/reader.ts";

const read = pythonReader();

describe("stubFor", () => {
  it("[SY5] is the source's stub, with its texts quoted", () => {
    expect(stubFor("t", 'say "hi"')).toBe(
      'def t(**kwargs):\n    return {"ok": True, "capability": "t", ' +
        '"description": "say \\"hi\\"", "kwargs": str(kwargs)[:200]}\n',
    );
  });

  it("[SY5] no description breaks out of its quotes", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText().map((text) => text.toWellFormed()),
        async (description) => {
          const stub = stubFor("t", description);
          const syntax = await read(stub, "gate");

          expect(syntax).toMatchObject({ ok: true, functions: [{ name: "t", body: "code" }] });
          expect(structureFault(syntax)).toBeUndefined();
          expect(stub.split("\n")).toHaveLength(3);
        },
      ),
    );
    expect(patternFault(stubFor("t", "plain"))).toBeUndefined();
  });
});

describe("wrapping", () => {
  it("[SY6] leaves what starts with def, blank lines aside", () => {
    expect(["def f(): 1", "\n \t\r\ndef f(): 1"].map(startsWithDef)).toEqual([true, true]);
    expect(
      [
        "import x\ndef f(): 1",
        "# c\ndef f(): 1",
        "@d\ndef f(): 1",
        " def f(): 1",
        "define",
        "",
      ].map(startsWithDef),
    ).toEqual(new Array(6).fill(false));
  });

  it("[SY6] makes the text the body of a function", () => {
    expect(wrapped("t", "a = 1\n\nreturn a\n")).toBe(
      "def t(**kwargs):\n    a = 1\n    \n    return a\n",
    );
    expect(wrapped("t", 's = """one\n  two\n"""\n\n')).toBe(
      'def t(**kwargs):\n    s = """one\n      two\n    """\n    \n',
    );
  });
});
