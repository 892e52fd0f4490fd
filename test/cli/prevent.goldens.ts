// Sections of SPEC.md: Blame and prevent.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import { baseOfBundle, playBase } from "../../src/edges/causes/baseRun.ts";
import { effectNamed } from "../../src/edges/causes/effectNamed.ts";
import { checkedLists } from "../../src/edges/pool/checkWorlds.ts";
import { playTrials, trialPlayer } from "../../src/edges/pool/trialPlayer.ts";
import { lazySandbox } from "../../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../../src/edges/shell/shellProcess.ts";
import { minutes } from "../../src/machines/units.ts";
import { reachOf } from "../../src/run/causes/asked.ts";
import { singleChanges } from "../../src/run/causes/candidates.ts";
import { certainMs } from "../../src/run/causes/effect.ts";
import { prevent as prevented } from "../../src/run/causes/prevent.ts";
import type { Trial } from "../../src/run/causes/trial.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";
import { plantedScenario } from "./plantedScenario.ts";

const cwd = newFolder();
writeFileSync(join(cwd, "planted.yaml"), plantedScenario("6m"));
writeFileSync(join(cwd, "short.yaml"), plantedScenario("3m"));
const few = ["--runs", "3"];
const prevent = (...args: string[]) => json(["prevent", ...args, "--workers", "1"], { cwd });

interface Told {
  readonly verified: readonly {
    readonly says: string;
    readonly answer: string;
    readonly suffices?: string[];
  }[];
}

/** In this process: a thread costs more than such a world. */
async function playedBase() {
  const lists = await checkedLists(builtIn);
  const base = baseOfBundle(lists, join(cwd, "bundle"));
  const [sandbox, shell] = [lazySandbox({ spare: false }), lazyShell()];
  return { lists, base, run: await playBase(lists, base, { sandbox, shell }), sandbox, shell };
}

beforeAll(() => ghostlight(["run", "planted", "--out", "bundle"], { cwd }));

it("[BL4] [BL11] it finds what was planted, and no noise, in the same bytes whoever plays", async () => {
  const args = [
    "prevent",
    "short",
    "ran.fs_list >= 1 ever",
    "--no-policy",
    "--runs",
    "1",
    "--json",
  ];
  const [alone, four] = await Promise.all(
    ["1", "4"].map((count) => ghostlight([...args, "--workers", count], { cwd })),
  );

  expect(alone?.code).toBe(0);
  const { verified } = JSON.parse(alone?.stdout ?? "") as Told;
  expect(verified.map(({ says }) => says)).toEqual([
    "without goal:list",
    "without plan:list/only",
    "without ask",
  ]);
  expect(four?.stdout).toBe(alone?.stdout);
});

// Of the policy only what the engine reads: all 240 values would take seconds.
it("[BL2] what was read of the policy is in reach, and may be the answer", async () => {
  const { lists, base, run, sandbox, shell } = await playedBase();
  const effect = effectNamed(lists, base, run, "ran.fs_list >= 1 ever");
  const singles = singleChanges(
    reachOf(
      { parts: lists.parts, world: base, run },
      certainMs(lists.parts, effect, run.observed.meter, run.observed.result.virtualMs),
    ),
  ).filter((one) => one.kind === "set" && one.path.startsWith("engine."));
  const { scenario, text, variant, set, untilMs, seed } = base;
  const own = { scenario: { name: scenario.name, text }, variant, set, untilMs, seed, effect };
  const work = { ...own, sandbox: "auto" as const, cache: null, partFiles: undefined };
  const player = await trialPlayer(work, sandbox, shell);
  const play = (trials: readonly Trial[]) => playTrials(trials, [player]);
  const counts = { runs: 1, most: 8 };
  const told = await prevented({
    parts: lists.parts,
    seed,
    singles,
    variants: [],
    ...counts,
    play,
  });
  await Promise.all([sandbox.close(), shell.close()]);

  expect(singles.length).toBeGreaterThan(1);
  expect(told.verified.map(({ says }) => says)).toEqual(["engine.builtins without fs_list"]);
});

it("[BL9] --try asks of named variants, and says what of them suffices", async () => {
  const told = await prevent(
    "planted",
    "it was listed",
    "--try",
    "unasked",
    "--try",
    "louder",
    ...few,
  );

  expect((told as unknown as Told).verified).toMatchObject([
    { variant: "unasked", answer: "gone", suffices: ["without ask"] },
    { variant: "louder", answer: "no" },
  ]);
});

