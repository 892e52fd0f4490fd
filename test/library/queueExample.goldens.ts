// The example of a part of one's own: what it shows, and that it is as short as the README says.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import queue from "../../examples/queue/queue.ts";
import { world } from "../../src/index.ts";
import { ghostlight } from "../cli/ghostlight.ts";
import { newFolder } from "../folders.ts";

const folder = "examples/queue";
const file = `${folder}/queue.yaml`;
const part = ["--part", `${folder}/queue.ts`];
const bank = world(queue);
const { scenario } = bank.loadScenario(`./${file}`);

it("the example fits in 200 lines of TypeScript and imports no file of ours", () => {
  const sources = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const texts = sources.map((name) => readFileSync(join(folder, name), "utf8"));
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/from "([^"]+)"/g)].map(([, name]) => name),
  );

  expect(texts.join("").split("\n").length - 1).toBeLessThan(200);
  expect(new Set(imported)).toEqual(
    new Set(["effect/Schema", "ghostlight", "xstate", "./queue.ts"]),
  );
});

it("it shows what it says, and says why a customer left", async () => {
  const out = join(newFolder(), "run");

  const run = await bank.record(scenario, out);

  expect(run.verdicts.map(({ ok }) => ok)).toEqual([true, true, true]);
  const asked = bank.why(run.deliveries, run.inputs);
  expect(asked?.question).toMatch(/^customer:/);
  expect(asked?.chain.map(({ says }) => says)).toEqual([
    expect.stringMatching(/left: its patience was over\.$/),
    expect.stringMatching(/joined the line behind \d others\.$/),
    "One clerk went home.",
  ]);
  expect(asked?.origins).toMatchObject([{ kind: "outside", id: "noon" }]);
  expect(bank.replay(bank.readBundle(out)).matches).toBe(true);
});

it("[PT11] a part that says nothing of its report is told by its metrics", async () => {
  const run = await bank.play(scenario);
  const last = (name: "queue.left" | "queue.served"): number =>
    run.meter.valueAt(name, "world", run.result.virtualMs);

  const report = bank.report(run);

  expect(bank.figuresOf(run)).toMatchObject({ queue: { "queue.left": last("queue.left") } });
  expect(report).toContain(
    `queue.served ${last("queue.served")}, queue.left ${last("queue.left")}.`,
  );
  expect(report).toMatch(/\| queue\.waiting +\| 0 customers \| 4 +\| In the line, now\. +\|/);
  expect(world({ name: "silent" }).report(run)).not.toContain("Measured");
});

it("[PT11, PT12] its variants stand beside it in its metrics, and its picture draws them", async () => {
  const out = join(newFolder(), "run");

  const played = await ghostlight(["run", file, ...part, "--out", out, "--compare"]);

  expect(played).toMatchObject({ code: 0, stderr: expect.not.stringContaining("not met") });
  expect(played.stdout).toMatch(/\| Variant +\| queue\.waiting \| queue\.served \| queue\.left \|/);
  expect(played.stdout).toContain(`npx ghostlight replay ${out} --part QUEUE_FILE`);
  expect(played.stdout).toMatch(/\| both-stay +\| 0 +\| 10 +\| 0 +\|/);
  const picture = readFileSync(join(out, "picture.svg"), "utf8");
  for (const name of ["waiting", "served", "left"]) expect(picture).toContain(`>queue.${name}<`);
});

it("its promise holds in random worlds and near its scenario", async () => {
  const chosen = { runs: 30, properties: ["queue-clerks", "replay-is-exact"] };

  const { properties } = await bank.check(undefined, chosen);
  const near = await bank.check(scenario, { ...chosen, runs: 3 });

  expect(properties.map(({ status }) => status)).toEqual(["held", "held"]);
  expect(near.properties.map(({ status }) => status)).toEqual(["held", "held"]);
});
