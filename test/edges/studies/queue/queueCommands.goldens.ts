// Each command that plays a study or looks for causes, by a queue and on one machine.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ghostlight, saidBy, started } from "../../../cli/ghostlight.ts";
import { plantedScenario } from "../../../cli/plantedScenario.ts";
import { newFolder } from "../../../folders.ts";
import { isPostgresThere, PASSWORD, Postgres } from "./postgres.ts";
import { workerOf } from "./queuedStudy.ts";

const head = [
  "why: Is it the same wherever it is played?",
  "scenario: lock-feedback",
  "until: 20m",
  "outcomes: { mean: { metric: load, reduce: mean }, spiral: { reduce: spiral, window: 10m } }",
];
const STUDIES = {
  sense: [
    "factors: { locks.constrained: { low: .3, high: .6, step: .05 }, stressors.lockFeedback: [true, false] }",
    "replicates: 2",
    "design: { kind: saltelli, rows: 4 }",
  ],
  tune: [
    "factors: { stressors.lockFeedback: [true, false] }",
    "replicates: 3",
    "goal: { minimise: mean, constraints: promised, heldOut: 4 }",
  ],
  frontier: [
    "factors: { locks.dominant: { low: .7, high: 1.0, step: .1 } }",
    "replicates: 4",
    "design: { kind: frontier, along: locks.dominant, outcome: spiral, levels: 4 }",
  ],
  sweep: [
    "factors: { locks.constrained: [.05, .55] }",
    "replicates: 24",
    "stop: { outcome: mean, halfWidth: 1 }",
    "design: { kind: grid }",
    "baseline: {}",
  ],
};

/** What is asked of a planted world: it was listed, in two runs of each. */
const ONCE = ["ran.fs_list >= 1", "--runs", "2"];

/** All but the table, in which it stands who played it. */
const leftIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith("study.sqlite"))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), "latin1")]);

describe.skipIf(!isPostgresThere)("(skipped where PostgreSQL's server is absent) a queue", () => {
  let server: Postgres;
  let worker: ReturnType<typeof started>;
  const results = () => Number(server.query("SELECT count(*) FROM ghostlight_results"));
  beforeAll(async () => {
    server = await Postgres.start();
    // It plays all of them.
    worker = started(["work", "--queue", server.url, "--workers", "1", "--cache", "none"], {
      ...{ cwd: newFolder(), env: { PGPASSWORD: PASSWORD } },
    });
  });
  afterAll(() => server.down());

  it.each(Object.entries(STUDIES))("[ST112] leaves the same bytes for %s", async (kind, lines) => {
    const where = { cwd: newFolder(), env: { PGPASSWORD: PASSWORD } };
    writeFileSync(join(where.cwd, "study.yaml"), [...head, ...lines, ""].join("\n"));
    const command = [kind === "frontier" ? "sweep" : kind, "study.yaml", "--out"];
    // Until the worker has made the tables.
    await expect.poll(() => server.query("SELECT to_regclass('ghostlight_results')")).not.toBe("");
    const before = results();
    const flags = ["--cache", "q", "--json", "--queue", server.url];
    const queued = await saidBy([...command, "queued", ...flags], where);
    const { cwd } = where;
    const local = await ghostlight([...command, "local", "--cache", "l", "--json"], { cwd });

    expect(queued.code, queued.stderr).toBe(local.code);
    const told = JSON.parse(local.stdout);
    // Of what other machines play it is not known.
    const counts = { ...told.runs, deliveries: { played: 0, spared: 0 } };
    expect(JSON.parse(queued.stdout)).toEqual({ ...told, folder: "queued", runs: counts });
    const left = leftIn(join(where.cwd, "queued"));
    expect(left.map(([name]) => name)).toContain("study.json");
    expect(left).toEqual(leftIn(join(where.cwd, "local")));
    // None of them was played by the study itself.
    const { runs } = JSON.parse(queued.stdout);
    expect(results() - before).toBeGreaterThanOrEqual(runs.played);
  });

  it("[ST112] a worker that is told to stop while there is nothing to play ends with exit 0", async () => {
    const ended = new Promise((resolve) => worker.on("exit", resolve));
    worker.kill("SIGTERM");

    expect(await ended).toBe(0);
  });

  it("[BL66] gives `blame` and `prevent` the same bytes, and plays what both have in common once", async () => {
    const where = { cwd: newFolder(), env: { PGPASSWORD: PASSWORD } };
    writeFileSync(join(where.cwd, "planted.yaml"), plantedScenario("3m"));
    const worker = started(["work", "--queue", server.url, "--workers", "2"], where);
    const ended = new Promise((resolve) => worker.on("exit", resolve));
    const asked = ["planted", ...ONCE, "--no-policy", "--json"];
    const said = new Map<string, unknown>();
    for (const command of ["blame", "prevent"]) {
      const queued = await saidBy([command, ...asked, "--queue", server.url], where);
      const local = await ghostlight([command, ...asked, "--workers", "1"], where);
      expect(queued.code, queued.stderr).toBe(0);
      expect(queued.stdout).toBe(local.stdout);
      said.set(command, JSON.parse(queued.stdout));
    }
    const played = () => Number(server.query("SELECT count(*) FROM ghostlight_results"));
    const before = played();
    await saidBy(["blame", ...asked, "--queue", server.url], where);
    worker.kill("SIGTERM");

    expect(said.get("blame")).toMatchObject({ asItWas: { hits: 2, n: 2 } });
    expect(before).toBeGreaterThan(10);
    expect(played()).toBe(before);
    expect(await ended).toBe(0);
  });

  it("[BL66] a change that ends its thread is named by the worker, and ends the search as on one machine", async () => {
    const where = { cwd: newFolder(), env: { PGPASSWORD: PASSWORD } };
    writeFileSync(join(where.cwd, "planted.yaml"), plantedScenario("3m"));
    const part = join(where.cwd, "deadly.ts");
    // Threads play what leaves out a choice; the run itself leaves out none.
    writeFileSync(
      part,
      `import { isMainThread } from "node:worker_threads";
      export default { name: "deadly", scriptedPorts: ({ without }) =>
        isMainThread || without.size === 0 ? {} : process.exit(7) };`,
    );
    const worker = workerOf(server.secretUrl, { partFiles: [part] });
    const asked = ["blame", "planted", ...ONCE, "--no-policy", "--part", part];
    const queued = await saidBy([...asked, "--queue", server.url], where);
    const local = await saidBy([...asked, "--workers", "1"], where);
    worker.stop();
    await worker.played;

    expect(worker.said.join("\n")).toMatch(
      /given up: the run of seed \d+, with this changed: .*without (?:goal|plan):.* ends its thread: .*code 7/,
    );
    expect(queued).toMatchObject({ code: local.code, stdout: "" });
    expect(queued.stderr).toContain("its thread ended, code 7");
  });

  it("[BL66] an address of something else is refused before anything is played", async () => {
    const { code, stderr } = await ghostlight(["prevent", "lessons", "--queue", "mysql://here"]);

    expect(code).toBe(2);
    expect(stderr).toContain("--queue: found an address of something else");
    expect(stderr).not.toContain("The outcome:");
  });
});
