// `check` over logs: what it says, how it ends, and which folder is meant.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { RULES_VERSION } from "../../src/run/bundle.ts";
import { newFolder } from "../folders.ts";
import { forge } from "../recordedRun.ts";
import { ghostlight, json } from "./ghostlight.ts";
import { smallScenario } from "./smallScenario.ts";

const cwd = newFolder();
const logs = resolve("examples/findings/logs.jsonl");
const clean = { role: "user", content: "Hello." };

beforeAll(async () => {
  writeFileSync(join(cwd, "clean.json"), JSON.stringify({ messages: [clean] }));
  await ghostlight(["import", logs, "--out", "logs"], { cwd });
  await ghostlight(["import", "clean.json", "--out", "clean"], { cwd });
  mkdirSync(join(cwd, "mixed", "deep", "er"), { recursive: true });
  cpSync(join(cwd, "logs", "logs.1"), join(cwd, "mixed", "deep", "er", "one"), { recursive: true });
  for (const name of ["cut", "forged"]) {
    cpSync(join(cwd, "mixed"), join(cwd, name), { recursive: true });
    cpSync(join(cwd, "logs", "logs.3"), join(cwd, name, "bad"), { recursive: true });
  }
  writeFileSync(join(cwd, "cut", "bad", "manifest.json"), '{"format": ');
  const events = join(cwd, "forged", "bad", "events.jsonl");
  writeFileSync(events, readFileSync(events, "utf8").replace("Monday", "Sunday"));
  mkdirSync(join(cwd, "empty", "inner"), { recursive: true });
});

