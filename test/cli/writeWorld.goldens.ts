// The journey of somebody who writes a world, as docs tell it: from an empty folder, with what is printed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { scenarioRecipes } from "../scenarioRecipes.ts";
import { ghostlight } from "./ghostlight.ts";
import { quotedCommands } from "./quotedCommands.ts";
import { misquoted } from "./readmeTexts.ts";

const commands = quotedCommands("docs/write-a-world.md");

it("[WW23] docs/write-a-world.md, from an empty folder: each command prints what stands below it", async () => {
  const cwd = newFolder();

  expect(commands.map(({ args: [name] }) => name)).toEqual([
    ...["scenarios", "run", "run", "why", "run", "run"],
  ]);
  for (const { args, lines } of commands) {
    const { code, stdout } = await ghostlight(args, { cwd });
    expect({ args, code, misquoted: misquoted(lines, stdout) }).toEqual({
      args,
      code: 0,
      misquoted: [],
    });
  }
});

it.each(scenarioRecipes())(
  "[WW21] $title: it and its variants show what docs/scenarios.md says",
  async ({ text, says }) => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "recipe.yaml"), text);
    const run = (...args: string[]) =>
      ghostlight(["run", "./recipe.yaml", "--no-log", ...args], { cwd });

    const { code, stdout } = await run();

    expect(code).toBe(0);
    expect(stdout).toContain(says);
    const [, variants = ""] = text.split("\nvariants:\n");
    for (const [, variant = ""] of variants.matchAll(/^ {2}([a-z-]+):$/gm)) {
      const played = await run("--variant", variant);
      expect({ variant, code: played.code, stderr: played.stderr.match(/^not seen.*$/gm) }).toEqual(
        {
          variant,
          code: 0,
          stderr: null,
        },
      );
    }
  },
);
