/** How often intervals of blame hold the truth: continuations of a stored pool, drawn again and again. */
import { blame } from "../../src/run/causes/blame.ts";
import type { Change } from "../../src/run/causes/changes.ts";
import { suspectsOf } from "../../src/run/causes/suspects.ts";
import type { PlayTrials } from "../../src/run/causes/trial.ts";
import { CONFIDENCE } from "../../src/studies/statistics/intervals.ts";
import { pairedProportionInterval } from "../../src/studies/statistics/proportions.ts";
import { namedRandom } from "../../src/substrate/random.ts";
import type { Kept } from "../keptSteps.ts";
import { runOf } from "./lab.ts";
import { percent } from "./truthTables.ts";
import type { PlantedWorld, Step } from "./worlds.ts";

const choice = (id: string, at: number, perMille: number, by = id): Step => ({
  id,
  at,
  perMille,
  by,
});
const busy: readonly Step[] = [choice("n", 3, 800, "busy"), choice("m", 5, 800, "busy")];
const luck = (perMille: number, after?: string): Step => ({
  ...{ id: "u", by: null, perMille },
  ...(after === undefined ? { at: 20 } : { after: [after] }),
});
const world = (name: string, steps: readonly Step[], harm: PlantedWorld["harm"]): PlantedWorld => ({
  ...{ name, kind: "pool", steps: [...steps, ...busy], harm, delayMinutes: 40 },
});
/** Both shares lie between a tenth and nine tenths, in each arm. */
const POOLS: readonly PlantedWorld[] = [
  world(
    "two of three",
    [choice("a", 1, 800), choice("b", 2, 600), luck(300)],
    [
      { all: ["a"], perMille: 500 },
      { all: ["b"], perMille: 300 },
      { all: ["u"], perMille: 700 },
    ],
  ),
  world(
    "a strong one",
    [choice("a", 1, 900), luck(200)],
    [{ all: ["a"], perMille: 800 }, { all: ["u"] }],
  ),
  world(
    "weak ones",
    [choice("a", 1, 500), choice("b", 2, 500), choice("c", 4, 500), luck(250)],
    [
      { all: ["a"], perMille: 200 },
      { all: ["b"], perMille: 200 },
      { all: ["c"], perMille: 200 },
      { all: ["u"] },
    ],
  ),
  world(
    "luck after a choice",
    [choice("a", 1, 700), luck(600, "n"), { id: "w", by: null, at: 30, perMille: 300 }],
    [{ all: ["a", "u"] }, { all: ["w"] }],
  ),
];

interface Pool {
  readonly name: string;
  readonly own: readonly (0 | 1)[];
  readonly arms: readonly { readonly change: Change; readonly hits: readonly (0 | 1)[] }[];
}

async function poolOf(planted: PlantedWorld, size: number): Promise<Pool> {
  for (let seed = 1; ; seed += 1) {
    const asked = await runOf(planted, seed);
    if (asked === undefined) continue;
    const { deliveries, inputs } = asked.run;
    const ran = { scenario: asked.world.scenario, deliveries, inputs };
    const { suspects } = suspectsOf(asked.parts, ran, asked.effect, Number.MAX_SAFE_INTEGER);
    // The world with most of its suspects: a run that had few tells of few.
    if (suspects.length < Math.min(4, planted.steps.length - 2)) continue;
    const from = Math.min(...suspects.map(({ place }) => place));
    const hitsOf = async (changes: readonly Change[]) => {
      const seeds = Array.from({ length: size }, (_, at) => 5_000_000 + at);
      const tried = await asked.play(
        seeds.map((one) => ({ seed: one, changes, from, isWhole: false })),
      );
      return tried.map(({ occurred }) => (occurred ? 1 : 0));
    };
    const arms = [];
    for (const { change } of suspects) arms.push({ change, hits: await hitsOf([change]) });
    return { name: planted.name, own: await hitsOf([]), arms };
  }
}

const mean = (all: readonly number[]): number =>
  all.reduce((sum, one) => sum + one, 0) / all.length;
const truthOf = (pool: Pool, hits: readonly number[]): number => mean(pool.own) - mean(hits);
const holds = (
  { low, high }: { readonly low: number | null; readonly high: number | null },
  truth: number,
) => (low ?? -1) <= truth && truth <= (high ?? 1);

