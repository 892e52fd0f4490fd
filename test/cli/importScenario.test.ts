// `ghostlight import --scenario`: what it says and leaves, and what docs/import-scenario.md shows of it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";
import { quotedCommands } from "./quotedCommands.ts";
import { misquoted } from "./readmeTexts.ts";

const docs = readFileSync("docs/import-scenario.md", "utf8");
const booking = /```json\n([\s\S]*?)```/.exec(docs)?.[1] ?? "";
const commands = quotedCommands("docs/import-scenario.md");

function home(): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, "booking.jsonl"), booking);
  return cwd;
}

const making = ["import", "booking.jsonl", "--scenario", "booking.yaml"];

it("[IM80] [IM90] [IM91] [IM92] what docs/import-scenario.md shows is what the program prints", async () => {
  const cwd = home();

  expect(commands).toHaveLength(5);
  for (const { args, lines } of commands) {
    const { stdout } = await ghostlight(args, { cwd });
    expect(misquoted(lines, stdout)).toEqual([]);
  }
});

it("[IM81] a dry run of what it made finds nothing", async () => {
  const cwd = home();
  await ghostlight(making, { cwd });
  const said = await json(["run", "booking.yaml", "--dry-run", "--compare"], { cwd });

  expect(said).toMatchObject({ valid: true, findings: [] });
});

it("[IM91] the played run is a bundle like any other, and replays exactly", async () => {
  const cwd = home();
  const { code } = await ghostlight([...making, "--out", "log"], { cwd });
  const replayed = await ghostlight(["replay", "log-played"], { cwd });

  expect([code, replayed.code]).toEqual([0, 0]);
  expect(replayed.stdout).toContain("log-played replays exactly");
  expect(existsSync(join(cwd, "log-played/report.html"))).toBe(true);
});

it("[IM91] its expectations hold, also when it is run again", async () => {
  const cwd = home();
  await ghostlight(making, { cwd });
  const { code } = await ghostlight(["run", "booking.yaml", "--compare"], { cwd });

  expect(code).toBe(0);
});

it("[IM90] --json has the shares, the first difference and where the run lies", async () => {
  const cwd = home();
  const said = await json(making, { cwd });

  expect(said).toMatchObject({
    ...{ records: 9, calls: 3 },
    scenario: {
      ...{ file: "booking.yaml", log: "booking", bundle: "runs/booking-s1-1", outcome: "ended" },
      variants: ["empty-is-failure", "empty-stops", "errors-stop"],
      agreement: {
        calls: { inLog: 3, same: 3, share: 1, results: 3, sameResults: 3 },
        first: null,
      },
    },
  });
});

it("[IM80] of several logs one is to be named; the bundles stay", async () => {
  const cwd = home();
  writeFileSync(join(cwd, "other.jsonl"), booking.replace("for two", "for three"));
  const both = [
    "import",
    "booking.jsonl",
    "other.jsonl",
    "--out",
    "logs",
    "--scenario",
    "one.yaml",
  ];
  const { code, stderr } = await ghostlight(both, { cwd });
  const named = await ghostlight(
    [
      "import",
      "booking.jsonl",
      "other.jsonl",
      "--only",
      "other",
      "--scenario",
      "one.yaml",
      "--out",
      "one",
    ],
    { cwd },
  );

  expect(code).toBe(2);
  expect(stderr).toContain("found 2 logs, whose bundles lie in logs; allowed: one log");
  expect(stderr).toContain("--only booking");
  expect(existsSync(join(cwd, "logs/logs.json"))).toBe(true);
  expect(named.code).toBe(0);
  expect(named.stdout).toContain("one.yaml, a world of the log other");
});

it("[IM80] --only takes one of several logs also where no scenario is asked for", async () => {
  const cwd = home();
  writeFileSync(join(cwd, "other.jsonl"), booking);
  const sources = ["booking.jsonl", "other.jsonl"];
  const said = await json(["import", ...sources, "--only", "other", "--out", "one"], { cwd });

  expect(said.logs).toMatchObject([{ log: "other", bundle: "one" }]);
});

it("[IM80] --only names the logs that there are", async () => {
  const cwd = home();
  const { code, stderr } = await ghostlight(["import", "booking.jsonl", "--only", "bokking"], {
    cwd,
  });

  expect(code).toBe(2);
  expect(stderr).toContain('--only: found "bokking"; allowed: one of the logs: booking');
  expect(stderr).toContain('Did you mean "booking"?');
});

it.each([
  [["--scenario", "booking.jsonl"], "a file that no scenario is called by"],
  [["--scenario", "there.yaml"], "a file that is there already"],
  [["--scenario", "no/such/folder.yaml"], "a folder that is not there"],
  [
    ["--scenario", "new.yaml", "--out", "busy"],
    "found a folder that holds files, where the played run goes",
  ],
])("[IM80] %j is refused, before anything is read", async (flags, reason) => {
  const cwd = home();
  writeFileSync(join(cwd, "there.yaml"), "mine");
  await ghostlight(["import", "booking.jsonl", "--out", "busy-played"], { cwd });
  const before = readdirSync(cwd);
  const { code, stderr } = await ghostlight(["import", "booking.jsonl", ...flags], { cwd });

  expect(code).toBe(2);
  expect(stderr).toContain(reason);
  expect(readFileSync(join(cwd, "there.yaml"), "utf8")).toBe("mine");
  // It is said before anything is read.
  expect(readdirSync(cwd)).toEqual(before);
});

it("[IM80] a log with nothing to play says so, and is imported all the same", async () => {
  const cwd = home();
  writeFileSync(join(cwd, "talk.jsonl"), '{"role":"user","content":"hello"}\n');
  const { code, stderr } = await ghostlight(
    ["import", "talk.jsonl", "--out", "talk", "--scenario", "talk.yaml"],
    { cwd },
  );

  expect(code).toBe(2);
  expect(stderr).toContain("no agent calls a tool or speaks to another agent");
  expect(existsSync(join(cwd, "talk/manifest.json"))).toBe(true);
  expect(existsSync(join(cwd, "talk.yaml"))).toBe(false);
});
