/**
 * Which faults of the code its tests do not see: `npm run mutants -- FILE… [--tests PATH] [--most N] [--json]`, or of all that
 * machines, actors, substrate, studies and findings do, N faults drawn by a seed: `npm run mutants -- --sample N [--seed S]`.
 * Each fault is made in memory, as the file is loaded, so that nothing in the tree changes. The tests that import the file run, or
 * those behind the fewest steps; where they see nothing, of a drawn one the tests a step further run, too. The first that fails ends
 * them. The exit code is 0, whatever lives: what a survivor means, a person reads.
 */
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { markdownTable } from "markdown-table";
import { proportionInterval } from "../src/studies/statistics/proportions.ts";
import { namedRandom } from "../src/substrate/random.ts";
import { type Mutant, mutantsOf, mutated } from "./mutate.ts";

interface Tried extends Mutant {
  readonly file: string;
  /** `slow`: the tests did not end, which counts as seen. */
  readonly fate: "killed" | "slow" | "survived";
}

/** Ours: as many files of tests are asked about one drawn fault, those that stand nearest to it. */
const LOT = 8;
/** Ours: more than the tests of any file take, and what loops for ever is found. */
const WAIT_MS = 120_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: "string", multiple: true },
    most: { type: "string", default: "400" },
    sample: { type: "string" },
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

/** Runs the tests on the file as it stands in `stand`; null: as it is. */
function fateOf(tests: readonly string[], file: string, stand: string | null) {
  const vitest = resolve("node_modules/vitest/vitest.mjs");
  const args = ["run", "--config", "vitest.mutants.config.ts", "--bail", "1", "--reporter", "dot"];
  const child = spawn(process.execPath, [vitest, ...args, ...tests], {
    stdio: "ignore",
    env: {
      ...process.env,
      ...(stand !== null && { MUTANT_FILE: resolve(file), MUTANT_TEXT: stand }),
    },
  });
  return new Promise<Tried["fate"]>((done) => {
    const slow = (): void => {
      done("slow");
      child.kill("SIGKILL");
    };
    // Tests of the code as it is end, however many they are.
    const timer = stand === null ? undefined : setTimeout(slow, WAIT_MS);
    child.on("close", (code) => {
      clearTimeout(timer);
      done(code === 0 ? "survived" : "killed");
    });
  });
}

/** Spread over the file, where there are more than may be tried. */
const spread = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most
    ? all
    : Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)] as T);

/** One fault, and the tests that may see it, one lot after the other. */
interface Trial extends Mutant {
  readonly file: string;
  readonly lots: readonly (readonly string[])[];
}

/** Throws where tests fail on the code as it is: then they would see any fault. */
async function tried(trials: readonly Trial[], folder: string): Promise<readonly Tried[]> {
  const first = [...new Set(trials.flatMap(({ lots }) => lots[0] ?? []))].sort();
  if (first.length > 0 && (await fateOf(first, "", null)) !== "survived") {
    throw new Error(`tests fail as the code is, of ${first.join(", ")}`);
  }
  const waiting = trials.entries();
  const ends: Tried[] = [];
  const work = async (): Promise<void> => {
    for (const [nth, { lots, ...mutant }] of waiting) {
      const stand = join(folder, `${nth}.ts`);
      writeFileSync(stand, mutated(readFileSync(mutant.file, "utf8"), mutant));
      let fate: Tried["fate"] = "survived";
      for (const tests of lots) {
        if (fate === "survived") fate = await fateOf(tests, mutant.file, stand);
      }
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
    return all.map((mutant) => ({ ...mutant, file, lots: [tests] }));
  });
}

/** What decides in a run: no edge, and none of the worlds that promises are put to. */
const DRAWN = "src/{machines,substrate,studies,findings,actors}/**/*.ts";
const NOT_DRAWN = /\/(?:edge|properties)\//;

/** Each fault of all of it as likely as any other, none twice. */
function drawn(count: number, seed: number, by: ReturnType<typeof importers>): Trial[] {
  const files = globSync(DRAWN).filter((file) => !NOT_DRAWN.test(file) && !file.endsWith(".d.ts"));
  const all = files
    .sort()
    .flatMap((file) => mutantsOf(readFileSync(file, "utf8")).map((one) => ({ ...one, file })));
  const draw = namedRandom(seed).at("mutants", "drawn", 0);
  const chosen = Array.from({ length: Math.min(count, all.length) }, () =>
    all.splice(draw.integer(0, all.length - 1), 1),
  ).flat();
  return chosen.map((one) => {
    const lots = [...testsOf(one.file, by)].slice(0, 2).map((lot) => nearestTo(one.file, lot));
    const own = namesakesOf(one.file);
    return { ...one, lots: own.length === 0 ? lots : [own, ...lots] };
  });
}

/** Tests of the same name in its part, however far away: they may reach it by a whole world. */
const namesakesOf = (file: string): readonly string[] => {
  const part = folderOf(file).split("/").at(-1) ?? "";
  return globSync(`test/**/${basename(file, ".ts")}.test.ts`).filter((test) =>
    test.split("/").includes(part),
  );
};

/** Those of the same name first, then those that share most of the way there. */
function nearestTo(file: string, tests: readonly string[]): readonly string[] {
  const way = file.replace(/^src/, "test").replace(/\.ts$/, ".test.ts").split("/");
  const rank = (test: string): number => {
    const other = test.split("/");
    const shared = way.findIndex((name, at) => name !== other[at]);
    return (other.at(-1) === way.at(-1) ? 100 : 0) + (shared === -1 ? way.length : shared);
  };
  return tests.toSorted((a, b) => rank(b) - rank(a)).slice(0, LOT);
}

/** `src/machines/synt`: the part of a folder of parts, else the folder. */
const folderOf = (file: string): string =>
  file
    .split("/")
    .slice(0, /^src\/(?:machines|actors)\/[^/]+\//.test(file) ? 3 : 2)
    .join("/");

function scoreTable(head: string, of: (one: Tried) => string, all: readonly Tried[]): string {
  const groups = [...new Set(all.map(of))].sort();
  const row = (name: string, own: readonly Tried[]): string[] => {
    const killed = own.filter(({ fate }) => fate !== "survived").length;
    const { low, high } = proportionInterval(killed, own.length);
    const percent = (share: number | null): string => `${Math.round(100 * (share ?? 0))} %`;
    const score = percent(killed / own.length);
    return [name, `${killed}`, `${own.length}`, `${score} [${percent(low)}, ${percent(high)}]`];
  };
  const rows = groups.map((name) =>
    row(
      name,
      all.filter((one) => of(one) === name),
    ),
  );
  return markdownTable([[head, "killed", "of", "score"], ...rows, row("all", all)]);
}

const folder = mkdtempSync(join(tmpdir(), "ghostlight-mutants-"));
try {
  const by = importers();
  const { sample } = values;
  const trials =
    sample === undefined
      ? trialsOfFiles(
          positionals.map((name) => relative("", name)),
          by,
        )
      : drawn(Number(sample), Number(values.seed), by);
  const all = await tried(trials, folder);
  if (values.json) console.log(JSON.stringify(all, null, 2));
  else {
    const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
    const lived = all.filter(({ fate }) => fate === "survived");
    const rows = lived.map(({ file, line, was, by: now }) => [
      `${file}:${line}`,
      short(was),
      short(now),
    ]);
    if (rows.length > 0) console.log(`${markdownTable([["survived", "was", "as"], ...rows])}\n`);
    console.log(
      sample === undefined
        ? scoreTable("file", ({ file }) => file, all)
        : scoreTable("folder", ({ file }) => folderOf(file), all),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
