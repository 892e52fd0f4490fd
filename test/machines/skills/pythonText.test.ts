// Where space and strings of Python are, and what a cut leaves open.
import { expect, it } from "vitest";
import {
  endOfString,
  isInLongString,
  linesOf,
  openBrackets,
  quoteAt,
  trimPython,
} from "../../../src/machines/skills/pythonText.ts";
import { isTruncated } from "../../../src/machines/skills/syntaxFault.ts";

it("[SK11] space is what Python's strip takes: separators of ASCII, and no byte order mark", () => {
  expect(trimPython(" \t\n\x1c\x85\u2003a b\x1f\r\n")).toBe("a b");
  expect(trimPython("\ufeffa\ufeff")).toBe("\ufeffa\ufeff");
  expect([trimPython(" \n"), trimPython("")]).toEqual(["", ""]);
});

it("[SK7] lines end as CPython counts them", () => {
  expect(linesOf("a\r\nb\rc\nd\n")).toEqual(["a", "b", "c", "d", ""]);
});

it.each([
  ["'a'", 0, "'"],
  ['"a"', 0, '"'],
  ["'''a", 0, "'''"],
  ['x"""a', 1, '"""'],
  ["''", 0, "'"],
  ["a", 0, ""],
  ["", 0, ""],
])("[SK8] in %j at %i opens %j", (text, index, quote) => {
  expect(quoteAt(text, index)).toBe(quote);
});

it.each([
  ["'ab' c", 1, "'", 4],
  ["'a\\'b' c", 1, "'", 6],
  ["'ab\nc'", 1, "'", 3],
  ["'''a\n'b''' c", 3, "'''", 10],
  ["'ab", 1, "'", 3],
])("[SK8] the string in %j that opens before %i with %j ends before %i", (...given) => {
  const [text, index, quote, end] = given;

  expect(endOfString(text, index, quote)).toBe(end);
});

it.each([
  ["f(a[1], {", ["(", "{"]],
  ["f(a)", []],
  ["f('(', a", ["("]],
  ["f(# [\n{", ["(", "{"]],
  ["f(# [", ["("]],
  ["'''(''' [", ["["]],
  ["'(\n[", ["["]],
])("[SK8] %j leaves open: %j", (text, open) => {
  expect(openBrackets(text)).toEqual(open);
});

it("[SK5] a long string holds what stands before its end, cut off or not; a comment or a short one opens none", () => {
  const holds = (text: string) => isInLongString(text, text.indexOf("@"));

  expect(["'''a @ b'''", "'''a @ b", "x = 1\n'''@"].map(holds)).toEqual([true, true, true]);
  expect(["'''a''' @", "'a @ b'", "# '''\n@", "@ '''a'''", "'''a'''@"].map(holds)).toEqual([
    ...[false, false, false, false, false],
  ]);
});

it.each([
  ["x", "unexpected EOF while parsing", 1, true],
  ["'''a", "unterminated triple-quoted string literal", 1, true],
  ["f(", "'(' was never closed", 1, true],
  ["f('(')", "'(' was never closed", 1, false],
  ["a = 'b", "unterminated string literal", 1, true],
  ["a = f'b", "unterminated f-string literal", 1, true],
  ["a = 'b\nc", "unterminated string literal", 1, false],
  ["a = 'b", "unterminated string literal", null, false],
  ["try:\n  a", "expected 'except' or 'finally' block", 2, true],
  ["try:\n  a\nb", "expected 'except' or 'finally' block", 3, false],
  ["a if b", "expected 'else' after 'if' expression", 1, true],
  ["f(a if b)", "expected 'else' after 'if' expression", 1, false],
  ["if a:", "expected an indented block after 'if' statement", 1, true],
  ["if a:\nb", "expected an indented block after 'if' statement", 2, false],
  ["while a", "expected ':'", 1, true],
  ["a b", "expected ':'", 1, false],
  ["a +", "invalid syntax", 1, true],
  ["for a", "invalid syntax", 1, true],
  ["a b", "invalid syntax", 1, false],
  ["a +", "unindent does not match", 1, false],
])("[SK7] whether %j is cut off, where CPython says %j of line %j: %j", (...given) => {
  const [text, message, line, is] = given;

  expect(isTruncated({ text, message, line })).toBe(is);
});
