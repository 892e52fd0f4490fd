// `trial`: a real program on tasks, in front of a scripted model, under faults.
import { execFile } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ghostlight, type Json, program, type Said } from "../../../cli/ghostlight.ts";
import { newFolder } from "../../../folders.ts";
import { type ScriptedModel, scriptedModel } from "./scriptedModel.ts";
import { type TaskModel, taskModel } from "./taskModel.ts";

const agent = resolve("test/actors/imported/wire/taskAgent.mjs");
const cwd = newFolder();
/** A trial knows its agent by what the files of its command hold, and Node itself has a hundred megabytes. */
const node = join(cwd, "node");
writeFileSync(node, `#!/bin/sh\nexec ${process.execPath} "$@"\n`, { mode: 0o755 });
let model: TaskModel;
let whole: Said;

/** The file of a trial, with these lines in place of its own. */
function trialFile(name: string, more: { readonly [field: string]: string } = {}): string {
  const fields = {
    why: "What does the agent say when the write returned nothing?",
    agents: `{ as it is: [${node}, agent.mjs, "{task}"], with the result checked: [${node}, agent.mjs, "{task}", check] }`,
    model: "scripted",
    tasks: "{ a: Write a., b: Write b. }",
    faults: "[nothing@write_file]",
    outcomes: `{ done: { says: "^done", means: 'the agent said "done"' } }`,
    ...more,
  };
  const text = Object.entries(fields).map(([key, value]) =>
    value === "" ? "" : `${key}: ${value}\n`,
  );
  writeFileSync(join(cwd, `${name}.yaml`), text.join(""));
  return `${name}.yaml`;
}

const one = {
  agents: "",
  command: `[${node}, agent.mjs, "{task}"]`,
  tasks: "{ a: Write a. }",
  faults: "[]",
};
const trial = (file: string, ...flags: readonly string[]): Promise<Said> =>
  ghostlight(["trial", file, "--openai", model.base, ...flags], { cwd });
const ALLOWED = ["--allow-effects", "write_file"];
const jsonIn = ({ stdout }: Said): Json => JSON.parse(stdout);

beforeAll(async () => {
  model = await taskModel();
  copyFileSync(agent, join(cwd, "agent.mjs"));
  whole = await trial(trialFile("whole"), ...ALLOWED);
});
afterAll(() => model.close());

