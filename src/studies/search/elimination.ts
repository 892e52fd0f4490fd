/**
 * Successive elimination over a few points: every point left gets the same seeds, twice as many each round, and one is dropped
 * only when its paired interval against the best excludes zero. As the best is chosen by the same data and looked at in each
 * round, the error is shared out over all pairs and all rounds: what is dropped is dropped with the confidence of the whole.
 */
import { assert } from "../../substrate/assert.ts";
import { CONFIDENCE, meanInterval } from "../statistics/intervals.ts";
import { plainMean } from "../statistics/replicatedRows.ts";
import type { Goal } from "./pareto.ts";

interface EliminationOptions {
  readonly points: number;
  readonly goal: Goal;
  /** Replicates of the first round, and of the last. */
  readonly first: number;
  readonly most: number;
}

export interface Dropped {
  readonly point: number;
  readonly replicates: number;
  /** The best of its round; null where it was infeasible or failed, and so never scored. */
  readonly against: number | null;
}

export class Elimination {
  readonly #options: EliminationOptions;
  readonly #rounds: number;
  readonly #values: number[][];
  readonly #dropped: Dropped[] = [];
  #left: number[];
  #target: number;
  #hasEnded = false;

  constructor(options: EliminationOptions) {
    const { points, first, most } = options;
    assert(points >= 1 && first >= 2 && most >= first, "points, and replicates from two on");
    this.#options = options;
    this.#left = Array.from({ length: points }, (_, point) => point);
    this.#values = this.#left.map(() => []);
    this.#target = first;
    let rounds = 1;
    for (let target = first; target < most; target *= 2) rounds += 1;
    this.#rounds = rounds;
  }

  /** Points that are left, each with the replicates from `from` to before `to` still to be run; null at the end. */
  ask(): { readonly points: readonly number[]; readonly from: number; readonly to: number } | null {
    if (this.#hasEnded) return null;
    const from = this.#values[this.#left[0] ?? 0]?.length ?? 0;
    return { points: this.#left, from, to: this.#target };
  }

  /** The values of each asked point, in the order of replicates; null for a point that is infeasible or failed. */
  tell(values: ReadonlyMap<number, readonly number[] | null>): void {
    const asked = this.ask();
    assert(asked !== null, "nothing was asked");
    for (const point of asked.points) {
      const own = values.get(point);
      assert(own !== undefined, `point ${point} was asked for`);
      if (own === null) {
        this.#dropped.push({ point, replicates: asked.to, against: null });
        continue;
      }
      assert(own.length === asked.to - asked.from, `point ${point} lacks replicates`);
      this.#values[point]?.push(...own);
    }
    this.#left = this.#left.filter((point) => values.get(point) !== null);
    this.#drop();
    this.#hasEnded = this.#left.length <= 1 || this.#target >= this.#options.most;
    this.#target = Math.min(this.#options.most, this.#target * 2);
  }

  get dropped(): readonly Dropped[] {
    return this.#dropped;
  }

  /** Best first by their means; those beside the first were not told from it. */
  get left(): readonly number[] {
    const sign = this.#options.goal === "maximise" ? -1 : 1;
    return this.#left.toSorted((a, b) => sign * (this.#mean(a) - this.#mean(b)) || a - b);
  }

  #mean(point: number): number {
    return plainMean(this.#values[point] ?? []);
  }

  #drop(): void {
    const { points, goal } = this.#options;
    const pairs = Math.max(1, (points * (points - 1)) / 2);
    const each = 1 - (1 - CONFIDENCE) / (pairs * this.#rounds);
    const best = this.left[0];
    if (best === undefined) return;
    const bests = this.#values[best] ?? [];
    const isWorse = (point: number): boolean => {
      const own = this.#values[point] ?? [];
      const differences = own.map((one, replicate) => one - (bests[replicate] ?? 0));
      const { low, high } = meanInterval(differences, each);
      if (low === null || high === null) return false;
      return goal === "maximise" ? high < 0 : low > 0;
    };
    const worse = this.#left.filter((point) => point !== best && isWorse(point));
    for (const point of worse) {
      this.#dropped.push({ point, replicates: this.#target, against: best });
    }
    this.#left = this.#left.filter((point) => !worse.includes(point));
  }
}
