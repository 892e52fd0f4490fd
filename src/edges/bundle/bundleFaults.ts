/** What is said of a bundle that cannot be read, or was changed, and what helps. */
import { join } from "node:path";
import { defined } from "../../machines/defined.ts";
import { commandSaid } from "../command.ts";
import { type BadInput, badInput, Divergence, type Where } from "../errors.ts";
import { FILES } from "./bundleWriter.ts";

const A_BUNDLE = "a folder that `ghostlight run` left, with manifest.json and inputs.jsonl";

export const unreadable = (where: Where, found: string, allowed: string = A_BUNDLE): BadInput =>
  badInput(
    where,
    found,
    allowed,
    "Name the bundle's folder, such as runs/safe-file-executor-s7-1.",
  );

export const damaged = (
  folder: string,
  name: string,
  line: number | undefined,
  found: string,
  origin: string,
): Divergence =>
  new Divergence({
    where: defined({ file: join(folder, name), line }),
    found,
    allowed: "the bytes that were written",
    todo: todoOf(name, origin),
  });

/** A run that does not go as it was recorded; `allowed` is what would. */
export const otherRun = (
  folder: string,
  found: string,
  allowed = "a recording made under the rules of this version",
): Divergence =>
  new Divergence({
    where: { file: folder },
    ...{ found, allowed, todo: `${commandSaid`replay ${folder}`} shows the first difference.` },
  });

function todoOf(name: string, origin: string): string {
  if (origin.startsWith("imported:")) return IMPORT_AGAIN;
  return name === FILES.events
    ? LOG_CHANGED
    : "The recording was changed after the run. Take the original, or record it again with `ghostlight run`.";
}

/** What helps where anything of an imported log is not what it was. */
export const IMPORT_AGAIN =
  "Import it again from its source: an imported log cannot be derived from anything else.";

/** What helps where the log alone is not what it was. */
export const LOG_CHANGED =
  "The log was changed after the run. Take the original, or delete events.jsonl: what it told is " +
  "derived again from the recording.";