describe("a trial", () => {
  it("[WR24] says in how many runs it came so, with each agent beside the first", () => {
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.stdout).toContain(
      'Of 2 runs in which write_file returned nothing, the agent said "done" in ',
    );
    expect(whole.stdout).toContain("; with the result checked, in 0 (0 %, 0 … 66).");
    expect(whole.stdout).toContain(
      'Of 2 runs without a fault, the agent said "done" in 2 (100 %, 34 … 100)',
    );
    const page = readFileSync(join(cwd, "runs/trial-whole/report.html"), "utf8");
    expect(page).toContain("Of 2 runs in which write_file returned nothing");
    expect(page).toContain("Trial whole, 4 points, 8 runs");
  });

  it("[WR24] ends with the commands that explain a run that met a fault, and run it again without a model", async () => {
    const [explains = "", line = ""] = whole.stdout.trimEnd().split("\n").slice(-2);
    const asked = model.asked();
    const again = line.replace("npx ghostlight", `${node} ${program}`);

    // The first point is without a fault.
    expect(explains.trim()).toMatch(
      /^npx ghostlight why \S*runs\/trial-whole\/runs\/[1-9]\d*-\d+$/,
    );
    expect(line).toContain(" GHOSTLIGHT_SEED=");
    // It rejects where the exit code is another than 0.
    const { stdout } = await promisify(execFile)("sh", ["-c", again], { cwd });
    expect(stdout).toContain("2 of 2 recorded calls");
    expect(model.asked()).toBe(asked);
  });

  it("[WR24] runs.csv and runs.parquet name the task of each run", () => {
    const [head = "", ...lines] = readFileSync(join(cwd, "runs/trial-whole/runs.csv"), "utf8")
      .trimEnd()
      .split("\n");

    expect(head.split(",").slice(0, 7)).toEqual([
      ...["point", "replicate", "seed", "ended", "agent", "fault", "task"],
    ]);
    expect(lines.map((line) => line.split(",")[6])).toEqual([
      "a",
      "b",
      "a",
      "b",
      "a",
      "b",
      "a",
      "b",
    ]);
  });

  it("[WR24] goes on where it was killed, and asks no model twice", async () => {
    const file = trialFile("more", { ...one, seeds: "1" });
    const before = await trial(file, "--json");
    const asked = model.asked();
    trialFile("more", { ...one, seeds: "2" });
    const after = await trial(file, "--json");

    expect(jsonIn(before)).toMatchObject({ runs: { played: 1, kept: 0 } });
    expect(jsonIn(after)).toMatchObject({ runs: { played: 1, kept: 1 } });
    expect(model.asked() - asked).toBe(2);
  });

  it("[WR24] hands a task to the program as it is written, whatever stands in it", async () => {
    const text = "Pay $$5, $& and $` for {run}.";
    const file = trialFile("dollars", {
      ...one,
      tasks: JSON.stringify({ a: text }),
      outcomes: "{ there: { file: '{run}/out.txt' } }",
    });
    expect(await trial(file)).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "runs/trial-dollars/runs/0-0/out.txt"), "utf8")).toBe(text);
  });

  it("[WR24] refuses a word that no program can be given", async () => {
    const { code, stderr } = await trial(
      trialFile("nul", { ...one, tasks: String.raw`{ a: "a\0b" }` }),
    );

    expect([code, stderr.includes("a null byte")]).toEqual([2, true]);
  });

  it("[WR24] what a program started ends with it, once it took too long", async () => {
    const mark = join(cwd, "ended.txt");
    writeFileSync(
      join(cwd, "inner.sh"),
      `trap 'touch "${mark}"; exit' TERM\nwhile :; do sleep 0.1; done\n`,
    );
    // The outer one waits for the inner one, and passes no signal on.
    const command = JSON.stringify(["sh", "-c", "trap : TERM; sh inner.sh; exit 0"]);
    await trial(trialFile("slow", { ...one, command, timeout: "'2s'" }));

    expect(existsSync(mark)).toBe(true);
  });

  it("[WR24, WR26] tells faults of one kind apart by their rates, not in pairs of a live model, and why runs count for nothing", async () => {
    const fields = {
      ...{ ...one, model: "", faults: "[nothing@write_file, empty@gone]", rates: "[0.5, 1]" },
    };
    const file = trialFile("rates", fields);
    const { sentences, reasons } = jsonIn(
      await trial(file, "--allow-effects", "all", "--json"),
    ) as { sentences: string[]; reasons: string[] };

    expect(sentences.filter((text) => text.includes("at a rate of 0.5"))).toHaveLength(2);
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(reasons).toContain("No call met empty@gone.");
    const studyOf = (name: string): string =>
      readFileSync(join(cwd, `runs/trial-${name}/study.json`), "utf8");
    expect(
      [studyOf("whole"), studyOf("rates")].map((text) => /"[^"]*\bpaired\b/.test(text)),
    ).toEqual([true, false]);
  });

  it("[WR24] with an agent that was changed is another one", async () => {
    const other = { ...one, command: `[${node}, other.mjs]` };
    copyFileSync(agent, join(cwd, "other.mjs"));
    await trial(trialFile("changed", other));
    appendFileSync(join(cwd, "other.mjs"), "// changed\n");
    const { code, stderr } = await trial("changed.yaml");

    expect(code).toBe(2);
    expect(stderr).toContain("the runs of another study");
  });

  it("[WR25] reads an outcome from what a run left, and says why one is not known", async () => {
    const verdict = `[${node}, "-e", "process.exit(require('fs').existsSync(process.argv[1] + '/out.txt') ? 0 : 1)"]`;
    const file = trialFile("read", {
      ...one,
      faults: "[nothing@no_such_tool]",
      outcomes: `{ ends: { exit: 0 }, printed: { prints: "^done" }, there: { file: "{run}/out.txt", holds: "write a" }, gone: { file: no-such-file }, folder: { file: "{run}", holds: x }, hollow: { finding: empty-success }, judged: { verdict: ${verdict} }, open: { verdict: [${node}, "-e", "process.exit(9)"] } }`,
    });
    const said = await trial(file, "--allow-effects", "all", "--json");
    const { points } = jsonIn(said) as unknown as {
      points: { outcomes: { [name: string]: { mean: { estimate: number } | null } } }[];
    };
    const values = points.map(({ outcomes }) =>
      Object.fromEntries(
        Object.entries(outcomes).map(([name, { mean }]) => [name, mean?.estimate ?? null]),
      ),
    );
    const study = readFileSync(join(cwd, "runs/trial-read/study.json"), "utf8");

    expect(values[0]).toEqual({
      ends: 1,
      printed: 1,
      there: 1,
      gone: 0,
      folder: null,
      hollow: 0,
      judged: 1,
      open: null,
    });
    expect(study).toContain("folder: {run} is a folder");
    expect(study).toContain("open: the verdict was neither yes nor no");
    // No call met the fault, so it says nothing of it.
    expect(new Set(Object.values(values[1] ?? {}))).toEqual(new Set([null]));
    expect(study).toContain("No call met nothing@no_such_tool.");
  });

  it("[WR25] a verdict may take as long as a run, and one that cannot be started ends the trial", async () => {
    const judged = (verdict: string) => ({
      ...one,
      outcomes: `{ judged: { verdict: ${verdict} } }`,
    });
    const forever = `[${node}, "-e", "setInterval(() => {}, 1000)"]`;
    const late = await trial(trialFile("late", { ...judged(forever), timeout: "'5s'" }));
    const none = await trial(trialFile("nobody", judged("[no-such-judge]")));

    expect(late.stdout).toContain("- judged: the verdict took longer than 5000 ms");
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('outcomes.judged.verdict: found no program "no-such-judge"');
    expect(existsSync(join(cwd, "runs/trial-nobody"))).toBe(false);
  });

  it("[WR25] of what was printed the beginning is looked at: what may stand behind it is not known", async () => {
    const script = `fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body: '{"seed":1,"messages":[{"role":"user","content":"x"}]}' }).then(() => process.stdout.write("x".repeat(17 * 2 ** 20) + "y"))`;
    const file = trialFile("long", {
      ...one,
      command: JSON.stringify([node, "-e", script]),
      outcomes: '{ begins: { prints: "^xx" }, ends: { prints: "y" } }',
    });
    const { points, reasons } = jsonIn(await trial(file, "--json")) as unknown as {
      points: { outcomes: { [name: string]: { mean: object | null } } }[];
      reasons: readonly string[];
    };

    expect(points[0]?.outcomes["begins"]?.mean).toMatchObject({ estimate: 1 });
    expect(points[0]?.outcomes["ends"]?.mean).toBeNull();
    expect(reasons).toEqual([
      "ends: output.txt holds more than 16 MB, and the first of them do not fit",
    ]);
  });

  it("[WR25] a program that prints without end is ended", async () => {
    const script = `fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body: '{"seed":1,"messages":[{"role":"user","content":"x"}]}' }).then(() => { for (;;) require("fs").writeSync(1, "x".repeat(2 ** 20)); })`;
    const command = JSON.stringify([node, "-e", script]);
    const { reasons } = jsonIn(
      await trial(trialFile("endless", { ...one, command }), "--json"),
    ) as unknown as { reasons: readonly string[] };

    expect(reasons).toEqual(["It printed more than 256 MB."]);
  });

  it("[WR25] a run without a call of a model has no outcome, and a trial without one is no success", async () => {
    const file = trialFile("unseen", {
      ...one,
      command: `[${node}, "-e", "0"]`,
      outcomes: "{ fine: { exit: 0 } }",
    });
    const { code, stdout } = await trial(file);

    expect(code).toBe(1);
    expect(stdout).toContain("No call of a model came through the gateway.");
    expect(stdout).toContain("No run without a fault gave a value: fine.");
  });

  it("[WR26] compares runs in pairs where a seed fixes what the model says", async () => {
    expect(whole.stdout).toContain("runs of one seed are compared in pairs");
    expect(whole.stdout).toContain("With 2 tasks the intervals speak of these tasks alone.");
  });

  it("[WR27] passes no call on once the budget is spent, ends with 5, and goes on with a larger one", async () => {
    const fields = { ...one, seeds: "3" };
    const file = trialFile("dear", { ...fields, budget: "{ tokens: 330 }" });
    const asked = model.asked();
    const short = await trial(file);
    const taken = model.asked() - asked;
    trialFile("dear", { ...fields, budget: "{ tokens: 10000 }" });
    const enough = await trial(file, "--json");

    // A call takes 110 tokens: the third one spends it.
    expect([short.code, taken]).toEqual([5, 3]);
    expect(short.stderr).toContain("The budget is spent: 330 tokens");
    expect(enough.code).toBe(0);
    // What the cut run took is counted as well.
    expect(jsonIn(enough)).toMatchObject({
      runs: { kept: 1, played: 2 },
      spent: { input: 700, output: 70 },
    });
  });

  it("[WR27] a dry run tells how many runs there are, and by a recording what they cost", async () => {
    const file = trialFile("price", {
      budget: "{ money: 1, price: { input: 1000, output: 10000 } }",
      seeds: "5",
    });
    const asked = model.asked();
    const { code, stdout } = await trial(file, "--dry-run", "--like", "runs/trial-whole/runs/0-0");

    expect([code, model.asked()]).toEqual([0, asked]);
    expect(stdout).toContain(
      "2 agents × 1 fault and none × 2 tasks × 5 seeds = 40 runs. Nothing was run.",
    );
    // Two calls of 100 and 10 tokens, 40 times.
    expect(stdout).toContain("8800 tokens (8000 asked, 800 answered), 16.00 by its price");
    expect(existsSync(join(cwd, "runs/trial-price"))).toBe(false);
  });

  it("[WR28] refuses to hide what a tool did, unless it only reads or the person says so", async () => {
    const { code, stderr } = await trial(trialFile("hides"));
    const every = await trial(trialFile("hides", { faults: "[empty]" }), ...ALLOWED);
    const dry = await trial(trialFile("hides", { reads: "[write_file]", why: "x" }), "--dry-run");

    expect([code, every.code, dry.code]).toEqual([2, 2, 0]);
    expect(stderr).toContain("--allow-effects write_file");
    expect(every.stderr).toContain("--allow-effects all");
  });
});

