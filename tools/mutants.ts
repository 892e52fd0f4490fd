/**
 * Which faults of the code its tests do not see: `npm run mutants -- FILE… [--tests PATH] [--most N] [--json]`, or of all that
 * machines, actors, substrate, studies, findings and the search for causes do, N faults drawn by a seed:
 * `npm run mutants -- --sample N [--seed S]`, or N of each folder: `--each N`.
 * Each fault is made in memory, as the file is loaded, so that nothing in the tree changes. The tests that import the file run, or
 * those behind the fewest steps; of a drawn one also those that share most words with what stands around it. The first that fails
 * ends them. The exit code is 0, whatever lives: what a survivor means, a person reads.
 */
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { markdownTable } from "markdown-table";
import { groupedBy } from "../src/machines/grouped.ts";
import { proportionInterval } from "../src/studies/statistics/proportions.ts";
import { namedRandom, type Stream } from "../src/substrate/random.ts";
import { type Mutant, mutantsOf, mutated } from "./mutate.ts";

interface Tried extends Fault {
  /** `slow`: the tests did not end, which counts as seen. */
  readonly fate: "killed" | "slow" | "survived";
}

/** Ours: as many files of tests of each kind are asked about one drawn fault. */
const LOT = 5;
/** Ours: more than the tests of any fault take, and what loops for ever is found, on a busy machine too. */
const CPU_SECONDS = 60;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: "string", multiple: true },
    most: { type: "string", default: "400" },
    sample: { type: "string" },
    each: { type: "string" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});

/** By file, the files that import it. */
function importers(): ReadonlyMap<string, readonly string[]> {
  const by = new Map<string, string[]>();
  for (const file of globSync(["src/**/*.ts", "test/**/*.ts"])) {
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+\.ts)"/g)) {
      const target = join(dirname(file), name);
      by.set(target, [...(by.get(target) ?? []), file]);
    }
  }
  return by;
}

/** The tests that are the fewest imports away, then those that are some more away. */
function* testsOf(file: string, by: ReturnType<typeof importers>): Generator<readonly string[]> {
  const seen = new Set([file]);
  let ring = [file];
  while (ring.length > 0) {
    ring = [...new Set(ring.flatMap((one) => by.get(one) ?? []))].filter((one) => !seen.has(one));
    for (const one of ring) seen.add(one);
    const tests = ring.filter((one) => one.endsWith(".test.ts"));
    if (tests.length > 0) yield tests;
  }
}

