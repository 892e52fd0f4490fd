/** How often searches are wrong, in synthetic studies whose truth is known: no run is played. */
import { Bisection } from "../src/studies/search/bisection.ts";
import { Elimination } from "../src/studies/search/elimination.ts";
import { normalQuantile } from "../src/studies/statistics/quantiles.ts";
import { namedRandom } from "../src/substrate/random.ts";

const FINE = 0x40000000;
export const SEARCH_DATA = ["normal", "Bernoulli"] as const;
type Data = (typeof SEARCH_DATA)[number];

const uniforms = (study: number, name: string): (() => number) => {
  const stream = namedRandom(study).at("bench", "search", name);
  return () => (stream.integer(0, FINE - 1) + 0.5) / FINE;
};

/** Points of elimination, the first of them best by `lead`; replicates of the first round, and of the last. */
const POINTS = 8;
const FIRST = 30;
const MOST = 240;

/** Values of all points by seed; half of each one's chance is the seed's, which all share. */
function drawn(data: Data, lead: number, study: number): number[][] {
  const next = uniforms(study, `elimination ${data} ${lead}`);
  const all = Array.from({ length: POINTS }, (): number[] => []);
  for (let seed = 0; seed < MOST; seed += 1) {
    const [shared, isShared] = [next(), next() < 0.5];
    for (const [point, values] of all.entries()) {
      const own = next();
      const more = point === 0 ? lead : 0;
      values.push(
        data === "normal"
          ? Math.SQRT1_2 * (normalQuantile(shared) + normalQuantile(own)) + more
          : (isShared ? shared : own) < 0.4 + more
            ? 1
            : 0,
      );
    }
  }
  return all;
}

/** Whether the best of one study was dropped, and how many replicates all points took. */
function eliminatedIn(data: Data, lead: number, study: number) {
  const values = drawn(data, lead, study);
  const search = new Elimination({
    ...{ points: POINTS, goal: "maximise", first: FIRST, most: MOST },
  });
  let runs = 0;
  for (let asked = search.ask(); asked !== null; asked = search.ask()) {
    const { points, from, to } = asked;
    runs += points.length * (to - from);
    search.tell(new Map(points.map((point) => [point, values[point]?.slice(from, to) ?? []])));
  }
  return { isDropped: !search.left.includes(0), runs };
}

export interface EliminationChance {
  readonly dropped: number;
  /** Of a grid with all replicates. */
  readonly runs: number;
}

/** Shares over so many studies. With a lead of 0 all points are equal, which is where a best is dropped most easily. */
export function eliminationChance(data: Data, lead: number, studies: number): EliminationChance {
  let [dropped, runs] = [0, 0];
  for (let study = 0; study < studies; study += 1) {
    const found = eliminatedIn(data, lead, study);
    if (found.isDropped) dropped += 1;
    runs += found.runs;
  }
  return { dropped: dropped / studies, runs: runs / studies / (POINTS * MOST) };
}

const LEVELS = 33;
/** The level at which the probability is truly one half, between two of them. */
const CROSSING = 13.5;

/** How probable the event is along the axis. Normal: a value with noise passes a threshold; Bernoulli: a straight line. */
const PROBABILITY: { readonly [data in Data]: (level: number) => number } = {
  // By the logistic curve that lies nearest to it.
  normal: (level) => 1 / (1 + Math.exp((-1.702 * (level - CROSSING)) / 3)),
  Bernoulli: (level) => Math.min(1, Math.max(0, 0.5 + (level - CROSSING) / 30)),
};

export interface BisectionCoverage {
  /** Shares of all studies. */
  readonly held: number;
  readonly missed: number;
  readonly unclaimed: number;
  /** Levels between the two that are given. */
  readonly width: number;
  readonly runs: number;
}

export function bisectionCoverage(data: Data, n: number, studies: number): BisectionCoverage {
  let [held, missed, width, runs] = [0, 0, 0, 0];
  for (let study = 0; study < studies; study += 1) {
    const next = uniforms(study, `bisection ${data} ${n}`);
    const seeds = Array.from({ length: n }, next);
    const search = new Bisection({
      ...{ levels: LEVELS, replicates: n },
    });
    // A quarter of a run's chance is of its own, so that neighbours differ on one seed too.
    for (let level = search.ask(); level !== null; level = search.ask()) {
      runs += 1;
      const chance = PROBABILITY[data](level);
      search.tell(
        level,
        seeds.map((seed) => (next() < 0.25 ? next() : seed) < chance),
      );
    }
    const found = search.result();
    if (found.kind !== "between") continue;
    if (found.low < CROSSING && CROSSING < found.high) held += 1;
    else missed += 1;
    width += found.high - found.low;
  }
  return {
    held: held / studies,
    missed: missed / studies,
    unclaimed: 1 - (held + missed) / studies,
    width: width / Math.max(1, held + missed),
    runs: runs / studies / LEVELS,
  };
}