describe("a trial with servers of tools", () => {
  const wire = resolve("test/actors/imported/wire");
  const paid = join(cwd, "paid");
  const words = ["env", `PAID=${paid}`, node, join(wire, "toolAgent.mjs")];
  const server = [node, program, "mcp", "--", node];
  const agentWords = [...words, ...server, join(wire, "payServer.mjs")];
  const payments = (): number =>
    existsSync(paid) ? readFileSync(paid, "utf8").trim().split("\n").length : 0;
  let pays: ScriptedModel;
  const played = (file: string, ...flags: readonly string[]): Promise<Said> =>
    ghostlight(["trial", file, "--openai", pays.base, ...flags], { cwd });
  const fields = {
    agents: `{ as it is: ${JSON.stringify(agentWords)}, paying more: ${JSON.stringify(["env", "TOOL_AGENT=other", ...agentWords])} }`,
    ...{ tasks: "{ a: Pay. }", outcomes: '{ done: { says: "^done" } }' },
  };

  beforeAll(async () => {
    pays = await scriptedModel(2);
    await ghostlight(["record", "--out", "paying", "--openai", pays.base, "--", ...agentWords], {
      cwd,
    });
  });
  afterAll(() => pays.close());

  it("[WR42, WR43] a recording answers for them, which is counted; a run that left it is unknown, and told first", async () => {
    const before = payments();
    const file = trialFile("recorded", {
      ...fields,
      ...{ faults: "[nothing@pay]", recordings: "[paying]" },
    });
    const said = await played(file);
    const json = jsonIn(await played(file, "--json"));
    const page = readFileSync(join(cwd, "runs/trial-recorded/report.html"), "utf8");
    const again = await ghostlight(["rerun", "runs/trial-recorded/runs/0-0", "--", ...agentWords], {
      cwd,
    });
    const first = "In 2 of 4 runs (50 %) a tool was asked what none of the 1 recording has";

    expect(said.stderr).toContain("Recordings answer for servers of tools (look, pay)");
    expect(said.stdout.startsWith(first)).toBe(true);
    expect(page.indexOf(first)).toBeGreaterThan(0);
    expect(page).toContain("spared 4 calls of tools, answered and not made: pay 4");
    expect(json).toMatchObject({ spared: { pay: 4 }, unknown: 2, runs: { kept: 4 } });
    expect(json["reasons"]).toContain(
      "The recordings were left: pay was asked what none has, at params.arguments.amount.",
    );
    expect(again.stdout).toMatch(/^spared {4}2 calls of tools, answered and not made: pay 2$/m);
    expect([said.code, again.code, payments() - before]).toEqual([0, 0, 0]);
  });

  it("[WR44] without one they run by the person's word alone", async () => {
    const before = payments();
    const file = trialFile("really", { ...fields, faults: "[]" });
    const refused = await played(file);
    const none = payments() - before;
    const allowed = await played(file, "--allow-effects", "pay");

    expect([refused.code, none]).toEqual([2, 0]);
    expect(refused.stderr).toContain('found a call of "pay" on payServer-');
    expect([allowed.code, payments() - before]).toEqual([0, 4]);
  });
});
