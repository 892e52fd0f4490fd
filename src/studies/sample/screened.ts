/** Morris's and Saltelli's designs of factors, which take each factor as free of all others. */
import type { Constraint, DrawnDesign, Factor, Setting } from "../study.ts";
import { constraintText } from "./constraints.ts";
import type { DesignRows, Refused } from "./design.ts";
import { drawnValue, levelValue, valueCount } from "./factorValues.ts";
import { morrisPoints } from "./morris.ts";
import { isPowerOfTwo } from "./powerOfTwo.ts";
import { saltelliPoints } from "./saltelli.ts";
import { SOBOL_DIMENSIONS_MAX } from "./sobolDirections.ts";

type ScreeningDesign = Extract<DrawnDesign, { readonly kind: "morris" | "saltelli" }>;

export function screenedRows(
  design: ScreeningDesign,
  factors: readonly Factor[],
  constraints: readonly Constraint[],
  seed: number,
): DesignRows | Refused {
  const [tied] = constraints;
  if (tied !== undefined) {
    const refused =
      `\`${constraintText(tied)}\` ties its factors to one another, and ${design.kind} moves each by itself. ` +
      "Leave the constraint out, keep one of its factors fixed, or take `lhs`, `random` or `sobol`.";
    return { refused };
  }
  return design.kind === "morris"
    ? morrisRows(design, factors, seed)
    : saltelliRows(design, factors, seed);
}

function morrisRows(
  design: Extract<DrawnDesign, { readonly kind: "morris" }>,
  factors: readonly Factor[],
  seed: number,
): DesignRows | Refused {
  if (design.levels < 2 || design.levels % 2 !== 0) {
    return { refused: `morris has ${design.levels} levels; an even number from 2 on is allowed.` };
  }
  const unordered = factors.find(
    (factor) => factor.kind === "list" && !factor.isOrdered && factor.values.length > 2,
  );
  if (unordered !== undefined) {
    const refused =
      `${unordered.name} has ${valueCount(unordered)} values without an order, and morris moves up and down. ` +
      "Give it two values, or take saltelli.";
    return { refused };
  }
  const points = morrisPoints(design, factors.length, seed);
  return {
    settings: points.map((point) =>
      settingOf(factors, (factor, at) => levelValue(factor, point[at] ?? 0)),
    ),
    rejected: 0,
    notes: factors.flatMap((factor) => morrisNote(factor, design.levels)),
  };
}

function morrisNote(factor: Factor, levels: number): string[] {
  const last = valueCount(factor) - 1;
  if (factor.kind === "list") {
    return [`${factor.name} is taken by rank: its first value is 0, its last is 1.`];
  }
  return factor.isLog || last % (levels - 1) !== 0
    ? [
        `The ${levels} levels of ${factor.name} are rounded to its steps${factor.isLog ? ", by logarithms" : ""}.`,
      ]
    : [];
}

function saltelliRows(
  { rows }: Extract<DrawnDesign, { readonly kind: "saltelli" }>,
  factors: readonly Factor[],
  seed: number,
): DesignRows | Refused {
  if (!isPowerOfTwo(rows)) {
    const below = 2 ** Math.floor(Math.log2(rows));
    const refused = `saltelli has ${rows} rows; a power of two is allowed, since only then its points are even. Take ${below} or ${2 * below}.`;
    return { refused };
  }
  if (2 * factors.length > SOBOL_DIMENSIONS_MAX) {
    const refused = `saltelli has ${factors.length} factors; at most ${SOBOL_DIMENSIONS_MAX / 2} are allowed. Leave out those that morris finds without effect.`;
    return { refused };
  }
  const points = saltelliPoints(rows, factors.length, seed);
  return {
    settings: points.map((point) =>
      settingOf(factors, (factor, at) => drawnValue(factor, point[at] ?? 0)),
    ),
    rejected: 0,
    notes: factors
      .filter((factor) => factor.kind === "list" && !factor.isOrdered)
      .map(
        ({ name }) =>
          `${name} has no order: each of its values is equally likely, and its indices say what the choice among them explains.`,
      ),
  };
}

const settingOf = (
  factors: readonly Factor[],
  chosen: (factor: Factor, at: number) => Setting[string],
): Setting => Object.fromEntries(factors.map((factor, at) => [factor.name, chosen(factor, at)]));
