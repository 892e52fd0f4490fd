// The house: which room stands on which, and which packages each may use. ARCHITECTURE.md draws it.
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";

/** From the ground to the roof: a file imports what stands in its own row or below. */
const ROWS = [
  ["the vocabulary of mail, policy and files", /^src\/machines$/],
  ["how things behave, a folder a part", /^src\/machines\//],
  ["what the world gives: time, chance, mail, ports", /^src\/substrate$/],
  ["what can go wrong with an answer of a tool", /^src\/faults/],
  ["what a part is", /^src\/contract(?!\/edge)/],
  ["the page of a run, in a browser", /^src\/viewer/],
  ["the parts as the core knows them", /^src\/actors\/(?!\w+\/edge)/],
  ["designs, outcomes and statistics of studies", /^src\/studies/],
  ["what goes wrong in any log", /^src\/findings/],
  ["the verbs", /^src\/run/],
  ["what a part is to files, terminals and commands", /^src\/contract\/edge/],
  ["files, processes, live models, reports", /^src\/edges/],
  ["the parts at the edges", /^src\/actors\/\w+\/edge(?!\/commands)/],
  ["the parts that are built in", /^src\/builtIn/],
  ["the command line", /^src\/cli/],
  ["the commands of the parts", /^src\/actors\/\w+\/edge\/commands/],
  ["the verbs as a program calls them", /^src\/library/],
  ["what a program imports, and the list of the parts' commands", /^src$/],
] as const;

/** Arrows from one folder to another that run up, and why. Fifteen at most. */
const UP: { readonly [arrow: string]: string } = {
  "src/edges/pool -> src/builtIn": "a thread is a program: it starts with the built-in parts",
  "src/edges/studies -> src/builtIn": "a thread is a program: it starts with the built-in parts",
  "src/cli -> src": "the command line loads commands of the parts when they are asked for",
  "src/actors/imported/edge/world -> src/cli": "a world of a log is played with the chosen parts",
  "src/contract/edge -> src/edges/play": "types alone: a part's gate",
  "src/contract/edge -> src/edges/program": "types alone: what a program is asked",
  "src/contract/edge -> src/edges/shell": "types alone: the shell that serves a port",
  "src/contract/edge -> src/edges/scenario": "types alone: what is found in a scenario",
};

const PURE =
  /^src\/(?:machines|substrate|faults|contract(?!\/edge)|actors(?!\/\w+\/edge)|studies|findings|run)\b/;

/** What a pure file may import of packages: everything else reaches the host, or is none of its business. */
const PACKAGES: { readonly [name: string]: RegExp } = {
  xstate:
    /^src\/(?:machines|contract|actors)\/|^src\/run\/cast\.ts$|^src\/substrate\/(?:statechart|chart\w*)\.ts$/,
  "fast-check": /^src\/contract\/|^src\/actors\/|^src\/run\/check\//,
  "@noble/hashes":
    /^src\/substrate\/|\/(?:contentHash|installs\/content\/content)\.ts$|^src\/actors\//,
  "@noble/ed25519": /^src\/substrate\//,
  "pure-rand": /^src\/substrate\//,
  yaml: /^src\/machines\/installs\//,
  acorn: /^src\/machines\/installs\//,
  "acorn-walk": /^src\/machines\/installs\//,
  "fastest-levenshtein": /^src\/machines\/nearest\.ts$/,
  "smol-toml": /^src\/machines\/synt\//,
  "@cfworker/json-schema": /^src\/findings\//,
  cephes: /^src\/studies\/statistics\//,
  jsep: /^src\/studies\/outcomes\//,
};

/** Code of agents stands here as text: an import of ours at run time follows `await` or an arrow. */
const IMPORTED =
  /(?:^(?:import|export)\b[^;'"]*?from |^import |(?:await|=>) import\(\s*)["']([^"']+)["']/gm;

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((path) => `src/${path.replaceAll("\\", "/")}`)
  .filter((path) => /\.tsx?$/.test(path))
  .sort();

const imports = sources.flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(IMPORTED)].map(([, to = ""]) => ({
    from: path,
    to: to.startsWith(".") ? posix.join(posix.dirname(path), to) : to,
    isPackage: !to.startsWith("."),
  })),
);

/** The compiler takes a second declaration of an event as long as its fields are the same. */
const PROTOCOL = /^( *)(?:export )?interface (Mail|FilesMail)\b[^{\n]*\{\n([\s\S]*?)^\1\}/gm;

const rowOf = (path: string): number =>
  ROWS.findIndex(([, folders]) => folders.test(posix.dirname(path)));

it("[PT1] the fields of every event are declared once", () => {
  const types = sources.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(PROTOCOL)].flatMap(([, indent = "", , body = ""]) =>
      [...body.matchAll(new RegExp(`^${indent}  "([^"]+)"\\??:`, "gm"))].map(([, type]) => type),
    ),
  );

  expect(types.length).toBeGreaterThan(200);
  expect(types.filter((type, at) => types.indexOf(type) !== at)).toEqual([]);
});

it("each folder stands in a row of the house", () => {
  expect(sources.filter((path) => rowOf(path) < 0)).toEqual([]);
});

it("every arrow runs down, but those that are named with a reason", () => {
  const up = imports
    .filter(({ from, to, isPackage }) => !isPackage && rowOf(to) > rowOf(from))
    .map(({ from, to }) => `${posix.dirname(from)} -> ${posix.dirname(to)}`);
  const found = [...new Set(up)];

  expect({
    unnamed: found.filter((arrow) => UP[arrow] === undefined),
    gone: Object.keys(UP).filter((arrow) => !found.includes(arrow)),
  }).toEqual({ unnamed: [], gone: [] });
  expect(found.length).toBeLessThanOrEqual(15);
});

it("what is pure imports no host, and packages only where they are meant to be", () => {
  const isMeant = ({ from, to }: { readonly from: string; readonly to: string }): boolean => {
    const name = to.split("/", to.startsWith("@") ? 2 : 1).join("/");
    return PACKAGES[name]?.test(from) ?? false;
  };

  expect(imports.filter((one) => one.isPackage && PURE.test(one.from) && !isMeant(one))).toEqual(
    [],
  );
});

it("what runs in the browser takes nothing from the rest of the house but types", () => {
  const taken = sources
    .filter((path) => path.startsWith("src/viewer/"))
    .flatMap((path) =>
      [
        ...readFileSync(path, "utf8").matchAll(/^import (?!type\b)[^;]*?from "(\.\.\/[^"]+)"/gm),
      ].map(([, to]) => `${path} -> ${to}`),
    );

  expect(taken).toEqual([]);
});

