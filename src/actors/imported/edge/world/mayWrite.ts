/** Before a log is read: whether what is to be made of it has a place. */
import { existsSync, readdirSync } from "node:fs";
import { OutputRefused } from "../../../../edges/errors.ts";
import { playedBeside } from "./playedBeside.ts";

/** Throws OutputRefused. */
export function mayWrite(file: string, out: string | undefined): void {
  if (!/\.ya?ml$/.test(file)) {
    throw new OutputRefused({
      where: { path: "--scenario", file },
      found: "a file that no scenario is called by",
      allowed: "a new file whose name ends in .yaml",
      todo: "For example: --scenario incident.yaml",
    });
  }
  if (existsSync(file)) throw there("--scenario", file, "a file that is there already");
  const beside = out === undefined ? undefined : playedBeside(out);
  if (beside === undefined || !existsSync(beside)) return;
  if (readdirSync(beside).length > 0) {
    throw there("--out", beside, "a folder that holds files, where the played run goes");
  }
}

export const there = (path: string, file: string, found: string): OutputRefused =>
  new OutputRefused({
    where: { path, file },
    found,
    allowed: "a new file or folder that can be written",
    todo: "Name another one.",
  });
