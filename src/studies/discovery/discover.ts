/** Scenario discovery: which settings decide whether an outcome holds, and how far that can be trusted. */
import { shuffled } from "../sample/cubePoints.ts";
import { bootstrapStream } from "../statistics/bootstrap.ts";
import { type Leaf, treeOf, treeOn } from "./cart.ts";
import {
  allPoints,
  type BoxFigures,
  type Cases,
  casesOf,
  extent,
  figuresOf,
  inside,
} from "./cases.ts";
import { bestBox } from "./prim.ts";
import { featureOf, featuresOf, ruleOn, type ShortRule, shortestRule } from "./shortRule.ts";

/** Ours: how often half of the points are drawn, and points below which half are too few. */
const HALVES = 20;
const POINTS_LEAST = 8;

/** Of rules that were found on half of the points, each time another half. */
export interface Stability {
  readonly halves: number;
  /** In how many of them the shortest rule was on the same factors. */
  readonly sameRule: number;
  /** Of that half's rule on the points it had not seen, the mean; null where no half told anything apart. */
  readonly unseen: { readonly coverage: number; readonly density: number } | null;
  /** In how many of them the box limited each factor, by name. */
  readonly limited: { readonly [factor: string]: number };
  /** In how many of them the tree cut it. */
  readonly cut: { readonly [factor: string]: number };
  /** Of that half's tree on the points it had not seen, the mean. */
  readonly unseenTree: { readonly coverage: number; readonly density: number } | null;
}

export interface Discovered {
  readonly rule: ShortRule | null;
  readonly box: ReturnType<typeof bestBox>;
  /** Leaves of a tree over the factors; one alone where no cut tells anything apart. */
  readonly tree: readonly Leaf[];
  /** Null where there are too few points to halve. */
  readonly stability: Stability | null;
}

export function discover(
  cases: Cases,
  units: { readonly [factor: string]: string },
  seed: number,
): Discovered {
  const features = featuresOf(cases, units);
  const rule = shortestRule(cases, features) ?? null;
  const isHalved = cases.runs.length >= POINTS_LEAST;
  const tree = treeOf(cases);
  return { rule, box: bestBox(cases), tree, stability: isHalved ? stability() : null };

  function stability(): Stability {
    const stream = bootstrapStream(seed, "discovery");
    const all = allPoints(cases);
    let sameRule = 0;
    const limited: { [factor: string]: number } = {};
    const cut: { [factor: string]: number } = {};
    const unseen: Told[] = [];
    const unseenTrees: Told[] = [];
    for (const { name } of cases.columns) [limited[name], cut[name]] = [0, 0];
    for (let half = 0; half < HALVES; half += 1) {
      const order = shuffled(all.length, stream);
      const middle = Math.floor(all.length / 2);
      const [own, other] = [order.slice(0, middle), order.slice(middle)];
      const some = casesOf(cases, own);
      const { density } = figuresOf(some, allPoints(some));
      // Where all of a half are alike there is nothing to find.
      if (density === 0 || density === 1) continue;
      const found = shortestRule(
        some,
        features.map((feature) => featureOf(feature, own)),
      );
      const whole = features.find(({ column }) => column.name === found?.feature.column.name);
      if (found !== undefined && whole !== undefined) {
        if (whole.column.name === rule?.feature.column.name) sameRule += 1;
        const feature = featureOf(whole, other);
        unseen.push(ruleOn(casesOf(cases, other), { ...found, feature }));
      }
      const { box, restricted } = bestBox(some);
      for (const at of restricted) {
        const name = box[at]?.name ?? "";
        limited[name] = (limited[name] ?? 0) + 1;
      }
      const leaves = treeOf(some);
      unseenTrees.push(treeOn(casesOf(cases, other), leaves));
      for (const at of new Set(leaves.flatMap((leaf) => leaf.restricted))) {
        const name = cases.columns[at]?.name ?? "";
        cut[name] = (cut[name] ?? 0) + 1;
      }
    }
    return {
      ...{ halves: HALVES, sameRule, limited, cut },
      ...{ unseen: meanOf(unseen), unseenTree: meanOf(unseenTrees) },
    };
  }
}

type Told = Pick<BoxFigures, "coverage" | "density">;

function meanOf(figures: readonly Told[]): Told | null {
  if (figures.length === 0) return null;
  const mean = (which: keyof Told): number =>
    figures.reduce((sum, one) => sum + one[which], 0) / figures.length;
  return { coverage: mean("coverage"), density: mean("density") };
}

/** The ends of a limit as points have them: a box found halfway between two values is told by the one inside. */
export function tightened(cases: Cases, { box }: Pick<Leaf, "box">, at: number) {
  const [column, limit] = [cases.columns[at], box[at]];
  if (column?.kind !== "number" || limit?.kind !== "number") return undefined;
  const only = inside({ ...cases, columns: [column] }, [limit], allPoints(cases));
  const [low, high] = extent(only.map((point) => column.values[point] ?? 0));
  return { low, high };
}
