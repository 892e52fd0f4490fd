/** What searches of the unit cube have in common, and what those that go by a model of all values so far begin with. */
import { evenSequence, taken, type UnitPoint } from "../sample/cubePoints.ts";

export interface PlaceSearch {
  /** The same until they are told. */
  ask: () => readonly UnitPoint[];
  /** A value for each place, less is better; null for one that is infeasible or failed. */
  tell: (values: readonly (number | null)[]) => void;
}

export interface ModelOptions {
  readonly dimensions: number;
  readonly seed: number;
  /** Whether a place may be asked for; one that was tried, or that a constraint rules out, need not be. */
  readonly isOpen?: (place: UnitPoint) => boolean;
}

export interface Known {
  readonly place: UnitPoint;
  readonly value: number | null;
}

/** Optuna's: a model of fewer values says little. */
const FIRST_LEAST = 10;

/** Places of a Sobol sequence first, then each where `proposed` of all values so far, the best first and those without one last. */
export function modelSearch(
  { dimensions, seed }: ModelOptions,
  proposed: (known: readonly Known[]) => UnitPoint,
): PlaceSearch {
  const known: Known[] = [];
  const count = Math.max(FIRST_LEAST, 2 * dimensions);
  let asked: readonly UnitPoint[] | null = taken(evenSequence(dimensions, seed), count);
  const rank = ({ value }: Known): number => value ?? Number.MAX_VALUE;
  return {
    ask: () => (asked ??= [proposed(known.toSorted((a, b) => rank(a) - rank(b)))]),
    tell(values) {
      (asked ?? []).forEach((place, at) => void known.push({ place, value: values[at] ?? null }));
      asked = null;
    },
  };
}
