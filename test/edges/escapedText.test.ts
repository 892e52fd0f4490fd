import fc from "fast-check";
import { expect, it } from "vitest";
import { holdOutput, print, takeHeld } from "../../src/cli/output.ts";
import { anyText, codePoint } from "../../src/contract/anyText.ts";
import { escapedJson, escapedLine, escapedText, quotedBlock } from "../../src/edges/escapedText.ts";

it("[CL8] [CL15] what steers a terminal is written out, and everything else stays as it is", () => {
  expect(escapedText("a\u001b[2Jb\r\u009bc\u202ed\u0000")).toBe(
    "a\\u{1b}[2Jb\\u{d}\\u{9b}c\\u{202e}d\\u{0}",
  );
  expect(escapedText("a\u2028b\u2029c\ud800d")).toBe("a\\u{2028}b\\u{2029}c\\u{d800}d");
  expect(escapedText("Grüße, 語 and \u{1f600}\nsecond line")).toBe(
    "Grüße, 語 and \u{1f600}\nsecond line",
  );
  expect(escapedLine("one\ntwo")).toBe("one\\ntwo");
});

it("[CL8] whatever is printed is written out", () => {
  holdOutput();
  print("a\u001b[2Jb");

  expect(takeHeld()).toBe("a\\u{1b}[2Jb\n");
});

it("[CL8] [CL15] no text leaves a control code, and no line of it looks like one of ours", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(escapedText(text).replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(escapedLine(text)).not.toContain("\n");
      const block = quotedBlock(text, "  ");
      expect(block.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      for (const line of block.split("\n")) expect(line).toMatch(/^ {2}\|( |$)/);
    }),
  );
});

it("[CL8] JSON for people who read it on a terminal holds nothing raw, and reads as the same value", () => {
  const anyJson = fc.jsonValue({ maxDepth: 3, stringUnit: codePoint });
  fc.assert(
    fc.property(anyJson, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = escapedJson(value, indent);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  expect(escapedJson("a\u009b\u202e")).toBe('"a\\u009b\\u202e"');
});
