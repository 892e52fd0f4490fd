/** The files that a shell's process may read: our own code and the packages that the shell is made of. */
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { manifestsAbove } from "../processes/bareNode.ts";

/** Our own code and what it imports: in the package, the shell is part of that code. */
export function readable(childFile: string): readonly string[] {
  const own = createRequire(import.meta.url);
  const code = path.dirname(path.dirname(path.dirname(childFile)));
  const shell = childFile.endsWith(".ts") ? checkoutShell() : { files: [], folders: [] };
  const packages = ["pure-rand", "@noble/hashes"].map((name) => folderOf(name, own));
  const folders = [code, ...packages, ...shell.folders];
  return [
    ...shell.files,
    ...folders.map((folder) => path.join(folder, "*")),
    ...[...shell.files.map((file) => path.dirname(file)), ...folders].flatMap(manifestsAbove),
  ];
}

/** The shell in one file, and the packages that this file names and that those name. */
function checkoutShell(): {
  readonly files: readonly string[];
  readonly folders: readonly string[];
} {
  const bundle = realpathSync(fileURLToPath(import.meta.resolve("just-bash/browser")));
  const from = createRequire(bundle);
  const names = [
    ...["diff", "minimatch", "sprintf-js", "turndown"],
    ...["brace-expansion", "balanced-match", "@mixmark-io/domino"],
  ];
  return { files: [bundle], folders: names.map((name) => folderOf(name, from)) };
}

/** The nearest folder of that name on the way up from the module that asks. */
function folderOf(name: string, from: NodeJS.Require): string {
  const paths = from.resolve.paths(name) ?? [];
  const found = paths.map((folder) => path.join(folder, name)).find((one) => existsSync(one));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return realpathSync(found);
}
