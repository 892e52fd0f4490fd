// Command lines and files that once broke what is promised of the shell; each ended the process, or a run.
import { cpSync, existsSync, symlinkSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { lazyShell } from "../../../src/edges/shell/shellProcess.ts";
import { newFolder } from "../../folders.ts";
import { descendants, isThere } from "../python/descendants.ts";
import { CWD, inFolder, runIn } from "./shellRuns.ts";

const shell = lazyShell();
afterAll(() => shell.close());

const folders = (process.env["PATH"] ?? "").split(path.delimiter);
const hasBwrap = folders.some((folder) => existsSync(path.join(folder, "bwrap")));

describe("texts and names", () => {
  it("[SH16] a line of JSON is not ended by U+2028, in commands, files and outputs", async () => {
    const files = inFolder({ "a.md": "a\u2028b\u2029c\n" });

    const ran = await runIn(shell, "cat a.md; printf 'x\\u2028\u2029' > b.md", { files });

    expect(ran).toMatchObject({ stdout: "a\u2028b\u2029c\n", exitCode: 0 });
    expect(ran.changed).toEqual({ [`${CWD}/b.md`]: "x\u2028\u2029" });
  });

  it("[SH16] a file whose name no disk could hold is not seen, and the others are", async () => {
    const files = inFolder({ "a\u0000b": "x", "c.md": "c\n" });

    expect(await runIn(shell, "ls; rm *", { files })).toMatchObject({
      stdout: "c.md\n",
      changed: { [`${CWD}/c.md`]: null },
    });
  });

  it("[SH8] a name that is no text is a fault, as a text that is none", async () => {
    const ran = await runIn(shell, "touch $'\\ud800'");

    expect(ran.fault).toBe(
      `ValueError: ${CWD}/\uFFFD is no text in UTF-8, and only texts are kept`,
    );
    expect(ran.changed).toEqual({});
  });

  it.each([
    ["output", "printf '\\001%.0s' {1..2000}", { outputChars: 10_000 }],
    ["files", "printf '\\001%.0s' {1..2000} > a", { changedChars: 10_000 }],
  ])(
    "[SH8] %s count as a letter holds them: a control code is six characters",
    async (stopped, command, bounds) => {
      expect((await runIn(shell, command, { bounds })).stopped).toBe(stopped);
      expect(
        (await runIn(shell, command.replace("2000", "1000"), { bounds })).stopped,
      ).toBeUndefined();
    },
  );
});

describe("links and devices", () => {
  it("[SH2] what is written through a folder that is a link is where the link leads", async () => {
    const command =
      "mkdir p; ln -s p l; echo 1 > l/a; mkdir l/f; mv l/a l/f/; cp l/f/a l/b; rm -r l/f; echo 2 >> l/b; cat p/b";

    expect(await runIn(shell, command)).toMatchObject({
      stdout: "1\n2\n",
      changed: { [`${CWD}/p/b`]: "1\n2\n" },
    });
  });

  it.each([
    ["in a circle", "ln -s b a; ln -s a b; echo x > a", "a: too many levels of symbolic links"],
    ["below a file", "echo x > a.md/y", "a.md/y: not a directory"],
  ])(
    "[SH12] a write to nowhere, %s, ends the command as the shell ends one",
    async (_, command, says) => {
      const ran = await runIn(shell, command, { files: inFolder({ "a.md": "a\n" }) });

      expect(ran.stderr).toContain(`bash: ${CWD}/${says}\n`);
      expect(ran.exitCode).toBe(1);
      expect(ran.changed).toEqual({});
      expect(ran.stopped).toBeUndefined();
    },
  );

  it("[SH10] /dev/null keeps nothing, and what else is left there is named", async () => {
    expect(
      await runIn(shell, "echo x > /dev/null; cat /dev/null > a; echo y > /dev/b"),
    ).toMatchObject({
      stderr: "sh: not kept: /dev/b (the folder /dev goes with the command)\n",
      changed: { [`${CWD}/a`]: "" },
    });
  });
});

describe("what the machine decides", () => {
  it("[SH11] a short virtual limit is none of the machine's time", async () => {
    const runs = [1, 2, 3].map(() =>
      runIn(shell, "ls; seq 30 | sort -n | tail -1; sleep 0.01", { bounds: { limitMs: 20 } }),
    );

    for (const { stdout, stopped } of await Promise.all(runs)) {
      expect([stdout, stopped]).toEqual(["30\n", undefined]);
    }
  });

  it("[SH2] how deep a formula may nest is not how far the machine's stack happens to reach", async () => {
    expect((await runIn(shell, `echo $((1${"+1".repeat(20_000)}))`)).stdout).toBe("20001\n");
  });

  it("[SH12] a process that takes more memory than it may is ended, and the next command meets another", async () => {
    const small = lazyShell({ residentMb: 190 });
    const greedy = "printf '%30000000s' x > f; cp f g; for i in {1..9000}; do :; done; rm f g";
    const rans = [];
    for (const command of [greedy, "echo next"]) rans.push(await runIn(small, command));
    await small.close();

    expect(rans[0]?.stopped).toBe("memory");
    expect(rans[0]?.changed).toEqual({});
    expect(rans[1]).toMatchObject({ stdout: "next\n" });
    expect((await runIn(shell, greedy)).stopped).toBeUndefined();
  });
});

it("[SH17] a process that the machine ended between two commands is no command's fault", async () => {
  const others = new Set(descendants(process.pid).map(({ pid }) => pid));
  const one = lazyShell();
  await runIn(one, "echo first");
  const own = descendants(process.pid).filter(({ pid }) => !others.has(pid));
  const told = runIn(one, "echo second");
  for (const { pid } of own) if (isThere(pid)) process.kill(pid, "SIGKILL");

  expect(own.length).toBeGreaterThan(0);
  expect((await told).stdout).toBe("second\n");
  await one.close();
});

it.skipIf(!hasBwrap)("[SB6] inside bubblewrap the same shell answers the same", async () => {
  const walled = lazyShell({ kind: "bwrap" });
  const commands = [
    "echo $RANDOM $$; date; ls -la /; env",
    "cat /etc/passwd /proc/1/environ; echo x > a",
  ];
  for (const command of commands) {
    expect(await runIn(walled, command)).toEqual(await runIn(shell, command));
  }
  await walled.close();
});

it.skipIf(!hasBwrap)(
  "[SB6] inside bubblewrap it also starts where its packages are links",
  async () => {
    const folder = newFolder();
    for (const name of ["src", "package.json"])
      cpSync(name, path.join(folder, name), { recursive: true });
    symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
    const copy = pathToFileURL(path.join(folder, "src/edges/shell/shellProcess.ts")).href;
    const own = (await import(copy)) as { readonly lazyShell: typeof lazyShell };
    const walled = own.lazyShell({ kind: "bwrap" });

    expect((await runIn(walled, "echo $((6 * 7))")).stdout).toBe("42\n");
    await walled.close();
  },
);
