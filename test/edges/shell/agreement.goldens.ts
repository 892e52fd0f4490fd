// All command lines: those that agree with bash, and those that are known not to.
import { afterAll, expect, test } from "vitest";
import { lazyShell } from "../../../src/edges/shell/shellProcess.ts";
import { agentCommands, hasJudge, judged, ours } from "./agreement.ts";

const shell = lazyShell();
afterAll(() => shell.close());

test.skipIf(!hasJudge).each(agentCommands["as in bash"])(
  "[SH1] as in bash: %s",
  async (command) => {
    expect(await ours(shell, command)).toEqual(judged(command));
  },
);

test.skipIf(!hasJudge).each(agentCommands.different)(
  "[SH1] different still: %s",
  async (command) => {
    expect(await ours(shell, command)).not.toEqual(judged(command));
  },
);
