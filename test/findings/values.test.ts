// What is nothing, and what is an error.
import { expect, it } from "vitest";
import { errorIn, failureOf } from "../../src/contract/failure.ts";
import { isNothing } from "../../src/contract/nothing.ts";
import { exactText, quotedText } from "../../src/findings/valueText.ts";
import type { Json } from "../../src/machines/letter.ts";
import { nested, returned } from "./facts.ts";

it.each<readonly [Json]>([
  [null],
  [""],
  [" \n"],
  ["null"],
  ["None"],
  ["(no output)"],
  ["undefined"],
  ["nil"],
  ["void"],
  ["<empty response>"],
  ["No result."],
  ["{}"],
  [{}],
  [{ result: null, stdout: "" }],
  [[{ type: "text", text: "" }]],
  [[null]],
  [nested(150)],
])("[FI4] %j is nothing", (result) => {
  expect(isNothing(result)).toBe(true);
});

it.each<readonly [Json]>([
  [[]],
  ["[]"],
  [0],
  [false],
  ["0"],
  ["ok"],
  ["none of the flights fits"],
  [{ ok: true }],
  [{ content: "", size: 0 }],
  [{ entries: [] }],
  [[{ type: "text", text: "a" }]],
  [nested(100_000)],
])("[FI4] %j is an answer", (result) => {
  expect(isNothing(result)).toBe(false);
});

it.each<readonly [Json, string | null]>([
  ["Error: payment does not add up", "Error: payment does not add up"],
  ["error", "error"],
  ["An error occurred while reading", "An error occurred while reading"],
  ["Traceback (most recent call last):\n  File", "Traceback (most recent call last):\n  File"],
  ["KeyError: 'x'", "KeyError: 'x'"],
  ["requests.exceptions.HTTPError: 404", "requests.exceptions.HTTPError: 404"],
  ["404 Not Found", "404 Not Found"],
  ['{"error": "no such user"}', "no such user"],
  [{ error: { message: "no such user", code: 4 } }, "no such user 4"],
  [{ success: false, reason: "full" }, "false full"],
  [{ status: "FAILED" }, "FAILED"],
  [{ status: "error" }, "error"],
  [{ status: "failure" }, "failure"],
  [{ status: "exception" }, "exception"],
  [{ isError: true, content: [{ type: "text", text: "bad" }] }, "true text bad"],
  [[{ type: "text", text: "Error: no" }], "Error: no"],
  ["fatal: not a git repository", "fatal: not a git repository"],
  ["exit code: 1", "exit code: 1"],
  ["exit code: 0", null],
  ["Permission denied", "Permission denied"],
  ["Failed to open it", "Failed to open it"],
  ["<tool_use_error>gone", "<tool_use_error>gone"],
  [{ errors: ["gone"] }, "gone"],
  [{ exception: "gone" }, "gone"],
  [{ is_error: true, why: "full" }, "true full"],
  [{ ok: false, why: "full" }, "false full"],
  [{ error: 0, rows: 1 }, null],
  [{ error: false, rows: 1 }, null],
  ["0 errors found", null],
  ["Error rate is 5 %", null],
  ["The errors of others were mended", null],
  ["Failed attempts: none", null],
  ["It printed Traceback (most recent call last): and went on", null],
  ["The log holds Error: gone", null],
  [{ error: null, data: 1 }, null],
  [{ errors: [], ok: true }, null],
  [{ status: "error-free" }, null],
  [null, null],
  ["", null],
])("[FI5] %j tells the error %j", (result, told) => {
  expect(errorIn(result)).toBe(told);
});

it("[FI5] what the log says of a result goes before what it holds", () => {
  expect(failureOf(returned(1, "read", "fine", { error: "gone" }))).toBe("gone");
  expect(failureOf(returned(1, "read", "fine", { ok: false }))).toBe("fine");
  expect(failureOf(returned(1, "read", null, { ok: false }))).toBe("it says that it failed");
  expect(failureOf(returned(1, "read", "fine", { ok: true }))).toBeNull();
  expect(failureOf(returned(1, "read", "Error: gone", { ok: true }))).toBe("Error: gone");
});

it("[FI3] what a sentence quotes stands on one line and is cut, and what is nested without end is left alone", () => {
  expect(quotedText("a\n  b")).toBe('"a b"');
  expect(quotedText("x".repeat(80))).toBe(`"${"x".repeat(80)}"`);
  expect(quotedText(`x${" ".repeat(639)}`)).toBe('"x"');
  expect(quotedText(`x${" ".repeat(640)}`)).toBe('"x…"');
  expect(quotedText("x".repeat(81))).toBe(`"${"x".repeat(80)}…"`);
  expect(exactText(nested(200))).not.toBeNull();
  expect(exactText(nested(201))).toBeNull();
});