/** Each arm by itself, at so many continuations: the share that held. */
function fixedHeld(pool: Pool, n: number, studies: number): readonly number[] {
  const stream = namedRandom(1).at("coverage", pool.name, n);
  const held = pool.arms.map(() => 0);
  for (let study = 0; study < studies; study += 1) {
    const drawn = Array.from({ length: n }, () => stream.integer(0, pool.own.length - 1));
    for (const [at, { hits }] of pool.arms.entries()) {
      const pairs = drawn.map((row) => [hits[row] ?? 0, pool.own[row] ?? 0] as const);
      if (holds(pairedProportionInterval(pairs, CONFIDENCE), truthOf(pool, hits)))
        held[at] = (held[at] ?? 0) + 1;
    }
  }
  return held.map((one) => one / studies);
}

/** The algorithm itself, fed from the pool: in which share of its answers all intervals held at once, and how wide they were. */
async function atOnceHeld(pool: Pool, studies: number, looks: number | null) {
  let [held, widths, continuations] = [0, 0, 0];
  for (let study = 0; study < studies; study += 1) {
    const rows = new Map<number, number>();
    const stream = namedRandom(study).at("coverage", pool.name, looks ?? 0);
    const play: PlayTrials = async (trials) =>
      trials.map(({ seed, changes }) => {
        if (!rows.has(seed)) rows.set(seed, stream.integer(0, pool.own.length - 1));
        const arm =
          changes.length === 1 ? pool.arms.find(({ change }) => change === changes[0]) : undefined;
        const hits = arm?.hits ?? pool.own;
        return { occurred: hits[rows.get(seed) ?? 0] === 1, outcome: "ended", costs: {} };
      });
    let left = (looks ?? 1) - 1;
    const suspects = pool.arms.map(({ change }) => ({
      change,
      first: null,
      atMs: 0,
      place: 0,
      behind: 1,
    }));
    const told = await blame({
      ...{ seed: study, suspects, leaves: [], from: 0, isExact: false, play },
      ...(looks === null ? { runs: 30 } : { runs: 480, hasTime: () => left-- > 0 }),
    });
    const isRight = told.ranking.every(({ change, effect }) => {
      const arm = pool.arms.find((one) => one.change === change);
      return effect !== null && holds(effect, truthOf(pool, arm?.hits ?? []));
    });
    if (isRight) held += 1;
    widths += mean(told.ranking.map(({ effect }) => (effect?.high ?? 1) - (effect?.low ?? -1)));
    continuations += mean(told.ranking.map(({ n }) => n));
  }
  return { held: held / studies, width: widths / studies, n: continuations / studies };
}

/** How many times as many continuations it takes without the same luck in both arms, for the same interval: of the means. */
function timesUnpaired(pool: Pool): number {
  const differing = pool.arms.filter(({ hits }) => hits.some((one, at) => one !== pool.own[at]));
  const ratios = differing.map(({ hits }) => {
    const variance = (all: readonly number[]) => mean(all.map((one) => (one - mean(all)) ** 2));
    const paired = variance(hits.map((one, at) => (pool.own[at] ?? 0) - one));
    return (variance(hits) + variance(pool.own)) / Math.max(paired, 1e-9);
  });
  return [...ratios].sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1;
}

async function coverageRow(
  planted: PlantedWorld,
  size: number,
  studies: number,
): Promise<readonly string[]> {
  const pool = await poolOf(planted, size);
  const range = (held: readonly number[]) =>
    `${percent(mean(held))} (${percent(Math.min(...held))} … ${percent(Math.max(...held))})`;
  const differing = pool.arms.map(({ hits }) => hits.some((one, at) => one !== pool.own[at]));
  const ofDiffering = (held: readonly number[]) => range(held.filter((_, at) => differing[at]));
  const once = await atOnceHeld(pool, studies, null);
  const stopped = await atOnceHeld(pool, studies, 5);
  return [
    pool.name,
    `${pool.arms.length}`,
    `${percent(mean(pool.own))}; ${pool.arms.map(({ hits }) => percent(mean(hits))).join(", ")}`,
    ofDiffering(fixedHeld(pool, 30, studies)),
    ofDiffering(fixedHeld(pool, 100, studies)),
    `${percent(once.held)}, width ${once.width.toFixed(2)}`,
    `${percent(stopped.held)}, width ${stopped.width.toFixed(2)}, n ${stopped.n.toFixed(0)}`,
    timesUnpaired(pool).toFixed(1),
  ];
}

export async function coverageRows(
  size: number,
  studies: number,
  kept: Kept,
): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for (const planted of POOLS) {
    const step = `${studies} studies of ${planted.name}`;
    rows.push(await kept(step, () => coverageRow(planted, size, studies)));
  }
  return rows;
}
