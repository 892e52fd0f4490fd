import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf } from "../../src/cli/batch.ts";
import { newFolder } from "../folders.ts";
import { fed, ghostlight, json, valuesIn } from "./ghostlight.ts";

const cwd = newFolder();
const pool = {
  executors: [
    { name: "read_files", takes: [], gives: ["paths"] },
    { name: "classify_entries", takes: ["paths"], gives: ["kinds"] },
    { name: "move_files", takes: ["paths", "kinds"], gives: [] },
    { name: "get_processes" },
  ],
  mnests: [
    { from: "read_files", to: "classify_entries", weight: 0.6, ok: 19, runs: 20 },
    { from: "classify_entries", to: "move_files", weight: 0.8, ok: 9, runs: 10 },
    { from: "read_files", to: "move_files", weight: 0.9, state: "decaying" },
  ],
};
writeFileSync(join(cwd, "pool.json"), JSON.stringify(pool));
writeFileSync(join(cwd, "broken.json"), "{");
writeFileSync(
  join(cwd, "heavy.json"),
  JSON.stringify({ mnests: [{ from: "a", to: "b", weight: 1.5 }] }),
);
const line = Array.from({ length: 6 }, (_, index) => [`n${index}`, `n${index + 1}`, 0.5]);
writeFileSync(join(cwd, "line.json"), JSON.stringify({ edges: line }));

const synt = (...args: string[]) => ghostlight(["synt", ...args], { cwd });
const asJson = (...args: string[]) => json(["synt", ...args], { cwd });

/** `--batch` with these lines on standard input. */
const batch = (args: readonly string[], lines: readonly unknown[]) =>
  fed(["synt", ...args, "--batch"], lines, { cwd });

