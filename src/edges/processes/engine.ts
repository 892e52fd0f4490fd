/** What answers depend on besides what was asked: the program that gives them, and what it runs on. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const engines = new Map<string, string>();

/** In hex, of all code in this folder and of the versions that package.json pins. */
export function engineIn(folder: URL): string {
  const found = engines.get(folder.href) ?? engineOf(folder);
  engines.set(folder.href, found);
  return found;
}

function engineOf(folder: URL): string {
  const hash = createHash("sha256");
  // Answers should be the same everywhere: where they are not, a cache must not be how it spreads.
  hash.update(`${process.versions.node.split(".")[0]} ${process.platform} ${process.arch}\n`);
  hash.update(readFileSync(new URL("../../../package.json", import.meta.url)));
  for (const name of readdirSync(folder).sort()) {
    const bytes = readFileSync(new URL(name, folder));
    hash.update(`\n${name} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}
