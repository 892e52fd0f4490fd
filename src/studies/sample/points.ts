/** The points of a study: its design, made of its factors, within its constraints. */
import {
  type Constraint,
  type DrawnDesign,
  type Factor,
  type Point,
  type Setting,
  settingText,
} from "../study.ts";
import { constraintFault, constraintText, keeps, type Refused } from "./constraints.ts";
import { type CubeMap, cubeMap } from "./cubeMap.ts";
import {
  isPowerOfTwo,
  latinHypercube,
  morrisPoints,
  randomSequence,
  saltelliPoints,
  sobolSequence,
  type UnitPoint,
} from "./cubePoints.ts";
import { factorGroups } from "./factorGroups.ts";
import { drawnValue, levelValue, levelValues, valueCount } from "./factorValues.ts";
import { SOBOL_DIMENSIONS_MAX } from "./sobolDirections.ts";

/** Ours: with one run of each, days on one machine. */
export const DESIGN_POINTS_MAX = 1_000_000;

/** Ours: a search for points that keep the constraints ends where, after so many, fewer than one in a hundred does. */
const DRAWS_BEFORE_REFUSAL = 10_000;
const KEPT_LEAST = 0.01;

export interface DesignPoints {
  /** Those that differ, each at its index. */
  readonly points: readonly Point[];
  /** For each row of the design, the index of its point: indices of sensitivity are of rows. */
  readonly rows: readonly number[];
  /** Combinations that a constraint ruled out. */
  readonly rejected: number;
  /** What whoever reads the result must know of how the points were made. */
  readonly notes: readonly string[];
}

/** Settings in the order of the design, before equal ones are merged. */
type DesignRows = Pick<DesignPoints, "rejected" | "notes"> & {
  readonly settings: readonly Setting[];
};

type DesignOf<Kind extends DrawnDesign["kind"]> = DrawnDesign & { readonly kind: Kind };

/** What a design is made of. `baseline` has a value of every factor; only `oat` asks for it. */
interface Of {
  readonly factors: readonly Factor[];
  readonly constraints: readonly Constraint[];
  readonly seed: number;
  readonly baseline: Setting;
}

/** The same for the same arguments everywhere. Equal points are one, and `rows` says which point each row of the design is. */
export function pointsOf(
  design: DrawnDesign,
  factors: readonly Factor[],
  constraints: readonly Constraint[],
  seed: number,
  baseline: Setting = {},
): DesignPoints | Refused {
  const { size, rows } = planned(design, { factors, constraints, seed, baseline });
  if (size > BigInt(DESIGN_POINTS_MAX)) {
    const refused = `The design ${design.kind} has ${size} points; at most ${DESIGN_POINTS_MAX} are allowed. Take fewer levels, points or factors.`;
    return { refused };
  }
  if (size < 1n) {
    return { refused: `The design ${design.kind} has no points; at least one is needed.` };
  }
  const fault = constraintFault(constraints, factors);
  if (fault !== null) return fault;
  const made = rows();
  return "refused" in made ? made : merged(made, factors);
}

/** How many rows a design has, before any is made, and how they are made. */
function planned(design: DrawnDesign, of: Of) {
  const { factors } = of;
  const groups = factorGroups({ design, factors }).names.length;
  const free = (size: number, rows: () => DesignRows | Refused) => ({
    size: BigInt(size),
    rows: () => {
      const refused = `The design ${design.kind} needs a factor that varies, and there is none.`;
      return factors.length === 0 ? { refused } : rows();
    },
  });
  switch (design.kind) {
    case "grid": {
      const size = gridSize(factors, Math.min(design.levels, DESIGN_POINTS_MAX + 1));
      return { size, rows: () => ruled(gridSettings(factors, design.levels), of) };
    }
    case "oat": {
      const levels = Math.min(design.levels, DESIGN_POINTS_MAX + 1);
      const moved = factors.reduce((sum, factor) => sum + levelValues(factor, levels).length, 0);
      return { size: BigInt(moved) + 1n, rows: () => aroundBaseline(design.levels, of) };
    }
    case "points":
      return { size: BigInt(design.points.length), rows: () => asGiven(design.points, of) };
    case "morris":
      return free(design.trajectories * (groups + 1), () =>
        untied(design, of, () => morrisRows(design, of)),
      );
    case "saltelli":
      return free(design.rows * (2 * groups + 2), () =>
        untied(design, of, () => saltelliRows(design, of)),
      );
    default:
      return free(design.points, () => drawnRows(design, of));
  }
}

