// A real shell in its own process: what it sees, what it leaves, and that it always ends.

import { afterAll, describe, expect, it } from "vitest";
import { Inbox } from "../../../src/edges/play/inbox.ts";
import { replyOf, shellPort } from "../../../src/edges/shell/shellPort.ts";
import { lazyShell } from "../../../src/edges/shell/shellProcess.ts";
import type { ShellRun } from "../../../src/edges/shell/shellProtocol.ts";
import { defined } from "../../../src/machines/defined.ts";
import type { PortRequest } from "../../../src/substrate/port.ts";
import { policyWith } from "../../builtIn.ts";
import { CWD, inFolder, runIn, runOf } from "./shellRuns.ts";

const shell = lazyShell();
afterAll(() => shell.close());

const out = async (command: string, given = {}) => (await runIn(shell, command, given)).stdout;

describe("what a run gives", () => {
  it("[SH2] exit code, both outputs, what changed, and whose text was opened", async () => {
    const files = inFolder({ "a.md": "a\n", "b.md": "b\n", "c.md": "c\n", "d.md": "d\n" });

    expect(
      await runIn(shell, "cat a.md; cp b.md e.md; ls; rm d.md; nope; exit 3", { files }),
    ).toEqual({
      ...{ exitCode: 3, stdout: "a\na.md\nb.md\nc.md\nd.md\ne.md\n" },
      stderr: "bash: nope: command not found\n",
      changed: { [`${CWD}/d.md`]: null, [`${CWD}/e.md`]: "b\n" },
      reads: [`${CWD}/a.md`, `${CWD}/b.md`],
      elapsedMs: 1,
    });
  });

  it("[SH2] a file that is opened through a link was opened, and what is written through one is found", async () => {
    const files = inFolder({ "a.md": "a\n" });

    // What the command itself made was never given.
    const made = "echo n > n; cat n; rm n";
    const ran = await runIn(shell, `mkdir f; ln -s ../a.md f/l; cat f/l; ${made}`, { files });

    expect(ran).toMatchObject({ stdout: "a\nn\n", reads: [`${CWD}/a.md`] });
    expect(ran.changed).toEqual({});
  });

  it("[SH2, SH3] is the same for the same seed in another process, and another for another seed", async () => {
    const other = lazyShell();
    const command =
      "echo $RANDOM $$ $EPOCHREALTIME; mktemp; seq 20 | shuf; date; ls -la; awk 'BEGIN{srand();print rand()}'";
    const given = { files: inFolder({ "a.md": "a\n" }) };
    const [first, again, elsewhere, seeded] = await Promise.all([
      runIn(shell, command, given),
      runIn(shell, command, given),
      runIn(other, command, given),
      runIn(other, command, { ...given, seed: 8 }),
    ]).finally(() => other.close());

    expect([again, elsewhere]).toEqual([first, first]);
    expect(seeded.stdout).not.toBe(first.stdout);
    const lots = async (seed: number) =>
      (
        await runIn(shell, "echo $RANDOM; echo $$; mktemp; shuf -i 1-99 -n 1", { seed })
      ).stdout.split("\n", 4);
    const [one, two] = [await lots(7), await lots(8)];
    expect(one.map((lot, at) => lot === two[at])).toEqual([false, false, false, false]);
    const chance = (seed: number) => runIn(shell, "seq 20 | shuf", { seed });
    expect((await chance(8)).stdout).not.toBe((await chance(7)).stdout);
  });
});