describe("synt score", () => {
  it("[SN49] shows each term and the gate, and exits 1 below it", async () => {
    const compose = ["score", "--strategy", "compose", "--cost", "0"];

    const passed = await synt(...compose);
    const missed = await synt(...compose, "--judge", "0.499999999");

    expect(passed).toMatchObject({ code: 0, stderr: "" });
    expect(passed.stdout).toContain("R        0.65\n");
    expect(passed.stdout).toContain("gate     0.65: passes\n");
    expect(passed.stdout).toContain("judge_score (assumed)");
    expect(missed.code).toBe(1);
    expect(missed.stdout).toContain("R        0.6499999998\n");
  });

  it("[SN49] prints the contract's fields as JSON; shares and money are exact", async () => {
    const said = await asJson(
      ...["score", "--strategy", "generalize", "--det", "5/6", "--judge", "1"],
      ...["--actual-cost", "25", "--estimate", "100", "--similarity", "0.9", "--coverage", "2/3"],
    );

    expect(said).toMatchObject({
      strategy: "generalise",
      passes: false,
      gate: 0.65,
      reward: {
        det_pass_rate: 0.833333333333,
        judge_score: 1,
        cost_ratio: 0.75,
        similarity_penalty: 1,
        coverage_bonus: 0.666666666666,
        strategy_cost_bonus: 0.4,
      },
      exact: { det_pass_rate: [5, 6], cost_ratio: [3, 4], coverage_bonus: [2, 3] },
      cosine: 0.9,
      reachable: { least: -0.06, most: 0.84 },
      assumed: [],
    });
    // A cosine may be below 0.
    const apart = await asJson("score", "--strategy", "merge", "--similarity=-0.5");
    expect(apart).toMatchObject({ cosine: -0.5, reward: { similarity_penalty: 0 } });
    expect(said.total).toBe(said.reward.total);
  });

  it("[SN74] six of seven tests and a judge of two minds are .65 exactly, and pass", async () => {
    const exact = await synt("score", "--strategy", "generate", "--det", "6/7", "--judge", "0.5");
    const [line] = valuesIn(
      await batch(["score"], [{ strategy: "generate", det_pass_rate: "6/7", judge_score: 0.5 }]),
    );

    expect(exact.code).toBe(0);
    expect(exact.stdout).toContain("R        0.65\n");
    expect(line).toMatchObject({ passes: true, exact: { total: [13, 20] } });
  });

  it("[SN1, SN49] refuses what is outside 0 … 1, or counts it and says so by policy", async () => {
    const given = ["score", "--strategy", "merge", "--det", "2"];

    const counted = await synt(...given, "--set", "synt.reward.outside=count");
    const refused = await synt(...given);
    const edge = await synt("score", "--strategy", "merge", "--det", "1", "--judge", "0");
    const over = await synt("score", "--strategy", "merge", "--judge", "1.001");

    expect([edge.code, over.code]).toEqual([0, 2]);

    expect(counted.stdout).toContain("outside  det is not in 0 … 1");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("allowed: 0 … 1");
  });

  it.each([
    [["--similarity", "2"], 'similarity: found "2"; allowed: a cosine, -1 … 1'],
    [["--similarity", "-3"], 'similarity: found "-3"; allowed: a cosine, -1 … 1'],
    [["--det", "0x1"], 'det: found "0x1"; allowed: a number 0 … 1'],
    [["--actual-cost", "5"], "estimate: found nothing, although actual_cost is given"],
    [["--estimate", "5"], "actual_cost: found nothing, although estimate is given"],
    [["--estimate", "0b1", "--actual-cost", "1"], 'estimate: found "0b1"; allowed: 0 … 1000000000'],
  ])("[SN49] %j is refused with what is allowed", async (more, found) => {
    const { code, stderr } = await synt("score", "--strategy", "merge", ...more);

    expect(code).toBe(2);
    expect(stderr).toContain(found);
  });

  it("[SN50, CL3] a line that a reader would take otherwise than it is written is none", async () => {
    const said = await batch(
      ["score"],
      [
        '{"id": 12345678901234567890, "strategy": "merge"}',
        '{"id": 1, "strategy": "merge", "strategy": "compose"}',
        '{"id": 2, "strategy": "merge"}',
      ],
    );

    expect(said.code).toBe(2);
    expect(valuesIn(said)).toMatchObject([
      { error: expect.stringContaining("character 8: found the number 12345678901234567890;") },
      { error: expect.stringContaining('character 32: found the key "strategy" again;') },
      { id: 2, total: 0.76 },
    ]);
  });

  it("[SN50] a line that is no UTF-8 is none, and takes no other with it", () => {
    expect(linesOf(Buffer.from([0x61, 10, 0xff, 10, 0xc3, 0xa9]))).toEqual(["a", null, "é"]);
  });

  it("[SN50] no line ends the batch, whatever it holds", async () => {
    const deep = (lists: number): string =>
      `{"strategy": "merge", "det": ${"[".repeat(lists)}${"]".repeat(lists)}}`;
    const terms = [
      '\ufeff{"id": 1, "strategy": "merge", "det": {"toString": 1}}',
      '{"id": 2, "strategy": "merge", "det": ["1/2"]}',
      deep(100_000),
      deep(64),
      deep(63),
      '{"id": 4, "strategy": "merge", "dett": 1, "jugde": 1}',
    ];
    const ends = [
      '{"from": {"toString": 1}, "to": "b", "pool": ["a", "b"]}',
      '{"from": "a", "to": "b", "pool": null}',
      '{"from": "a", "to": "b", "pool": {"mnests": [{"from": "a", "to": "b", "weight": 1, "ok": {"toString": 1}}]}}',
    ];

    expect(valuesIn(await batch(["score"], terms))).toMatchObject([
      { id: 1, error: expect.stringContaining('det: found {"toString":1};') },
      { id: 2, error: expect.stringContaining('det: found ["1/2"];') },
      { error: "found nesting deeper than 64; allowed: plain JSON" },
      { error: "found nesting deeper than 64; allowed: plain JSON" },
      { error: expect.stringContaining("det: found [[[") },
      { id: 4, total: 0.76, unknown: ["dett", "jugde"] },
    ]);
    expect(valuesIn(await batch(["chain"], ends))).toMatchObject([
      { error: expect.stringContaining('from: found {"toString":1}; allowed: a text') },
      { error: expect.stringContaining("pool: found null; allowed: an object") },
      { error: expect.stringContaining('mnests[0].ok: found {"toString":1};') },
    ]);
  });

  it("[SN49] a decimal is exact however many digits it has", async () => {
    const exact = await asJson("score", "--strategy", "merge", "--det", "0.65000000000000000001");

    expect(exact.exact.det_pass_rate).toEqual(["65000000000000000001", "100000000000000000000"]);
  });

  it("[SN50] answers each line of a batch in its place, an error in place of a bad one", async () => {
    const said = await batch(
      ["score"],
      [
        { id: 1, strategy: "merge" },
        "{",
        { id: "x", strategy: "ask" },
        { id: 3, strategy: "compose", det_pass_rate: 0.95, judge_score: 0.4875 },
      ],
    );

    expect(said.code).toBe(2);
    expect(valuesIn(said)).toMatchObject([
      { id: 1, total: 0.76, passes: true },
      { id: null, error: expect.stringContaining("no JSON") },
      { id: "x", error: expect.stringContaining('found "ask"') },
      { id: 3, total: 0.78 },
    ]);
  });
});