/** How many combinations there are, before any is made. */
export const gridSize = (factors: readonly Factor[], levels: number): bigint =>
  factors.reduce((size, factor) => size * BigInt(levelValues(factor, levels).length), 1n);

/** Every combination of the factors' values; the last factor varies fastest. */
export const gridSettings = (factors: readonly Factor[], levels: number): readonly Setting[] =>
  factors.reduce<readonly Setting[]>(
    (settings, factor) => {
      const values = levelValues(factor, levels);
      return settings.flatMap((one) => values.map((value) => ({ ...one, [factor.name]: value })));
    },
    [{}],
  );

const textOf = (constraints: readonly Constraint[]): string =>
  constraints.map((one) => `\`${constraintText(one)}\``).join(" and ");

function ruled(all: readonly Setting[], { constraints }: Of): DesignRows | Refused {
  const settings = all.filter((setting) => constraints.every((one) => keeps(one, setting)));
  if (settings.length === 0) {
    const refused = `None of the ${all.length} combinations keeps ${textOf(constraints)}. Take levels that do, or \`lhs\`.`;
    return { refused };
  }
  return { settings, rejected: all.length - settings.length, notes: [] };
}

const without = (factors: readonly Factor[], setting: Setting): Factor | undefined =>
  factors.find(({ name }) => setting[name] === undefined);

/**
 * The baseline, then each value of each factor with all others as in the baseline, which may stand outside the factors'
 * bounds: it is a run without the study, and stays whatever the constraints say.
 */
function aroundBaseline(levels: number, of: Of): DesignRows | Refused {
  const { factors, baseline } = of;
  const missing = without(factors, baseline);
  if (missing !== undefined) {
    const refused = `The design oat starts from the baseline, which has no value of ${missing.name}. Name one under \`baseline\`.`;
    return { refused };
  }
  const moved = factors.flatMap((factor) =>
    levelValues(factor, levels).map((value) => ({ ...baseline, [factor.name]: value })),
  );
  const kept = ruled(moved, of);
  return "refused" in kept ? kept : { ...kept, settings: [baseline, ...kept.settings] };
}

function asGiven(points: readonly Setting[], { factors, constraints }: Of): DesignRows | Refused {
  for (const [at, point] of points.entries()) {
    const missing = without(factors, point);
    if (missing !== undefined) {
      const refused = `Point ${at + 1} has no value of ${missing.name}. Give each point a value of every factor.`;
      return { refused };
    }
    const broken = constraints.find((one) => !keeps(one, point));
    if (broken !== undefined) {
      const refused = `Point ${at + 1} breaks \`${constraintText(broken)}\`. Change the point or the constraint.`;
      return { refused };
    }
  }
  return { settings: points, rejected: 0, notes: [] };
}

/** Points of the unit cube that keep the constraints. */
function drawnRows(design: DesignOf<"lhs" | "random" | "sobol">, of: Of): DesignRows | Refused {
  const { factors, constraints, seed } = of;
  const map = cubeMap(factors, constraints);
  if ("refused" in map) return map;
  const { dimensions } = map;
  switch (design.kind) {
    case "lhs":
      return fromCube(latinHypercube(design.points, dimensions, seed), map);
    case "random":
      return fromSequence(design, randomSequence(dimensions, seed), map);
    case "sobol":
      if (dimensions > SOBOL_DIMENSIONS_MAX) {
        const refused = `${dimensions} factors need as many dimensions; a Sobol design has at most ${SOBOL_DIMENSIONS_MAX}. Take \`lhs\` or \`random\`.`;
        return { refused };
      }
      return fromSequence(design, sobolSequence(dimensions, design.isScrambled ? seed : null), map);
  }
}

function fromCube(points: readonly UnitPoint[], map: CubeMap): DesignRows | Refused {
  const settings = points
    .map(map.settingAt)
    .filter((setting) => map.unkept.every((one) => keeps(one, setting)));
  const rejected = points.length - settings.length;
  if (settings.length === 0) return tooFewKept(points.length, 0, map);
  const note = `${rejected} of the ${points.length} points of the hypercube break a constraint and are left out; each stratum is hit once with them only.`;
  return { settings, rejected, notes: [...map.notes, ...(rejected > 0 ? [note] : [])] };
}

