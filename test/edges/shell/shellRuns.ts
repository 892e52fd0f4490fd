// One shell for a file of tests, on the files of an agent.

import type { LazyShell } from "../../../src/edges/shell/shellProcess.ts";
import type { ShellRan, ShellRun } from "../../../src/edges/shell/shellProtocol.ts";
import { policyWith } from "../../builtIn.ts";

/** What plays a command. */
export type Runs = Pick<LazyShell, "run">;

export const CWD = "/agentOS/workspace/cedar";

export const inFolder = (files: { readonly [name: string]: string }) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${CWD}/${name}`, text]));

type Given = Partial<Omit<ShellRun, "bounds">> & { readonly bounds?: Partial<ShellRun["bounds"]> };

export const runOf = (command: string, given: Given = {}): ShellRun => ({
  ...{ command, agent: "cedar", cwd: CWD, files: {}, mtimesMs: {}, seed: 7 },
  nowMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  ...given,
  bounds: { ...policyWith({}).shell, ...given.bounds },
});

export const runIn = (shell: Runs, command: string, given: Given = {}): Promise<ShellRan> =>
  shell.run(runOf(command, given));
