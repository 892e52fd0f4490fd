// Sections of SPEC.md: Blame and prevent.
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { openRun } from "../../src/edges/view/openRun.ts";
import { lists } from "../builtInRuns.ts";
import { newFolder } from "../folders.ts";
import { scenarioRecipes } from "../scenarioRecipes.ts";
import { ghostlight } from "./ghostlight.ts";
import { plantedScenario } from "./plantedScenario.ts";

const cwd = newFolder();
writeFileSync(join(cwd, "planted.yaml"), plantedScenario("3m"));
const outcome = "ran.fs_list >= 1";
const ALONE = ["--workers", "1"];

interface Told {
  readonly fromMs: number;
  readonly question: string;
  readonly ranking: readonly {
    readonly says: string;
    readonly hits: number;
    /** Null of a value of the policy. */
    readonly suspect: { readonly first: string | null; readonly atMs: number } | null;
  }[];
  readonly curve?: readonly { readonly atMs: number; readonly hits: number; readonly n: number }[];
}
/** All of it that one answer can tell: threads cost more than what they play. */
const asked = ["blame", "bundle", outcome, "--runs", "2", "--no-policy", "--when", "--json"];
const page = ["--html", "page.html", "--keep"];
const bytes = async (workers: string) =>
  (await ghostlight([...asked, ...(workers === "1" ? page : []), "--workers", workers], { cwd }))
    .stdout;
let said = "";
let told: Told;

beforeAll(async () => {
  await ghostlight(["run", "planted", "--out", "bundle"], { cwd });
  writeFileSync(join(cwd, "aim.txt"), "as it was");
  symlinkSync(join(cwd, "aim.txt"), join(cwd, "bundle", "blame.json"));
  said = await bytes("1");
  told = JSON.parse(said);
});

const PLANTED = ["without ask", "without goal:list", "without plan:list/only"];
/** Where the router takes its second, nothing is listed either. */
const ROUTED = "without route:fs_list";

it("[BL13] [BL14] of a run what was planted comes first, by its name, from before the first suspect on", () => {
  const { ranking: all, fromMs, question } = told;
  const ranking = all.flatMap((one) =>
    one.suspect === null ? [] : [{ ...one, suspect: one.suspect }],
  );

  expect(
    ranking
      .slice(0, 3)
      .map(({ says }) => says)
      .toSorted(),
  ).toEqual(PLANTED);
  expect(ranking.map(({ hits }) => hits)).toEqual([0, 0, 0, 0, 2, 2, 2, 2, 2]);
  expect(ranking[PLANTED.length]?.says).toBe(ROUTED);
  expect(ranking.find(({ says }) => says === "without ask")?.suspect).toMatchObject({
    first: null,
    atMs: 60_000,
  });
  expect(ranking.find(({ says }) => says === "without goal:list")?.suspect.first).toMatch(
    /^agent\/cedar, goal\.choose, call \d+$/,
  );
  expect(fromMs).toBeLessThanOrEqual(Math.min(...ranking.map(({ suspect }) => suspect.atMs)));
  expect(question).toBe("would it again");
});

it("[BL15] [BL18] in words: yes or no of this run, and a curve", async () => {
  const { stdout } = await ghostlight(
    ["blame", "bundle", outcome, "--exact", "--when", "--runs", "1", "--no-policy", ...ALONE],
    { cwd },
  );

  const gone = stdout.split("\n").flatMap((line) => {
    const [, says = "", , , still] = line.split("|").map((cell) => cell.trim());
    return still === "no" ? [says] : [];
  });
  expect(gone.toSorted()).toEqual([...PLANTED, ROUTED]);
  expect(stdout).toMatch(/^This run, from /);
  expect(stdout).not.toContain(" %)");
  expect(stdout).toMatch(/ {2}0:00:00 {2}█+ {2}1 of 1\n/);
  expect(stdout).toContain("Nowhere does P(outcome) jump");
});

it("[BL18] --when goes on from twelve moments", () => {
  const { curve = [] } = told;

  expect(curve).toHaveLength(12);
  expect(curve.every(({ n }) => n === 2)).toBe(true);
  expect(curve.at(-1)?.hits).toBe(2);
});

it("[BL28] the page has the words, a lane for each with a bar of its effect, and the curve", () => {
  const text = readFileSync(join(cwd, "page.html"), "utf8");
  const [svg = ""] = /<svg[\s\S]*<\/svg>/.exec(text) ?? [];

  expect(text).toContain("<h1>What decided: planted</h1>");
  expect(text).toContain('<td style="text-align:left">without goal:list</td>');
  for (const says of ["without goal:list", "without noise", "P(outcome) from there on"]) {
    expect(svg).toContain(says);
  }
  expect(svg.match(/still there: 0 of 2/g)).toHaveLength(PLANTED.length + 1);
});

