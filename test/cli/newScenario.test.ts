// `scenarios --new`: what it writes works as it stands, and it writes over nothing.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { askFirst, faults, namesIn } from "../../src/cli/firstQuestions.ts";
import { newScenario } from "../../src/cli/newScenario.ts";
import { holdOutput, takeHeld } from "../../src/cli/output.ts";
import {
  firstAnswers,
  firstScenario,
  type Trouble,
} from "../../src/edges/scenario/firstScenario.ts";
import { observe } from "../builtIn.ts";
import { parseScenario } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

const lines = (text: string): number => text.trimEnd().split("\n").length;
const scenarioOf = (trouble: Trouble, more: Partial<typeof firstAnswers> = {}) =>
  parseScenario(firstScenario({ ...firstAnswers, ...more, trouble }), "first.yaml");

it("[WW11] where nobody can be asked it takes the defaults, writes a scenario with its schema, and names the next commands", async () => {
  const cwd = newFolder();

  const { code, stdout } = await ghostlight(["scenarios", "--new", "first"], { cwd });

  const text = readFileSync(join(cwd, "first.yaml"), "utf8");
  expect(code).toBe(0);
  expect(text).toMatch(/^# yaml-language-server: \$schema=.*scenarios\/scenario\.schema\.json\n/);
  expect(text.replace(/^.*\n/, "")).toBe(firstScenario(firstAnswers));
  expect(lines(text)).toBeLessThan(40);
  expect(stdout).toBe(
    "first.yaml is a scenario that works: change it.\nNext:\n" +
      "  npx ghostlight run ./first.yaml --dry-run\n" +
      "  npx ghostlight run ./first.yaml\n" +
      "  npx ghostlight run ./first.yaml --variant null-is-failure\n",
  );
  const again = await json(["scenarios", "--new", "other", "--yes", "--out", "x.yml"], { cwd });
  expect(again).toMatchObject({ scenario: "x.yml", answers: { trouble: "silent" } });
});

it("[WW11] it writes over nothing, and refuses options that mean nothing", async () => {
  const cwd = newFolder();
  writeFileSync(join(cwd, "first.yaml"), "mine");
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await ghostlight(["scenarios", ...args], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    return stderr;
  };

  expect(await refused("--new", "first")).toContain("first.yaml --new: found a file that is there");
  expect(await refused("--new", "x", "--out", "first.yaml")).toContain("first.yaml --out: found");
  expect(await refused("--new", "no folder/")).toContain("a name or a path of letters");
  expect(await refused("--new", "no/such")).toContain("no/such.yaml --new: found ENOENT");
  expect(await refused("--yes")).toContain("--yes: found no --new");
  expect(await refused("--out", "x.yaml")).toContain("--out: found no --new");
  expect(await refused("--new", "x", "--copy", "lessons", "y.yaml")).toContain(
    "cannot be used with",
  );
  expect(readFileSync(join(cwd, "first.yaml"), "utf8")).toBe("mine");
  expect(existsSync(join(cwd, "x.yaml"))).toBe(false);
});

it("[WW12] as short and as full as it may be, it shows the same", () => {
  const agents = ["true", "b-1", "null", "d", "e"];
  for (const trouble of ["silent", "ghost", "nothing"] as const) {
    const scenario = scenarioOf(trouble, { agents, tool: "null", runsFor: "10m" });
    for (const variant of [null, ...Object.keys(scenario.variants)]) {
      const { verdicts } = observe(scenario, { variant });
      expect(verdicts.map(({ ok }) => ok)).toEqual([true]);
    }
  }
});

it("[WW13] an answer that no scenario could have is refused at once, with what is right", () => {
  expect(namesIn(" ada,ben  cy ")).toEqual(["ada", "ben", "cy"]);
  expect(["", "ada", "ada, b-2", "a b c d e"].map((line) => faults.agents(line))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  for (const line of ["Ada", "a b a", "1a", "constructor", "a b c d e f", "é"]) {
    expect(faults.agents(line)).toMatch(/\.$/);
  }
  expect(["", "page_saver", "a"].map((line) => faults.tool(line))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(faults.tool("fs_write", ["fs_write"])).toMatch(/\.$/);
  for (const line of ["Saver", "a b", "toString", "1a", "a".repeat(42)]) {
    expect(faults.tool(line)).toMatch(/\.$/);
  }
  expect(["", "10m", "1d"].map((line) => faults.runsFor(line))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  for (const line of ["9m", "9m59s", "24h1s", "25h", "soon", "-1h", "20"])
    expect(faults.runsFor(line)).toMatch(/\.$/);
});

it.each(["json", "yes"] as const)(
  "[WW11] with --%s nobody is asked, on a terminal either",
  async (flag) => {
    const were = [process.stdin.isTTY, process.stderr.isTTY];
    process.stdin.isTTY = process.stderr.isTTY = true;
    const out = join(newFolder(), "first.yaml");
    holdOutput();
    const writing = newScenario("first", { out, [flag]: true });
    // Whoever was asked all the same leaves.
    const leaving = setInterval(() => process.emit("beforeExit", 0), 10);
    const code = await writing.finally(() => clearInterval(leaving));
    [process.stdin.isTTY = false, process.stderr.isTTY = false] = were;

    expect([code, takeHeld().includes("first.yaml"), existsSync(out)]).toEqual([0, true, true]);
  },
);

it("[WW11] who closes the terminal with Ctrl-D has nothing written", async () => {
  const asked = askFirst([]);
  // As Node says when nothing is left to wait for.
  process.emit("beforeExit", 0);

  expect(await asked).toBeUndefined();
});
