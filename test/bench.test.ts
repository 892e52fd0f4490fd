import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Length, lengthsOf } from "../bench/lengths.ts";
import { pageOf } from "../bench/page.ts";
import { plotOf } from "../bench/plot.ts";
import { repeated } from "../bench/repeated.ts";
import { resultOf } from "../bench/result.ts";
import { assertAgreement, type Plan, type Round } from "../bench/rounds.ts";
import { againstOf, checkout } from "../bench/sides.ts";
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
  lengthRounds: 1,
  lengthBudgetMs: 1,
  sideRounds: 1,
  sideBudgetMs: 1,
  sideTimedMs: 1,
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
  ms: { bare: 1_000, ghost: 500, recorded: 1_200, memory: 1_500, disk: 2_000, replay: 900 },
  timesBare: { bare: 1, ghost: 0.5, recorded: 1.2, memory: 1.5, disk: 2, replay: 0.9 },
};

/** A long run in which an envelope costs so many times as much. */
const roundOfLength = (times: number): Length => {
  const cost = (hours: number, each: number) => ({
    untilMs: hours * 3_600_000,
    ...{ envelopes: hours * 15_000, each },
  });
  return {
    scenario: "safe-file-executor",
    ...{ short: cost(2, 10), long: cost(20, 10 * times) },
    stretches: [cost(2, 10), { ...cost(4, 10 * times), envelopes: 30_000 }, cost(5, 70)],
  };
};
const length = lengthsOf([roundOfLength(1.1), roundOfLength(1.2), roundOfLength(9)]);

const sideOf = (ms: number, digest = "d") => ({
  ...{ ms, envelopes: 30_000, did: digest, hasLevels: false },
});
const pair = (there: number) => ({ here: sideOf(100), there: sideOf(there) });
const against = againstOf("/elsewhere", [
  [pair(600), pair(200), pair(400)],
  [pair(500), pair(210), { here: sideOf(100), there: sideOf(390, "other") }],
  [pair(900), pair(220), pair(410)],
]);

it("takes ratios within a round, so that a busy moment does not show", () => {
  const rounds = [roundAt(1_000), roundAt(10), roundAt(500)];
  const { rows } = resultOf(plan, { rounds, incident, length, against: null });

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
  const page = pageOf(resultOf(plan, { rounds: [roundAt(40_000)], incident, length, against }));

  expect(page).toContain(process.version);
  expect(page).toMatch(/\| Ghostlight, services, bare +\| +4,000 \| +100 \|/);
  expect(page).toMatch(/\| bare heap loop, plain functions +\| +40 k \|/);
  expect(page).toMatch(/\| run, bare +\| 2:00:00 \| +1,000 ms \| +7,200 \|/);
  expect(page).toContain(
    "10 µs in 2 h and 12 µs in 20 h (300,000 envelopes; 12 µs at its end), 1.2 (1.1–9) times as much, goal 1.3.",
  );
});

it("holds another checkout beside this one, and says what is missed and what is not alike", () => {
  const page = pageOf(resultOf(plan, { rounds: [roundAt(40_000)], incident, length, against }));

  expect(page).toContain("bare here; there with digests and nothing kept");
  expect(page).toMatch(/\| the incident, bare .*\| 100 ms \| 600 ms \| +6 \(5–9\), goal 5 \|/);
  expect(page).toMatch(/\| the incident, full, log on disk .*2.1 \(2–2.2\), goal 2.5: missed \|/);
  expect(page).toContain(
    "did not do the same, so the ratio says less: all scenarios of synt, bare.",
  );
  expect(() => checkout(folder)).toThrow(
    /--against .*no src\/run\/simulate\.ts, no .*dependencies/,
  );
});

it("draws what an envelope costs, whatever there is to compare with", () => {
  const without = { ...roundAt(40_000) };
  const withSimpy = { ...without, simpy: without.heapLoop };

  for (const round of [without, withSimpy]) {
    const svg = plotOf(resultOf(plan, { rounds: [round], incident, length, against: null }));
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<\/svg>\n$/s);
    expect(svg.includes("SimPy")).toBe(round === withSimpy);
    expect(svg).toContain("virtual hours of safe-file-executor");
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  }
});
