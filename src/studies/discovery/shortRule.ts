/** The shortest rule: one limit, on a factor or on a sum, difference or ratio of factors of one unit. All are tried. */
import { groupedBy } from "../../machines/grouped.ts";
import {
  agreement,
  allPoints,
  type BoxFigures,
  type Cases,
  type Column,
  casesOf,
  figuresOf,
  type NumberColumn,
} from "./cases.ts";

/** What one limit may be on: each factor times its weight, added up; or the first over the second. */
export interface Feature {
  readonly kind: "value" | "sum" | "ratio";
  /** By name, in the order of the columns; 1 or −1, the first that is positive first. Of a ratio over and under the line. */
  readonly weights: readonly (readonly [factor: string, weight: number])[];
  readonly column: Column;
  /** Of those with weight 1, only so many of the largest are added up. */
  readonly largest?: number;
}

export interface ShortRule extends BoxFigures {
  readonly feature: Feature;
  /** Of a number: which side it holds on, the last value that holds, and the first that does not. */
  readonly side: "most" | "least" | "is";
  readonly limit: number | string;
  readonly beyond: number | null;
  /** Other features of which a limit says the same of as many runs, with no more factors. */
  readonly ties: number;
}

/** Ours: factors of one unit of which all sums with signs are tried; of more, pairs alone. */
const FACTORS_MOST = 5;

/** Factors by themselves come first, so that of equal rules the plainest is told. `units` is by factor. */
export function featuresOf(
  { columns }: Cases,
  units: { readonly [factor: string]: string },
): readonly Feature[] {
  const plain = columns.map(
    (column): Feature => ({ kind: "value", weights: [[column.name, 1]], column }),
  );
  const numbers = columns.filter(
    (one): one is NumberColumn => one.kind === "number" && units[one.name] !== undefined,
  );
  const groups = groupedBy(numbers, ({ name }) => units[name]);
  const combined = [...groups.values()].flatMap((group) => [
    ...sums(group),
    ...largestSums(group),
    ...ratios(group),
  ]);
  return [...plain, ...combined].sort((one, other) => one.weights.length - other.weights.length);
}

type NumberColumns = readonly NumberColumn[];

function sums(group: NumberColumns): readonly Feature[] {
  const most = group.length > FACTORS_MOST ? 2 : group.length;
  let found: (readonly number[])[] = [[]];
  for (const _ of group) {
    found = found.flatMap((weights) => [0, 1, -1].map((weight) => [...weights, weight]));
  }
  return found
    .filter((weights) => {
      const used = weights.filter((weight) => weight !== 0);
      return used[0] === 1 && used.length > 1 && used.length <= most;
    })
    .map((weights): Feature => {
      const used = group.flatMap((column, at) => {
        const weight = weights[at] ?? 0;
        return weight === 0 ? [] : [{ column, weight }];
      });
      const values = (group[0]?.values ?? []).map((_, point) =>
        used.reduce((sum, { column, weight }) => sum + weight * (column.values[point] ?? 0), 0),
      );
      const told = used.map(({ column, weight }) => [column.name, weight] as const);
      const name = told.map(([factor, weight]) => `${weight < 0 ? "-" : "+"}${factor}`).join(" ");
      return { kind: "sum", weights: told, column: { kind: "number", name, values } };
    });
}

/**
 * The largest few of some factors, less another one: how many of several onsets it takes to reach a threshold. Few are enough of
 * which all are the plain sum.
 */
function largestSums(group: NumberColumns): readonly Feature[] {
  if (group.length > FACTORS_MOST) return [];
  return group.flatMap((under) => {
    const others = group.filter((column) => column !== under);
    let subsets: NumberColumns[] = [[]];
    for (const one of others) subsets = subsets.flatMap((some) => [some, [...some, one]]);
    return subsets.flatMap((over) =>
      Array.from({ length: Math.max(0, over.length - 1) }, (_, at): Feature => {
        const largest = at + 1;
        const values = under.values.map((value, point) => {
          const sorted = over.map((column) => column.values[point] ?? 0).sort((a, b) => b - a);
          return sorted.slice(0, largest).reduce((sum, one) => sum + one, 0) - value;
        });
        const weights = [...over.map(({ name }) => [name, 1] as const), [under.name, -1] as const];
        const name = `${largest} largest of ${over.map((one) => one.name).join(" ")} -${under.name}`;
        return { kind: "sum", weights, largest, column: { kind: "number", name, values } };
      }),
    );
  });
}

