// A world of a log in which an agent leaves its recording: what runs, seeds and studies of it say.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

const [, booking = ""] =
  /```json\n([\s\S]*?)```/.exec(readFileSync("docs/import-scenario.md", "utf8")) ?? [];

async function home(): Promise<string> {
  const cwd = newFolder();
  writeFileSync(join(cwd, "booking.jsonl"), booking);
  await ghostlight(["import", "booking.jsonl", "--scenario", "booking.yaml"], { cwd });
  return cwd;
}

it("[IM111] where an agent left its recording, the JSON, the table of variants and that of seeds say so", async () => {
  const cwd = await home();
  const run = ["run", "./booking.yaml", "--variant", "empty-stops"];
  const said = await json(run, { cwd });
  const compared = await ghostlight(["run", "./booking.yaml", "--compare"], { cwd });
  const seeds = await ghostlight(["run", "./booking.yaml", "--seeds", "1..2"], { cwd });

  expect(said).toMatchObject({ unknown: { agents: ["assistant"], atMs: 5_000 } });
  expect(compared.stdout).toMatch(/^# booking\n/);
  expect(compared.stdout).toContain("| unknown (as played, 1 of 1) |");
  expect(seeds.stdout).toMatch(
    /^\| \*\*unknown: an agent left its recording\*\* \| +0 of 2 \| +2 of 2 \|$/m,
  );
});

it("[BL62] where an agent leaves its recording, a variant is not said to prevent anything, and is not asked what decided", async () => {
  const cwd = await home();
  const prevent = ["prevent", "./booking.yaml", "goals.completed > 0", "--runs", "3"];
  const asked = [...prevent, "--try", "empty-stops"];
  const text = await ghostlight(asked, { cwd });
  const whole = await ghostlight(prevent, { cwd });
  await ghostlight(["run", "./booking.yaml", "--variant", "empty-stops", "--out", "left"], { cwd });
  const own = await ghostlight(["blame", "left", "calls.failed > 0"], { cwd });

  expect(await json(asked, { cwd })).toMatchObject({
    answer: "unknown",
    unknown: 3,
    asItWas: { hits: 3, n: 3 },
    verified: [{ variant: "empty-stops", answer: "unknown", still: { n: 0 }, effect: { n: 0 } }],
  });
  expect(text.stdout).toMatch(/^The outcome of 3 of \d+ plays is unknown: a stand-in left/);
  expect(text.stdout).toContain("Of 1 variant, 0 prevent it; of 1 it is unknown.");
  expect(whole.stdout).toContain("Whether the variant empty-stops prevents it is unknown.");
  expect(own).toMatchObject({ code: 2, stderr: expect.stringContaining("left its recording") });
  expect(
    (await ghostlight(["blame", "left", "recording.left > 0", "--runs", "2"], { cwd })).code,
  ).toBe(0);
});

it("[IM111] a study of it tells first how many plays are unknown, on the terminal and on its page", async () => {
  const cwd = await home();
  writeFileSync(
    join(cwd, "stops.yaml"),
    `why: Do fewer calls fail?
scenario: ./booking.yaml
variants: [itself, empty-stops]
factors: {}
design: { kind: grid }
replicates: 2
outcomes: { failed: { metric: calls.failed, reduce: last } }
`,
  );
  const { stdout } = await ghostlight(["sweep", "stops.yaml", "--out", "stops"], { cwd });
  const page = readFileSync(join(cwd, "stops/report.html"), "utf8");
  const first = "In 2 of 4 plays (50 %) an agent left its recording";

  expect(stdout.startsWith(first)).toBe(true);
  expect(stdout).toContain("n = 1 recording:");
  expect(page.indexOf(first)).toBeGreaterThan(0);
  expect(page.indexOf(first)).toBeLessThan(page.indexOf("<table"));
});

it.each([
  [
    "tune",
    "factors: { planner.heartbeatMs: [5000, 6000] }\ngoal: { minimise: failed, heldOut: 2 }",
  ],
  [
    "sense",
    "factors: { planner.heartbeatMs: { low: 5000, high: 6000 } }\ndesign: { kind: morris, trajectories: 4, levels: 4 }",
  ],
])("[IM111] %s tells it first as well, in words and in JSON", async (verb, more) => {
  const cwd = await home();
  writeFileSync(
    join(cwd, "stops.yaml"),
    `why: Do fewer calls fail?
scenario: ./booking.yaml
variants: [empty-stops]
replicates: 2
outcomes: { failed: { metric: calls.failed, reduce: last } }
${more}
`,
  );
  const args = [verb, "stops.yaml", "--out", "stops"];
  const { stdout } = await ghostlight(args, { cwd });
  const told = await ghostlight([...args, "--json"], { cwd });
  const first = /^In (\d+) of \1 plays \(100 %\) an agent left its recording/;

  expect(stdout).toMatch(first);
  expect(JSON.parse(told.stdout).notes[0]).toMatch(first);
});