/** Runs the tests, in this order, on the file as it stands in `stand`; null: as it is. */
function fateOf(tests: readonly string[], file: string, stand: string | null) {
  const vitest = resolve("node_modules/vitest/vitest.mjs");
  const args = [
    vitest,
    "run",
    "--config",
    "vitest.mutants.config.ts",
    "--bail",
    "1",
    "--reporter",
    "dot",
  ];
  const hook = pathToFileURL(resolve("tools/mutantHook.ts")).href;
  // Tests of the code as it is end, however many they are.
  const limit = stand === null ? "" : `ulimit -t ${CPU_SECONDS}; `;
  const child = spawn(
    "sh",
    ["-c", `${limit}exec "$@"`, "sh", process.execPath, ...args, ...tests],
    {
      stdio: "ignore",
      env: {
        ...process.env,
        // Halves the time until the first test runs.
        NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled"),
        MUTANT_TESTS: tests.join(" "),
        ...(stand !== null && {
          ...{ MUTANT_FILE: resolve(file), MUTANT_TEXT: stand },
          NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --import ${hook}`,
        }),
      },
    },
  );
  return new Promise<Tried["fate"]>((done) => {
    child.on("close", (code) => done(code === null ? "slow" : code === 0 ? "survived" : "killed"));
  });
}

/** Spread over the file, where there are more than may be tried. */
const spread = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most
    ? all
    : Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)] as T);

type Fault = Mutant & { readonly file: string };

/** One fault, and the tests that may see it, the likeliest first. */
type Trial = Fault & { readonly tests: readonly string[] };

/** Throws where tests fail on the code as it is: then they would see any fault. */
async function shownWhole(trials: readonly Trial[]): Promise<void> {
  const all = [...new Set(trials.flatMap(({ tests }) => tests))].sort();
  if (all.length > 0 && (await fateOf(all, "", null)) !== "survived") {
    throw new Error(`tests fail as the code is, of ${all.join(", ")}`);
  }
}

async function tried(trials: readonly Trial[], folder: string): Promise<readonly Tried[]> {
  const waiting = trials.entries();
  const ends: Tried[] = [];
  const work = async (): Promise<void> => {
    for (const [nth, { tests, ...mutant }] of waiting) {
      const stand = join(folder, `${nth}.ts`);
      writeFileSync(stand, mutated(readFileSync(mutant.file, "utf8"), mutant));
      const fate = await fateOf(tests, mutant.file, stand);
      ends.push({ ...mutant, fate });
      console.error(
        `${ends.length} of ${trials.length}: ${fate} ${mutant.file}:${mutant.line} ${mutant.was} → ${mutant.by}`,
      );
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return ends.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start));
}

function trialsOfFiles(files: readonly string[], by: ReturnType<typeof importers>): Trial[] {
  return files.flatMap((file) => {
    const [nearest] = testsOf(file, by);
    const tests = values.tests ?? nearest;
    if (tests === undefined) throw new Error(`${file}: no test imports it; name some with --tests`);
    const all = spread(mutantsOf(readFileSync(file, "utf8")), Number(values.most));
    return all.map((mutant) => ({ ...mutant, file, tests }));
  });
}

/** What decides in a run: no edge, and none of the worlds that promises are put to. */
const DRAWN = ["src/{machines,substrate,studies,findings,actors}/**/*.ts", "src/run/causes/*.ts"];
const NOT_DRAWN = /\/(?:edge|properties)\//;

const allFaults = (): readonly Fault[] =>
  globSync(DRAWN)
    .filter((file) => !NOT_DRAWN.test(file) && !file.endsWith(".d.ts"))
    .sort()
    .flatMap((file) => mutantsOf(readFileSync(file, "utf8")).map((one) => ({ ...one, file })));

/** Each as likely as any other, none twice. */
function drawn(faults: readonly Fault[], count: number, draw: Stream): readonly Fault[] {
  const all = [...faults];
  return Array.from({ length: Math.min(count, all.length) }, () =>
    all.splice(draw.integer(0, all.length - 1), 1),
  ).flat();
}

/** Names and other words of a text, in whole: `synt.cents` is one. */
const wordsIn = (text: string): ReadonlySet<string> => new Set(text.match(/[A-Za-z][\w.-]{2,}/g));

/** Of each test the words that stand in it or in its path, and how much each says: the more, the fewer tests have it. */
function testWords() {
  const tests = globSync("test/**/*.test.ts").map(
    (test) =>
      [test, wordsIn(`${test.split("/").join(" ")} ${readFileSync(test, "utf8")}`)] as const,
  );
  const counts = new Map<string, number>();
  for (const word of tests.flatMap(([, words]) => [...words])) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const says = (word: string): number =>
    Math.log(tests.length / (counts.get(word) ?? tests.length));
  return { tests, says };
}

/** Lines before and behind a fault whose words tell what it is about. */
const AROUND = 10;

/**
 * The tests of the same name and those that import the file, then those that have most of the words that stand around the fault,
 * anywhere and in the folder of its tests: whatever is told of a world is told through the list of parts, by which every test is as near.
 */
function trialsOf(faults: readonly Fault[], by: ReturnType<typeof importers>): readonly Trial[] {
  const { tests, says } = testWords();
  const alike = (one: Fault): readonly string[] => {
    const text = readFileSync(one.file, "utf8");
    const near = text.split("\n").slice(Math.max(0, one.line - AROUND), one.line + AROUND);
    const wanted = [...wordsIn(`${one.file.split("/").join(" ")} ${near.join(" ")}`)];
    const score = (words: ReadonlySet<string>): number =>
      wanted.reduce((sum, word) => sum + (words.has(word) ? says(word) : 0), 0) /
      Math.sqrt(1 + words.size / 400);
    const ranked = tests
      .map(([test, words]) => [test, score(words)] as const)
      .sort(([, a], [, b]) => b - a)
      .map(([test]) => test);
    const beside = dirname(one.file).replace(/^src/, "test");
    const inFolder = ranked.filter((test) => dirname(test) === beside);
    return [...ranked.slice(0, LOT), ...inFolder.slice(0, LOT)];
  };
  return faults.map((one) => {
    const direct = (by.get(one.file) ?? []).filter((test) => test.endsWith(".test.ts"));
    const leaves = /\w+Leaves = \{/.test(readFileSync(one.file, "utf8")) ? [OF_LEAVES] : [];
    const own = [...namesakesOf(one.file), ...leaves, ...direct.slice(0, LOT)];
    const all = /^src\/(?:actors|machines|substrate)\//.test(one.file) ? [OF_ALL] : [];
    return { ...one, tests: [...new Set([...own, ...alike(one), ...all])] };
  });
}

/** Replays the goldens to the bit, with what their scenarios expect and what their reports count. */
const OF_ALL = "test/recordings.test.ts";

/** Holds the bounds of every leaf, however far from it. */
const OF_LEAVES = "test/machines/policy.test.ts";

/** Tests of the same name in its part, however far away: they may reach it by a whole world. */
const namesakesOf = (file: string): readonly string[] => {
  const part = folderOf(file).split("/").at(-1) ?? "";
  return globSync(`test/**/${basename(file, ".ts")}.test.ts`).filter((test) =>
    test.split("/").includes(part),
  );
};

/** `src/machines/synt`: the part of a folder of parts, else the folder. */
const folderOf = (file: string): string =>
  file
    .split("/")
    .slice(0, /^src\/(?:machines|actors|run)\/[^/]+\//.test(file) ? 3 : 2)
    .join("/");

const percent = (share: number | null): string => `${Math.round(100 * (share ?? 0))} %`;

/** With Wilson's interval. */
function scoreText(share: number, draws: number): string {
  const { low, high } = proportionInterval(share * draws, draws);
  return `${percent(share)} [${percent(low)}, ${percent(high)}]`;
}

const killedOf = (own: readonly Tried[]): number =>
  own.filter(({ fate }) => fate !== "survived").length;

/** `faults`: how many there are by group, where as many are drawn of each; all of them then weigh as many as there are. */
function scoreTable(
  head: string,
  of: (one: Fault) => string,
  all: readonly Tried[],
  faults?: ReadonlyMap<string, number>,
): string {
  const groups = [...groupedBy(all, of)].sort(([a], [b]) => (a < b ? -1 : 1));
  const row = (name: string, own: readonly Tried[], score: string, there: number): string[] => [
    ...[name, ...(faults === undefined ? [] : [`${there}`])],
    ...[`${killedOf(own)}`, `${own.length}`, score],
  ];
  const shares = groups.map(([name, own]) => {
    const there = faults?.get(name) ?? own.length;
    return { name, own, there, share: killedOf(own) / own.length };
  });
  const there = shares.reduce((sum, one) => sum + one.there, 0);
  const share = shares.reduce((sum, one) => sum + (one.share * one.there) / there, 0);
  // Of as many draws from all as would vary as much.
  const spread = shares.reduce((sum, one) => {
    const weight = one.there / there;
    return sum + (weight * weight * one.share * (1 - one.share)) / one.own.length;
  }, 0);
  const draws = faults === undefined || spread === 0 ? all.length : (share * (1 - share)) / spread;
  return markdownTable([
    [head, ...(faults === undefined ? [] : ["faults"]), "killed", "of", "score"],
    ...shares.map((one) => row(one.name, one.own, scoreText(one.share, one.own.length), one.there)),
    row("all", all, scoreText(share, draws), there),
  ]);
}

function survivorsText(all: readonly Tried[]): string {
  const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
  const rows = all
    .filter(({ fate }) => fate === "survived")
    .map(({ file, line, was, by }) => [`${file}:${line}`, short(was), short(by)]);
  return rows.length === 0 ? "" : `${markdownTable([["survived", "was", "as"], ...rows])}\n\n`;
}

/** Those that are drawn, and how many there are of each folder where each is drawn from. */
function drawnTrials(by: ReturnType<typeof importers>) {
  const { sample, each, seed } = values;
  const faults = allFaults().filter(
    ({ file }) => positionals.length === 0 || positionals.some((one) => file.startsWith(one)),
  );
  const random = namedRandom(Number(seed));
  const groups = groupedBy(faults, ({ file }) => (each === undefined ? "all" : folderOf(file)));
  const lists = [...groups].map(([name, own]) =>
    drawn(own, Number(each ?? sample), random.at("mutants", "drawn", name)),
  );
  // One of each folder after the other: whoever ends it early has a fair part of it on the screen.
  const inTurn = lists
    .flatMap((own) => own.map((one, nth) => ({ one, nth })))
    .sort((a, b) => a.nth - b.nth);
  return {
    trials: trialsOf(
      inTurn.map(({ one }) => one),
      by,
    ),
    faults: each && new Map([...groups].map(([name, own]) => [name, own.length])),
  };
}

const folder = mkdtempSync(join(tmpdir(), "ghostlight-mutants-"));
try {
  const by = importers();
  const isDrawn = values.sample !== undefined || values.each !== undefined;
  const { trials, faults } = isDrawn
    ? drawnTrials(by)
    : {
        trials: trialsOfFiles(
          positionals.map((name) => relative("", name)),
          by,
        ),
        faults: undefined,
      };
  // Those of drawn ones are half of all tests: `npm test` shows them.
  if (!isDrawn) await shownWhole(trials);
  const all = await tried(trials, folder);
  const table = isDrawn
    ? scoreTable("folder", ({ file }) => folderOf(file), all, faults || undefined)
    : scoreTable("file", ({ file }) => file, all);
  console.log(values.json ? JSON.stringify(all, null, 2) : survivorsText(all) + table);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
