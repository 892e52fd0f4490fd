// SPEC CL: tables on a terminal.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "markdown-table";
import { describe, expect, it } from "vitest";
import { CUT, fittedTables } from "../../src/cli/fittedTables.ts";
import { newFolder } from "../folders.ts";
import { started } from "./ghostlight.ts";
import { smallScenario } from "./smallScenario.ts";

const LONG = "one two three four five six seven eight nine ten eleven twelve";

describe("a table that is wider than the terminal", () => {
  const table = markdownTable(
    [
      ["Path", "Value", "Meaning"],
      ["gate.claimsMax", "a | b", LONG],
      ["x", "12", "short"],
    ],
    { align: ["l", "r", "l"] },
  );

  it("[CL35] wraps long cells within its columns, and loses no word", () => {
    const lines = fittedTables(`before\n${table}\nbehind`, 60).split("\n");
    const inside = lines.slice(1, -1);

    expect(lines.at(0)).toBe("before");
    expect(lines.at(-1)).toBe("behind");
    expect(Math.max(...inside.map(({ length }) => length))).toBeLessThanOrEqual(60);
    expect(new Set(inside.map(({ length }) => length)).size).toBe(1);
    for (const word of [...LONG.split(" "), "gate.claimsMax", "a | b"]) {
      expect(inside.some((line) => line.includes(word))).toBe(true);
    }
    expect(inside.some((line) => line.includes("|    12 |"))).toBe(true);
  });

  it("[CL35] ends a cell of very many lines with …, and says how to see it whole", () => {
    const many = markdownTable([
      ["Name", "Text"],
      ["a", `${LONG} `.repeat(20)],
    ]);
    const lines = fittedTables(many, 40).split("\n");

    expect(lines.filter((line) => line.includes("…"))).toHaveLength(2);
    expect(lines.at(-1)).toBe(CUT);
    // Of words so long each is a line.
    const words = (count: number) =>
      markdownTable([
        ["Name", "Text"],
        ["a", Array.from({ length: count }, () => "x".repeat(25)).join(" ")],
      ]);
    expect(fittedTables(words(6), 40)).not.toContain(CUT);
    expect(fittedTables(words(7), 40)).toContain(CUT);
    // The sign takes the place of a letter.
    const widths = fittedTables(words(7), 40)
      .split("\n")
      .slice(0, -1)
      .map(({ length }) => length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(40);
  });

  it.each([
    ["that fits", table, 200],
    ["that is just as wide", table, table.indexOf("\n")],
    ["whose lines are no columns of it", table.replace("| x", "| x |"), 60],
    ["that is none", `| ${LONG} |`, 40],
  ])("[CL35] stays as it is %s", (_, text, columns) => {
    expect(fittedTables(text, columns)).toBe(text);
  });
});

describe("on a terminal of sixty columns", () => {
  const screen = "process.stdout.isTTY=true;process.stdout.columns=60";
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${screen}` };
  const cwd = newFolder();
  const printed = (args: readonly string[], on: NodeJS.ProcessEnv): Promise<string> => {
    const child = started(args, { cwd, env: on });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (piece) => {
        text += piece;
      });
    }
    return new Promise((done) => void child.once("close", () => done(text)));
  };
  const widest = (text: string): number =>
    Math.max(...text.split("\n").map((line) => (line.startsWith("|") ? line.length : 0)));

  it("[CL35] tables fit it, and stay as they are with --wide and in a pipe", async () => {
    const policy = ["policy", "locks"];
    const [fitted = "", wide = "", piped = ""] = await Promise.all([
      printed(policy, env),
      printed([...policy, "--wide"], env),
      printed(policy, {}),
    ]);

    expect(widest(fitted)).toBeLessThanOrEqual(60);
    expect(widest(piped)).toBeGreaterThan(60);
    expect(wide).toBe(piped);
  });

  it("[CL35] a run ends with the command that shows it", async () => {
    writeFileSync(join(cwd, "small.yaml"), smallScenario);
    const [shown, piped] = await Promise.all([
      printed(["run", "small", "--out", "one"], env),
      printed(["run", "small", "--out", "two"], {}),
    ]);

    expect(shown).toContain("See it: npx ghostlight view one");
    expect(piped).not.toContain("See it:");
  });
});
