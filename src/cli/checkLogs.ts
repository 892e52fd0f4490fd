/** `ghostlight check BUNDLE|DIR`: findings over one log, or over a folder of thousands. */
import { dirname } from "node:path";
import { bundlesBelow } from "../edges/bundle/bundleFolders.ts";
import {
  onwardCommand,
  soFarText,
  type UnfinishedImport,
  unfinishedImport,
} from "../edges/bundle/importJournal.ts";
import { BadInput, hintFor, quoted } from "../edges/errors.ts";
import { escapedLine } from "../edges/escapedText.ts";
import { EXIT } from "../edges/exit.ts";
import { type FolderFindings, finder } from "../edges/pool/findWork.ts";
import { findAll } from "../edges/pool/pool.ts";
import type { Occurrence } from "../findings/finding.ts";
import { findings } from "../findings/findings.ts";
import { type FoundLogs, foundText, hasUnread } from "./checkLogsText.ts";
import type { PartFlag } from "./chosenParts.ts";
import { clearProgress, note, print, printJsonList } from "./output.ts";
import { interruptible } from "./signals.ts";
import { studyProgress } from "./study/studyProgress.ts";

/** What is no finding of these users: one, or one with a certain tool. */
interface Allowed {
  readonly finding: string;
  readonly tool: string | null;
}

/** Options that only worlds have. */
const WORLD_FLAGS = [
  ...["runs", "seed", "property", "set", "profile", "interpreter", "cache", "out", "assert"],
  "list",
] as const;

/** What can be asked of logs. */
export interface LogCheckFlags extends PartFlag {
  readonly finding?: readonly string[];
  readonly allow?: readonly string[];
  readonly workers?: number;
  readonly json?: true;
}

export async function checkLogsCommand(folder: string, flags: LogCheckFlags): Promise<number> {
  for (const name of WORLD_FLAGS)
    if (Reflect.get(flags, name) !== undefined) throw notHere(name, folder);
  const chosen = (flags.finding ?? findings.map(({ id }) => id)).map((id) => idOf(id, "--finding"));
  const allowed = (flags.allow ?? []).map(allowedOf);
  const folders = bundlesBelow(folder);
  const ids = findings.map(({ id }) => id).filter((id) => chosen.includes(id));
  const stop = interruptible("stopping; what was read so far is told");
  const all = await read(folders, ids, flags, stop.signal).finally(stop.dispose);
  clearProgress();
  const logs = withoutAllowed({ folder, asked: folders.length, ids, all }, allowed);
  const begun = unfinishedImports(folder, folders);
  if (flags.json) printJson(logs, begun);
  else print(foundText(logs));
  for (const one of begun) {
    note(`${escapedLine(one.folder)} is an import that has no end: ${soFarText(one)}.`);
    note(`It goes on with ${onwardCommand(one)}`);
  }
  const unread = logs.all.flatMap((one) => (one.unread === undefined ? [] : [one.unread]));
  for (const { says } of unread) note(says);
  if (stop.signal.aborted && all.length < folders.length) return EXIT.interrupted;
  if (begun.length > 0) return EXIT.badInput;
  if (unread.length > 0) return Math.max(...unread.map(({ exitCode }) => exitCode));
  const isWell = logs.all.every(
    (one) => one.unread === undefined && one.tallies.length === 0 && !hasUnread(one),
  );
  return isWell ? EXIT.ok : EXIT.failed;
}

/** In threads where there is more than one log; every number of them reads the same. */
async function read(
  folders: readonly string[],
  ids: readonly string[],
  flags: LogCheckFlags,
  signal: AbortSignal,
): Promise<readonly FolderFindings[]> {
  const ofEach = flags.json ? null : 1;
  const work = { folders, findings: ids, ofEach, partFiles: flags.part };
  const tell = studyProgress("check", undefined, "logs");
  if (folders.length === 1) return [await (await finder(work))(0)];
  tell(0, folders.length);
  const onDone = (done: number): void => tell(done, folders.length);
  const threads = flags.workers === undefined ? {} : { threads: flags.workers };
  return findAll(work, { ...threads, signal, onDone });
}

function withoutAllowed(logs: FoundLogs, allowed: readonly Allowed[]): FoundLogs {
  if (allowed.length === 0) return logs;
  const isAllowed = (one: Pick<Occurrence, "finding" | "tool">): boolean =>
    allowed.some(
      ({ finding, tool }) => finding === one.finding && (tool === null || tool === one.tool),
    );
  const dropped = logs.all.flatMap((one) =>
    one.unread === undefined ? one.tallies.filter(isAllowed) : [],
  );
  return {
    ...logs,
    allowed: dropped.reduce((sum, { count }) => sum + count, 0),
    all: logs.all.map((one) =>
      one.unread === undefined
        ? {
            ...one,
            occurrences: one.occurrences.filter((each) => !isAllowed(each)),
            tallies: one.tallies.filter((each) => !isAllowed(each)),
          }
        : one,
    ),
  };
}

/** Imports among the bundles that lack their end: what they were to leave besides is not there. */
const unfinishedImports = (folder: string, folders: readonly string[]) =>
  [...new Set([folder, ...folders, ...folders.map((one) => dirname(one))])].flatMap(
    (one) => unfinishedImport(one) ?? [],
  );

function printJson(
  { folder, asked, ids, all, allowed = 0 }: FoundLogs,
  begun: readonly UnfinishedImport[],
): void {
  const unfinished = begun.map((one) => ({
    ...{ folder: one.folder, logs: one.lines.length, command: onwardCommand(one) },
    ...{ files: one.begun.files, bytes: one.begun.bytes },
    filesRead: one.lines.at(-1)?.filesRead ?? 0,
    bytesRead: one.lines.at(-1)?.bytesRead ?? 0,
  }));
  const head = { checked: folder, bundles: asked, findings: ids, allowed, unfinished };
  printJsonList(head, "logs", all.map(jsonOf));
}

function jsonOf(one: FolderFindings): object {
  if (one.unread !== undefined) {
    const { says: message, exitCode } = one.unread;
    return { bundle: one.folder, unread: { message, exitCode } };
  }
  const { folder: bundle, deliveries, partial, facts, judged, tallies, occurrences, notRead } = one;
  const found = tallies.reduce((sum, { count }) => sum + count, 0);
  const omitted = found - occurrences.length;
  return {
    ...{ bundle, deliveries, partial, ...(notRead && { notRead }) },
    ...{ facts, judged, found, omitted, tallies, occurrences },
  };
}

function idOf(id: string, option: string): string {
  const ids = findings.map((one) => one.id);
  if (ids.includes(id)) return id;
  throw new BadInput({
    where: { path: option },
    found: quoted(id),
    allowed: ids.join(" | "),
    ...hintFor(id, ids),
    todo: "docs/findings.md says what each of them is.",
  });
}

function allowedOf(text: string): Allowed {
  const colon = text.indexOf(":");
  const finding = idOf(colon < 0 ? text : text.slice(0, colon), "--allow");
  return { finding, tool: colon < 0 ? null : text.slice(colon + 1) };
}

const notHere = (name: string, folder: string): BadInput =>
  new BadInput({
    where: { path: `--${name}` },
    found: `an option for worlds, with ${quoted(folder)}, which is a folder of logs`,
    allowed: "--finding | --allow | --workers | --part | --json",
    todo: `Leave --${name} out, or name a scenario.`,
  });
