// All command lines: those that agree with bash, and those that are known not to. They share one thread, which loads
// the shell once; agreement.test.ts plays some as the product does, each in a thread of its own.
import { afterAll, expect, test } from "vitest";
import { agentCommands, hasJudge, judged, ours } from "./agreement.ts";
import { oneThread } from "./oneThread.ts";

const shell = oneThread();
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
