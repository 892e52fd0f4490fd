// What becomes of a run whose process ends under it: the processes are made here, and no shell is started.
import { expect, it, vi } from "vitest";
import { KeptAnswers } from "../../../src/edges/play/keptAnswers.ts";
import { lazyShell } from "../../../src/edges/shell/shellProcess.ts";
import { replay } from "../../builtIn.ts";
import { readBundle } from "../../builtInScenarios.ts";
import { newFolder } from "../../folders.ts";
import { runIn } from "./shellRuns.ts";

/** Answers that processes give, one by one: without one a process ends. */
const told = vi.hoisted(() => ({ started: 0, ran: [] as (object | null)[] }));
vi.mock(import("../../../src/edges/processes/bareNode.ts"), async (original) => ({
  ...(await original()),
  startBareNode: () => {
    const answer = told.ran[told.started];
    told.started += 1;
    const { promise: asked, resolve: send } = Promise.withResolvers<string>();
    async function* stdout() {
      yield Buffer.from('"ready"\n');
      const { id } = JSON.parse(await asked);
      if (answer !== null) yield Buffer.from(`${JSON.stringify({ id, ran: answer })}\n`);
    }
    return { stdout: stdout(), ended: Promise.resolve({ stderr: "" }), send, kill() {} } as never;
  },
}));

const ran = { exitCode: 0, stdout: "", stderr: "", changed: {}, reads: [], elapsedMs: 1 };

it.each([
  [0, [ran], undefined],
  [2, [null, { ...ran, more: 1, exitCode: "0" }, ran], undefined],
  [3, [null, null, null, ran], "process"],
] as const)(
  "[SH17] whose process ends %i times is tried no more than twice more",
  async (ends, answers, stopped) => {
    Object.assign(told, { started: 0, ran: answers });

    const found = await runIn(lazyShell({ kind: "pyodide" }), "echo");

    expect(found.stopped).toBe(stopped);
    expect(told.started).toBe(Math.min(ends + 1, 3));
  },
);

it.each([
  ...([undefined, "steps", "output", "files"] as const).map((stopped) => [stopped, true] as const),
  ...(["time", "memory"] as const).map((stopped) => [stopped, false] as const),
])(
  "[SB18] a command line that ended by %j is kept: %s, as clock and memory are the machine's",
  async (stopped, isKept) => {
    Object.assign(told, { started: 0, ran: Array(3).fill({ ...ran, stopped }) });
    const shell = lazyShell({ kind: "pyodide", answers: new KeptAnswers(newFolder()) });

    await runIn(shell, "echo");
    const once = told.started;
    expect((await runIn(shell, "echo")).stopped).toBe(stopped);
    expect(told.started > once).toBe(!isKept);
  },
);

it("[SH13] a replay starts no process, neither of a shell nor of Python", async () => {
  Object.assign(told, { started: 0, ran: [ran, ran] });
  const bundle = readBundle("recordings/crisis-and-locks");
  const asked = bundle.inputs.flatMap((one) => (one.kind === "reply" ? [one.port] : []));

  expect(replay(bundle).matches).toBe(true);
  expect(asked).toContain("port/shell.run");
  expect(told.started).toBe(0);
  // A process starts a while after it is asked for: what the replay asked for would have started before this one.
  await runIn(lazyShell(), "echo");
  expect(told.started).toBe(1);
});
