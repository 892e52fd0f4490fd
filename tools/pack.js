// `npm pack` ships a package.json without development entries: with `optionalDependencies` every user
// would download a Node of 190 MB. `strip` keeps a backup first, so that a crash in between loses nothing.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const DEVELOPMENT_ONLY = ["scripts", "devDependencies", "optionalDependencies", "overrides"];
const inRoot = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const manifest = inRoot("package.json");
const backup = inRoot(".package.json.backup");

function stripped(text) {
  const entries = Object.entries(JSON.parse(text));
  const kept = entries.filter(([key]) => !DEVELOPMENT_ONLY.includes(key));
  return `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
}

/** Written beside and renamed, so that a reader never sees half a file. */
function replace(path, text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

function restore() {
  if (!existsSync(backup)) return;
  const original = readFileSync(backup, "utf8");
  const current = readFileSync(manifest, "utf8");
  if (current !== original && current !== stripped(original)) {
    console.error(
      "package.json was edited while stripped. Merge it with .package.json.backup, then delete that.",
    );
    process.exit(1);
  }
  renameSync(backup, manifest);
}

function strip() {
  restore();
  const original = readFileSync(manifest, "utf8");
  replace(backup, original);
  replace(manifest, stripped(original));
}

const command = { strip, restore }[process.argv[2]];
if (command === undefined) {
  console.error("usage: node tools/pack.js strip|restore");
  process.exit(2);
}
command();
