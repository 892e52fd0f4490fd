/** A frontier: for each combination of the other factors, where along one of them an outcome has a probability. */
import type { PolicyValue } from "../contract/policyTree.ts";
import { assert } from "../substrate/assert.ts";
import { levelValues } from "./sample/factorValues.ts";
import { gridSettings } from "./sample/points.ts";
import { Bisection, type LevelShare, type Side } from "./search/bisection.ts";
import type { FrontierDesign, Point, Setting, Study } from "./study.ts";

/** One setting of the other factors, with a point for each value along the axis, from small to large. */
export interface Combination {
  readonly setting: Setting;
  readonly axis: readonly number[];
  readonly points: readonly Point[];
}

/** All that a grid would play; points are numbered by combination, then by level. */
export function combinationsOf(
  { factors }: Pick<Study, "factors">,
  { along, levels }: Pick<FrontierDesign, "along" | "levels">,
): readonly Combination[] {
  const factor = factors.find(({ name }) => name === along);
  const axis = factor === undefined ? [] : levelValues(factor, levels).filter(isNumber);
  const others = factors.filter(({ name }) => name !== along);
  return gridSettings(others, levels).map((setting, combination) => ({
    setting,
    axis,
    points: axis.map((value, level) => ({
      index: combination * axis.length + level,
      values: { ...setting, [along]: value },
    })),
  }));
}

const isNumber = (value: PolicyValue): value is number => typeof value === "number";

/** Where the frontier lies, in the units of the leaf. */
export type Threshold =
  /** Between `low` and `high`, `at` by the line between the two values that were looked at beside it. */
  | {
      readonly kind: "between";
      readonly low: number;
      readonly high: number;
      readonly at: number;
      /** Whether the outcome grows more probable along the factor. */
      readonly rises: boolean;
    }
  /** Not within the axis: at both ends the outcome is rarer or commoner, or one end is not decided. */
  | { readonly kind: "beyond"; readonly side: Side }
  /** The same seeds say that the outcome grows commoner here and rarer there: all values were played. */
  | { readonly kind: "notMonotone" }
  /** Runs gave no value, or one that is neither 0 nor 1: nothing is claimed. */
  | { readonly kind: "noValue"; readonly runs: number };

/** Ours: a threshold is told to a tenth of the width of its interval, rounded to a power of ten. */
export function toldThreshold({ low, high, at }: Threshold & { readonly kind: "between" }): number {
  const grain = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, (high - low) / 10))));
  return Math.round(at / grain) * grain;
}

export interface FrontierAt {
  readonly setting: Setting;
  readonly threshold: Threshold;
  /** What was looked at, from the smallest value to the largest. */
  readonly looks: readonly (Omit<LevelShare, "level"> & { readonly value: number })[];
  readonly runs: number;
  /** What a grid of all values takes. */
  readonly gridRuns: number;
}

export interface FrontierFound {
  readonly design: FrontierDesign;
  /** One for each combination of the other factors, in the order of the file. */
  readonly combinations: readonly FrontierAt[];
}

/** Ask and tell, of one combination. Both ends come first, and say which way the outcome grows commoner. */
export class FrontierSearch {
  readonly #combination: Combination;
  readonly #replicates: number;
  readonly #at: number;
  readonly #events = new Map<number, readonly boolean[]>();
  #faulty = 0;
  #bisection: Bisection | undefined;
  #rises = true;

  constructor(combination: Combination, replicates: number, at: number) {
    this.#combination = combination;
    this.#replicates = replicates;
    this.#at = at;
  }

  /** Levels to play next, all replicates of each; none at the end. */
  ask(): readonly number[] {
    if (this.#faulty > 0) return [];
    const levels = this.#combination.axis.map((_, level) => level);
    const open = levels.filter((level) => !this.#events.has(level));
    const ends = open.filter((level) => level === 0 || level === levels.length - 1);
    if (ends.length > 0) return ends;
    const bisection = this.#begun();
    for (let asked = bisection.ask(); asked !== null; asked = bisection.ask()) {
      const level = this.#turned(asked);
      const events = this.#events.get(level);
      // Where bisection fails, all that is left is asked for at once.
      if (events === undefined) return bisection.isMonotone() ? [level] : open;
      bisection.tell(asked, events);
    }
    return [];
  }

  /** What each replicate gave; null where it gave nothing. */
  tell(level: number, values: readonly (number | null)[]): void {
    this.#faulty += values.filter((value) => value !== 0 && value !== 1).length;
    this.#events.set(
      level,
      values.map((value) => value === 1),
    );
  }

  result(): FrontierAt {
    assert(this.ask().length === 0, "levels are still to be played");
    const { setting, axis } = this.#combination;
    const shares = this.#faulty > 0 ? [] : this.#begun().shares();
    return {
      setting,
      threshold: this.#threshold(),
      looks: shares
        .map((share): LevelShare => ({ ...share, level: this.#turned(share.level) }))
        .sort((a, b) => a.level - b.level)
        .map(({ level, ...share }) => ({ value: axisValue(axis, level), ...share })),
      runs: this.#events.size * this.#replicates,
      gridRuns: axis.length * this.#replicates,
    };
  }

  #threshold(): Threshold {
    if (this.#faulty > 0) return { kind: "noValue", runs: this.#faulty };
    const found = this.#begun().result();
    if (found.kind === "notMonotone") return { kind: "notMonotone" };
    if (found.kind === "beyond") return found;
    const { axis } = this.#combination;
    const [one = 0, other = 0] = [found.low, found.high].map((level) =>
      axisValue(axis, this.#turned(level)),
    );
    const at = axisValue(axis, this.#turned(found.at));
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    return { kind: "between", low, high, at, rises: this.#rises };
  }

  /** Levels as bisection counts them: from where the outcome is rarer. */
  #turned(level: number): number {
    return this.#rises ? level : this.#combination.axis.length - 1 - level;
  }

  #begun(): Bisection {
    if (this.#bisection !== undefined) return this.#bisection;
    const levels = this.#combination.axis.length;
    const [first, last] = [0, levels - 1].map(
      (level) => this.#events.get(level)?.filter((one) => one).length ?? 0,
    );
    this.#rises = (first ?? 0) <= (last ?? 0);
    this.#bisection = new Bisection({ levels, replicates: this.#replicates, at: this.#at });
    return this.#bisection;
  }
}

/** The value at a level; between two of them, on the line. */
function axisValue(axis: readonly number[], level: number): number {
  const below = Math.floor(level);
  const [low = 0, high = low] = [axis[below], axis[below + 1]];
  return low + (high - low) * (level - below);
}
