/**
 * Where along one axis an event has a given probability, by bisection on paired seeds: at each level an event counts as rarer or
 * commoner than that only when its interval says so. That the event grows commoner along the axis is tested seed by seed; where
 * it does not, all levels are asked for. Levels are numbers of steps from 0; what they mean is for whoever maps them.
 */
import { assert } from "../../substrate/assert.ts";
import { CONFIDENCE } from "../statistics/intervals.ts";
import { proportionInterval } from "../statistics/proportions.ts";

interface BisectionOptions {
  /** Levels are 0 … levels − 1. */
  readonly levels: number;
  /** The probability that is looked for; one half if absent. */
  readonly at?: number;
  /** Replicates of a level, one look at each: the same seeds at every level. */
  readonly replicates: number;
}

export type Side = "rarer" | "commoner" | "undecided";

export interface LevelShare {
  readonly level: number;
  readonly hits: number;
  readonly replicates: number;
  readonly side: Side;
}

export type Frontier =
  /** Between the highest level that is surely rarer and the lowest that is surely commoner. */
  | { readonly kind: "between"; readonly low: number; readonly high: number; readonly at: number }
  /** Not within the levels; an end may be undecided. */
  | { readonly kind: "beyond"; readonly side: Side }
  | { readonly kind: "notMonotone"; readonly shares: readonly LevelShare[] };

export class Bisection {
  readonly #options: BisectionOptions;
  readonly #each: number;
  readonly #events = new Map<number, readonly boolean[]>();
  /** Once seen it stays: the levels played because of it would raise the bar for seeing it. */
  #isBent = false;

  constructor(options: BisectionOptions) {
    const { levels, replicates } = options;
    assert(levels >= 2 && replicates >= 1, "two levels and a replicate at least");
    this.#options = options;
    // Both ends of the interval are bisected; so many levels are looked at, at most.
    this.#each = 1 - (1 - CONFIDENCE) / (2 * Math.ceil(Math.log2(levels)) + 2);
  }

  /** The level to run next, all replicates of it; null at the end. */
  ask(): number | null {
    const { levels } = this.#options;
    const open = (level: number): boolean => !this.#events.has(level);
    if (!this.isMonotone()) {
      const all = Array.from({ length: levels }, (_, level) => level);
      return all.find(open) ?? null;
    }
    for (const end of [0, levels - 1]) if (open(end)) return end;
    const shares = this.shares();
    if (shares[0]?.side !== "rarer" || shares.at(-1)?.side !== "commoner") return null;
    const [low, high] = bracketOf(shares);
    const between = shares.filter(({ level }) => level > low && level < high);
    const [first, last] = [between[0]?.level ?? high, between.at(-1)?.level ?? low];
    // First what lies below everything undecided, then what lies above it.
    if (first - low > 1) return low + ((first - low) >> 1);
    return high - last > 1 ? last + ((high - last) >> 1) : null;
  }

  /** Whether the event came, by replicate. */
  tell(level: number, events: readonly boolean[]): void {
    assert(events.length === this.#options.replicates, `level ${level} lacks replicates`);
    this.#events.set(level, events);
    this.#isBent ||= !this.#looksMonotone();
  }

  /** From the lowest level that was asked for to the highest. */
  shares(): readonly LevelShare[] {
    const { at = HALF } = this.#options;
    return [...this.#events]
      .sort(([a], [b]) => a - b)
      .map(([level, events]) => {
        const hits = events.filter((one) => one).length;
        const { low, high } = proportionInterval(hits, events.length, this.#each);
        const side = (high ?? 1) < at ? "rarer" : (low ?? 0) > at ? "commoner" : "undecided";
        return { level, hits, replicates: events.length, side };
      });
  }

  /** No two levels whose seeds say, beyond chance, that the event grew rarer. */
  isMonotone(): boolean {
    return !this.#isBent;
  }

  #looksMonotone(): boolean {
    const levels = [...this.#events].sort(([a], [b]) => a - b).map(([, events]) => events);
    const pairs = Math.max(1, (levels.length * (levels.length - 1)) / 2);
    const chance = (1 - CONFIDENCE) / pairs;
    return !levels.some((lower, index) =>
      levels.slice(index + 1).some((upper) => {
        const lost = lower.filter((one, seed) => one && upper[seed] === false).length;
        const gained = lower.filter((one, seed) => !one && upper[seed] === true).length;
        return signTail(lost, lost + gained) < chance;
      }),
    );
  }

  result(): Frontier {
    assert(this.ask() === null, "levels are still to be run");
    const shares = this.shares();
    if (!this.isMonotone()) return { kind: "notMonotone", shares };
    const [first, last] = [shares[0], shares.at(-1)];
    if (first?.side !== "rarer") return { kind: "beyond", side: first?.side ?? "undecided" };
    if (last?.side !== "commoner") return { kind: "beyond", side: last?.side ?? "undecided" };
    const [low, high] = bracketOf(shares);
    return { kind: "between", low, high, at: crossing(shares, this.#options.at ?? HALF) };
  }
}

function bracketOf(shares: readonly LevelShare[]): readonly [low: number, high: number] {
  const low = shares.findLast(({ side }) => side === "rarer")?.level ?? 0;
  const high = shares.find(({ side, level }) => side === "commoner" && level > low)?.level;
  return [low, high ?? shares.at(-1)?.level ?? low];
}

/** Where the shares cross a probability, on the line between the two levels beside it. */
function crossing(shares: readonly LevelShare[], at: number): number {
  const first = shares.findIndex(({ hits, replicates }) => hits >= at * replicates);
  const [before, after] = [shares[first - 1], shares[first]];
  if (before === undefined || after === undefined) return after?.level ?? 0;
  const [a, b] = [before.hits / before.replicates, after.hits / after.replicates];
  return before.level + ((at - a) / (b - a)) * (after.level - before.level);
}

const HALF = 0.5;

/** How probable at least `hits` heads of `n` fair coins are. */
function signTail(hits: number, n: number): number {
  let [ways, above, all] = [1n, 0n, 0n];
  for (let heads = 0; heads <= n; heads += 1) {
    if (heads >= hits) above += ways;
    all += ways;
    ways = (ways * BigInt(n - heads)) / BigInt(heads + 1);
  }
  return Number((above * 1_000_000_000n) / all) / 1e9;
}
