/**
 * Which faults of a file its tests do not see: `npm run mutants -- FILE… [--tests PATH] [--most N] [--json]`. Each fault is made in
 * memory, as the file is loaded, so that nothing in the tree changes. The tests that import the file run, or those behind the fewest
 * steps; the first that fails ends them. The exit code is 0, whatever lives: what a survivor means, a person reads.
 */
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { markdownTable } from "markdown-table";
import { type Mutant, mutantsOf, mutated } from "./mutate.ts";

interface Tried extends Mutant {
  readonly file: string;
  /** `slow`: the tests did not end, which counts as seen. */
  readonly fate: "killed" | "slow" | "survived";
}

/** Ours: more than the tests of any file take, and what loops for ever is found. */
const WAIT_MS = 120_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: "string", multiple: true },
    most: { type: "string", default: "400" },
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

/** The tests that are the fewest imports away. */
function nearestTests(file: string, by: ReturnType<typeof importers>): readonly string[] {
  const seen = new Set([file]);
  let ring = [file];
  while (ring.length > 0) {
    ring = ring.flatMap((one) => by.get(one) ?? []).filter((one) => !seen.has(one));
    for (const one of ring) seen.add(one);
    const tests = ring.filter((one) => one.endsWith(".test.ts"));
    if (tests.length > 0) return [...new Set(tests)];
  }
  return [];
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
    const timer = setTimeout(() => {
      done("slow");
      child.kill("SIGKILL");
    }, WAIT_MS);
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

async function tried(file: string, by: ReturnType<typeof importers>, folder: string) {
  const tests = values.tests ?? nearestTests(file, by);
  if (tests.length === 0) throw new Error(`${file}: no test imports it; name some with --tests`);
  if ((await fateOf(tests, file, null)) !== "survived") {
    throw new Error(`${file}: its tests fail as it is: ${tests.join(", ")}`);
  }
  const source = readFileSync(file, "utf8");
  const waiting = [...spread(mutantsOf(source), Number(values.most))].entries();
  const ends: Tried[] = [];
  const work = async (): Promise<void> => {
    for (const [nth, mutant] of waiting) {
      const stand = join(folder, `${nth}.ts`);
      writeFileSync(stand, mutated(source, mutant));
      ends.push({ file, ...mutant, fate: await fateOf(tests, file, stand) });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return ends.sort((a, b) => a.start - b.start);
}

const folder = mkdtempSync(join(tmpdir(), "ghostlight-mutants-"));
try {
  const by = importers();
  const all: Tried[] = [];
  for (const file of positionals) all.push(...(await tried(relative("", file), by, folder)));
  if (values.json) console.log(JSON.stringify(all, null, 2));
  else {
    const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
    const lived = all.filter(({ fate }) => fate === "survived");
    const rows = lived.map(({ file, line, was, by: now }) => [
      `${file}:${line}`,
      short(was),
      short(now),
    ]);
    if (rows.length > 0) console.log(markdownTable([["survived", "was", "as"], ...rows]));
    const counts = positionals.map((name) => {
      const own = all.filter(({ file }) => file === relative("", name));
      const killed = own.filter(({ fate }) => fate !== "survived").length;
      return [relative("", name), `${killed}`, `${own.length}`];
    });
    console.log(`\n${markdownTable([["file", "killed", "of"], ...counts])}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
