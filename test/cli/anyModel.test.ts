import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { anyModelPage } from "./anyModelPage.ts";
import { ghostlight } from "./ghostlight.ts";

it("[LM31] what docs/any-model.md shows is what is printed", async () => {
  const cwd = newFolder();

  const { commands, faults } = await anyModelPage((args) => ghostlight(args, { cwd }));

  expect(faults).toEqual([]);
  expect(commands).toBe(10);
});
