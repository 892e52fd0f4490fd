/** What code a run's result rests on: results of other code are never mixed with it. */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onceFor } from "../../machines/onceFor.ts";
import { RULES_VERSION } from "../../run/bundle.ts";

/** In a checkout Node runs the TypeScript; in the package it is compiled, and the build wrote down what of. */
const isCheckout = import.meta.url.endsWith(".ts");
const root = new URL("../../../", import.meta.url);

interface Lock {
  readonly packages: {
    readonly [place: string]: { readonly version?: string; readonly dev?: true };
  };
}

/** What a package of a checkout holds of it: the source in which a run is played, and what it was locked to. */
export function buildOf(checkout: URL): string {
  const hash = createHash("sha256");
  const folder = fileURLToPath(new URL("src", checkout));
  const files = globSync("**/*.ts", { cwd: folder }).map((file) => file.replaceAll("\\", "/"));
  for (const file of files.filter(playsRuns).sort()) {
    // A checkout on Windows may have other ends of lines.
    const text = readFileSync(new URL(`src/${file}`, checkout), "utf8").replaceAll("\r\n", "\n");
    hash.update(JSON.stringify([file, text]));
  }
  const lock = JSON.parse(readFileSync(new URL("package-lock.json", checkout), "utf8")) as Lock;
  for (const [place, { version, dev }] of Object.entries(lock.packages)) {
    if (place === "" || (dev && !isBundled(place))) continue;
    hash.update(JSON.stringify([place, version]));
  }
  return hash.digest("hex");
}

/** Commands change no run. */
const playsRuns = (file: string): boolean => !file.startsWith("cli/");

/** `npm run build` puts it into the package, although it is installed for development alone. */
const isBundled = (place: string): boolean => place.startsWith("node_modules/just-bash");

const ownBuild = onceFor((from: URL): string =>
  isCheckout
    ? buildOf(from)
    : (JSON.parse(readFileSync(new URL("dist/build.json", from), "utf8")) as { build: string })
        .build,
);

const pyodideVersion = (): string =>
  (
    JSON.parse(
      readFileSync(fileURLToPath(import.meta.resolve("pyodide/package.json")), "utf8"),
    ) as { version: string }
  ).version;

/** In hex: rules, build, locked dependencies, Node's major version, Pyodide, and files of parts of a program's own. */
export function codeHash(partFiles: readonly string[] = []): string {
  const hash = createHash("sha256");
  const node = process.versions.node.split(".")[0];
  hash.update(JSON.stringify([RULES_VERSION, ownBuild(root), node, pyodideVersion()]));
  for (const file of partFiles) hash.update("\n").update(readFileSync(file));
  return hash.digest("hex");
}
