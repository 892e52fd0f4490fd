// Commands that we print, and names of folders that we make: whatever strangers wrote stands in them.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { anyText } from "../../src/contract/anyText.ts";
import { command, commandSaid, optionWords, shellArgument } from "../../src/edges/command.ts";
import { plainName } from "../../src/edges/plainName.ts";
import { newFolder } from "../folders.ts";

const hostile = [
  "a$(touch x)",
  "a\n$(touch x)",
  "a`touch x`",
  "a;touch x",
  "'; touch x; '",
  '"$HOME"',
  "$HOME",
  "\u001b[2J",
  "\u202egnp",
  "a\u2028b\u2029c",
  "a\\nb",
  "it's \t\\'",
  "ü 漢 🙂",
  "",
  "*",
  "~",
  "!!",
];

/** What the shell makes of the words, each between brackets. */
const wordsIn = (line: string): string[] =>
  execFileSync("bash", ["--norc", "-c", `printf '%s\\0' ${line}`], {
    encoding: "utf8",
    env: { LC_ALL: "C.UTF-8", PATH: process.env["PATH"] ?? "" },
  })
    .split("\0")
    .slice(0, -1);

it.each(hostile)("[CL24] a shell reads %j back as it was, as one word", (text) => {
  expect(wordsIn(shellArgument(text))).toEqual([text]);
});

it.each(hostile)(
  "[CL24] a command with %j in it is one line without what steers a terminal",
  (text) => {
    const line = command`diff ${text} ${["--set", `path=${text}`]} --json`;

    expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
    expect(wordsIn(line)).toEqual([
      "npx",
      "ghostlight",
      "diff",
      text,
      "--set",
      `path=${text}`,
      "--json",
    ]);
  },
);

it("[CL24] half a character, which no terminal shows, stands as an escape", () => {
  expect(shellArgument("a\ud800")).toBe("$'a\\ud800'");
});

it("[CL24] any text comes back", () => {
  fc.assert(
    fc.property(
      fc.array(
        anyText().filter((text) => !text.includes("\0")),
        {
          minLength: 20,
          maxLength: 20,
        },
      ),
      (texts) => {
        expect(wordsIn(texts.map(shellArgument).join(" "))).toEqual(texts);
      },
    ),
    { numRuns: 20 },
  );
});

it("[CL24] what is not there leaves no gap, and a name that begins with a dash is no option", () => {
  const seed: number | undefined = undefined;

  expect(command`why ${"runs/a"} ${undefined} ${[]}`).toBe("npx ghostlight why runs/a");
  expect(
    command`run ${"--out=/etc"} ${optionWords({ seed, set: ["a=1", "b=c d"], json: true })}`,
  ).toBe("npx ghostlight run ./--out=/etc --set a=1 --set 'b=c d' --json");
  expect(commandSaid`replay ${"runs/a b"}`).toBe("`npx ghostlight replay 'runs/a b'`");
});

it.each([
  ["small", "small"],
  ["my_world-2", "my_world-2"],
  ["x".repeat(60), "x".repeat(60)],
])("[CL25] %j names its folder as it is", (text, name) => {
  expect(plainName(text)).toBe(name);
});

it.each([
  ...hostile,
  "..",
  ".",
  "/",
  "a/../../b",
  "C:\\x",
  "con",
  "CON",
  "prn",
  "aux",
  "com9",
  "Lpt1",
  "nul",
  "-rf",
  "x".repeat(61),
  "a.b",
])("[CL25] %j names a folder of letters, digits, - and _, and no other text names it", (text) => {
  const name = plainName(text);
  const folder = newFolder();
  mkdirSync(join(folder, name));

  expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,59}$/);
  expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/i);
  expect(readdirSync(folder)).toEqual([name]);
  expect(plainName(`${text}.`)).not.toBe(name);
  expect(plainName(name)).toBe(name);
});
