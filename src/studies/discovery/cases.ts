/** Runs of a study as a search for rules needs them: a row for each point, with how many of its runs the outcome holds in. */

export interface NumberColumn {
  readonly kind: "number";
  readonly name: string;
  /** One for each point. */
  readonly values: readonly number[];
}

export interface CategoryColumn {
  readonly kind: "category";
  readonly name: string;
  readonly values: readonly string[];
}

export type Column = NumberColumn | CategoryColumn;

export interface Cases {
  readonly columns: readonly Column[];
  /** Runs of each point of which it is known whether the outcome holds; at least one. */
  readonly runs: readonly number[];
  readonly hits: readonly number[];
}

/** What lies within one column's bounds, both included; of categories, those that are kept. */
export type Limit =
  | {
      readonly kind: "number";
      readonly name: string;
      readonly low: number;
      readonly high: number;
    }
  | { readonly kind: "category"; readonly name: string; readonly kept: readonly string[] };

/** A limit for each column, in their order, also for those that it leaves whole. */
export type Box = readonly Limit[];

/** How a box stands to all cases. */
export interface BoxFigures {
  readonly points: number;
  readonly runs: number;
  readonly hits: number;
  /** Of all runs in which the outcome holds, the share that lies in the box. */
  readonly coverage: number;
  /** Of the runs in the box, the share in which the outcome holds. */
  readonly density: number;
  /** Of all runs, the share that lies in the box. */
  readonly mass: number;
}

/** The box that holds every case. */
export const wholeBox = ({ columns }: Cases): Box =>
  columns.map((column): Limit => {
    const { name } = column;
    if (column.kind === "category") {
      return { kind: "category", name, kept: [...new Set(column.values)].sort() };
    }
    const [low, high] = extent(column.values);
    return { kind: "number", name, low, high };
  });

export function extent(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

export function holds(limit: Limit, column: Column | undefined, point: number): boolean {
  const value = column?.values[point];
  if (limit.kind === "category") return typeof value === "string" && limit.kept.includes(value);
  return typeof value === "number" && value >= limit.low && value <= limit.high;
}

export const allPoints = ({ runs }: Cases): readonly number[] => runs.map((_, point) => point);

export const inside = ({ columns }: Cases, box: Box, among: readonly number[]): readonly number[] =>
  among.filter((point) => box.every((limit, at) => holds(limit, columns[at], point)));

export interface Counts {
  readonly runs: number;
  readonly hits: number;
}

export function countsOf(cases: Cases, points: readonly number[]): Counts {
  let [runs, hits] = [0, 0];
  for (const point of points) {
    runs += cases.runs[point] ?? 0;
    hits += cases.hits[point] ?? 0;
  }
  return { runs, hits };
}

export function figuresOf(cases: Cases, points: readonly number[]): BoxFigures {
  const { runs, hits } = countsOf(cases, points);
  const all = countsOf(cases, allPoints(cases));
  return {
    ...{ points: points.length, runs, hits },
    coverage: all.hits === 0 ? 0 : hits / all.hits,
    density: runs === 0 ? 0 : hits / runs,
    mass: all.runs === 0 ? 0 : runs / all.runs,
  };
}

/** Coverage and density in one number, which is high only where both are: their harmonic mean. */
export const agreement = ({ coverage, density }: BoxFigures): number =>
  coverage + density === 0 ? 0 : (2 * coverage * density) / (coverage + density);

/** The cases of some points alone; a point that is named twice counts twice. */
export const casesOf = ({ columns, runs, hits }: Cases, points: readonly number[]): Cases => ({
  columns: columns.map((column) =>
    column.kind === "number"
      ? { ...column, values: points.map((point) => column.values[point] ?? 0) }
      : { ...column, values: points.map((point) => column.values[point] ?? "") },
  ),
  runs: points.map((point) => runs[point] ?? 0),
  hits: points.map((point) => hits[point] ?? 0),
});
