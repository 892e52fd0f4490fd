// One in 25 of the command lines; agreement.goldens.ts runs all.
import { afterAll, expect, it, test } from "vitest";
import { lazyShell } from "../../../src/edges/shell/shellProcess.ts";
import { agentCommands, hasJudge, judged, ours } from "./agreement.ts";

const shell = lazyShell();
afterAll(() => shell.close());

const some = agentCommands["as in bash"].filter((_, at) => at % 25 === 0);

test.skipIf(!hasJudge).each(some)("[SH1] as in the machine's own bash: %s", async (command) => {
  expect(await ours(shell, command)).toEqual(judged(command));
});

it("[SH1] more than 300 command lines are compared, four in five of which agree", () => {
  const { "as in bash": same, different } = agentCommands;

  if (!hasJudge) console.warn("skipped: no bash 5 with GNU tools, mawk and jq to compare with");
  expect(new Set([...same, ...different]).size).toBe(same.length + different.length);
  expect(same.length + different.length).toBeGreaterThan(300);
  expect(same.length / (same.length + different.length)).toBeGreaterThan(0.8);
});
