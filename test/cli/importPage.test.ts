// docs/import.md: each command of it, from a folder with the example alone, prints what stands there.
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight } from "./ghostlight.ts";
import { quotedCommands } from "./quotedCommands.ts";
import { misquoted } from "./readmeTexts.ts";

it("[IM62] docs/import.md: each command prints what stands below it", async () => {
  const cwd = newFolder();
  mkdirSync(join(cwd, "examples", "import"), { recursive: true });
  copyFileSync("examples/import/talk.json", join(cwd, "examples/import/talk.json"));
  const codes = { import: 0, why: 0, check: 0 };

  const commands = quotedCommands("docs/import.md");
  expect(commands.map(({ args: [name] }) => name)).toEqual(["import", "why", "why", "check"]);
  for (const { args, lines } of commands) {
    const { code, stdout } = await ghostlight(args, { cwd });
    expect({ args, misquoted: misquoted(lines, stdout), code }).toEqual({
      ...{ args, misquoted: [] },
      code: codes[args[0] as keyof typeof codes],
    });
  }
});
