import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { besideOf, type Scenario } from "../../src/contract/scenario.ts";
import { metricNames, replay } from "../builtIn.ts";
import { readBundle } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";
import { boundScenario, failingScenario, smallScenario } from "./smallScenario.ts";

const cwd = newFolder();
writeFileSync(join(cwd, "small.yaml"), smallScenario);
writeFileSync(join(cwd, "failing.yaml"), failingScenario);
writeFileSync(join(cwd, "bound.yaml"), boundScenario);
mkdirSync(join(cwd, "empty"));
/** A part whose machine has a construct that tables do not hold. */
writeFileSync(
  join(cwd, "odd.js"),
  `import { createMachine } from "xstate";
   const config = { id: "odd", initial: "on", states: { on: {}, last: { type: "history" } } };
   export default { name: "odd", statecharts: () => ({ odd: createMachine(config) }) };`,
);
writeFileSync(join(cwd, "package.json"), '{ "type": "module" }');
symlinkSync(resolve("node_modules"), join(cwd, "node_modules"));

const files = (folder: string) => readdirSync(join(cwd, folder)).sort();

describe.concurrent("run", () => {
  it("[VB18] no name of a stranger's scenario steers the terminal", async () => {
    const elsewhere = newFolder();
    const name = "name: something was done";
    const evil = failingScenario.replace(name, 'name: "\\e[2Jdone\\u202e\\x9b31m"');
    writeFileSync(join(elsewhere, "evil.yaml"), evil);

    const { code, stdout, stderr } = await ghostlight(["run", "evil"], { cwd: elsewhere });

    expect(code).toBe(1);
    expect(stderr).toContain("not seen: \\u{1b}[2Jdone\\u{202e}\\u{9b}31m");
    expect(`${stdout}${stderr}`).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  });

  it("[CL4, VB1] leaves everything in the folder it was given, and nothing elsewhere", async () => {
    const elsewhere = newFolder();
    writeFileSync(join(elsewhere, "small.yaml"), smallScenario);

    const { code, stdout, stderr } = await ghostlight(["run", "small", "--out", "deep/out"], {
      cwd: elsewhere,
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("npx ghostlight replay deep/out\n");
    expect(readdirSync(elsewhere).sort()).toEqual(["deep", "small.yaml"]);
    expect(readdirSync(join(elsewhere, "deep/out")).sort()).toEqual([
      ...["events.jsonl", "inputs.jsonl", "manifest.json", "metrics.csv"],
      ...["picture.svg", "report.html", "report.md"],
    ]);
    expect(stdout).toBe(readFileSync(join(elsewhere, "deep/out/report.md"), "utf8"));
  });

  it("[CL4] takes an empty folder, and refuses to write over a bundle", async () => {
    const first = await ghostlight(["run", "small", "--out", "empty"], { cwd });
    const before = readFileSync(join(cwd, "empty/manifest.json"), "utf8");
    const second = await ghostlight(["run", "small", "--out", "empty"], { cwd });

    expect([first.code, second.code]).toEqual([0, 2]);
    expect(second.stderr).toContain("empty --out: found a folder that holds 7 files");
    expect(readFileSync(join(cwd, "empty/manifest.json"), "utf8")).toBe(before);
  });

  it("[CL4] runs at the same time get folders of their own, named after what was played", async () => {
    const args = ["run", "small", "--variant", "silent", "--seed", "9"];
    const elsewhere = newFolder();
    writeFileSync(join(elsewhere, "small.yaml"), smallScenario);
    const there = { cwd: elsewhere };

    const both = await Promise.all([json(args, there), json(args, there)]);

    expect(both.map(({ bundle }) => bundle).sort()).toEqual([
      "runs/small-silent-s9-1",
      "runs/small-silent-s9-2",
    ]);
    expect(readdirSync(elsewhere).sort()).toEqual(["runs", "small.yaml"]);
    expect(readdirSync(join(elsewhere, "runs"))).toHaveLength(2);
  });

  it("[CL3, CL12] prints one JSON object that says what was played and what came of it", async () => {
    const said = await json(["run", "small", "--out", "asJson"], { cwd });

    expect(said).toMatchObject({
      scenario: "small",
      variant: null,
      seed: 1,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      outcome: "ended",
      expectations: [{ name: "something was done", ok: true, found: expect.any(Number) }],
      bundle: "asJson",
      envelopes: expect.any(Number),
      virtualMs: 600_000,
    });
    expect(Object.keys(said.metrics)).toEqual(metricNames);
    expect(readBundle(join(cwd, "asJson")).manifest.final).toMatchObject({
      digest: said.digest,
      envelopes: said.envelopes,
    });
  });

  it("[CL12] [VB63] --compare puts the variants beside it, and draws them", async () => {
    const run = ["run", "small", "--compare", "--no-log"];
    const { variants, digest, bundle } = await json(run, { cwd });
    const svg = readFileSync(join(cwd, bundle, "picture.svg"), "utf8");

    expect(variants).toEqual([
      expect.objectContaining({
        variant: "silent",
        outcome: "ended",
        expectations: [expect.objectContaining({ ok: true })],
        figures: expect.objectContaining({ goalsCompleted: 0 }),
      }),
    ]);
    expect(variants[0].digest).not.toBe(digest);
    expect(svg).toContain(">failed goals, of this run and its variants<");
    expect(svg).toContain(">silent 0<");
  });

  it("[VB107, VW9] --compare sets the scenario itself beside a variant, in a table with the digest of the run", async () => {
    const run = ["run", "small", "--variant", "silent", "--compare", "--no-log"];
    const { variants, bundle, digest } = await json(run, { cwd });
    const table = JSON.parse(readFileSync(join(cwd, bundle, "variants.json"), "utf8"));
    const svg = readFileSync(join(cwd, bundle, "picture.svg"), "utf8");

    expect(variants).toEqual([
      expect.objectContaining({
        variant: null,
        figures: expect.objectContaining({ goalsCompleted: expect.toSatisfy((n) => n > 0) }),
      }),
    ]);
    expect(svg).toContain(">itself 0<");
    expect(table.of).toBe(digest);
    expect(table.rows.map(({ cells }: { cells: readonly string[] }) => cells[0])).toEqual([
      "silent",
      "itself",
    ]);
  });

  it("[VB107] beside any of them stand the scenario itself and all of its other variants", () => {
    const variants = { a: {}, b: {}, c: {} } as unknown as Scenario["variants"];

    expect(besideOf({ variants }, null)).toEqual(["a", "b", "c"]);
    expect(besideOf({ variants }, "b")).toEqual([null, "a", "c"]);
  });

  it("[VB107] --compare says where there is nothing to set beside a run", async () => {
    const elsewhere = newFolder();
    const [alone = ""] = smallScenario.split("variants:");
    writeFileSync(join(elsewhere, "alone.yaml"), alone);
    const run = ["run", "alone", "--until", "1m", "--compare", "--no-log"];
    const { code, stderr } = await ghostlight(run, { cwd: elsewhere });

    expect(code).toBe(0);
    expect(stderr).toContain("--compare: alone has no variants to compare it with.");
  });

  it("[VW9] --compare says where --set wins over what a variant sets", async () => {
    const policy =
      "{ stressors.lockFeedback: false, ghosts.nullIsFailure: true, locks.enabled: true }";
    const why = "why: Nobody thinks of anything.";
    const of = smallScenario.replace(why, `${why}\n    policy: ${policy}`);
    writeFileSync(join(cwd, "overruled.yaml"), of);
    const set = ["--set", "ghosts.nullIsFailure=false", "--set", "locks.enabled=true"];
    const run = ["run", "overruled", "--until", "1m", "--compare", "--no-log", ...set];
    const { stderr } = await ghostlight(run, { cwd });

    // Neither what is not set, and comes first, nor what is set to the same.
    expect(stderr.split("\n").filter((line) => line.includes("wins over"))).toEqual([
      "--set ghosts.nullIsFailure=false wins over the variant silent, which sets it to true.",
    ]);
  });

  it("[KN31] under XState itself everything is the same, in a run, its variants, a replay and a check", async () => {
    const xstate = ["--interpreter", "xstate"];
    const run = ["run", "small", "--compare"];
    const check = ["check", "small", "--runs", "1"];
    const [tables, same] = [
      await json([...run, "--out", "byTables"], { cwd }),
      await json([...run, "--out", "byXstate", ...xstate], { cwd }),
    ];

    expect(same).toEqual({ ...tables, bundle: "byXstate" });
    expect(await json(["replay", "byTables", ...xstate], { cwd })).toMatchObject({ matches: true });
    expect(await json(["replay", "byXstate"], { cwd })).toMatchObject({ digest: tables.digest });
    const [{ outcomes, deliveries, played }, other] = [
      await json(check, { cwd }),
      await json([...check, ...xstate], { cwd }),
    ];
    expect(other).toMatchObject({ outcomes, deliveries, played });
  });

  it("[KN20] [KN31] a machine that tables do not hold is named with the reason, unless XState is asked for", async () => {
    const part = ["--part", join(cwd, "odd.js")];
    const says =
      "the machine odd runs under XState itself, not by tables: odd.last is a history state";
    const run = ["run", "small", "--no-log", ...part];
    const [plain, asked, listed] = [
      await ghostlight([...run, "--out", "odd"], { cwd }),
      await ghostlight([...run, "--out", "oddAsked", "--interpreter", "xstate"], { cwd }),
      await ghostlight(["machines", "odd", ...part]),
    ];

    expect(plain.stderr).toContain(says);
    expect(asked.stderr).not.toContain("tables");
    for (const command of ["replay", "check"]) {
      const runs = command === "check" ? ["small", "--runs", "1"] : ["odd"];
      const { stderr, code } = await ghostlight([command, ...runs, ...part], { cwd });
      expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(says) });
    }
    expect(listed.stdout).toContain("driven by: xstate, for odd.last is a history state");
  });

  it("[VB1] --no-log omits the log, and the bundle replays and tells its events all the same", async () => {
    await ghostlight(["run", "small", "--no-log", "--out", "noLog"], { cwd });

    expect(files("noLog")).not.toContain("events.jsonl");
    expect(replay(readBundle(join(cwd, "noLog"))).matches).toBe(true);
    const { matching } = await json(["events", "noLog"], { cwd });
    expect(matching).toBe(readBundle(join(cwd, "noLog")).manifest.final?.envelopes);
  });

  it("[CL6] an expectation that is not met exits 1 and says how to see it again", async () => {
    const { code, stderr } = await ghostlight(["run", "failing"], { cwd });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^not seen: something was done \(found \d+\)$/m);
    expect(stderr).toContain("Reproduce: npx ghostlight run failing\n");
  });

  it.each([
    ["--seed", "2"],
    ["--until", "5m"],
  ])("[CL6] under %s %s it is reported, and decides only with --assert", async (...changed) => {
    const args = ["run", "failing", "--no-log", ...changed];

    const [reported, decided] = await Promise.all([
      ghostlight(args, { cwd }),
      ghostlight([...args, "--assert"], { cwd }),
    ]);

    expect([reported.code, decided.code]).toEqual([0, 1]);
    expect(reported.stderr).toContain("not seen: something was done");
    expect(reported.stderr).toContain("without --assert");
    expect(decided.stderr).toContain(
      `Reproduce: npx ghostlight run failing ${changed.join(" ").replace("5m", "300000ms")} --assert\n`,
    );
  });

  it("[CL11] a limit exits 5 with its name and leaves a bundle that replays", async () => {
    const { code, stdout, stderr } = await ghostlight(["run", "bound", "--out", "limit"], { cwd });

    expect(code).toBe(5);
    expect(stderr).toContain("limit envelopes reached: 50 at");
    expect(stderr).toContain("`limits:` in the scenario");
    expect(stdout).toContain("limit:envelopes");
    expect(readBundle(join(cwd, "limit")).manifest.final?.outcome).toBe("limit:envelopes");
    expect((await ghostlight(["replay", "limit"], { cwd })).code).toBe(0);
  });

  it("[CL5] --dry-run runs and writes nothing", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "small.yaml"), smallScenario);

    const dry = ["run", "small", "--dry-run"];
    const [said, free, ...refused] = await Promise.all([
      json(dry, { cwd: folder }),
      ghostlight([...dry, "--out", "new"], { cwd: folder }),
      ghostlight([...dry, "--seeds", "9..1"], { cwd: folder }),
      ghostlight([...dry, "--out", "."], { cwd: folder }),
    ]);

    expect(said).toMatchObject({ scenario: "small", valid: true, virtualMs: 600_000 });
    expect(free.code).toBe(0);
    expect(refused.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual([
      [2, "", expect.stringContaining("--seeds")],
      [2, "", expect.stringContaining("a folder that holds 1 file")],
    ]);
    expect(readdirSync(folder)).toEqual(["small.yaml"]);
  });

  it("[SK55] --dry-run counts what dreams ask a model at most: not without dreams, nor beyond the end", async () => {
    const dry = (...more: string[]) =>
      json(["run", "lesson-memorised", "--dry-run", ...more], { cwd: newFolder() });
    const live = ["--model", "ollama:tiny", "--until", "1h", "--set", "skills.dream.attempts=1"];
    const [whole, part, none, words] = await Promise.all([
      ...[dry(), dry(...live), dry("--set", "skills.dream.rounds=0")],
      ghostlight(["run", "lesson-memorised", "--dry-run"], { cwd: newFolder() }),
    ]);

    // Nine dreams in three hours, with three rounds each.
    expect(whole.modelQuestions).toEqual({
      ...{ "skill.challenge": 27, "skill.solve": 108, "skill.extract": 27 },
    });
    expect(part.modelQuestions).toEqual({
      ...{ "skill.challenge": 9, "skill.solve": 18, "skill.extract": 9 },
    });
    expect(none.modelQuestions).toEqual({});
    expect(words.stdout).toContain("asked at most: 27 skill.challenge, 108 skill.solve, 27");
    expect((await json(["run", "small", "--dry-run"], { cwd })).modelQuestions).toEqual({});
  });

  it("[VB31] --dry-run says model, seed, what an option sets, and what may come to nothing; exit 0", async () => {
    const folder = newFolder();
    const text = smallScenario.replace("/agentOS/workspace/{n}.md", "/agentOS/agents/{n}.md");
    writeFileSync(join(folder, "closed.yaml"), text);
    const options = ["--seed", "4", "--set", "planner.heartbeatMs=7000", "--dry-run"];

    const [words, said, live] = await Promise.all([
      ghostlight(["run", "closed", ...options], { cwd: folder }),
      json(["run", "closed", "--dry-run", "--compare"], { cwd: folder }),
      json(["run", "closed", "--dry-run", "--model", "ollama:tiny"], { cwd: folder }),
    ]);

    const finding = "goal note: agents may not write its artifact /agentOS/agents/1.md";
    expect(words.code).toBe(0);
    expect(words.stdout).toContain(
      "Variant none, model scripted, seed 4; set: planner.heartbeatMs=7000.",
    );
    expect(words.stdout).toContain(`- ${finding}`);
    expect(said).toEqual(expect.objectContaining({ model: "scripted", seed: 1, set: {} }));
    expect(said.findings).toEqual([expect.stringContaining(finding)]);
    expect(live).toMatchObject({ model: "ollama:tiny", findings: [] });
  });

  it("[CL12] --seeds counts in how many worlds each expectation holds, beside a variant", async () => {
    const [said, { stdout }] = await Promise.all([
      json(["run", "small", "--seeds", "1..3"], { cwd }),
      ghostlight(["run", "failing", "--seeds", "1..3", "--set", "planner.fallback=true"], { cwd }),
    ]);

    expect(said).toEqual({
      scenario: "small",
      seeds: [1, 3],
      worlds: [
        { world: "as it is", unknown: 0, played: 3, held: [3], heldTogether: 3, notTogether: [] },
        {
          world: "silent",
          unknown: 0,
          played: 3,
          held: [0],
          heldTogether: 0,
          notTogether: [1, 2, 3],
        },
      ],
    });
    expect(stdout).toContain("Not all in seeds 1, 2, 3.\nSet in every run: planner.fallback=true.");
    expect(existsSync(join(cwd, "runs/small-s2-1"))).toBe(false);
  });

  it("[CL22] --seeds tells its progress without a terminal, a plain line at every tenth, never on stdout", async () => {
    const said = await ghostlight(["run", "small", "--seeds", "1..10", "--json"], { cwd });

    const lines = said.stderr.trimEnd().split("\n");
    expect(lines).toEqual(
      [2, 4, 6, 8, 10, 12, 14, 16, 18, 20].map((n) => `small: ${n} of 20 runs`),
    );
    expect(JSON.parse(said.stdout)).toMatchObject({ seeds: [1, 10] });
  });
});