describe("what it sees", () => {
  it("[SH3] the virtual time, which sleep and timeouts move", async () => {
    expect(
      await out("date '+%F %T'; sleep 20; date '+%F %T'; timeout 2 sleep 9; echo $?; date +%T"),
    ).toBe("2026-01-02 03:04:05\n2026-01-02 03:04:25\n124\n03:04:27\n");
    // Not by `date`.
    expect(await out("sleep 3; printf '%(%T)T' -1")).toBe("03:04:08");
  });

  it("[SH3] $EPOCHREALTIME and $EPOCHSECONDS, which the library lacks", async () => {
    expect(await out("echo $EPOCHSECONDS; sleep 2; echo $EPOCHREALTIME")).toBe(
      "1767323045\n1767323047.000000\n",
    );
  });

  it("[SH3] when files were written, and by whom", async () => {
    const given = { files: inFolder({ "a.md": "a\n" }), mtimesMs: { [`${CWD}/a.md`]: 0 } };

    expect(await out("stat a.md | grep Modify; whoami; hostname; id -un; uname -a", given)).toMatch(
      /^Modify: 1970-01-01.*\ncedar\nlocalhost\ncedar\nLinux localhost 5\.15\.0 .*\n$/s,
    );
  });

  it("[SH2, SH3] clock and mtimes count from the start of the world, and each command has a seed of its own", () => {
    const runs: ShellRun[] = [];
    const [inbox, policy] = [new Inbox(), policyWith({}).shell];
    const portOf = (seed: number) =>
      shellPort({
        ...{ inbox, policy, seed, startsAtMs: 1_000 },
        shell: { ...shell, run: (run) => new Promise(() => runs.push(run)) },
      });
    const event = {
      ...{ type: "shell.run", purpose: "command", command: "echo", agent: "cedar", cwd: CWD },
      ...{ files: inFolder({ a: "x" }), mtimesMs: { [`${CWD}/a`]: 7 }, limitMs: 100 },
    };
    const asked = (seed: number, nth: number, from = "engine") =>
      portOf(seed).answer({
        ...{ port: "port/shell.run", from, purpose: "command", nth, seq: nth, nowMs: 20 },
        ...{ request: "", event },
      } as PortRequest<"shell.run">);

    for (const [seed, nth, from] of [
      [1, 1],
      [1, 1],
      [1, 2],
      [2, 1],
      [1, 1, "other"],
    ] as const) {
      expect(asked(seed, nth, from)).toBeNull();
    }

    expect(runs[0]).toMatchObject({ nowMs: 1_020, mtimesMs: { [`${CWD}/a`]: 1_007 } });
    expect(runs[0]?.bounds).toEqual({ ...policy, limitMs: 100 });
    const [first, ...others] = runs.map(({ seed }) => seed);
    expect(others.map((seed) => seed === first)).toEqual([true, false, false, false]);
  });

  it("[SH3] nothing of the host: no environment, no file, no other program", async () => {
    const ran = await runIn(
      shell,
      "env; cat /etc/passwd /proc/self/environ; ls /root /work; node -v; curl x",
    );

    expect(ran.stdout).not.toMatch(/VITEST|NODE_|root/);
    expect(ran.stdout).toContain("HOME=/agentOS/workspace/cedar");
    expect(ran.stderr).toContain("cat: /etc/passwd: No such file or directory");
    expect(ran.stderr).toContain("node: command not found");
    expect(ran.stderr).toContain("curl: command not found");
  });

  it("[SH11] its time is its sleep and its steps, not the machine's", async () => {
    const bounds = { stepsPerMs: 10 };
    const short = await runIn(shell, "for i in 1 2 3 4 5; do :; done", { bounds });
    const long = await runIn(shell, "for i in $(seq 500); do :; done", { bounds });

    expect(short.elapsedMs).toBeLessThan(10);
    expect(long.elapsedMs).toBeGreaterThan(50);
    expect(replyOf(runOf("x"), long).latencyMs).toBe(long.elapsedMs);
    expect((await runIn(shell, "sleep 3", { bounds })).elapsedMs).toBe(3_000);
    const loop = "for i in $(seq 500); do :; done";
    const [each, slept] = await Promise.all(
      [loop, `sleep 3; ${loop}`].map((line) => runIn(shell, line, { bounds: { stepsPerMs: 1 } })),
    );
    expect(long.elapsedMs).toBe(Math.floor((each?.elapsedMs ?? 0) / 10));
    const sleepSteps = (slept?.elapsedMs ?? 0) - (each?.elapsedMs ?? 0) - 3_000;
    expect(sleepSteps).toBeGreaterThan(0);
    expect(sleepSteps).toBeLessThan(20);
  });
});

