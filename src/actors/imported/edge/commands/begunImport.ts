/** An import begins, or goes on with one that the same command began and that has no end. */

import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { note } from "../../../../cli/output.ts";
import { claimFolder, claimNumbered } from "../../../../edges/bundle/bundleWriter.ts";
import {
  type DoneLine,
  type ImportBegun,
  ImportJournal,
  onwardCommand,
  soFarText,
  type UnfinishedImport,
  unfinishedImport,
} from "../../../../edges/bundle/importJournal.ts";
import { type BadInput, badInput } from "../../../../edges/errors.ts";
import { plainName } from "../../../../edges/plainName.ts";
import type { DoneLog } from "../importSession.ts";

export interface Begun {
  readonly out: string;
  readonly journal: ImportJournal<DoneLog>;
  /** Of an import that goes on, even with none. */
  readonly before: ReadonlyMap<string, DoneLog> | undefined;
}

const RUNS = "runs";

/** Which folder is written: checked before a source is read, and made behind that. */
export function importFolder(wanted: string | undefined, sources: readonly string[]) {
  const [first = ""] = sources;
  const name = first === "-" ? "stdin" : basename(first).replace(/\.[^.]*$/, "");
  const numbered = `import-${plainName(name)}`;
  const goesOn = wanted !== undefined && unfinishedImport(wanted) !== undefined;
  if (wanted !== undefined && !goesOn) claimFolder(wanted);
  return (begun: ImportBegun): Begun => {
    const known =
      wanted === undefined ? begunBelow(numbered, begun) : unfinishedImport<DoneLog>(wanted);
    if (known !== undefined) return onward(known, begun);
    const out = wanted ?? claimNumbered(RUNS, numbered);
    return { out, journal: new ImportJournal(out, begun, []), before: undefined };
  };
}

/** The last one of that name, where the same command began it and nobody writes there. */
function begunBelow(numbered: string, begun: ImportBegun): UnfinishedImport<DoneLog> | undefined {
  if (begun.stamp === null || !existsSync(RUNS)) return undefined;
  return readdirSync(RUNS)
    .filter((name) => name.startsWith(`${numbered}-`))
    .sort()
    .flatMap((name) => unfinishedImport<DoneLog>(join(RUNS, name)) ?? [])
    .findLast((one) => isSame(one.begun, begun) && !isWriting(one.pid));
}

const isSame = (a: ImportBegun, b: ImportBegun): boolean =>
  a.stamp === b.stamp && JSON.stringify(a.words) === JSON.stringify(b.words);

function onward(known: UnfinishedImport<DoneLog>, begun: ImportBegun): Begun {
  const { folder: out, lines } = known;
  refuseOther(known, begun);
  note(`Goes on with the import that was interrupted: ${soFarText(known)}.`);
  const before = new Map(lines.map(({ log, done }) => [log, done]));
  return { out, journal: new ImportJournal<DoneLog>(out, begun, lines), before };
}

function refuseOther(known: UnfinishedImport, begun: ImportBegun): void {
  const { folder, pid } = known;
  const refused = (found: string, allowed: string, todo: string): BadInput =>
    badInput({ path: "--out", file: folder }, found, allowed, todo);
  const other = "Name another folder with --out.";
  if (isWriting(pid)) {
    const todo = `Wait for process ${pid}; where it is no import, remove ${join(folder, "import.jsonl")} and what lies beside it.`;
    throw refused("an import that still goes on", "a folder that nobody writes", todo);
  }
  if (JSON.stringify(known.begun.words) !== JSON.stringify(begun.words)) {
    const allowed = `the command that began it: ${onwardCommand(known)}`;
    throw refused("another import, which was interrupted", allowed, other);
  }
  if (known.begun.stamp === null || known.begun.stamp !== begun.stamp) {
    const found =
      begun.stamp === null
        ? "an import of what can be read only once, which was interrupted"
        : "an import of files that have changed since it was interrupted";
    throw refused(found, "a new or empty folder", other);
  }
}

/** Whether that process lives, and is another one. */
function isWriting(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The line of the journal for a log that is whole. */
export const doneLine = (
  log: string,
  done: DoneLog,
  { files, bytes }: { readonly files: number; readonly bytes: number },
): DoneLine<DoneLog> => ({ log, done, filesRead: files, bytesRead: bytes });