describe("synt name", () => {
  it("[SN49] admits or refuses, and says which name means the same or is near", async () => {
    const [ok, synonym, slip] = await Promise.all([
      synt("name", "read_files_pdf"),
      synt("name", "read_appointments"),
      synt("name", "read_fils"),
    ]);

    expect([ok?.code, ok?.stdout]).toEqual([0, "read_files_pdf is admitted\n"]);
    expect(synonym?.code).toBe(1);
    expect(synonym?.stdout).toContain("refused [object]");
    expect(synonym?.stdout).toContain("means    read_events\n");
    expect(slip?.stdout).toContain("near     read_files\n");
  });

  it("[SN49] with a pool it says what covers the name", async () => {
    const said = await asJson("name", "list_processes", "--pool", "pool.json");

    expect(said).toMatchObject({
      ok: true,
      pool: { outcome: "redirected", name: "get_processes" },
    });
  });

  it("[SN50] answers a batch, each line with its own pool", async () => {
    const said = await batch(
      ["name", "--profile", "real"],
      [
        { id: "a", name: "open_sites" },
        { id: "b", name: "find_dirs_empty_recursive", pool: ["find_dirs"] },
        { id: "c", name: 7 },
      ],
    );

    expect(said.code).toBe(2);
    expect(valuesIn(said)).toMatchObject([
      { id: "a", ok: true },
      { id: "b", ok: false, rule: "level" },
      { id: "c", error: expect.stringContaining("found 7") },
    ]);
  });
});

describe("synt chain", () => {
  it("[SN49] lists chains best first, and the name that the best would have", async () => {
    const said = await asJson("chain", "read_files", "move", "--pool", "pool.json");

    expect(said).toMatchObject({
      count: 1,
      chains: [
        { names: ["read_files", "classify_entries", "move_files"], hops: 2, fit: 1, rate: 0.855 },
      ],
      asOne: { name: "move_files", collides: true },
    });
  });

  it("[SN49] exits 1 without a chain, and says when the bound on hops is why", async () => {
    const [short, long] = await Promise.all([
      synt("chain", "n0", "n5", "--pool", "line.json"),
      synt("chain", "n0", "n6", "--pool", "line.json"),
    ]);

    expect(short?.code).toBe(0);
    expect(long?.code).toBe(1);
    expect(long?.stdout).toContain("no chain from n0 to n6 within 5 hops\n");
    expect(long?.stdout).toContain("has 6 hops (synt.compose.hopsMax)");
  });

  it("[SN50] answers a batch, over its own pools or one for all", async () => {
    const said = await batch(
      ["chain", "--pool", "line.json"],
      [
        { id: 1, from: "n0", to: "n2" },
        { id: 2, from: "a", to: "b", pool: { edges: [["a", "b", 0.5, "active"]] } },
        { id: 3, from: "zork", to: "n2" },
      ],
    );

    expect(valuesIn(said)).toMatchObject([
      { id: 1, chains: [{ hops: 2 }] },
      { id: 2, chains: [{ names: ["a", "b"] }] },
      { id: 3, error: expect.stringContaining('found "zork"') },
    ]);
  });
});

