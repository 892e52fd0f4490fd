// Sections of SPEC.md: Blame and prevent.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";
import { plantedScenario } from "./plantedScenario.ts";

const cwd = newFolder();
writeFileSync(join(cwd, "planted.yaml"), plantedScenario("3m"));
const outcome = "ran.fs_list >= 1";

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
const blame = async (...args: string[]) =>
  (await json(
    ["blame", "bundle", outcome, "--runs", "3", "--no-policy", "--workers", "1", ...args],
    {
      cwd,
    },
  )) as unknown as Told;

beforeAll(() => ghostlight(["run", "planted", "--out", "bundle"], { cwd }));

const PLANTED = ["without ask", "without goal:list", "without plan:list/only"];

it("[BL13] [BL14] of a run what was planted comes first, by its name, from before the first suspect on", async () => {
  const { ranking: all, fromMs, question } = await blame();
  const ranking = all.flatMap((one) =>
    one.suspect === null ? [] : [{ ...one, suspect: one.suspect }],
  );

  expect(
    ranking
      .slice(0, 3)
      .map(({ says }) => says)
      .toSorted(),
  ).toEqual(PLANTED);
  expect(ranking.map(({ hits }) => hits)).toEqual([0, 0, 0, 3, 3, 3]);
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

it("[BL15] with all draws held it says yes or no of this run", async () => {
  const { ranking, question } = await blame("--exact");

  const gone = ranking.filter(({ suspect, hits }) => suspect && hits === 0).map(({ says }) => says);
  expect(gone.toSorted()).toEqual(PLANTED);
  expect(question).toBe("this run");
});

it("[BL18] --when goes on from twelve moments, and says where it jumps", async () => {
  const { curve = [] } = await blame("--when");

  expect(curve).toHaveLength(12);
  expect(curve.every(({ n }) => n === 3)).toBe(true);
  expect(curve.at(-1)?.hits).toBe(3);
  const args = ["blame", "bundle", outcome, "--runs", "2", "--no-policy", "--when"];
  const { stdout } = await ghostlight(args, { cwd });
  expect(stdout).toMatch(/ {2}0:00:00 {2}█+ {2}2 of 2\n/);
  expect(stdout).toContain("Nowhere does it jump");
});

it("[BL11] whoever plays, the bytes are the same", async () => {
  const args = ["blame", "bundle", outcome, "--runs", "3", "--no-policy", "--json", "--workers"];
  const said = await Promise.all(
    ["1", "2", "4"].map((count) => ghostlight([...args, count], { cwd })),
  );

  expect(said.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(new Set(said.map(({ stdout }) => stdout)).size).toBe(1);
});

it("[BL20] an outcome that this run does not have is nobody's doing", async () => {
  const { code, stderr } = await ghostlight(["blame", "bundle", "goals.completed >= 1000"], {
    cwd,
  });

  expect(code).toBe(2);
  expect(stderr).toContain("which did not come about in this run");
});
