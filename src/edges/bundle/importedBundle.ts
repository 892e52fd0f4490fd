/** Bundles of logs that others left, which are read as runs are and never played; and what a reader of any bundle should know. */

import type { Part } from "../../contract/part.ts";
import { RULES_VERSION, type UnreadOfLog } from "../../run/bundle.ts";
import { commandSaid } from "../command.ts";
import { badInput } from "../errors.ts";
import type { ReadBundle } from "./bundleReader.ts";

export const isImported = ({ manifest }: Pick<ReadBundle, "manifest">): boolean =>
  manifest.imported !== undefined;

/** Who is asked about a bundle: of an imported log the parts that are of logs, of a run all others. */
export const partsFor = (
  parts: readonly Part[],
  bundle: Pick<ReadBundle, "manifest">,
): readonly Part[] => parts.filter(({ ofLogs = false }) => ofLogs === isImported(bundle));

/** Who is asked about two bundles; of a log and a run, each is told by its own parts. */
export const partsForBoth = (
  parts: readonly Part[],
  a: Pick<ReadBundle, "manifest">,
  b: Pick<ReadBundle, "manifest">,
): readonly Part[] => (isImported(a) === isImported(b) ? partsFor(parts, a) : parts);

/** Whether rules made it of which this version knows nothing. */
export const isNewer = ({ manifest }: Pick<ReadBundle, "manifest">): boolean =>
  manifest.rulesVersion > RULES_VERSION;

/** Of an imported log of which something could not be read: how much, and the first of it; else nothing. */
export function notRead({ manifest }: Pick<ReadBundle, "manifest">): readonly string[] {
  const unread = manifest.imported?.unread;
  return unread === undefined ? [] : [notReadText(unread)];
}

export function notReadText({ count, first }: UnreadOfLog): string {
  const [one] = first;
  const place = one === undefined ? "" : one.line === null ? one.file : `${one.file}:${one.line}`;
  const what = one === undefined ? "" : ` The first: ${place}: ${one.reason}.`;
  const pieces = count === 1 ? "One piece" : `${count} pieces`;
  return `NOT READ: ${pieces} of this log could not be read, so it may have failed where nothing is told.${what}`;
}

/** What a reader should know of a bundle before all else, in sentences. */
export const readerNotes = ({ manifest, partial }: ReadBundle): readonly string[] => [
  ...notRead({ manifest }),
  ...(isNewer({ manifest })
    ? [
        `It was recorded by ${manifest.product} under rules ${manifest.rulesVersion}, and this version has rules ${RULES_VERSION}: ` +
          "what is told of it may differ from what happened.",
      ]
    : []),
  ...(manifest.imported !== undefined && partial
    ? ["The import of this log was interrupted: what follows is what it had read by then."]
    : []),
  ...(manifest.imported?.clock === "steps"
    ? ["The log has no times: each of its records counts one second."]
    : []),
];

/** Throws BadInput for a bundle that was never played; `asked` is what cannot be done with it. */
export function refuseImported(
  { folder, manifest }: Pick<ReadBundle, "manifest"> & Partial<Pick<ReadBundle, "folder">>,
  asked: string,
): void {
  if (manifest.imported === undefined) return;
  const files = manifest.imported.files.map(({ file }) => file);
  throw badInput(
    folder === undefined ? { path: "manifest.origin" } : { file: folder },
    `an imported log (${manifest.imported.format}), for which nobody has written a world`,
    `the bundle of a run that was played, to ${asked}`,
    `${commandSaid`import ${files[0] ?? "FILE"} --scenario FILE.yaml`} makes a world of it, which can be played; ` +
      "`why`, `events` and `diff` read the log as it is.",
  );
}
