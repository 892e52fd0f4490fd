/** How many evaluations CMA-ES takes to the deepest of many valleys, with restarts and without. */
import { CmaEs } from "../src/studies/search/cmaes.ts";
import { RestartedCmaEs } from "../src/studies/search/restarts.ts";

const DIMENSIONS = 5;
const BUDGET = 20_000;
const TARGET = 1e-2;
const SEEDS: readonly number[] = Array.from({ length: 12 }, (_, at) => at + 1);

/** Rastrigin's function from −5 to 5, its least value off the middle. */
const rastrigin = (place: readonly number[]): number =>
  place
    .map((one, i) => 10 * one - 4.3 - 0.3 * i)
    .reduce((sum, one) => sum + one * one + 10 - 10 * Math.cos(2 * Math.PI * one), 0);

function evaluations(search: Pick<CmaEs, "ask" | "tell">): number | null {
  for (let count = 0; count < BUDGET; ) {
    const values = search.ask().map(rastrigin);
    count += values.length;
    if (Math.min(...values) < TARGET) return count;
    search.tell(values);
  }
  return null;
}

/** Rows of a table: who found it how often, and the median of its evaluations where it did. */
export function restartRows(): readonly (readonly string[])[] {
  const ways = [
    ["one start", (seed: number) => new CmaEs({ dimensions: DIMENSIONS, seed })],
    ["restarts", (seed: number) => new RestartedCmaEs({ dimensions: DIMENSIONS, seed })],
  ] as const;
  return ways.map(([name, search]) => {
    const found = SEEDS.map((seed) => evaluations(search(seed)))
      .filter((one) => one !== null)
      .sort((a, b) => a - b);
    const median = found[Math.floor(found.length / 2)];
    return [name, `${found.length} of ${SEEDS.length}`, median === undefined ? "" : `${median}`];
  });
}