function fromSequence(
  { kind, points }: DesignOf<"random" | "sobol">,
  next: () => UnitPoint,
  map: CubeMap,
): DesignRows | Refused {
  const settings: Setting[] = [];
  let draws = 0;
  while (settings.length < points) {
    if (draws >= DRAWS_BEFORE_REFUSAL && settings.length < draws * KEPT_LEAST) {
      return tooFewKept(draws, settings.length, map);
    }
    const setting = map.settingAt(next());
    draws += 1;
    if (map.unkept.every((one) => keeps(one, setting))) settings.push(setting);
  }
  const rejected = draws - points;
  const notes = [...map.notes];
  if (rejected > 0) {
    notes.push(
      `${rejected} of ${draws} points break a constraint and are left out; as many more were drawn.`,
    );
  }
  if (kind === "sobol" && !isPowerOfTwo(draws)) {
    notes.push(
      `A Sobol sequence is most even where its length is a power of two; this one has ${draws}.`,
    );
  }
  return { settings, rejected, notes };
}

function tooFewKept(draws: number, kept: number, { unkept }: CubeMap): Refused {
  const found =
    kept === 0
      ? `None of ${draws} points keeps ${textOf(unkept)}.`
      : `Only ${kept} of ${draws} points keep ${textOf(unkept)}; at least one in a hundred must.`;
  return { refused: `${found} Widen the constraint, or narrow the bounds of the factors.` };
}

/** Morris's and Saltelli's designs take each factor as free of all others. */
function untied(
  { kind }: DrawnDesign,
  { constraints: [tied] }: Of,
  rows: () => DesignRows | Refused,
): DesignRows | Refused {
  if (tied === undefined) return rows();
  const refused =
    `\`${constraintText(tied)}\` ties its factors to one another, and ${kind} moves each by itself. ` +
    "Leave the constraint out, keep one of its factors fixed, or take `lhs`, `random` or `sobol`.";
  return { refused };
}

function morrisRows(design: DesignOf<"morris">, { factors, seed }: Of): DesignRows | Refused {
  const { levels } = design;
  if (levels < 2 || levels % 2 !== 0) {
    return { refused: `morris has ${levels} levels; an even number from 2 on is allowed.` };
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
  const points = morrisPoints(design, factorGroups({ design, factors }).groupOf, seed);
  const notes = factors.flatMap((factor) => morrisNote(factor, levels));
  return { settings: settingsAt(factors, points, levelValue), rejected: 0, notes };
}

function morrisNote(factor: Factor, levels: number): string[] {
  const { name } = factor;
  if (factor.kind === "list") {
    return [`${name} is taken by rank: its first value is 0, its last is 1.`];
  }
  if (!factor.isLog && (valueCount(factor) - 1) % (levels - 1) === 0) return [];
  const how = factor.isLog ? ", by logarithms" : "";
  return [`The ${levels} levels of ${name} are rounded to its steps${how}.`];
}

function saltelliRows(design: DesignOf<"saltelli">, { factors, seed }: Of): DesignRows | Refused {
  const { rows } = design;
  if (!isPowerOfTwo(rows)) {
    const below = 2 ** Math.floor(Math.log2(rows));
    const refused = `saltelli has ${rows} rows; a power of two is allowed, since only then its points are even. Take ${below} or ${2 * below}.`;
    return { refused };
  }
  if (2 * factors.length > SOBOL_DIMENSIONS_MAX) {
    const refused = `saltelli has ${factors.length} factors; at most ${SOBOL_DIMENSIONS_MAX / 2} are allowed. Leave out those that morris finds without effect.`;
    return { refused };
  }
  const points = saltelliPoints(rows, factorGroups({ design, factors }).groupOf, seed);
  const notes = factors.flatMap((factor) =>
    factor.kind === "list" && !factor.isOrdered
      ? `${factor.name} has no order: each of its values is equally likely, and its indices say what the choice among them explains.`
      : [],
  );
  return { settings: settingsAt(factors, points, drawnValue), rejected: 0, notes };
}

const settingsAt = (
  factors: readonly Factor[],
  points: readonly UnitPoint[],
  chosen: (factor: Factor, place: number) => Setting[string],
): readonly Setting[] =>
  points.map((point) =>
    Object.fromEntries(factors.map((factor, at) => [factor.name, chosen(factor, point[at] ?? 0)])),
  );

function merged(
  { settings, rejected, notes }: DesignRows,
  factors: readonly Factor[],
): DesignPoints {
  const known = new Map<string, number>();
  const points: Point[] = [];
  const rows = settings.map((values) => {
    const key = settingText({ factors }, values);
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
