// docs/findings.md: each command of it gives the output that stands there, and no finding is missing.
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findings } from "../../src/findings/findings.ts";
import { newFolder } from "../folders.ts";
import { ghostlight } from "./ghostlight.ts";

const page = readFileSync("docs/findings.md", "utf8");
const blocks = [...page.matchAll(/^```console\n\$ npx ghostlight (.*)\n([\s\S]*?)^```$/gm)];

it("[FI24] every command of the page on findings says what stands there", async () => {
  const cwd = newFolder();
  mkdirSync(join(cwd, "examples", "findings"), { recursive: true });
  copyFileSync("examples/findings/logs.jsonl", join(cwd, "examples/findings/logs.jsonl"));

  expect(blocks.length).toBe(2 + findings.length);
  for (const [, line = "", output = ""] of blocks) {
    const { code, stdout } = await ghostlight(line.split(" "), { cwd });
    expect({ line, code }).toEqual({ line, code: 0 });
    if (!line.startsWith("import")) expect(stdout).toBe(output);
  }
});

it("[FI3] the page has a section for each finding", () => {
  for (const { id } of findings) expect(page).toContain(`\n## ${id}\n`);
});