it("the library and the command line reach the host through src/edges", () => {
  const reaching = imports.filter(
    ({ from, to }) =>
      /^src\/(?:library\/|index\.ts)/.test(from) && /^(?:node:|effect\b|xstate\b)/.test(to),
  );

  expect(reaching).toEqual([]);
});

/** Groups of files each of which leads to all the others, imports at run time included. */
function circles(): readonly (readonly string[])[] {
  const out = new Map(sources.map((path) => [path, new Set<string>()]));
  for (const { from, to } of imports) out.get(from)?.add(to);
  const all = new Map(
    sources.map((path) => {
      const seen = new Set<string>();
      const open = [path];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        for (const one of out.get(at) ?? []) {
          if (!seen.has(one)) open.push(one);
          seen.add(one);
        }
      }
      return [path, seen];
    }),
  );
  const groups = sources
    .filter((path) => all.get(path)?.has(path))
    .map((path) => sources.filter((one) => all.get(path)?.has(one) && all.get(one)?.has(path)));
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

/** Files that import one another in a circle, be it types alone, and why they may. */
const CIRCLES: { readonly [files: string]: string } = {
  "src/contract/edge/scenarioPart.ts,src/edges/scenario/scenarioSchema.ts":
    "the schema of a scenario is made of its parts' fields, and each part checks the whole",
};

it("no files import one another in a circle, but those that are named with a reason", () => {
  const found = circles().map((group) => group.join());

  expect({
    unnamed: found.filter((group) => CIRCLES[group] === undefined),
    gone: Object.keys(CIRCLES).filter((group) => !found.includes(group)),
  }).toEqual({ unnamed: [], gone: [] });
});
