// Skills against real Python, what costs seconds: many mixtures of wrappers, and processes that are ended.
import { afterAll, beforeAll, it } from "vitest";
import type { Sandbox } from "../../src/edges/python/sandbox.ts";
import { expectRefused, expectTwiceIsOnce, openPython } from "./wrappedPrograms.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openPython();
});
afterAll(async () => sandbox?.close());

it("[SK9] twice is once, whatever wrappers lie within one another; and what is left is Python", async () => {
  await expectTwiceIsOnce(sandbox, 60);
});

it.each([
  ["what never ends", "while True: pass", 124, "stopped at the limit"],
  ["a killed process", "raise MemoryError('full')", 137, "MemoryError: full"],
])("[SK11, SK12] refuses %s, with its cause on one line", async (_, code, exitCode, found) => {
  await expectRefused(sandbox, code, exitCode, found);
});
