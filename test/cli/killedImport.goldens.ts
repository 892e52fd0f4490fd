// An import that a kill ends is told as such, and the same command goes on with it.
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, started } from "./ghostlight.ts";

const LOGS = 40;
const args = ["import", "logs", "--out", "out"];

/** A folder in which an import was killed after its fifth log. */
async function killed(): Promise<string> {
  const cwd = newFolder();
  mkdirSync(join(cwd, "logs"));
  for (let log = 0; log < LOGS; log++) {
    const lines = Array.from({ length: 300 }, (_, line) =>
      JSON.stringify({ role: line % 2 === 0 ? "user" : "assistant", content: `${log}: ${line}` }),
    );
    writeFileSync(join(cwd, `logs/l${String(log).padStart(2, "0")}.jsonl`), lines.join("\n"));
  }
  const child = started(args, { cwd });
  const end = once(child, "close");
  const journal = join(cwd, "out/import.jsonl");
  const written = () =>
    existsSync(journal) ? readFileSync(journal, "utf8").split("\n").length : 0;
  await expect.poll(written, { interval: 2 }).toBeGreaterThan(6);
  child.kill("SIGKILL");
  await end;
  return cwd;
}

it("[IM54] a killed import is told by `check`, goes on with the same command, and is then as if it had not been killed", async () => {
  const cwd = await killed();

  const checked = await ghostlight(["check", "out", "--json"], { cwd });
  const [unfinished] = (
    JSON.parse(checked.stdout) as { unfinished: { logs: number; files: number }[] }
  ).unfinished;
  expect(unfinished).toMatchObject({
    files: LOGS,
    command: "npx ghostlight import logs --out out",
  });
  expect(unfinished?.logs).toBeGreaterThanOrEqual(5);
  expect(unfinished?.logs).toBeLessThan(LOGS);
  expect(checked.code).toBe(2);
  expect(checked.stderr).toMatch(
    /out is an import that has no end: \d+ logs are whole, from \d+ of 40 files \(\d+ % of the bytes\)\./,
  );
  expect(checked.stderr).toContain("It goes on with npx ghostlight import logs --out out");

  const onward = await ghostlight(args, { cwd });
  const whole = await ghostlight(["import", "logs", "--out", "whole"], { cwd });

  expect(onward.stderr).toContain("Goes on with the import that was interrupted: ");
  expect(onward).toMatchObject({ code: 0, stdout: whole.stdout.replaceAll("whole", "out") });
  for (const file of ["logs.json", "l00/events.jsonl", "l00/manifest.json", "l39/events.jsonl"]) {
    const text = (folder: string) => readFileSync(join(cwd, folder, file), "utf8");
    expect([file, text("out")]).toEqual([file, text("whole")]);
  }
  const again = await ghostlight(["check", "out", "--json"], { cwd });
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ bundles: LOGS, unfinished: [] });
});

it("[IM54] another command, or files that have changed, do not go on with it", async () => {
  const cwd = await killed();
  const other = await ghostlight(["import", "logs/l00.jsonl", "--out", "out"], { cwd });
  utimesSync(join(cwd, "logs/l07.jsonl"), 1, 1);
  const changed = await ghostlight(args, { cwd });

  expect(other.code).toBe(2);
  expect(other.stderr).toContain("another import, which was interrupted");
  expect(other.stderr).toContain("npx ghostlight import logs --out out");
  expect(changed.code).toBe(2);
  expect(changed.stderr).toContain("files that have changed since it was interrupted");
});
