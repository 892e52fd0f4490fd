import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, json, started } from "./ghostlight.ts";
import { smallScenario } from "./smallScenario.ts";

/** A tool that lies there with code, and whose code gives nothing back. */
const quietScenario = smallScenario
  .replace("intent: write file", "intent: tidy the shelf of letters")
  .concat(
    "files:\n",
    '  /agentOS/tools/dynamic/quiet.json: \'{"description": "tidies the shelf of letters"}\'\n',
    "  /agentOS/tools/dynamic/quiet.py: |\n",
    "    def quiet(**kwargs):\n        return {}\n",
  );

const cwd = newFolder();
writeFileSync(join(cwd, "small.yaml"), smallScenario);
mkdirSync(join(cwd, "full"));
writeFileSync(join(cwd, "full", "mine.txt"), "mine");

/** A finding that turns up in the first worlds, for a check that must fail. */
const finding = ["check", "--property", "T13-empty-success", "--set", "ghosts.nullIsFailure=false"];
const blind = [...finding, "--set", "ghosts.preExecutionCheck=false", "--runs", "4"];

describe.concurrent("check", () => {
  it("[PR8, PR14] says of each property how it fared, and how often it was put to the test", async () => {
    const { code, stdout, stderr } = await ghostlight(["check", "--runs", "3"], { cwd });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^3 random worlds, from seed 1 on: \d+ deliveries in [\d.]+ s; .*\.\n/);
    const lines = stdout.split("\n").filter((line) => /^ {2}\S/.test(line));
    expect(lines.length).toBeGreaterThan(40);
    for (const line of lines) expect(line).toMatch(/^ {2}\S+ {2}\(\d+ (moments|draws)\) /);
    expect(stdout).toContain("Held:\n");
    expect(stdout).toContain("  no-world-is-a-bug  (3 moments) ");
    expect(stdout).toMatch(/Found, as the sources have it:\n(.*\n)* {2}T8-leftover-code/);
  });

  it("[PR8] with --json it is one object, and the same for the same seed", async () => {
    const args = ["check", "small", "--runs", "2", "--seed", "9"];
    const [first, second] = await Promise.all([json(args, { cwd }), json(args, { cwd })]);

    expect({ ...first, seconds: 0 }).toEqual({ ...second, seconds: 0 });
    expect(first).toMatchObject({ scenario: "small", first: 9, runs: 2, played: 2 });
    expect(first.outcomes).toEqual({ ended: 2 });
    expect(first).toMatchObject({ python: "sandbox", pythonCalls: 0 });
    const { properties } = first;
    expect(properties.find(({ id }: { id: string }) => id === "replay-is-exact")).toEqual({
      id: "replay-is-exact",
      kind: "run",
      says: expect.any(String),
      source: "ours",
      expected: "holds",
      status: "held",
      moments: 2,
      seed: null,
      violation: null,
      brokenIn: 0,
    });
  });

  it("[PR8] a finding is no failure, and tells how to look at it", async () => {
    const { code, stdout } = await ghostlight(blind, { cwd });

    expect(code).toBe(0);
    expect(stdout).toContain("T13-empty-success");
    expect(stdout).toMatch(/npx ghostlight check --property T13-empty-success --seed \d+ --runs 1/);
  });

  it("[PR8, PR9, CL14] with --assert it fails, leaves bundles and one command that finds it again", async () => {
    const asked = [...blind, "--profile", "seed", "--interpreter", "xstate"];
    const { code, stdout, stderr } = await ghostlight([...asked, "--assert", "--out", "bundles"], {
      cwd,
    });

    expect(code).toBe(1);
    expect(stdout).toContain("bundle: bundles/T13-empty-success");
    expect(readdirSync(join(cwd, "bundles"))).toEqual(["T13-empty-success"]);
    const [, command = ""] = /Reproduce: npx ghostlight (.*)$/m.exec(stderr) ?? [];
    // One world is enough: that of its own seed.
    expect(command).toMatch(/--seed \d+ --runs 1 --profile seed .*--interpreter xstate/);
    const [, seq = ""] = /npx ghostlight why bundles\/T13-empty-success (\d+)/.exec(stdout) ?? [];
    const bundle = "bundles/T13-empty-success";
    const [replayed, told, again] = await Promise.all([
      ghostlight(["replay", bundle], { cwd }),
      ghostlight(["why", bundle, seq], { cwd }),
      ghostlight([...command.split(" "), "--out", "again"], { cwd }),
    ]);
    expect(replayed.code).toBe(0);
    expect(told.stdout).toContain("returned nothing, which looked like success");
    expect(again.code).toBe(1);
    const worldsOf = async (folder: string) =>
      (await json(["replay", `${folder}/T13-empty-success`], { cwd })).digest;
    expect(await worldsOf("again")).toBe(await worldsOf("bundles"));
  });

  it("[PR9] drawn inputs are drawn again by the command that is printed", async () => {
    const args = ["check", "--property", "T8-leftover-code", "--runs", "2", "--assert"];
    const { code, stderr } = await ghostlight(args, { cwd });

    const [, command = ""] = /Reproduce: npx ghostlight (.*)$/m.exec(stderr) ?? [];
    const again = await ghostlight(command.split(" "), { cwd });

    expect([code, again.code]).toEqual([1, 1]);
    expect(again.stderr).toBe(stderr);
  });

  it("[PR10] --list plays nothing and says what is promised", async () => {
    const args = ["check", "--list", "--property", "T7-window"];
    const [{ properties }, { stdout }] = await Promise.all([
      json(args, { cwd }),
      ghostlight(args, { cwd }),
    ]);

    expect(properties).toEqual([
      {
        id: "T7-window",
        kind: "world",
        says: "No call reaches a tool that fails its tests.",
        source: expect.stringContaining("RULINGS T7"),
        expected: "violated",
      },
    ]);
    const [{ says, source }] = properties;
    expect(stdout).toBe(`T7-window (a finding)\n  ${says}\n  ${source}\n`);
  });

  it.each([
    [["--property", "T7-windo"], 'Did you mean "T7-window"?'],
    [["--runs", "0"], "a whole number, 1 or more"],
    [["--seed", "x"], "--seed"],
    [["--out", "full"], "a folder that holds 1 file"],
    [["smal"], "a path to a YAML file"],
  ])("[PR10] %j is bad usage", async (args, says) => {
    const { code, stdout, stderr } = await ghostlight(["check", ...args], { cwd });

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(says);
  });
});

