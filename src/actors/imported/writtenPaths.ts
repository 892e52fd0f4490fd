/** Which path a call names, and whether it writes there or reads. Only what names and arguments say counts. */
import { isMap } from "../../machines/isMap.ts";
import type { Json } from "../../machines/letter.ts";
import { bounds } from "./bounds.ts";

const PATH_NAME = /^(?:.*_)?(?:path|file|filename|file_?path|filepath|target_?file)$/i;
const WRITES: ReadonlySet<string> = new Set([
  ...["write", "save", "create", "append", "edit", "put", "store", "upload", "export", "dump"],
  ...["update", "insert", "replace", "patch"],
]);
const READS: ReadonlySet<string> = new Set([
  ...["read", "open", "cat", "load", "get", "view", "fetch", "show", "head", "tail", "parse"],
  ...["download", "import", "run", "execute"],
]);

export interface PathUse {
  readonly does: "writes" | "reads";
  readonly paths: readonly string[];
}

/** Undefined where a call names no path, or its tool's name says neither. */
export function pathUse(tool: string, args: Json): PathUse | undefined {
  if (!isMap(args)) return undefined;
  const words = tool.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  // read_and_update says both, and it is not known of which path.
  const isWriting = words.some((word) => WRITES.has(word));
  const isReading = words.some((word) => READS.has(word));
  if (isWriting === isReading) return undefined;
  const paths = Object.entries(args).flatMap(([name, value]) =>
    PATH_NAME.test(name) && typeof value === "string" && isPath(value) ? [plain(value)] : [],
  );
  return paths.length === 0 ? undefined : { does: isWriting ? "writes" : "reads", paths };
}

const isPath = (value: string): boolean =>
  value.length >= 3 && value.length <= 1_000 && !/[\n\r]/.test(value) && /[./]/.test(value);

/** `./a.txt` is `a.txt`. */
const plain = (path: string): string => path.replace(/^(?:\.\/)+/, "").replace(/\/+/g, "/");

/** As a link shows it. */
export const shownPath = (path: string): string => path.slice(0, bounds.valueChars).toWellFormed();
