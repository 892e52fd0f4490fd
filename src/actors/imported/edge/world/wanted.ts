/** What `import --scenario` asks before a scenario is made: whether it has a place, and which logs were told. */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { OutputRefused } from "../../../../edges/errors.ts";
import type { ImportedLog } from "../../../../run/bundle.ts";
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

/** Ours: a world is made of so many recordings. */
const LOGS_MOST = 500;

/** Which logs an import told, and where they lie: a scenario is made of one, or of recordings of one task. */
export class ToldLogs {
  readonly all: ToldLog[] = [];
  count = 0;

  add({ head, startsAt, imported: { clock } }: WrittenLog, folder: string): void {
    this.count += 1;
    if (this.all.length < LOGS_MOST) this.all.push({ head, startsAt, clock, folder });
  }
}

/** What a scenario says of a log, and where that lies. */
interface ToldLog extends Pick<WrittenLog, "head" | "startsAt">, Pick<ImportedLog, "clock"> {
  readonly folder: string;
}
