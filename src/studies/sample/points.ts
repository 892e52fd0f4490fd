/** The points of a study: its design, made of its factors, within its constraints. */
import type { Constraint, DrawnDesign, Factor, Point, Setting } from "../study.ts";
import { constraintFault, constraintText, keeps } from "./constraints.ts";
import type { DesignPoints, DesignRows, Refused } from "./design.ts";
import { drawnRows } from "./drawn.ts";
import { gridSettings, gridSize } from "./grid.ts";
import { oneAtATimeSettings, oneAtATimeSize } from "./oneAtATime.ts";
import { screenedRows } from "./screened.ts";

/** Ours: with one run of each, days on one machine. */
export const DESIGN_POINTS_MAX = 1_000_000;

/**
 * The same for the same arguments everywhere. `baseline` has a value of every factor; only `oat` asks for it.
 * Equal points are one, and `rows` says which point each row of the design is.
 */
export function pointsOf(
  design: DrawnDesign,
  factors: readonly Factor[],
  constraints: readonly Constraint[],
  seed: number,
  baseline: Setting = {},
): DesignPoints | Refused {
  const size = sizeOf(design, factors);
  if (size > BigInt(DESIGN_POINTS_MAX)) {
    const refused = `The design ${design.kind} has ${size} points; at most ${DESIGN_POINTS_MAX} are allowed. Take fewer levels, points or factors.`;
    return { refused };
  }
  if (size < 1n) {
    return { refused: `The design ${design.kind} has no points; at least one is needed.` };
  }
  const fault = constraintFault(constraints, factors);
  if (fault !== null) return fault;
  const made = rowsOf(design, factors, constraints, seed, baseline);
  return "refused" in made ? made : merged(made, factors);
}

function sizeOf(design: DrawnDesign, factors: readonly Factor[]): bigint {
  switch (design.kind) {
    case "grid":
      return gridSize(factors, Math.min(design.levels, DESIGN_POINTS_MAX + 1));
    case "oat":
      return oneAtATimeSize(factors, Math.min(design.levels, DESIGN_POINTS_MAX + 1));
    case "morris":
      return BigInt(design.trajectories) * BigInt(factors.length + 1);
    case "saltelli":
      return BigInt(design.rows) * BigInt(2 * factors.length + 2);
    case "points":
      return BigInt(design.points.length);
    default:
      return BigInt(design.points);
  }
}

function rowsOf(
  design: DrawnDesign,
  factors: readonly Factor[],
  constraints: readonly Constraint[],
  seed: number,
  baseline: Setting,
): DesignRows | Refused {
  switch (design.kind) {
    case "grid":
      return ruled(gridSettings(factors, design.levels), constraints);
    case "oat":
      return aroundBaseline(
        oneAtATimeSettings(factors, design.levels, baseline),
        factors,
        constraints,
      );
    case "points":
      return asGiven(design.points, factors, constraints);
    default:
      if (factors.length === 0) {
        return {
          refused: `The design ${design.kind} needs a factor that varies, and there is none.`,
        };
      }
      return design.kind === "morris" || design.kind === "saltelli"
        ? screenedRows(design, factors, constraints, seed)
        : drawnRows(design, factors, constraints, seed);
  }
}

function ruled(all: readonly Setting[], constraints: readonly Constraint[]): DesignRows | Refused {
  const settings = all.filter((setting) => constraints.every((one) => keeps(one, setting)));
  if (settings.length === 0) {
    const text = constraints.map((one) => `\`${constraintText(one)}\``).join(" and ");
    return {
      refused: `None of the ${all.length} combinations keeps ${text}. Take levels that do, or \`lhs\`.`,
    };
  }
  return { settings, rejected: all.length - settings.length, notes: [] };
}

/** The baseline itself is a run without the study, and stays whatever the constraints say. */
function aroundBaseline(
  [baseline = {}, ...others]: readonly Setting[],
  factors: readonly Factor[],
  constraints: readonly Constraint[],
): DesignRows | Refused {
  const missing = factors.find(({ name }) => baseline[name] === undefined);
  if (missing !== undefined) {
    return {
      refused: `The design oat starts from the baseline, which has no value of ${missing.name}. Name one under \`baseline\`.`,
    };
  }
  const kept = ruled(others, constraints);
  if ("refused" in kept) return kept;
  return { ...kept, settings: [baseline, ...kept.settings] };
}

function asGiven(
  points: readonly Setting[],
  factors: readonly Factor[],
  constraints: readonly Constraint[],
): DesignRows | Refused {
  for (const [at, point] of points.entries()) {
    const missing = factors.find(({ name }) => point[name] === undefined);
    if (missing !== undefined) {
      return {
        refused: `Point ${at + 1} has no value of ${missing.name}. Give each point a value of every factor.`,
      };
    }
    const broken = constraints.find((one) => !keeps(one, point));
    if (broken !== undefined) {
      return {
        refused: `Point ${at + 1} breaks \`${constraintText(broken)}\`. Change the point or the constraint.`,
      };
    }
  }
  return { settings: points, rejected: 0, notes: [] };
}

function merged(
  { settings, rejected, notes }: DesignRows,
  factors: readonly Factor[],
): DesignPoints {
  const names = factors.map(({ name }) => name);
  const known = new Map<string, number>();
  const points: Point[] = [];
  const rows = settings.map((values) => {
    const key = JSON.stringify(names.map((name) => values[name]));
    const index = known.get(key) ?? points.length;
    if (index === points.length) {
      known.set(key, index);
      points.push({ index, values });
    }
    return index;
  });
  const equal = rows.length - points.length;
  const note = `${equal} of the ${rows.length} points of the design equal others and run once with them.`;
  return { points, rows, rejected, notes: equal > 0 ? [...notes, note] : notes };
}
