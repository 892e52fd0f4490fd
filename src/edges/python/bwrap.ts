/**
 * Walls of the kernel around the child: Linux namespaces by bubblewrap, in which Python's process sees
 * its own code read-only, no other file, no network and no other process. What runs inside is the
 * same Pyodide, so answers are the same with and without.
 */
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { BadInput } from "../errors.ts";
import type { Walls } from "./childProcess.ts";

/** Where programs and their libraries lie; bound read-only where they are there. */
const SYSTEM = ["/usr", "/lib", "/lib64", "/bin"];

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

export const noWalls = (found: string): BadInput =>
  new BadInput({
    where: { path: "--sandbox bwrap" },
    found,
    allowed: "Linux, with a bwrap that may make namespaces",
    todo:
      "Install bubblewrap (Debian, Ubuntu: apt install bubblewrap), or omit --sandbox: the same " +
      "Python runs without it, behind the other walls of SECURITY.md.",
  });
