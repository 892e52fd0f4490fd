// What a user of the package gets, and what stands beside it.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { notBegun } from "../src/edges/processes/bareNode.ts";
import { limitsText, notStarted } from "../src/edges/processes/notStarted.ts";
import { notices } from "../tools/notices.ts";

interface Packed {
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Ours, 700 kB of pages with pictures among it: without what a build makes, which packSmoke.sh looks at. */
const SOURCE_BYTES_MAX = 2_640_000;

it("[CL26, ST55] the package carries scenarios, studies and their schemas, notices and rules, and no recordings", async () => {
  const { stdout } = await promisify(execFile)(
    "npm",
    ["pack", "--dry-run", "--json", "--ignore-scripts"],
    { shell: process.platform === "win32" },
  );
  const packed = JSON.parse(stdout);
  // Newer npm names the package, older npm gives a list.
  const [{ files } = { files: [] }] = Object.values(packed) as Packed[];
  const paths = files.map(({ path }) => path);
  const own = files.filter(({ path }) => !path.startsWith("dist/"));

  expect(paths).toEqual(
    expect.arrayContaining([
      ...["LICENSE", "THIRD-PARTY-NOTICES.md", "SPEC.md", "CHANGELOG.md", "bin/ghostlight.js"],
      ...["scenarios", "studies"].flatMap((folder) =>
        readdirSync(folder).map((file) => `${folder}/${file}`),
      ),
    ]),
  );
  expect(paths.filter((path) => /^(recordings|src|test|tools)\//.test(path))).toEqual([]);
  expect(own.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(SOURCE_BYTES_MAX);
});

it("[CL27] the notices are those of what is installed: npm run notices", () => {
  expect(readFileSync("THIRD-PARTY-NOTICES.md", "utf8")).toBe(notices());
  expect(notices()).toContain("Copyright (c) 2008, Frances Y. Kuo and Stephen Joe");
});

it("[CL28] every dependency is one exact version, and the lock file has that one", () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const asked = { ...dependencies, ...devDependencies, ...optionalDependencies };

  const loose = Object.entries(asked).filter(
    ([name, version]) =>
      !/^\d+\.\d+\.\d+$/.test(String(version)) ||
      packages[`node_modules/${name}`]?.version !== version,
  );

  expect(loose).toEqual([]);
  expect(packages[""]).toMatchObject({ dependencies, devDependencies, optionalDependencies });
});

it("[CL28] nothing that is installed runs a script", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: { readonly [folder: string]: { readonly hasInstallScript?: true } };
  };

  expect(Object.keys(packages).filter((folder) => packages[folder]?.hasInstallScript)).toEqual([]);
});

it("[CL30] the program itself uses nothing that a Node it tries lacks", () => {
  const [, tried] = /TRIED = \[(\d+), /.exec(readFileSync("bin/ghostlight.js", "utf8")) ?? [];
  const newer =
    /\b(Promise\.(withResolvers|try)|(Map|Object)\.groupBy|Array\.fromAsync|RegExp\.escape)\b/;
  const users = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => newer.test(readFileSync(`src/${file}`, "utf8").replaceAll(/`.*`/g, "")));

  expect(tried).toBe("20");
  expect(users).toEqual([]);
});

it("[CL30] where Python does not start on an older Node, it says which one it needs", () => {
  const fault = new Error("Invalid opcode 0xfb\n    at wasm://wasm/1");

  const [old, current, oldest] = ["20.20.2", "26.10.0", "22.19.0"].map((node) =>
    notStarted("pyodide", fault, node),
  );

  expect(old?.message).toBe(
    "sandbox pyodide: found Invalid opcode 0xfb; allowed: a Python that starts\n" +
      "This is Node 20.20.2; Python needs Node 22.19 or newer. A replay of a recording needs no Python.",
  );
  for (const one of [current, oldest]) expect(one?.message).not.toContain("Node");
});

it("[CL30] where the machine has no threads or memory left, the limits of this process are named", () => {
  const limits = [
    "Limit                     Soft Limit           Hard Limit           Units",
    "Max processes             20                   20                   processes",
    "Max address space         629145600            unlimited            bytes",
  ].join("\n");

  expect(limitsText(limits, 2 ** 30)).toBe(
    "The limits here: 20 processes and threads of this user (ulimit -u), 600 MiB of addresses (ulimit -v), 1024 MiB of memory are free.",
  );
  expect(limitsText(limits.replaceAll("20 ", "unlimited "), 2 ** 30)).not.toContain("ulimit -u");
  expect(limitsText("", 2 ** 30)).toBe("The limits here: 1024 MiB of memory are free.");
  expect(
    notStarted(
      "pyodide",
      notBegun("Python", { code: null, signal: "SIGABRT", stderr: "" }),
      "26.0.0",
    ).message,
  ).toMatch(
    /^sandbox pyodide: found Python did not start \(exit SIGABRT\): without a word; .*\nThe limits here: .* MiB of memory are free\./,
  );
});
