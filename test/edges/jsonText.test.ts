// JSON that somebody wrote by hand: what a reader would lose of it, and what the engine says of a cut text.
import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonText, lossIn } from "../../src/edges/jsonText.ts";
import { parsedJson } from "../../src/edges/strictValue.ts";

const refusal = (text: string): string => {
  try {
    jsonText(text, { file: "a.json" }, "Mend it.");
    return "";
  } catch (error) {
    return String((error as Error).message);
  }
};

it.each([
  ['{"a": 1, "b": {"a": 2}, "c": ["a", "a"]}', ""],
  ['{"a": {"b": "\\"b\\":"}, "c": 9007199254740991, "d": 1e300, "e": 0.1}', ""],
  ['{"a\\\\": 1, "\\u0061\\\\" : 2}', 'a.json:1:12: found the key "a\\\\" again;'],
  ['[{"a": 1},\n {"b": 1, "b": 2}]', 'a.json:2:11: found the key "b" again;'],
  ['{"a": -9007199254740992}', "a.json:1:7: found the number -9007199254740992; allowed: whole"],
  ['{"a": 9007199254740991.0, "b": 0.0, "c": -0, "d": 0.30000000000000004441, "e": 0e5}', ""],
  ["[9007199254740993.0]", "a.json:1:2: found the number 9007199254740993.0; allowed: whole"],
  ["[9007199254740993e0]", "a.json:1:2: found the number 9007199254740993e0;"],
  ["[900719925474099.3e1]", "a.json:1:2: found the number 900719925474099.3e1;"],
  ["[1e-400]", "a.json:1:2: found the number 1e-400;"],
  ['{"sk-0123456789abcdefghij": 1, "sk-0123456789abcdefghij": 2}', 'a.json:1:32: found the key "['],
  [`[${"1".repeat(300)}]`, "a.json:1:2: found the number of 300 digits;"],
  ["[1e309]", "a.json: found a number past all bounds;"],
  ['"\\ud800"', "a.json: found half a character, a lone surrogate;"],
])("[CL3] %s is taken as it is written, or refused with its place", (text, found) => {
  expect(refusal(text).slice(0, found.length || undefined)).toBe(found);
});

it("[CL3] a text of any length is looked through", () => {
  const long = "\\n".repeat(5_000_000);

  expect(lossIn(`{"a": "${long}", "b": 1, "b": 2}`)?.found).toBe('the key "b" again');
});

it("[CL3] a number of any length is looked at once", () => {
  expect(lossIn(`[1.${"0".repeat(1_000_000)}1]`)).toBeUndefined();
});

it("[CL3] what was written from a value loses nothing", () => {
  const options = { noNullPrototype: true, maxDepth: 4 };
  const value = fc.jsonValue(options).filter((one) => !/\d{16}/.test(JSON.stringify(one)));

  fc.assert(
    fc.property(value, (one) => {
      expect(lossIn(JSON.stringify(one, null, 1))).toBeUndefined();
    }),
  );
});

it("[VB7] what is cut off is told in whole words, and quotes nothing of the text", () => {
  const whole = '{"format": 2, "parts": ["secret"], "ok": true}';
  const faults = [...whole].map((_, end) => parsedJson(whole.slice(0, end)));

  for (const said of faults) {
    expect(said).toEqual({
      fault: expect.stringMatching(
        /^no JSON: (Unexpected end of the text|Unexpected token|(Unterminated string|Expected [-a-z',}\]: ]+) at character \d+)$/,
      ),
    });
    expect(JSON.stringify(said)).not.toContain("secret");
  }
});