describe("what it leaves", () => {
  it("[SH10] what cannot last is named on standard error", async () => {
    const { changed, stderr } = await runIn(
      shell,
      "mkdir e; ln -s a.md l; echo x > /tmp/x; echo z > /proc/z; echo d > /dev/d; echo y > y",
    );

    expect(changed).toEqual({ [`${CWD}/y`]: "y\n" });
    expect(stderr).toBe(
      `sh: not kept: ${CWD}/e/ (an empty folder)\n` +
        `sh: not kept: ${CWD}/l (a symbolic link)\n` +
        "sh: not kept: /dev/d (the folder /dev goes with the command)\n" +
        "sh: not kept: /proc/z (the folder /proc goes with the command)\n" +
        "sh: not kept: /tmp/x (the folder /tmp goes with the command)\n",
    );
  });

  it("[EN15] what it writes beyond /agentOS or under agents/ is told, for the engine to refuse", async () => {
    const files = { "/agentOS/agents/a.json": "{}" };

    const { changed } = await runIn(shell, "echo x > /etc/x; rm /agentOS/agents/a.json", { files });

    expect(changed).toEqual({ "/etc/x": "x\n", "/agentOS/agents/a.json": null });
  });

  it("[SH8] what is no text is a fault", async () => {
    const { fault, changed } = await runIn(shell, "echo abc | gzip > a.gz; echo b > b");

    expect(fault).toBe(`ValueError: ${CWD}/a.gz is no text in UTF-8, and only texts are kept`);
    expect(changed).toEqual({});
  });
});

