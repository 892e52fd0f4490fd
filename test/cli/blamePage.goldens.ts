// docs/blame.md: each command of its worked examples, played whole, prints what stands there.
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight } from "./ghostlight.ts";
import { quotedCommands } from "./quotedCommands.ts";
import { misquoted } from "./readmeTexts.ts";

const cwd = newFolder();
const commands = quotedCommands("docs/blame.md");

it("[BL67] docs/blame.md works three examples, of a run that it records first", () => {
  expect(commands.map(({ args: [name] }) => name)).toEqual(["prevent", "prevent", "run", "blame"]);
});

const named = commands.map((one) => [one.args.join(" "), one] as const);

it.each(named)("[BL67] `%s` prints what stands below it", async (_, { args, lines }) => {
  // Threads cost more than what they play.
  const alone = args[0] === "run" ? [] : ["--workers", "1"];
  const { code, stdout, stderr } = await ghostlight([...args, ...alone], { cwd });

  expect(code, stderr).toBe(0);
  expect(misquoted(lines, stdout)).toEqual([]);
});