describe.concurrent("whose Python", () => {
  const empty = ["--property", "T13-empty-success", "--set", "ghosts.nullIsFailure=false"];

  it("[PR9, PR13] near a scenario the tool itself runs, and breaks what no stand-in would", async () => {
    writeFileSync(join(cwd, "quiet.yaml"), quietScenario);
    const args = ["check", "quiet", ...empty, "--runs", "1", "--assert", "--out", "quiet"];

    const { code, stdout } = await ghostlight(args, { cwd });

    expect(stdout).toMatch(/^1 worlds near quiet.* s; \d+ calls? of Python ran in the sandbox\.\n/);
    expect(stdout).toContain("its call of quiet succeeded, and it returned nothing");
    expect(stdout).toContain("npx ghostlight check quiet --property T13-empty-success --seed ");
    expect(code).toBe(1);
    const manifest = JSON.parse(
      readFileSync(join(cwd, "quiet", "T13-empty-success", "manifest.json"), "utf8"),
    );
    expect(manifest.providers["port/sandbox.run"]).toContain("pyodide");
    expect(manifest.final.outcome).toBe("ended");
    const replayed = await ghostlight(["replay", "quiet/T13-empty-success"], { cwd });
    expect(replayed.code).toBe(0);
  });

  it("[PR10, PR13, PR15] in random worlds a stand-in answers; that is said, and how the worlds ended", async () => {
    const args = ["check", "--runs", "4", "--property", "T7-window"];
    const here = { cwd: newFolder() };

    const [{ stdout }, told] = await Promise.all([ghostlight(args, here), json(args, here)]);

    // No promise is broken, so nothing is written.
    expect(readdirSync(here.cwd)).toEqual([]);

    expect(stdout.split("\n")[0]).toMatch(
      / calls? of Python went to a stand-in, which looks at the text and runs nothing[.;]/,
    );
    expect(told.python).toBe("stand-in");
    expect(told.pythonCalls).toBeGreaterThan(0);
    const { ended, "limit:envelopes": cut } = told.outcomes;
    expect(ended + cut).toBe(4);
    expect(stdout).toContain(`How the worlds ended: ended ${ended}, limit:envelopes ${cut}.`);
  });
});

it("[PR11] Ctrl-C ends it with what was found so far", async () => {
  const empty = newFolder();
  const args = [...finding, "--runs", "100000", "--json", "--out", "out"];
  const child = started(args, { cwd: empty });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const end = new Promise<number | null>((done) => child.on("close", done));
  await expect.poll(() => existsSync(join(empty, "out")), { interval: 20 }).toBe(true);
  await setTimeout(200);

  child.kill("SIGINT");

  expect(await end).toBe(130);
  const { runs, played } = JSON.parse(stdout);
  expect(runs).toBe(100_000);
  expect(played).toBeLessThan(runs);
  expect(existsSync(join(empty, "runs"))).toBe(false);
});