describe.concurrent("check of logs", () => {
  it("[FI20, FI24] has a table by finding, tool and agent, and the first places", async () => {
    const { stdout } = await ghostlight(["check", "logs", "--finding", "all"], { cwd });

    expect(stdout).toContain(
      "logs: 6 logs read: 7 calls, 7 results, 12 messages, 12 tools offered.",
    );
    for (const [finding, tool] of [
      ["empty-success", "save_note"],
      ["takes-others-calls", "save_note"],
      ["same-again", "find_note"],
      ["unused-result", "find_note"],
      ["error-told-as-success", "save_note"],
      ["speaks-for-tool", "find_note"],
      ["catalogue-broken", "save_note"],
    ]) {
      expect(stdout).toMatch(
        new RegExp(`\\| ${finding} \\(untested\\) +\\| ${tool} +\\| assistant +\\|`),
      );
    }
    const [, place = ""] = /npx ghostlight (why .*)/.exec(stdout) ?? [];
    const why = await ghostlight(place.split(" "), { cwd });
    expect(why.code).toBe(0);
    expect(why.stdout).toContain("save_note");
  });

  it("[FI24] has every place with --json", async () => {
    const told = await json(["check", "logs", "--finding", "all"], { cwd });

    expect(told).toMatchObject({ checked: "logs", bundles: 6, allowed: 0 });
    expect(told.logs).toHaveLength(6);
    expect(told.logs[2].occurrences).toMatchObject([
      { finding: "unused-result", tool: "find_note", agent: "assistant" },
      { finding: "same-again", says: expect.stringContaining("a second time") },
      { finding: "unused-result" },
    ]);
    for (const { found, occurrences, omitted } of told.logs) {
      expect(found).toBe(occurrences.length);
      expect(omitted).toBe(0);
    }
  });

  it("[FI20, FI25] exits 0 where nothing is found, and says which findings had nothing to look at", async () => {
    const { code, stdout } = await ghostlight(["check", "clean", "--finding", "all"], {
      cwd,
    });

    expect(code).toBe(0);
    expect(stdout).toContain("Nothing was found.");
    expect(stdout).toContain("  same-again: no calls, no results");
  });

  it.each([
    ["cut", 2, "manifest.json"],
    ["forged", 3, "bad"],
  ])(
    "[FI20] names the one of %s that cannot be told, exits %i, and reads the others",
    async (folder, exit, named) => {
      const { code, stdout, stderr } = await ghostlight(["check", folder, "--finding", "all"], {
        cwd,
      });

      expect(code).toBe(exit);
      expect(stderr).toContain(named);
      expect(stdout).toContain("1 log read, 1 not readable");
      expect(stdout).toContain("empty-success");
      const told = await json(["check", folder], { cwd });
      expect(told.logs[0]).toMatchObject({
        bundle: join(folder, "bad"),
        unread: { exitCode: exit },
      });
    },
  );

  it("[FI20] says of a log that cannot be read that nothing was looked for, not that nothing was found", async () => {
    const { code, stdout, stderr } = await ghostlight(["check", join("cut", "bad")], { cwd });

    expect(code).toBe(2);
    expect(stdout).toBe("cut/bad: its log could not be read, so that nothing was looked for.\n");
    expect(stderr).toContain("(no JSON: Unexpected end of the text)");
  });

  it("[FI20] counts the logs that newer rules recorded", async () => {
    cpSync(join(cwd, "clean"), join(cwd, "newer"), { recursive: true });
    forge(join(cwd, "newer"), () => ({ rulesVersion: RULES_VERSION + 1 }));

    const { stdout } = await ghostlight(["check", "newer"], { cwd });

    expect(stdout).toContain("1 log read, 1 recorded under newer rules");
  });

  it("[FI21] says the same, byte for byte, with one thread or with several", async () => {
    const [one, two, four] = await Promise.all(
      ["1", "2", "4"].map((workers) =>
        ghostlight(["check", "logs", "--finding", "all", "--json", "--workers", workers], { cwd }),
      ),
    );

    expect(one?.stdout).toContain("save_note");
    expect(two?.stdout).toBe(one?.stdout);
    expect(four?.stdout).toBe(one?.stdout);
  });

  it("[FI22] takes bundles at any depth, and refuses a folder without any", async () => {
    expect((await ghostlight(["check", "mixed"], { cwd })).stdout).toContain("1 log read");
    const { code, stdout, stderr } = await ghostlight(["check", "empty"], { cwd });

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("a folder without a bundle, at any depth");
    expect(stderr).toContain("ghostlight import");
  });

  it("[FI22] of a scenario and a folder with one name, the scenario is meant", async () => {
    const here = newFolder();
    writeFileSync(join(here, "small.yaml"), smallScenario);
    cpSync(join(cwd, "clean"), join(here, "small"), { recursive: true });
    const args = ["--property", "empty-success", "--runs", "1"];

    const asScenario = await ghostlight(["check", "small", ...args], { cwd: here });
    const asFolder = await ghostlight(["check", "./small"], { cwd: here });

    expect(asScenario.stdout).toContain("1 worlds near small");
    expect(asScenario.stderr).toContain("./small");
    expect(asFolder.stdout).toContain("1 log read");
  });

  it("[FI23] --finding and --allow say what is looked for and what counts", async () => {
    const one = await ghostlight(["check", "logs", "--finding", "same-again"], { cwd });
    const allowed = ["--allow", "same-again:find_note"];
    const none = await ghostlight(["check", "logs", "--finding", "same-again", ...allowed], {
      cwd,
    });
    const other = await ghostlight(
      ["check", "logs", "--finding", "same-again", "--allow", "same-again:save_note"],
      { cwd },
    );

    expect(one.stdout).not.toContain("empty-success");
    expect(none.stdout).toContain("Allowed, and not counted: 1 place.");
    expect(none.stdout).toContain("Nothing was found.");
    expect(other.stdout).toBe(one.stdout);
  });

  it("[FI23] what --allow lets pass stands nowhere in --json but in their number", async () => {
    const args = ["check", "logs", "--finding", "same-again"];
    const told = await json([...args, "--allow", "same-again:find_note"], { cwd });
    const all = await json(args, { cwd });
    const places = ({ logs }: { logs: readonly { readonly occurrences: readonly object[] }[] }) =>
      logs.flatMap(({ occurrences }) => occurrences);

    expect(places(all)).toHaveLength(1);
    expect(places(told)).toEqual([]);
    expect([all.allowed, told.allowed]).toEqual([0, 1]);
  });

  it.each([
    [["logs", "--finding", "same-agan"], 'Did you mean "same-again"?'],
    [["logs", "--allow", "x:y"], "empty-success |"],
    [["logs", "--runs", "3"], "--runs"],
    [["logs", "--workers", "0"], "a whole number, 1 or more"],
    [["--finding", "same-again"], "no folder"],
    [["null-stub", "--workers", "2"], "which is no folder"],
  ])("[FI23] %j is bad usage", async (args, says) => {
    const { code, stdout, stderr } = await ghostlight(["check", ...args], { cwd });

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(says);
  });

  it("[FI45] a check without a tested finding says that nothing was looked for", async () => {
    const { code, stdout } = await ghostlight(["check", "logs"], { cwd });

    expect(stdout).toContain("Nothing was looked for: of 7 findings none is tested");
    expect(code).toBe(0);
  });

  it("[FI45] what is untested is marked, and decides nothing", async () => {
    const { code, stdout } = await ghostlight(["check", "logs", "--finding", "empty-success"], {
      cwd,
    });

    expect(stdout).toContain("empty-success (untested), #5");
    expect(code).toBe(0);
  });

  it("[FI45] what is untested is looked for by name, or with all", async () => {
    const untested = async (finding: string) =>
      (await json(["check", "logs", "--finding", finding], { cwd })).untested;

    expect(await untested("empty-success")).toEqual(["empty-success"]);
    expect(await untested("all")).toHaveLength(7);
  });

  it("[FI20, FI23] what an import could not read decides, unless it is allowed", async () => {
    writeFileSync(join(cwd, "torn.jsonl"), `${JSON.stringify(clean)}\n{"role": "us`);
    await ghostlight(["import", "torn.jsonl", "--out", "torn"], { cwd });
    const plain = await ghostlight(["check", "torn"], { cwd });
    const allowed = await ghostlight(["check", "torn", "--allow", "unread"], { cwd });

    expect([plain.code, allowed.code]).toEqual([1, 0]);
    for (const { stdout } of [plain, allowed]) expect(stdout).toMatch(/^NOT READ/);
  });

  it("[FI32] logs of both outcomes give a ratio", async () => {
    const { stdout } = await ghostlight(["check", "logs", "--finding", "all"], { cwd });

    expect(stdout).toContain("In 4 failed logs and 2 others");
    expect(stdout).toMatch(/\| any of them +\| +4\/4 \| +0\/2 \| +∞ \|/);
  });
});

describe("findings in worlds", () => {
  it("[FI19] are looked for by name, told apart from promises, and decide with --assert", async () => {
    const finding = ["check", "null-stub", "--property", "empty-success", "--runs", "1"];
    const [told, decided] = [
      await ghostlight(finding, { cwd }),
      await ghostlight([...finding, "--assert", "--out", "found"], { cwd }),
    ];

    expect(told.code).toBe(0);
    expect(told.stdout).toContain("Found in these worlds:\n  empty-success");
    expect(decided.code).toBe(1);
    expect(decided.stdout).toContain("npx ghostlight why");
  });

  it("[FI19] are not part of a check that names none", async () => {
    const { stdout } = await ghostlight(["check", "--runs", "1"], { cwd });

    expect(stdout).not.toContain("  empty-success  ");
    const { properties } = await json(["check", "--list", "--property", "empty-success"], { cwd });
    expect(properties).toMatchObject([{ id: "empty-success", kind: "world", expected: "noted" }]);
  });
});
