import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { fed, ghostlight, json, valuesIn } from "./ghostlight.ts";

const cwd = newFolder();
const skill = (...args: string[]) => ghostlight(["skill", ...args], { cwd });

/** `--batch` with these lines on standard input. */
const batch = (args: readonly string[], lines: readonly string[]) =>
  fed(["skill", ...args, "--batch"], lines, { cwd });

describe("skill utility", () => {
  it("[SK38] prints every term in both forms, what was assumed, and what decided", async () => {
    const said = await skill(
      "utility",
      "--confidence",
      "0.8",
      "--retrievals",
      "10",
      "--helpful",
      "3",
    );
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toContain("frequency 1 (assumed), verified false (assumed)");
    expect(said.stdout).toContain("| stale      | -0.3      | -0.367991 |");
    expect(said.stdout).toContain("utility       0.34 by the form seed\n");
    expect(said.stdout).toContain("stale         hit_rate 0.3 is below 0.35");
  });

  it("[SK38] a file and a policy are taken, and JSON is given", async () => {
    writeFileSync(
      join(cwd, "lesson.json"),
      JSON.stringify({ trigger: "t", confidence: 0.6, retrievals: 6, helpful_retrievals: 3 }),
    );
    const set = ["--set", "skills.utility.form=real"];
    const said = await json(["skill", "utility", "--file", "lesson.json", ...set], { cwd });
    expect(said).toMatchObject({
      form: "real",
      utility: 0.769315,
      assumed: ["frequency", "verified"],
    });
    const pinned = await json(["skill", "utility", "--verified"], { cwd });
    expect(pinned).toMatchObject({ decided: [{ clause: "largest-term" }, { clause: "pin" }] });
    const often = await json(["skill", "utility", "--frequency", "1000", ...set], { cwd });
    expect(often.decided).toContainEqual(expect.objectContaining({ clause: "frequency-cap" }));
  });

  it("[SK38] says where, what was found and what is allowed of what cannot be read", async () => {
    writeFileSync(join(cwd, "strange.json"), '{"confidnce": 1}');
    writeFileSync(join(cwd, "list.json"), "[]");
    for (const [args, says] of [
      [["--confidence", "8"], 'confidence: found "8"; allowed: a number 0 … 1'],
      [["--confidence", ""], 'confidence: found ""; allowed: a number 0 … 1'],
      [["--retrievals", " "], 'retrievals: found " "; allowed: a whole number'],
      [["--confidence", "0x1"], 'confidence: found "0x1"'],
      [["--helpful", "1.5"], 'helpful: found "1.5"; allowed: a whole number'],
      [
        ["--retrievals", "2", "--helpful", "3"],
        "helpful_retrievals: found 3 of 2; allowed: at most the retrievals",
      ],
      [["--helpful", "1"], "helpful_retrievals: found 1 of no retrievals given"],
      [[], "found no lesson; allowed: options of a lesson, --file, or --batch"],
      [["--verified", "--file", "x"], "found options of a lesson and --file"],
      [["--file", "strange.json"], 'Did you mean "confidence"?'],
      [["--file", "list.json"], "allowed: one JSON object"],
      [["--file", "none.json"], "found ENOENT"],
    ] as const) {
      const said = await skill("utility", ...args);
      expect(said.code).toBe(2);
      expect(said.stderr).toContain(says);
    }
  });

  it("[SK38] --batch answers each line in its place, and exits 2 when one cannot be read", async () => {
    const said = await batch(
      ["utility"],
      ['{"id":1,"retrievals":5}', '{"id":"b","verified":1}', "x", '{"confidence":""}', '{"id":{}}'],
    );
    expect(said.code).toBe(2);
    expect(valuesIn(said)).toMatchObject([
      { id: 1, utility: -0.05 },
      { id: "b", error: "verified: found 1; allowed: true | false" },
      { id: null, error: 'no JSON: "x"' },
      { id: null, error: 'confidence: found ""; allowed: a number 0 … 1' },
      { id: null, error: "id: found {}; allowed: a text | a number" },
    ]);
  });

  it.each([
    ["x", "no JSON"],
    ['{"id":true}', "id: found true; allowed: a text | a number"],
    ['{"confidnce":1}', 'Did you mean "confidence"?'],
  ])("[SK38] the line %s by itself makes --batch exit 2", async (line, found) => {
    const said = await batch(["utility"], [line, '{"id":1}']);
    const [bad, good] = valuesIn(said);

    expect(said.code).toBe(2);
    expect(bad).toMatchObject({ id: null, error: expect.stringContaining(found) });
    expect(good).toMatchObject({ id: 1, form: "seed" });
  });
});

describe("skill analyse", () => {
  it("[SK38] prints ranges, clauses, what the cap starves, and findings", async () => {
    const said = await skill("analyse");
    expect(said.code).toBe(0);
    expect(said.stdout).toMatch(/failure_count ≥ 5 AND usage_count < 10 +\| 143 +\| 60 +\| 0 /);
    expect(said.stdout).toContain("starves 50 of 50 useful lessons");
    expect(said.stdout).toContain("“Both flow into the same utility-ranked retention.”");
  });

  it("[SK38] --batch takes a policy a line", async () => {
    const said = await batch(
      ["analyse"],
      [
        '{"id":1,"set":{"skills.utility.form":"real"}}',
        '{"id":2,"set":{"skills.utility.from":"real"}}',
        '{"id":3,"sett":{}}',
      ],
    );
    expect(said.code).toBe(2);
    const [first, second, third] = valuesIn(said);
    expect(first).toMatchObject({ id: 1, form: "real" });
    expect(second.error).toContain("skills.utility.from");
    expect(third.error).toBe(
      'sett: found a field that no line has; allowed: id | set. Did you mean "set"?',
    );
  });
});
