/**
 * Walls of the kernel around a child: Linux namespaces by bubblewrap, in which the process sees its own code
 * read-only, no other file, no network and no other process. What runs inside is the same program, so
 * answers are the same with and without.
 */
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { type BadInput, badInput } from "../errors.ts";
import type { SandboxKind } from "./sandboxKind.ts";

type Command = readonly [program: string, ...args: string[]];
/** The command that starts this command, which reads these files and folders. */
export type Walls = (command: Command, reads: readonly string[]) => Command;

/** Where programs and their libraries lie; bound read-only where they are there. */
const SYSTEM = ["/usr", "/lib", "/lib64", "/bin"];

/**
 * Inside bubblewrap where it is there and may be used, unless the kind says with or without. What
 * fails to start ends what it began before it rejects. `searchPath`: where `bwrap` is looked for.
 */
export async function startWithin<T>(
  kind: SandboxKind,
  start: (walls: Walls | undefined) => Promise<T>,
  searchPath?: string,
): Promise<T> {
  const walls = kind === "pyodide" ? null : findWalls(searchPath);
  if (walls === null && kind === "bwrap") throw noWalls("no program bwrap");
  if (walls !== null) {
    const started = await start(walls).catch((error: Error) => error);
    if (!(started instanceof Error)) return started;
    if (kind === "bwrap") throw noWalls(`a bwrap that does not start (${started.message})`);
  }
  return start(undefined);
}

/** Null when this machine has no bubblewrap; whether it may make namespaces shows when it starts. */
export function findWalls(searchPath: string = process.env["PATH"] ?? ""): Walls | null {
  if (process.platform !== "linux") return null;
  const program = searchPath
    .split(path.delimiter)
    .map((folder) => path.join(folder, "bwrap"))
    .find((file) => path.isAbsolute(file) && isProgram(file));
  if (program === undefined) return null;
  return (command, reads) => [program, ...wallsAround(command[0], reads), "--", ...command];
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile(); // A folder may be entered, which is the same permission.
  } catch {
    return false;
  }
}

const wallsAround = (program: string, reads: readonly string[]): readonly string[] => [
  ...["--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--setenv", "TZ", "UTC"],
  ...["--uid", "65534", "--gid", "65534", "--hostname", "sandbox", "--cap-drop", "ALL"],
  ...SYSTEM.flatMap((folder) => ["--ro-bind-try", folder, folder]),
  ...["--proc", "/proc", "--dev", "/dev", "--chdir", "/"],
  // A folder is named with `/*` behind it, as Node's permissions want it.
  ...[program, ...reads.map((read) => read.replace(/[\\/]\*$/, ""))].flatMap((file) => [
    ...["--ro-bind", file, file],
  ]),
];

const noWalls = (found: string): BadInput =>
  badInput(
    "--sandbox bwrap",
    found,
    "Linux, with a bwrap that may make namespaces",
    "Install bubblewrap (Debian, Ubuntu: apt install bubblewrap), or omit --sandbox: the same " +
      "Python runs without it, behind the other walls of SECURITY.md.",
  );