describe("an outcome", () => {
  let played: ReturnType<typeof playedBase> | undefined;
  const outcomeOf = async (named?: string) => {
    played ??= playedBase();
    const { lists, base, run } = await played;
    return effectNamed(lists, base, run, named).says;
  };
  afterAll(async () => {
    const { sandbox, shell } = (await played) ?? {};
    await Promise.all([sandbox?.close(), shell?.close()]);
  });

  it("[BL1] is a bound, an expectation, a question or a broken promise", async () => {
    expect(await outcomeOf("load@cedar < 0.5 5m")).toBe("load@cedar < 0.5 5m");
    expect(await outcomeOf("goal:cedar/3")).toBe("`why` is asked of goal:cedar/3");
    expect(await outcomeOf("completed-passed-the-gate")).toBe(
      "the promise completed-passed-the-gate is broken",
    );
  });

  it("[BL1] of an expectation is that it is as it was in this run", async () => {
    expect(await outcomeOf("it was listed")).toBe("it was listed");
    expect(await outcomeOf("ten were done")).toBe("not: ten were done");
  });

  it("[BL1] unnamed is what the report tells first", async () => {
    expect(await outcomeOf()).toBe("1 goal failed; gone where none does (goals.abandoned >= 1)");
  });

  it("[BL2] in reach is what came before it was certain, of policy and of choices", async () => {
    played ??= playedBase();
    const { lists, base, run } = await played;
    const at = (untilMs: number) => reachOf({ parts: lists.parts, world: base, run }, untilMs);
    const [whole, nothing] = [at(minutes(6)), at(-1)];

    expect(whole.events).toContain("ask");
    expect(whole.choices).toContain("goal:list");
    expect([...whole.read]).toContain("engine.builtins");
    expect([nothing.events, nothing.choices, nothing.read.size]).toEqual([[], [], 0]);
    // No skill, executor or install is in this world.
    const branches = new Set(whole.leaves.map(([path]) => path.split(".")[0]));
    expect([...branches]).toContain("planner");
    expect(["skills", "synt", "installs"].filter((one) => branches.has(one))).toEqual([]);
  });
});

it.each([
  ["goals.completd >= 1", 'the metric "goals.completd"', 'Did you mean "goals.completed"?'],
  ["load@nobody >= 1", 'the actor "nobody"', "cedar"],
  ["load >= 1 often", '"often"', "end | ever | a duration such as 30m"],
  ["goal:cedar/1", "which this run gives no cause to ask", "why"],
  ["it was lissed", '"it was lissed"', 'Did you mean "it was listed"?'],
])("[BL1] %s names no outcome of the run", async (outcome, found, allowed) => {
  const { code, stderr } = await ghostlight(["prevent", "bundle", outcome], { cwd });

  expect(code).toBe(2);
  expect(stderr).toContain(found);
  expect(stderr).toContain(allowed);
});

it("[BL12] a run that was forked is asked of no script", async () => {
  await ghostlight(
    ["fork", "bundle", "--at", "2m", "--set", "planner.stepsPerCycle=1", "--out", "forked"],
    { cwd },
  );

  const { code, stderr } = await ghostlight(["prevent", "forked"], { cwd });

  expect(code).toBe(2);
  expect(stderr).toContain("a run that was forked");
});

it("[BL6] that nothing in reach prevents it is an answer, too", async () => {
  const asked = ["prevent", "short", "goals.completed >= 0", "--no-policy", "--runs", "1"];
  const { stdout, code } = await ghostlight([...asked, "--workers", "1"], { cwd });

  expect(stdout).toContain("Nothing in reach prevents it: none of ");
  expect(code).toBe(0);
});

it("[BL6] an outcome that never comes about is said to be absent", async () => {
  const asked = ["prevent", "short", "goals.completed >= 1000", "--workers", "1"];
  const { stdout, code } = await ghostlight(asked, { cwd });
  const { answer } = await json(asked, { cwd });

  expect(stdout).toContain("In none of 24 runs did it come about: there is nothing to prevent.");
  expect([code, answer]).toEqual([0, "absent"]);
});
