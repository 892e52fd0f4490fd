// Runs before every script that needs a current Node. Plain JavaScript, so that an old Node gets this far.
import { readFileSync } from "node:fs";

const engines = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
).engines;
const needed = engines.node.replace(">=", "");
const [neededMajor, neededMinor] = needed.split(".").map(Number);
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  console.error(
    [
      `Node ${needed} or newer is needed; this is ${process.versions.node} (${process.execPath}).`,
      "`npm install` brings one as an optional dependency, for Linux, macOS and Windows, and npm scripts and npx use it.",
      "It is absent here: run `npm install --include=optional` without `--omit=optional`, or install a newer Node.",
    ].join("\n"),
  );
  process.exit(1);
}
