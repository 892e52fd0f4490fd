// Normalisation with CPython's verdicts recorded by hand: what is taken off, in which order, and what is refused.
import { describe, expect, it } from "vitest";
import {
  type Normalised,
  normalised,
  type ParseVerdict,
  parseVerdict,
} from "../../../src/machines/skills/normalise.ts";
import {
  withoutCdata,
  withoutControl,
  withoutEntities,
  withoutEscapes,
  withoutFence,
} from "../../../src/machines/skills/wrappers.ts";

const SEED = { heal: "off", outerSpace: "kept" } as const;

interface Asked {
  readonly result: Exclude<Normalised, { needs: string }>;
  readonly asked: readonly string[];
}

/** CPython reads the texts of `python`; of others it says what `broken` holds, else that it is invalid. */
function asking(
  code: string,
  python: readonly string[],
  policy: Parameters<typeof normalised>[2] = SEED,
  broken: { readonly [text: string]: readonly [message: string, line: number] } = {},
): Asked {
  const parses = new Map<string, ParseVerdict>();
  const asked: string[] = [];
  for (;;) {
    const result = normalised(code, parses, policy);
    if (!("needs" in result)) return { result, asked };
    const [message, line] = broken[result.needs] ?? ["invalid syntax", 1];
    const verdict: ParseVerdict = python.includes(result.needs)
      ? { ok: true }
      : { ok: false, message, line };
    parses.set(result.needs, verdict);
    asked.push(result.needs);
  }
}

const codeOf = ({ result }: Asked) => ("code" in result ? result.code : result.error.cause);

describe("clean Python", () => {
  it.each([
    ["its last newline", "print(1)\n"],
    ["a closer of CDATA in a comment", "x = 1  # ]]>"],
    ["an entity in a string", 's = "&quot;"\n'],
    ["fences in a docstring", '"""```python\nx\n```"""\n'],
    ["a form feed", "x = 1\f\ny = 2\n"],
    ["ends of lines of another system", "x = 1\r\n"],
    ["nothing", ""],
  ])("[SK1] stays byte for byte: %s", (_, code) => {
    const { result, asked } = asking(code, [code]);

    expect(result).toEqual({ code, changed: [] });
    expect(asked).toEqual([code]);
  });

  it("[SK1] loses the space around it where the policy says so", () => {
    const policy = { heal: "off", outerSpace: "stripped" } as const;
    const python = ["\nprint(1)\n", "print(1)"];

    expect(asking("\nprint(1)\n", python, policy).result).toEqual({
      code: "print(1)",
      changed: ["the space around it taken off"],
    });
    expect(asking("print(1)", python, policy).result).toEqual({ code: "print(1)", changed: [] });
  });
});