describe("synt analyse", () => {
  it("[SN49] prints tables and findings, and all of it as JSON", async () => {
    const [text, said] = await Promise.all([synt("analyse"), asJson("analyse")]);

    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text?.stdout).toContain("| compose    | 1     | 0 … 0.9 ");
    expect(text?.stdout).toContain("- A chain of 7 hops beats a correct generation (0.7)");
    expect(said.strategies).toHaveLength(5);
    for (const { says } of said.findings) expect(text?.stdout).toContain(`- ${says}`);
  });

  it("[SN49] takes profiles, single values and another judge", async () => {
    const strict = await asJson("analyse", "--profile", "strict", "--judge", "1");

    expect(strict).toMatchObject({ judge: 1, ties: [], order: { strict: true } });
  });
});

it("[SN46] with the paid tiers of a scenario cost decides, and the analysis names them", async () => {
  const free = await asJson("analyse");
  const paid = await asJson("analyse", "synt-budget", "--variant", "soft-cap");
  const text = await synt("analyse", "synt-budget");
  const never = (said: typeof free) =>
    said.strategies.map((one: { neverDecides: string[] }) => one.neverDecides.includes("cost"));

  expect(free).toMatchObject({ scenario: null, isFree: true });
  expect(never(free)).toEqual([true, true, true, true, true]);
  expect(paid).toMatchObject({ scenario: "synt-budget, variant soft-cap", isFree: false });
  expect(never(paid)).toEqual([false, false, false, false, false]);
  expect(text?.stdout).toMatch(/^tiers of synt-budget: calls cost money\n/);
});

describe("bad usage of synt", () => {
  it.each([
    [["score"], "neither --strategy nor --batch"],
    [["score", "--strategy", "compos"], 'Did you mean "compose"?'],
    [["score", "--strategy", "merge", "--det", "much"], 'det: found "much"'],
    [["score", "--strategy", "merge", "--det", "1/0"], 'det: found "1/0"'],
    [["score", "--strategy", "merge", "--det", "0/0"], 'det: found "0/0"'],
    [["score", "--strategy", "merge", "--cost", "1", "--estimate", "2"], "estimate as well"],
    [["score", "--strategy", "merge", "--actual-cost", "2"], "estimate: found"],
    [["name"], "neither a name nor --batch"],
    [["name", "read_files", "--pool", "nowhere.json"], "found no such file"],
    [["chain", "a", "b"], "--pool: found none"],
    [["chain", "a", "--pool", "pool.json"], "neither FROM and TO nor --batch"],
    [["chain", "zork", "move_files", "--pool", "pool.json"], 'FROM: found "zork"'],
    [["chain", "read_files", "zork", "--pool", "pool.json"], 'TO: found "zork"'],
    [["chain", "a", "b", "--pool", "broken.json"], "broken.json"],
    [["chain", "a", "b", "--pool", "heavy.json"], "mnests[0].weight: found 1.5"],
    [["analyse", "synt-budge"], 'Did you mean "synt-budget"?'],
    [["analyse", "safe-file-executor"], "a scenario without `synt:`"],
    [["analyse", "synt-budget", "--variant", "soft"], '--variant: found "soft"'],
    [["analyse", "--variant", "soft-cap"], '--variant: found "soft-cap" and no scenario'],
    [["analyse", "--set", "synt.budget.dayCents=2001"], "0 … 2000"],
  ])("[SN49, CL2] %j exits 2", async (args, says) => {
    const said = await synt(...args);

    expect([said.code, said.stdout]).toEqual([2, ""]);
    expect(said.stderr).toContain(says);
  });

  it.each(["high", "1.001", "-0.1", "8/7"])("[SN49] a judge of %s is none", async (judge) => {
    const said = await synt("analyse", `--judge=${judge}`);

    expect([said.code, said.stdout]).toEqual([2, ""]);
    expect(said.stderr).toContain(`--judge: found "${judge}"`);
  });
});