describe("bounds", () => {
  const loop = "while :; do :; done";
  // A path and one character.
  const WITH_PATH = { changedChars: `${CWD}/a`.length + 1 };
  const impatient = lazyShell({ wallMsMin: 1 });
  afterAll(() => impatient.close());

  it.each([
    ["steps", loop, { steps: 1_000 }, /more than 1000 steps, the bound shell.steps/],
    ["time", "sleep 100", { limitMs: 5_000 }, /took 5000 ms, the bound shell.limitMs/],
    ["time", loop, { limitMs: 1_000, steps: 100_000_000, stepsPerMs: 100_000 }, /took 1000 ms/],
    [
      "output",
      "seq 100",
      { outputChars: 100 },
      /more than 100 characters, the bound shell.outputChars/,
    ],
    ["files", "touch a b c", { changedFiles: 2 }, /2 changed files \(shell.changedFiles\)/],
    ["files", "seq 100 > a", { changedChars: 100 }, /100 characters \(shell.changedChars\)/],
  ])("[SH8] %s: %s ends there, and says so", async (stopped, command, bounds, says) => {
    const ran = await runIn(impatient, `echo x > x; ${command}`, { bounds });
    const run = {
      ...{ command, agent: "cedar", cwd: CWD, files: {}, mtimesMs: {}, seed: 1, nowMs: 0 },
      bounds: { ...policyWith({}).shell, ...bounds },
    };
    const { event, latencyMs } = replyOf(run, ran);

    expect(ran).toMatchObject({ stopped });
    expect(ran.changed).toEqual({});
    expect(event).toMatchObject({ fault: expect.stringMatching(says) });
    expect(event).not.toHaveProperty("changed");
    expect(latencyMs).toBeLessThanOrEqual(run.bounds.limitMs);
    if (stopped === "time") expect(latencyMs).toBe(run.bounds.limitMs);
  });

  it.each([
    ["sleep 5", { limitMs: 5_001 }, "sleep 5", { limitMs: 5_000 }, "time"],
    ["printf 12345", { outputChars: 5 }, "printf 123456", { outputChars: 5 }, "output"],
    ["printf 12345 >&2", { outputChars: 5 }, "printf 123456 >&2", { outputChars: 5 }, "output"],
    ["touch a b", { changedFiles: 2 }, "touch a b c", { changedFiles: 2 }, "files"],
    ["printf 1 > a", WITH_PATH, "printf 12 > a", WITH_PATH, "files"],
  ])("[SH8] %s is within %j, %s is not", async (within, bounds, beyond, same, stopped) => {
    expect((await runIn(shell, within, { bounds })).stopped).toBeUndefined();
    expect((await runIn(shell, beyond, { bounds: same })).stopped).toBe(stopped);
  });

  it("[SH8] so many steps are within their bound, one less is not", async () => {
    const loop = "for i in 1 2 3; do :; done";
    const { elapsedMs: steps } = await runIn(shell, loop, { bounds: { stepsPerMs: 1 } });

    expect((await runIn(shell, loop, { bounds: { steps } })).stopped).toBeUndefined();
    expect((await runIn(shell, loop, { bounds: { steps: steps - 1 } })).stopped).toBe("steps");
  });

  it.each([
    ["memory", 7, /^ShellStopped: it took more than 64 MB, the bound shell.memoryMb; nothing/],
    ["process", 30_000, /^ShellStopped: its process ended; nothing that the command line changed/],
    ["time", 30_000, /^ShellStopped: it took 30000 ms, the bound shell.limitMs; nothing/],
    [undefined, 7, /^ValueError: no text$/],
  ] as const)("[SH8] nothing is kept where %s ended it, after %i ms", (stopped, ms, says) => {
    const ran = { exitCode: 0, stdout: "", stderr: "", reads: [], elapsedMs: 7 };
    const given = { changed: { [`${CWD}/a`]: "x" }, fault: "ValueError: no text" };
    const { event, latencyMs } = replyOf(runOf("x"), defined({ ...ran, ...given, stopped }));

    expect(event).toMatchObject({ fault: expect.stringMatching(says) });
    expect([Object.keys(event).includes("changed"), latencyMs]).toEqual([false, ms]);
  });

  it.each([
    ["a fork bomb", 126, ":(){ :|:& };:"],
    ["yes", 0, "yes | head -1"],
    ["a million files", 126, "for i in $(seq 1000000); do echo $i > f$i; done"],
    ["a million files in braces", "steps", "touch f{1..1000000}"],
    ["doubling text", 126, "x=a; while :; do x=$x$x; done"],
    ["links in a circle", 1, "ln -s b a; ln -s a b; cat a; echo x > a; find . -follow; ls -R"],
    ["a link to itself", 0, "ln -s . l; ls l/l/l/l; grep -r x .; rm -rf l/l"],
    [
      "prototype names",
      0,
      "__proto__=1; constructor=2; declare -A m; m[__proto__]=3; echo $__proto__ $toString",
    ],
    [
      "a file called __proto__",
      0,
      "echo x > __proto__; mkdir constructor; echo y > constructor/toString",
    ],
    ["endless recursion", 126, "f() { f; f; }; f"],
    [
      "a pattern that doubts",
      1,
      "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab | grep -E '^(a|a)*$'",
    ],
    ["an endless awk", "steps", "awk 'BEGIN { while (1) x = x \"a\" }'"],
    ["an endless sed", "steps", "echo a | sed ':a;s/a/aa/;ba'"],
    ["all gone", 2, "rm -rf / /agentOS; ls /"],
    ["a wide number", 126, "printf '%1000000000s' x"],
    ["nonsense", 2, "\u0000\uD800 $((( <<< ;; )) `"],
    ["deep brackets", 2, `echo ${"$(".repeat(2_000)}`],
    // Each runs in the process that the one before has left, and ends as it does in a new one.
  ])("[SH12] %s ends like any other (%s), and the next one runs", async (_, ending, command) => {
    const ran = await runIn(shell, command, { bounds: { limitMs: 20_000, steps: 5_000 } });

    expect(ran.stopped ?? ran.exitCode).toBe(ending);
    expect(ran.stdout.length + ran.stderr.length).toBeLessThan(600_000);
  });

  it("[SH12] after all of them the next one runs", async () => {
    expect(await out("echo next")).toBe("next\n");
  });
});

it("[SB20] nothing is started before the first command", async () => {
  const idle = lazyShell();

  expect(idle.isStarted()).toBe(false);
  await idle.close();
  expect(idle.isStarted()).toBe(false);
});