describe("unwrapping", () => {
  it("[SK2] takes off as little as it can, and asks about no text twice", () => {
    const code = '```python\nx = "&lt;"\n```';
    const { result, asked } = asking(code, ['x = "&lt;"', 'x = "<"']);

    expect(result).toMatchObject({ code: 'x = "&lt;"' });
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("[SK2] takes wrappers off in whatever order they lie, and says each", () => {
    const code = "```python\n<![CDATA[\nprint(&quot;x&quot;)\n]]>\n```";

    expect(asking(code, ['print("x")']).result).toEqual({
      code: 'print("x")',
      changed: [
        "HTML entities decoded",
        "the code taken out of its Markdown fence",
        "the CDATA envelope taken off",
      ],
    });
  });

  it("[SK2] takes off six wrappers, and not the seventh", () => {
    const wrapped = (layers: number): string =>
      layers === 0 ? "x" : `<![CDATA[${wrapped(layers - 1)}]]>`;

    expect(codeOf(asking(wrapped(6), ["x"]))).toBe("x");
    expect(codeOf(asking(wrapped(7), ["x"]))).toBe("cdata-wrapper");
  });

  it("[SK2] space alone may be what is wrong", () => {
    expect(asking("    x = 1\n", ["x = 1"]).result).toEqual({
      code: "x = 1",
      changed: ["the space around it taken off"],
    });
  });

  it.each([
    ["an envelope", "<![CDATA[x]]>", ["x", "x]]>"]],
    ["space around it", "\n <![CDATA[\nx\n]]> \n", ["\nx\n", "\nx\n]]> \n"]],
    ["a closer within it", "<![CDATA[a]]>b]]>", ["a]]>b", "a", "a]]>b]]>"]],
    ["text behind it", "<![CDATA[a]]>\nb", ["a", "a]]>\nb"]],
    ["a lone opener", "<![CDATA[x", ["x"]],
    ["a lone closer", "x ]]>", ["x "]],
    ["an empty one", "<![CDATA[]]>", []],
    ["an opener within", 's = "<![CDATA["', []],
  ])("[SK3] CDATA: %s", (_, text, left) => {
    expect(withoutCdata(text)).toEqual(left);
  });

  it.each([
    ["print(&quot;a&quot;)", 'print("a")'],
    ["a &lt; b &amp;&amp; c &gt; d;", "a < b && c > d;"],
    ["&#39;x&#x27;;", "'x';"],
    ["&copy1; &notit; &unknown;", "©1; ¬it; &unknown;"],
    ["&#0;&#128;&#55296;&#7;&#9;", "\ufffd€\ufffd\t"],
  ])("[SK4] %s", (text, left) => {
    expect(withoutEntities(text)).toEqual([left]);
  });

  it("[SK4] without an ampersand and a semicolon there is no entity", () => {
    expect([withoutEntities("a & b"), withoutEntities("a; b")]).toEqual([[], []]);
  });

  it.each([
    ["prose around it", "Here:\n```python\nx\n```\nDone.", ["x\n"]],
    [
      "two blocks",
      "```\na\n```\nand\n```\nlonger\n```",
      ["a\n```\nand\n```\nlonger\n", "longer\n"],
    ],
    ["its own line", "```python print(1)```", ["print(1)"]],
    ["a word that is no language", "```print(1)```", ["print(1)"]],
    ["a language that is none of Python", "```js\ny\n```", ["y\n"]],
    ["a lone fence", "```python\nx\ny", ["x\ny"]],
    ["a fence that is half closed", "```python\nx\n`", ["x\n"]],
    ["a docstring's", 'def (:\n"""\n```\nx\n```\n"""', []],
    ["none", "x", []],
  ])("[SK5] a fence: %s", (_, text, left) => {
    expect(withoutFence(text)).toEqual(left);
  });

  it.each([
    ["one line", 'a\\nprint(\\"b\\")', ['a\nprint("b")']],
    ["one line with an escape in a string", 'a\\nb = "\\n"', ['a\nb = "\n"', 'a\nb = "\\n"']],
    ["several lines", 'a\\nb\nc = "\\n"', ['a\nb\nc = "\\n"']],
    ["none", 'c = "\\t"', []],
  ])("[SK6] escaped newlines: %s", (_, text, left) => {
    expect(withoutEscapes(text)).toEqual(left);
  });

  it("[SK6] control characters go, but tabulators and ends of lines", () => {
    expect(withoutControl("a\0\b\f\tb\r\nc\u007f")).toEqual(["a\tb\r\nc\u007f"]);
    expect(withoutControl("a\n")).toEqual([]);
  });
});

describe("what stays broken", () => {
  const said = (code: string, broken: Parameters<typeof asking>[3] = {}) => {
    const { result } = asking(code, [], SEED, broken);
    return "error" in result ? result.error : result;
  };

  it.each([
    ["cdata-wrapper", "<![CDATA[def (:]]>"],
    ["cdata-wrapper", "code: <![CDATA[x]]> y"],
    ["markdown-fence", "```python\ndef (:\n```"],
    ["html-entities", "def &lt;x&gt;: pass"],
    ["escaped-newlines", "def (:\\n  x"],
    ["control-characters", "print(1)\b\bx"],
    ["syntax-error", "bad code"],
  ])("[SK7] is refused for one cause: %s", (cause, code) => {
    const fault = said(code);

    expect(fault).toMatchObject({ cause });
    expect(fault).toHaveProperty("todo", expect.stringMatching(/^(Send|Mend) /));
  });

  it("[SK7] quotes CPython's words and the line that they are about", () => {
    expect(said("x = 1\nbad code", { "x = 1\nbad code": ["invalid syntax", 2] })).toMatchObject({
      found: "code that Python cannot read: invalid syntax (line 2): bad code",
    });
  });

  it.each([
    ["an open bracket", "print((1", "'(' was never closed", 1],
    ["a string", 'print("hi', "unterminated string literal (detected at line 1)", 1],
    ["a long string", '"""a\nb', "unterminated triple-quoted string literal", 1],
    ["an operator", "y = 1\nx =", "invalid syntax", 2],
    ["a colon", "def f():", "expected an indented block after function definition on line 1", 1],
    ["a try", "try:\n  x", "expected 'except' or 'finally' block", 2],
  ])("[SK7] a truncated stream goes first, also within a wrapper: %s", (_, code, message, line) => {
    const broken = { [code]: [message, line] } as const;

    expect(said(code, broken)).toMatchObject({ cause: "truncated-stream" });
    expect(said(`<![CDATA[${code}`, broken)).toMatchObject({ cause: "truncated-stream" });
  });

  it.each([
    ["a string of an earlier line", 'print("hi)\nx = 1', "unterminated string literal", 1],
    ["a block that is not indented", "def f():\nreturn", "expected an indented block", 2],
    ["a word too many", "print 1", "Missing parentheses in call to 'print'", 1],
  ])("[SK7] is no truncated stream: %s", (_, code, message, line) => {
    expect(said(code, { [code]: [message, line] })).toMatchObject({ cause: "syntax-error" });
  });

  it("[SK8] is healed only where the policy says so", () => {
    const [code, broken] = ["print((1+2)", { "print((1+2)": ["'(' was never closed", 1] } as const];
    const python = ["print((1+2)\n)"];

    expect(codeOf(asking(code, python, SEED, broken))).toBe("truncated-stream");
    expect(asking(code, python, { ...SEED, heal: "on" }, broken).result).toEqual({
      code: "print((1+2)\n)",
      changed: ["broken code healed"],
    });
  });

  it("[SK8] what cannot be healed is refused all the same", () => {
    expect(codeOf(asking("bad code", [], { ...SEED, heal: "on" }))).toBe("syntax-error");
  });
});

describe("parseVerdict", () => {
  it("[SK7] takes the line from the end of the port's words", () => {
    expect(parseVerdict({ ok: true })).toEqual({ ok: true });
    expect(parseVerdict({ ok: false, error: "bad (line 1) (line 12)" })).toEqual({
      ok: false,
      message: "bad (line 1)",
      line: 12,
    });
    expect(parseVerdict({ ok: false, error: "not read" })).toMatchObject({ line: null });
  });
});
