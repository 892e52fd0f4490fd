// Normalisation with CPython's verdicts recorded by hand: what is taken off, in which order, and what is refused.
import { describe, expect, it } from "vitest";
import {
  type Normalised,
  normaliseCode,
  type ParseVerdict,
  parseVerdict,
} from "../../../src/machines/skills/normalise.ts";
import {
  type Left,
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
  policy: Parameters<typeof normaliseCode>[2] = SEED,
  broken: { readonly [text: string]: readonly [message: string, line: number] } = {},
): Asked {
  const parses = new Map<string, ParseVerdict>();
  const asked: string[] = [];
  for (;;) {
    const result = normaliseCode(code, parses, policy);
    if (!("needs" in result)) return { result, asked };
    const [message, line] = broken[result.needs] ?? ["invalid syntax", 1];
    const verdict: ParseVerdict = python.includes(result.needs)
      ? { ok: true }
      : { ok: false, message, line };
    parses.set(result.needs, verdict);
    asked.push(result.needs);
  }
}

const textsOf = (lefts: readonly Left[]) => lefts.map(({ text }) => text);
const codeOf = ({ result }: Asked) => ("code" in result ? result.code : result.error.cause);

describe("clean Python", () => {
  it.each([
    ["its last newline", "print(1)\n"],
    ["a closer of CDATA in a comment", "x = 1  # ]]>\n"],
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
    // Without its end of line it is no Python any more.
    const continued = "x = 1 \\\n\n";
    expect(asking(continued, [continued], policy).result).toEqual({ code: continued, changed: [] });
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

  it.each([
    ["<![CDATA[a&lt;b]]>", "a&lt;b", "<![CDATA[a<b]]>"],
    ["```\na&lt;b\n```", "```\na<b\n```", "a&lt;b"],
    ["```\na\0b\n```", "a\0b", "```\nab\n```"],
    ["a\\n\0b", "a\\nb", "a\n\0b"],
  ])("[SK2] of %j what the real system looks for first goes", (code, first, other) => {
    expect(codeOf(asking(code, [first, other]))).toBe(first);
    expect(codeOf(asking(code, [other]))).toBe(other);
  });

  it("[SK2] takes off six wrappers, and not the seventh", () => {
    const wrapped = (layers: number): string =>
      layers === 0 ? "x" : `<![CDATA[${wrapped(layers - 1)}]]>`;

    expect(codeOf(asking(wrapped(6), ["x"]))).toBe("x");
    expect(codeOf(asking(wrapped(7), ["x"]))).toBe("cdata-wrapper");
  });

  it("[SK2] of more texts than 64 the sixty-fourth is tried, and none after it", () => {
    const code = "<![CDATA[a]]>b\n```\nc&amp;lt;;\\n\n```\n\0d]]>".repeat(5);
    const { asked } = asking(code, []);
    const [last = ""] = asked.slice(-1);

    expect(asked).toHaveLength(64);
    expect(codeOf(asking(code, [last]))).toBe(last);
  });

  it("[SK2] space alone may be what is wrong", () => {
    expect(asking("    x = 1\n", ["x = 1"]).result).toEqual({
      code: "x = 1",
      changed: ["the space around it taken off"],
    });
  });

  it.each([
    ["nothing else", "<![CDATA[x]]>", ["x", "x]]>"]],
    ["space around it", "\n <![CDATA[\nx\n]]> \n", ["\nx\n", "\nx\n]]> \n"]],
    ["a closer within it", "<![CDATA[a]]>b]]>", ["a]]>b", "a", "a]]>b]]>"]],
    ["text behind it", "<![CDATA[a]]>\nb", ["a", "a]]>\nb"]],
  ])("[SK3] an envelope around all of it, with %s", (_, text, left) => {
    expect(textsOf(withoutCdata(text))).toEqual(left);
  });

  it("[SK3] a lone opener before it or a lone closer at its end is an envelope, one within is not", () => {
    expect(textsOf(withoutCdata("<![CDATA[x"))).toEqual(["x"]);
    expect(textsOf(withoutCdata("x ]]>"))).toEqual(["x "]);
    expect(textsOf(withoutCdata('s = "<![CDATA["'))).toEqual([]);
  });

  it("[SK3] an empty envelope is none", () => {
    expect(textsOf(withoutCdata("<![CDATA[]]>"))).toEqual([]);
  });

  it.each([
    ["print(&quot;a&quot;)", 'print("a")'],
    ["&apos;x&num;&lpar;&rpar;", "'x#()"],
    ["a &lt; b &amp;&amp; c &gt; d;", "a < b && c > d;"],
    ["&#39;x&#x27;;", "'x';"],
    ["&copy1; &notit; &unknown;", "©1; ¬it; &unknown;"],
    ["&LTa &GTb &AMPc &QUOTd;", '<a >b &c "d;'],
    [
      "&comma;&period;&colon;&semi;&equals;&lsqb;&rsqb;&lowbar;&lcub;&verbar;&rcub;&NewLine;&Tab;.",
      ",.:;=[]_{|}\n\t.",
    ],
    ["&nbsp;&yuml;&fnof;&Omega;&hellip;&euro;&rArr;&le;&diams;", "\u00a0ÿƒΩ…€⇒≤♦"],
    ["&#0;&#128;&#55296;&#7;&#9;", "\ufffd€\ufffd\t"],
    ["&#31;&#32;&#127;&#159;&#160;", " Ÿ\u00a0"],
    ["&#55295;&#57343;&#57344;&#65533;&#65534;", "\ud7ff\ufffd\ue000\ufffd"],
    ["&#1114109;&#1114110;&#1114112;", "\u{10fffd}\ufffd"],
  ])("[SK4] %s", (text, left) => {
    expect(textsOf(withoutEntities(text))).toEqual([left]);
  });

  it("[SK4] without an ampersand and a semicolon there is no entity", () => {
    expect([withoutEntities("a & b"), withoutEntities("a; b")]).toEqual([[], []]);
  });

  const expectFence = (_: string, text: string, left: readonly string[]): void => {
    expect(textsOf(withoutFence(text))).toEqual(left);
  };

  it.each([
    ["prose around it", "Here:\n```python\nx\n```\nDone.", ["x\n", "x\n```\nDone."]],
    [
      "two blocks",
      "```\na\n```\nand\n```\nlonger\n```",
      ["a\n```\nand\n```\nlonger\n", "longer\n"],
    ],
    ["a lone fence", "```python\nx\ny", ["x\ny", ""]],
    ["a fence that is half closed", "```python\nx\n`", ["x\n", ""]],
    ["a lone fence behind it", "x\n```", ["", "x\n"]],
  ])("[SK5] which block counts: %s", expectFence);

  it.each([
    ["tildes", "~~~python\nx\n~~~", ["x\n"]],
    ["four backticks around three", '````\n"```"\n````', ['"```"\n']],
  ])("[SK5] is a fence: %s", expectFence);

  it.each([
    ["a language that is none of Python", "```js\ny\n```", ["y\n"]],
    ["ends of lines of another system", "```python\r\nx\r\n```", ["x\r\n"]],
    ["ends of lines of an old system", "```python\rx\r```", ["x\r"]],
    ["escaped ends of lines", "```python\\nx\\n```", ["x\\n"]],
    ["a language in braces", "```{python}\nx\n```", ["x\n"]],
  ])("[SK5] a language alone on its line: %s", expectFence);

  it.each([
    ["its own line", "```python print(1)```", ["print(1)"]],
    ["a word that is no language", "```print(1)```", ["print(1)"]],
    ["another language's name there", "```js print(1)```", ["js print(1)"]],
    ["a language with its version", "```Python 3\nx\n```", ["x\n"]],
    ["a language with all of its version", "```python 3.11\nx\n```", ["x\n"]],
    ["a language with its file", "```python:a.py\nx\n```", ["x\n"]],
  ])("[SK5] a name of Python as a language: %s", expectFence);

  it.each([
    [
      "a lone fence before fences in a string",
      '```\n"""\n```\nx\n```\n"""',
      ['"""\n```\nx\n', '"""\n```\nx\n```\n"""', '"""\n'],
    ],
    ["one in a string that is cut off", '"""\n```\nx\n```', []],
    ["a docstring's", 'def (:\n"""\n```\nx\n```\n"""', []],
    ["none", "x", []],
  ])("[SK5] a fence within a string is none: %s", expectFence);

  const expectUnescaped = (_: string, text: string, left: readonly string[]): void => {
    expect(textsOf(withoutEscapes(text))).toEqual(left);
  };

  it.each([
    ["one line", 'a\\nprint(\\"b\\")', ['a\nprint("b")']],
    ["one line with other quotes", "a\\nprint(\\'b\\')", ["a\nprint('b')"]],
    [
      "several lines with escaped quotes",
      'f(\\"\\\\n\\")\nx\\ny',
      ['f("\\n")\nx\ny', 'f("\\\\n")\nx\ny'],
    ],
    ["ends of lines of another system", "a\\r\\nb", ["a\r\nb"]],
    ["none", 'c = "\\t"', []],
  ])("[SK6] escapes are taken at their word: %s", expectUnescaped);

  it.each([["an escaped backslash", 'f(\\"a\\\\n\\")\\nx', ['f("a\\n")\nx', 'f("a\\\\n")\nx']]])(
    "[SK6] an escape in a string stays one there: %s",
    expectUnescaped,
  );

  it.each([
    ["one line with an escape in a string", 'a\\nb = "\\n"', ['a\nb = "\n"', 'a\nb = "\\n"']],
    ["several lines", 'a\\nb\nc = "\\n"', ['a\nb\nc = "\\n"']],
  ])("[SK6] else those outside of strings are taken: %s", expectUnescaped);

  it("[SK6] control characters go, but tabulators and ends of lines", () => {
    expect(textsOf(withoutControl("a\0\b\f\t b\u001f\r\nc\u007f"))).toEqual(["a\t b\r\nc\u007f"]);
    expect(textsOf(withoutControl("a\n"))).toEqual([]);
  });
});

describe("what is said of a change", () => {
  const changedOf = (code: string, python: readonly string[]) => {
    const { result } = asking(code, python);
    return "changed" in result ? result.changed : result.error.found;
  };

  it("[SK3] text beside a wrapper is dropped, and that is said", () => {
    expect(changedOf("<![CDATA[# c ]]>\nprint(1)", ["# c", "print(1)"])).toEqual([
      "the CDATA envelope taken off, and what stood beside it dropped",
    ]);
    expect(changedOf("Here:\n```\nx\n```", ["x"])).toEqual([
      "the code taken out of its Markdown fence, and what stood beside it dropped",
    ]);
  });

  it("[SK2] space that went with what was no envelope is told apart", () => {
    expect(changedOf("\0x\n", ["x"])).toEqual([
      "control characters taken out",
      "the space around it taken off",
    ]);
    expect(changedOf("<![CDATA[\nx\n]]>\n", ["x"])).toEqual(["the CDATA envelope taken off"]);
    expect(changedOf("```py\\nx\\n```", ["x"])).toEqual([
      "the code taken out of its Markdown fence",
      "escaped newlines made newlines",
    ]);
  });
});

describe("a program behind a closed wrapper", () => {
  const unfinished = "unterminated string literal (detected at line 1)";
  const behind = (tail: string, python: readonly string[], message: string) =>
    asking(`<![CDATA[x]]>\n${tail}`, ["x", ...python], SEED, { [tail]: [message, 1] });

  it("[SK3, SK7] is refused when it was cut off, since the code may go on there", () => {
    expect(codeOf(behind('f("un', ['f("un"\n)'], unfinished))).toBe("x");
    expect(codeOf(behind('g = "un', ['g = "un"'], unfinished))).toBe("truncated-stream");
    expect(codeOf(behind("y =", ["y = _"], "invalid syntax"))).toBe("truncated-stream");
    expect(codeOf(behind("if y", ["if y: pass"], "expected ':'"))).toBe("truncated-stream");
    const block = "expected an indented block after 'if' statement on line 1";
    expect(codeOf(behind("if y:", ["if y: pass"], block))).toBe("truncated-stream");
  });

  it.each([
    ["with an apostrophe", "That's it", unfinished],
    ["that ends with a point", "Done.", "invalid syntax"],
    ["that ends with a word of Python", "It works with", "invalid syntax"],
  ])("[SK3] is not prose %s", (_, tail, message) => {
    expect(codeOf(behind(tail, ["Done. _"], message))).toBe("x");
  });
});

describe("what stays broken", () => {
  const said = (code: string, broken: Parameters<typeof asking>[3] = {}) => {
    const { result } = asking(code, [], SEED, broken);
    return "error" in result ? result.error : result;
  };

  it.each([
    ["cdata-wrapper", "<![CDATA[def (:]]>", "Send the raw Python source, without <![CDATA["],
    ["cdata-wrapper", "code: <![CDATA[x]]> y", "Send the raw Python source, without <![CDATA["],
    ["markdown-fence", "```python\ndef (:\n```", "Send the raw Python source alone, without ```"],
    ["html-entities", "def &lt;x&gt;: pass", "Send <, >"],
    ["escaped-newlines", "def (:\\n  x", "Send real lines"],
    ["escaped-newlines", "def (&lt;:\\n  x", "Send real lines"],
    ["control-characters", "print(1)\b\bx", "Send the source without control characters"],
    ["syntax-error", "bad code", "Mend that line"],
  ])("[SK7] is refused for one cause, and says what to send: %s", (cause, code, todo) => {
    const fault = said(code);

    expect(fault).toMatchObject({ cause, todo: expect.stringContaining(todo) });
  });

  it.each([
    ["a CDATA wrapper that could not be taken off", "code: <![CDATA[x]]> y"],
    ["a CDATA wrapper with no code in it", "<![CDATA[\n\n]]>"],
    ["a Markdown fence with no code in it", "```python\n```"],
    ["code that Python cannot read, also without its CDATA wrapper", "<![CDATA[bad code]]>"],
    ["code that Python cannot read, also without its control characters", "bad\b code"],
    ["code that Python cannot read, also without its Markdown fence", "~~~\nbad code\n~~~"],
  ])("[SK7] says no more than was found: %s", (found, code) => {
    expect(said(code)).toHaveProperty("found", expect.stringContaining(`${found}: `));
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
    ["a header", "if 1", "expected ':'", 1],
    ["a lambda", "f = lambda x", "invalid syntax", 1],
    ["an import", "import", "Expected one or more names after 'import'", 1],
    ["an else", "y = x if z", "expected 'else' after 'if' expression", 1],
    ["a try", "try:\n  x", "expected 'except' or 'finally' block", 2],
  ])("[SK7] a truncated stream goes first, also within a wrapper: %s", (_, code, message, line) => {
    const broken = { [code]: [message, line] } as const;

    expect(said(code, broken)).toMatchObject({ cause: "truncated-stream" });
    expect(said(`<![CDATA[${code}`, broken)).toMatchObject({ cause: "truncated-stream" });
    expect(said(`${code} ]]>`, broken)).toMatchObject({ cause: "truncated-stream" });
    expect(said(`\0${code}`, broken)).toMatchObject({ cause: "truncated-stream" });
  });

  it.each([
    ["a string of an earlier line", 'print("hi)\nx = 1', "unterminated string literal", 1],
    ["a block that is not indented", "def f():\nreturn", "expected an indented block", 2],
    ["a header that goes on", "def f() x", "expected ':'", 1],
    ["a mark at its end", "<b>x</b>", "invalid syntax", 1],
    ["a word too many", "print 1", "Missing parentheses in call to 'print'", 1],
  ])("[SK7] is no truncated stream: %s", (_, code, message, line) => {
    expect(said(code, { [code]: [message, line] })).toMatchObject({ cause: "syntax-error" });
  });

  it("[SK8] is healed only where the policy says so", () => {
    const [code, broken] = ["print((1+2)", { "print((1+2)": ["'(' was never closed", 1] } as const];
    const python = ["print((1+2)\n)"];

    expect(codeOf(asking(code, python, SEED, broken))).toBe("truncated-stream");
    // Nor where something else was mended before.
    expect(codeOf(asking(`\0${code}`, python, SEED, broken))).toBe("truncated-stream");
    expect(asking(code, python, { ...SEED, heal: "on" }, broken).result).toEqual({
      code: "print((1+2)\n)",
      changed: ["broken code healed"],
    });
    // The innermost is closed first.
    const nested = { "f([{": ["'{' was never closed", 1] } as const;
    expect(codeOf(asking("f([{", ["f([{\n}])"], { ...SEED, heal: "on" }, nested))).toBe(
      "f([{\n}])",
    );
  });

  it.each([
    ["x = 'a", "x = 'a'"],
    ["x = 'a' + 'b", "x = 'a' + 'b'"],
    ["x = 'a' + \"b", "x = 'a' + \"b\""],
    ["x = 'it\\'s", "x = 'it\\'s'"],
  ])("[SK8] a string of one line is closed with its quote: %s", (code, healed) => {
    const broken = { [code]: ["unterminated string literal (detected at line 1)", 1] } as const;

    expect(codeOf(asking(code, [healed], { ...SEED, heal: "on" }, broken))).toBe(healed);
  });

  it("[SK8] a fence at its end goes with the space before it", () => {
    const real = { heal: "on", outerSpace: "stripped" } as const;

    expect(codeOf(asking("```\n```", [""], real))).toBe("");
    expect(codeOf(asking("print(1)\n```", ["print(1)", ""], real))).toBe("print(1)");
  });

  it.each(['x = """a', "x = '''a"])("[SK8] a string of three quotes is not closed: %s", (code) => {
    const message = "unterminated triple-quoted string literal (detected at line 1)";
    const quote = code.slice(4, 5);
    const closing = ["", quote, quote + quote].map((end) => [code + end, [message, 1] as const]);
    const broken = Object.fromEntries(closing);
    const closed = [`${code}\n"""`, code + quote.repeat(3)];

    expect(codeOf(asking(code, closed, { ...SEED, heal: "on" }, broken))).toBe("truncated-stream");
  });

  it("[SK8] twenty faults are repaired, and the twenty-first is refused", () => {
    const healed = (faults: number) => {
      const ended = (ends: number) =>
        Array.from({ length: faults }, (_, at) => `s = "${at}${at < ends ? '"' : ""}`).join("\n");
      const broken = Object.fromEntries(
        Array.from({ length: faults }, (_, ends) => [
          ended(ends),
          ["unterminated string literal", ends + 1] as const,
        ]),
      );
      const found = asking(ended(0), [ended(faults)], { ...SEED, heal: "on" }, broken);
      return codeOf(found) === ended(faults);
    };

    expect([1, 19, 20, 21].map(healed)).toEqual([true, true, true, false]);
  });

  it("[SK8] space that healing leaves stays", () => {
    const broken = { "print(1)\n)": ["unmatched ')'", 2] } as const;
    const { result } = asking("print(1)\n)", ["print(1)\n"], { ...SEED, heal: "on" }, broken);

    expect(result).toMatchObject({ code: "print(1)\n" });
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
