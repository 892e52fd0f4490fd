import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pageOf } from "../bench/page.ts";
import { repeated } from "../bench/repeated.ts";
import { resultOf } from "../bench/result.ts";
import { assertAgreement, type Plan, type Round } from "../bench/rounds.ts";
import { variantNames, variants } from "../bench/variants.ts";
import { tallyOf } from "../bench/workload.ts";

const TICKS = 120;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ghostlight-bench-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function tallyIn(variant: (typeof variantNames)[number], actors: number) {
  const world = variants[variant].open(actors, folder);
  world.advance(TICKS);
  const tally = tallyOf(world);
  world.close();
  return tally;
}

it.each([1, 3, 40])("every variant does the same with %i actors", (actors) => {
  const tallies = variantNames.map((variant) => [variant, tallyIn(variant, actors)]);

  const floor = tallyIn("heapLoop", actors);
  expect(floor).toMatchObject({ ticks: TICKS, pings: TICKS });
  expect(Object.fromEntries(tallies)).toEqual(
    Object.fromEntries(variantNames.map((variant) => [variant, floor])),
  );
});

it.each(["serviceDisk", "statechartDisk"] as const)("%s writes every delivery", (variant) => {
  tallyIn(variant, 3);

  const [bundle = ""] = readdirSync(folder);
  const lines = readFileSync(join(folder, bundle, "events.jsonl"), "utf8")
    .trim()
    .split("\n");
  expect(lines.length).toBe(3 + 2 * TICKS);
});

const plan: Plan = {
  rounds: 3,
  budgetMs: 1,
  incidentRounds: 1,
  incidentBudgetMs: 1,
  sizes: [3],
  agreedTicks: 1,
  warmMs: 1,
  timedMs: 1,
};

/** A round in which the heap loop makes `speed` envelopes a second and all others a tenth. */
const roundAt = (speed: number, checksum = 1): Round =>
  Object.fromEntries(
    variantNames.map((variant) => [
      variant,
      [
        {
          actors: 3,
          tally: { ticks: 1, pings: 1, checksum },
          envelopesPerSecond: variant === "heapLoop" ? speed : speed / 10,
          bytesPerActor: 100,
        },
      ],
    ]),
  ) as unknown as Round;

const incident = {
  scenario: "safe-file-executor",
  virtualMs: 7_200_000,
  envelopes: 30_000,
  digest: "d",
  ghost: { fromMs: 1_800_000, toMs: 5_520_000, envelopes: 15_000 },
  rounds: 1,
  ms: { plain: 1_000, ghost: 500, memory: 1_500, disk: 2_000, replay: 900 },
  timesPlain: { plain: 1, ghost: 0.5, memory: 1.5, disk: 2, replay: 0.9 },
};

it("takes ratios within a round, so that a busy moment does not show", () => {
  const { rows } = resultOf(plan, [roundAt(1_000), roundAt(10), roundAt(500)], incident);

  const service = rows.find(({ variant }) => variant === "service");
  expect(service?.sizes[0]).toMatchObject({ envelopesPerSecond: 50, timesHeapLoop: 10 });
});

it("makes fewer rounds where they would not fit, but one at least", () => {
  expect(repeated(3, Number.POSITIVE_INFINITY, (index) => index)).toEqual([0, 1, 2]);
  expect(repeated(3, Number.NEGATIVE_INFINITY, (index) => index)).toEqual([0]);
});

it("refuses rounds in which a variant did something else", () => {
  expect(() => assertAgreement([roundAt(1), roundAt(1)])).not.toThrow();
  expect(() => assertAgreement([roundAt(1), roundAt(1, 2)])).toThrow(/did .*"checksum":2/);
});

it("prints tables that name the machine", () => {
  const page = pageOf(resultOf(plan, [roundAt(40_000)], incident));

  expect(page).toContain(process.version);
  expect(page).toMatch(/\| Ghostlight, services, bare +\| +4,000 \| +100 \|/);
  expect(page).toMatch(/\| bare heap loop, plain functions +\| +40 k \|/);
  expect(page).toMatch(/\| run, nothing kept +\| 2:00:00 \| 1,000 ms \| +7,200 \|/);
});
