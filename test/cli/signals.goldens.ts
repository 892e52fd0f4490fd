// Signals, and the end of whoever started the program, as its users see them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { started } from "./ghostlight.ts";

/** Begins to read standard input, which never ends. */
const WAITS = ["import", "-", "--out", "logs"];

/** The launcher's own part, as it is started by another Node: with a line that closes when that one is gone. */
function launched(cwd: string, args: readonly string[]) {
  const child = spawn(process.execPath, [resolve("bin/ghostlight.js"), ...args], {
    cwd,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    env: { ...process.env, GHOSTLIGHT_STARTED_BY_LAUNCHER: "1" },
  });
  let told = "";
  child.stderr?.setEncoding("utf8").on("data", (more: string) => {
    told += more;
  });
  return { child, told: () => told };
}

/** Resolves once it has read more than a pipe holds: it has begun, and waits for the end of its input. */
const reads = ({ stdin }: ReturnType<typeof launched>["child"]): Promise<unknown> =>
  new Promise((done) => stdin?.write(" ".repeat(2 ** 20), done));

it("[CL34] the program ends with the launcher that started it, however that one ends", async () => {
  const { child, told } = launched(newFolder(), WAITS);
  const end = once(child, "close");
  await reads(child);
  child.stdio[3]?.destroy();

  const [code, signal] = await end;
  expect([code, signal]).toEqual([143, null]);
  expect(told()).toContain("stopped by SIGTERM");
});

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "[CL34] %s before anything is under way is told, leaves no folder and exits %d",
  async (signal, code) => {
    const cwd = newFolder();
    const { child, told } = launched(cwd, WAITS);
    const end = once(child, "close");
    await reads(child);
    child.kill(signal);

    expect(await end).toEqual([code, null]);
    expect(told()).toContain(`stopped by ${signal}: nothing`);
    expect(existsSync(join(cwd, "logs"))).toBe(false);
  },
);

it.each(["SIGTERM", "SIGHUP"] as const)(
  "[CL34] %s while a study is played ends it cleanly, and what was played is kept",
  async (signal) => {
    const cwd = newFolder();
    const child = started(["sweep", "stressor-thresholds", "--out", "study"], { cwd });
    const end = once(child, "close");
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (more: string) => {
      told += more;
    });
    await expect.poll(() => existsSync(join(cwd, "study/study.sqlite"))).toBe(true);
    child.kill(signal);

    expect(await end).toEqual([130, null]);
    expect(told).toContain("stopping; what was played is kept, and the same command goes on");
  },
);