function ratios(group: NumberColumns): readonly Feature[] {
  return group.flatMap((over, at) =>
    group.slice(at + 1).flatMap((under): readonly Feature[] => {
      if (under.values.some((value) => value <= 0)) return [];
      const values = over.values.map((value, point) => value / (under.values[point] ?? 1));
      const name = `${over.name} / ${under.name}`;
      const weights = [[over.name, 1] as const, [under.name, -1] as const];
      return [{ kind: "ratio", weights, column: { kind: "number", name, values } }];
    }),
  );
}

/** Of all features and limits the one whose coverage and density are highest together. */
export function shortestRule(cases: Cases, features: readonly Feature[]): ShortRule | undefined {
  let best: ShortRule | undefined;
  let ties = 0;
  for (const feature of features) {
    const rule = bestLimit(cases, feature);
    if (rule === undefined) continue;
    const gained = agreement(rule) - (best === undefined ? 0 : agreement(best));
    if (gained > 0) [best, ties] = [rule, 0];
    else if (gained === 0 && best?.feature.weights.length === feature.weights.length) ties += 1;
  }
  return best && { ...best, ties };
}

function bestLimit(cases: Cases, feature: Feature): ShortRule | undefined {
  const { column } = feature;
  const all = allPoints(cases);
  const total = figuresOf(cases, all);
  const byValue = new Map<number | string, { points: number; runs: number; hits: number }>();
  for (const point of all) {
    const value = column.values[point] ?? "";
    const at = byValue.get(value) ?? { points: 0, runs: 0, hits: 0 };
    at.points += 1;
    at.runs += cases.runs[point] ?? 0;
    at.hits += cases.hits[point] ?? 0;
    byValue.set(value, at);
  }
  if (byValue.size < 2) return undefined;
  const steps = [...byValue].sort(([one], [other]) => (one < other ? -1 : 1));
  let best: ShortRule | undefined;
  const offer = (
    { points, runs, hits }: { points: number; runs: number; hits: number },
    told: Pick<ShortRule, "side" | "limit" | "beyond">,
  ): void => {
    const figures: BoxFigures = {
      ...{ points, runs, hits, mass: runs / total.runs },
      coverage: total.hits === 0 ? 0 : hits / total.hits,
      density: hits / runs,
    };
    if (best !== undefined && agreement(figures) <= agreement(best)) return;
    best = { ...figures, feature, ...told, ties: 0 };
  };
  if (column.kind === "category") {
    for (const [value, at] of steps) offer(at, { side: "is", limit: value, beyond: null });
    return best;
  }
  for (const side of ["most", "least"] as const) {
    const ordered = side === "most" ? steps : steps.toReversed();
    const sum = { points: 0, runs: 0, hits: 0 };
    for (const [place, [value, at]] of ordered.slice(0, -1).entries()) {
      sum.points += at.points;
      sum.runs += at.runs;
      sum.hits += at.hits;
      offer({ ...sum }, { side, limit: value, beyond: Number(ordered[place + 1]?.[0]) });
    }
  }
  return best;
}

/** How the rule does on points of which it knew nothing: the limit stands in the middle of its gap. */
export function ruleOn(cases: Cases, { feature, side, limit, beyond }: ShortRule): BoxFigures {
  const middle = beyond === null ? limit : (Number(limit) + beyond) / 2;
  const points = allPoints(cases).filter((point) => {
    const value = feature.column.values[point] ?? "";
    return side === "is" ? value === limit : side === "most" ? value <= middle : value >= middle;
  });
  return figuresOf(cases, points);
}

/** The feature with the values of some points alone. */
export const featureOf = (feature: Feature, points: readonly number[]): Feature => {
  const only: Cases = { columns: [feature.column], runs: [], hits: [] };
  return { ...feature, column: casesOf(only, points).columns[0] ?? feature.column };
};
