/**
 * `npm run notices`: writes THIRD-PARTY-NOTICES.md from package-lock.json and the licence files in
 * node_modules: what `npm install ghostlight` brings along, built in or beside, with the terms of each.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { groupedBy } from "../src/machines/grouped.ts";

const FILE = "THIRD-PARTY-NOTICES.md";
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: { readonly [name: string]: string };
  readonly dev?: true;
  readonly optional?: true;
  readonly devOptional?: true;
}

interface Package {
  readonly name: string;
  readonly licence: string;
  /** Empty when the package ships none. */
  readonly text: string;
}

/** What a package holds of others, where it does not say so in a file of its own. */
const HOLDS: { readonly [name: string]: string } = {
  pyodide:
    "Compiled into it: CPython and its standard library (Python Software Foundation License 2.0) and the " +
    "runtime of Emscripten (MIT and University of Illinois/NCSA). Sources and their terms: " +
    "https://github.com/pyodide/pyodide.",
};

/** Numbers that src copies, whose terms stand in a comment of that file. */
const COPIED = {
  name: "Direction numbers of Sobol sequences",
  licence: "BSD-3-Clause",
  of: "The first 64 dimensions of `new-joe-kuo-6.21201`, in src/studies/sample/sobolDirections.ts. Source: https://web.maths.unsw.edu.au/~fkuo/sobol/.",
  file: "src/studies/sample/sobolDirections.ts",
  terms: /Copyright \(c\) 2008,[\s\S]*?(?=\n\*\/)/,
} as const;

/** What tools/bundleShell.js and tools/bundleViewer.ts build into the package. */
const BUILT_IN = ["just-bash", "preact"];

/** Built into the package or installed beside it, by name. Development's own packages are neither. */
function brought(): Package[] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: { readonly [folder: string]: Locked };
  };
  const builtIn = new Set(
    BUILT_IN.flatMap((name) => [...needed(packages, `node_modules/${name}`)]),
  );
  return Object.entries(packages)
    .filter(
      ([folder, { dev, optional, devOptional }]) =>
        builtIn.has(folder) || (folder && !dev && !optional && !devOptional),
    )
    .map(([folder, { version = "", license = "" }]) => ({
      name: `${folder.slice(folder.lastIndexOf("node_modules/") + 13)} ${version}`,
      licence: license,
      text: licenceText(folder),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The folders of a package and of all that it depends on, each resolved as Node does. */
function needed(
  packages: { readonly [folder: string]: Locked },
  folder: string,
  found = new Set<string>(),
): ReadonlySet<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  for (const name of Object.keys(packages[folder]?.dependencies ?? {})) {
    let from = folder;
    while (from !== "" && packages[`${from}/node_modules/${name}`] === undefined)
      from = from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/")));
    needed(packages, from === "" ? `node_modules/${name}` : `${from}/node_modules/${name}`, found);
  }
  return found;
}

const licenceText = (folder: string): string =>
  readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(`${folder}/${file}`, "utf8").replaceAll("\r\n", "\n").trim())
    .join("\n\n");

function copied(): string {
  const [text] = COPIED.terms.exec(readFileSync(COPIED.file, "utf8")) ?? [];
  if (text === undefined) throw new Error(`${COPIED.file} has lost its licence`);
  return [`## ${COPIED.name}`, COPIED.licence, COPIED.of, `\`\`\`text\n${text}\n\`\`\``].join(
    "\n\n",
  );
}

/** The whole file. Throws when a package of the lock file is not installed, or names no licence. */
export function notices(): string {
  const all = brought();
  const unnamed = all.filter(({ licence }) => licence === "").map(({ name }) => name);
  if (unnamed.length > 0) throw new Error(`no licence is named by ${unnamed.join(", ")}`);
  const byText = groupedBy(all, ({ text, name }) => text || name);
  const sections = [...byText.values()].map((same) => {
    const [{ text, licence } = { text: "", licence: "" }] = same;
    const held = same.flatMap(({ name }) => HOLDS[name.slice(0, name.lastIndexOf(" "))] ?? []);
    const terms =
      text === ""
        ? `It ships no text of its licence: https://spdx.org/licenses/${licence}.html`
        : `\`\`\`text\n${text}\n\`\`\``;
    return [`## ${same.map(({ name }) => name).join(", ")}`, licence, ...held, terms].join("\n\n");
  });
  return `${[
    "# Third-party notices",
    "`npm install ghostlight` brings the packages below, each under its own terms: just-bash and what it " +
      "depends on in one file, `dist/edges/shell/justBash.js`, the others beside the package. Last come numbers that " +
      "its own source copies. Made by `npm run notices`; a test compares it with what is installed.",
    ...sections,
    copied(),
  ].join("\n\n")}\n`;
}

if (import.meta.main) {
  writeFileSync(FILE, notices());
  console.log(`${FILE} is current.`);
}
