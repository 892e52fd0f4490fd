/** From the unit cube to settings: a dimension for each factor, but the last of those that keep a sum. */
import type { PolicyValue } from "../../contract/policyTree.ts";
import type { Constraint, Factor, NumberFactor, Setting } from "../study.ts";
import { constraintText, type Refused, summedFactors } from "./constraints.ts";
import type { UnitPoint } from "./cubePoints.ts";
import { drawnValue, valueAt, valueCount } from "./factorValues.ts";
import { keptSum, SUM_TABLE_MAX, sumTableSize } from "./keptSum.ts";

export interface CubeMap {
  readonly dimensions: number;
  readonly settingAt: (point: UnitPoint) => Setting;
  /** Constraints that a setting may break. */
  readonly unkept: readonly Constraint[];
  readonly notes: readonly string[];
}

/** Factors whose values keep a sum, and how they are drawn. */
interface Sum {
  readonly factors: readonly NumberFactor[];
  readonly draw: (places: readonly number[]) => number[];
}

/** Where places are drawn evenly, each combination that keeps the sums is equally likely. */
export function cubeMap(
  factors: readonly Factor[],
  constraints: readonly Constraint[],
): CubeMap | Refused {
  const sums: Sum[] = [];
  const unkept: Constraint[] = [];
  const notes: string[] = [];
  for (const constraint of constraints) {
    const summed = summedFactors(constraint, factors);
    const isFree = !sums.some((sum) => sum.factors.some((factor) => summed?.includes(factor)));
    if (summed === null || !isFree) {
      unkept.push(constraint);
      continue;
    }
    const sum = sumOf(constraint, summed);
    if ("refused" in sum) return sum;
    sums.push(sum);
    notes.push(
      `${constraintText(constraint)} is kept by drawing among the combinations that keep it, each equally likely.`,
    );
  }
  return {
    dimensions: factors.length - sums.length,
    settingAt: settingsBy(factors, sums),
    unkept,
    notes,
  };
}

function sumOf(constraint: Constraint, factors: readonly NumberFactor[]): Sum | Refused {
  const shaped = factors.find(({ shape }) => shape !== undefined);
  if (shaped !== undefined) {
    const refused = `${shaped.name} has a distribution, and \`${constraintText(constraint)}\` draws every combination alike. Leave one of them out.`;
    return { refused };
  }
  const [first] = factors;
  const weight = constraint.weights[first?.name ?? ""] ?? 1;
  const lows = factors.reduce((total, { low }) => total + low, 0);
  const steps = ((constraint.least ?? 0) / weight - lows) / (first?.step ?? 1);
  const bounds = factors.map((factor) => valueCount(factor) - 1);
  const most = bounds.reduce((total, bound) => total + bound, 0);
  if (!Number.isInteger(steps) || steps < 0 || steps > most) {
    const highs = lows + most * (first?.step ?? 1);
    const refused =
      `No values of the factors keep \`${constraintText(constraint)}\`: by steps of ${first?.step}, ` +
      `their sum is from ${lows * weight} to ${highs * weight}. Change the sum, the bounds or the steps.`;
    return { refused };
  }
  const size = sumTableSize(bounds, steps);
  if (size > SUM_TABLE_MAX) {
    const refused =
      `Keeping \`${constraintText(constraint)}\` takes a table of ${size} combinations of steps; ` +
      `at most ${SUM_TABLE_MAX} are allowed. Take a larger step.`;
    return { refused };
  }
  return { factors, draw: keptSum(bounds, steps) };
}

function settingsBy(factors: readonly Factor[], sums: readonly Sum[]): CubeMap["settingAt"] {
  const lasts: readonly (Factor | undefined)[] = sums.map((sum) => sum.factors.at(-1));
  const dimensionOf = new Map(
    factors.filter((factor) => !lasts.includes(factor)).map((factor, at) => [factor, at]),
  );
  return (point) => {
    const placeOf = (factor: Factor) => point[dimensionOf.get(factor) ?? -1] ?? 0;
    const kept = new Map<Factor, PolicyValue>();
    for (const sum of sums) {
      const ranks = sum.draw(sum.factors.slice(0, -1).map(placeOf));
      sum.factors.forEach((factor, at) => void kept.set(factor, valueAt(factor, ranks[at] ?? 0)));
    }
    return Object.fromEntries(
      factors.map((factor) => [
        factor.name,
        kept.get(factor) ?? drawnValue(factor, placeOf(factor)),
      ]),
    );
  };
}