it("[BL60] --keep leaves it in the bundle, each suspect with the delivery by which it came first", () => {
  const { head, run } = openRun(lists, join(cwd, "bundle"));
  const ranking = head.blame?.ranking ?? [];
  const plan = ranking.find(({ says }) => says === "without plan:list/only");
  const heard = [...run.deliveries][plan?.place ?? -1];

  expect(ranking.map(({ says }) => says)).toEqual(told.ranking.map(({ says }) => says));
  expect(head.blame?.curve).toHaveLength(12);
  expect(heard).toMatchObject({
    dueMs: plan?.atMs,
    to: "agent/cedar",
    event: { type: "llm.replied" },
  });
});

it("[BL60] its report ends with what decides, and the bundle is still the one that was sealed", async () => {
  for (const name of ["report.md", "report.html"]) {
    const text = readFileSync(join(cwd, "bundle", name), "utf8");
    expect(text.split("What decided: ran.fs_list")[1]).toContain("without goal:list");
  }
  expect((await ghostlight(["replay", "bundle"], { cwd })).code).toBe(0);
});

it("[BL60] where a link stood there, what it leads to is left alone", () => {
  expect(readFileSync(join(cwd, "aim.txt"), "utf8")).toBe("as it was");
});

it("[BL60] a run that lies in no bundle has no place to keep it", async () => {
  const { code, stderr } = await ghostlight(["blame", "planted", outcome, "--keep"], {
    cwd,
  });

  expect(code).toBe(2);
  expect(stderr).toContain("a run that lies in no bundle");
  // Nothing was played for it.
  expect(stderr).not.toContain("The outcome:");
});

it("[BL28] a folder is no place for a page", async () => {
  const { code, stderr } = await ghostlight(["blame", "bundle", outcome, "--html", "."], { cwd });

  expect(code).toBe(2);
  expect(stderr).toContain("something there that is no file");
});

it("[BL11] whoever plays, the bytes are the same", async () => {
  expect(said).not.toBe("");
  expect(await bytes("2")).toBe(said);
});

it("[BL20] an outcome that this run does not have is nobody's doing", async () => {
  const { code, stderr } = await ghostlight(["blame", "bundle", "goals.completed >= 1000"], {
    cwd,
  });

  expect(code).toBe(2);
  expect(stderr).toContain("which did not come about in this run");
});

it("[BL21] a fault is a suspect, and so is a tool that could have failed loudly", async () => {
  const [{ text = "" } = {}] = scenarioRecipes().filter(
    ({ title }) => title === "A tool that lies",
  );
  writeFileSync(join(cwd, "lies.yaml"), text);
  const { stdout } = await ghostlight(
    ["blame", "lies.yaml", "calls.lost >= 1", "--runs", "3", "--no-policy", "--json", ...ALONE],
    { cwd },
  );

  const { ranking } = JSON.parse(stdout) as Told;
  const gone = ranking.filter(({ hits }) => hits === 0).map(({ says }) => says);
  expect(gone).toEqual(
    expect.arrayContaining(["without fault:silent-hour", "with the fault fails@pay"]),
  );
});

it("[BL22] shares of this very run are bad usage", async () => {
  const { code, stderr } = await ghostlight(["blame", "bundle", outcome, "--exact", "--shares"], {
    cwd,
  });

  expect(code).toBe(2);
  expect(stderr).toContain("shares of a probability");
});

it("[BL26] --minutes goes on with what is not decided, and is bad usage of this very run", async () => {
  const args = ["blame", "bundle", outcome, "--no-policy", "--minutes", "1", "--runs", "4"];
  const { stdout } = await ghostlight([...args, "--json", ...ALONE], { cwd });
  const { code, stderr } = await ghostlight([...args, "--exact"], { cwd });

  expect(JSON.parse(stdout)).toMatchObject({ looks: 1, asItWas: { n: 4 } });
  expect(code).toBe(2);
  expect(stderr).toContain("minutes for a probability");
});

it("[BL27] of a bundle that no script can play again blame says so, and shows the suspects", async () => {
  await ghostlight(["fork", "bundle", "--at", "2m", "--reseed", "5", "--out", "forked"], { cwd });
  const { code, stdout, stderr } = await ghostlight(["blame", "forked"], { cwd });

  expect(code).toBe(2);
  expect(stderr).toContain("a run that was forked");
  expect(stdout).toContain("Suspects, the likeliest first: where to look, and no verdict.");
});

it("[BL27] a wrong outcome of one that can be played shows none", async () => {
  const { code, stdout } = await ghostlight(["blame", "bundle", "nothing >= 1"], { cwd });

  expect([code, stdout]).toEqual([2, ""]);
});
