/** What `import --scenario` asks before a scenario is made: whether it has a place, and which logs were told. */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { OutputRefused } from "../../../../edges/errors.ts";
import type { WrittenLog } from "../logWriter.ts";

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
  if (lstatSync(file, { throwIfNoEntry: false }))
    throw there("--scenario", file, "a file that is there already");
  if (!existsSync(dirname(file))) throw there("--scenario", file, "a folder that is not there");
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

/** Where the run of a scenario goes that was made of the log whose bundle lies in `out`. */
export const playedBeside = (out: string): string => `${out.replace(/[\\/]+$/, "")}-played`;

/** Names that an error lists. */
const NAMES_MOST = 10;

/** Which logs an import told, and where the first of them lies: a scenario is made of one. */
export class ToldLogs {
  first: { readonly log: WrittenLog; readonly folder: string } | undefined;
  count = 0;
  readonly names: string[] = [];

  add(log: WrittenLog, folder: string): void {
    this.count += 1;
    this.first ??= { log, folder };
    if (this.names.length < NAMES_MOST) this.names.push(log.head.name);
  }
}
