// A manifest from a stranger, each of its fields in turn another value: read, or refused in words, and never a crash.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parsedJson } from "../../src/edges/strictValue.ts";
import { ghostlight } from "../cli/ghostlight.ts";
import { newFolder } from "../folders.ts";

const GOLDEN = "recordings/lessons";
const fields = Object.keys(
  JSON.parse(readFileSync(join(GOLDEN, "manifest.json"), "utf8")) as object,
);
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const VALUES: readonly string[] = [
  ...['{"toString":1}', '{"__proto__":1}', '[{"toString":1}]', "1e999", "-0", "null", "true"],
  ...['"\\u0000\\ud800"', "{}", "[]", DEEP, `{"a":${DEEP}}`],
];

function bundleWith(field: string, value: string): string {
  const folder = join(newFolder(), "bundle");
  cpSync(GOLDEN, folder, { recursive: true });
  const file = join(folder, "manifest.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as { [field: string]: unknown };
  const text = JSON.stringify({ ...manifest, [field]: "HERE" });
  writeFileSync(
    file,
    text.replace('"HERE"', () => value),
  );
  return folder;
}

it.each([...fields, "parts"])(
  "[VB105] whatever stands at %s of a manifest, it is refused in words",
  async (field) => {
    for (const value of VALUES) {
      const folder = bundleWith(field, value);
      const { code, stderr } = await ghostlight(["why", folder]);
      expect([value.slice(0, 40), code, stderr]).toEqual([
        value.slice(0, 40),
        expect.toBeOneOf([2, 3]),
        expect.stringContaining("manifest.json"),
      ]);
    }
  },
);

it("[VB105] 128 levels of lists, of maps or of both are read, and one more is refused", () => {
  const nested: { readonly [kind: string]: (depth: number) => string } = {
    lists: (depth) => "[".repeat(depth) + "]".repeat(depth),
    maps: (depth) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
    both: (depth) => `${'{"a":['.repeat(depth / 2)}${"]}".repeat(depth / 2)}`,
  };
  for (const [kind, text] of Object.entries(nested)) {
    expect([kind, parsedJson(text(128))]).toEqual([kind, { value: expect.anything() }]);
    expect([kind, parsedJson(`[${text(128)}]`)]).toEqual([
      kind,
      { fault: "nesting deeper than 128" },
    ]);
  }
});

it("[VB105] every reader refuses such a bundle, and a folder with one is read on", async () => {
  const folder = bundleWith("format", '{"toString":1}');
  for (const command of ["replay", "why", "events", "prompts", "resume"]) {
    expect([command, (await ghostlight([command, folder])).code]).toEqual([command, 2]);
  }
  expect((await ghostlight(["diff", folder, GOLDEN])).code).toBe(2);
  cpSync(GOLDEN, join(folder, "..", "good"), { recursive: true });

  const { code, stdout, stderr } = await ghostlight(["check", join(folder, "..")]);

  expect(code).toBe(2);
  expect(stderr + stdout).toContain("1 log read");
  expect(stderr + stdout).toContain("as its format");
});

/** A bundle with its log, one line of which a stranger wrote; nothing is sealed anew. */
async function withLine(file: string, line: string): Promise<string> {
  const folder = join(newFolder(), "bundle");
  cpSync(GOLDEN, folder, { recursive: true });
  if (file === "events.jsonl") writeFileSync(join(folder, file), "");
  const text = readFileSync(join(folder, file), "utf8");
  writeFileSync(join(folder, file), `${line}\n${text}`);
  return folder;
}

const DEEP_LINES: readonly (readonly [file: string, line: string])[] = [
  ["inputs.jsonl", DEEP],
  ["inputs.jsonl", `{"hash":"0","input":${DEEP}}`],
  [
    "inputs.jsonl",
    `{"hash":"0","input":{"kind":"outside","id":"a","to":"b","seq":1,"deliveredAt":0,"event":{"type":"x","y":${DEEP}}}}`,
  ],
  ["events.jsonl", DEEP],
  [
    "events.jsonl",
    `{"seq":1,"dueMs":0,"from":"a","to":"b","fate":"handled","changes":[],"letters":[],"event":{"type":"x","y":${DEEP}}}`,
  ],
];

it.each(DEEP_LINES)(
  "[VB105] a line of %s that is nested without end is refused in words by every reader",
  async (file, line) => {
    const folder = await withLine(file, line);
    for (const command of ["replay", "why", "events", "prompts", "check"]) {
      const { code, stderr } = await ghostlight([command, folder]);
      expect([command, code, stderr]).toEqual([
        command,
        expect.toBeOneOf([2, 3]),
        expect.not.stringContaining("bug"),
      ]);
    }
  },
);
