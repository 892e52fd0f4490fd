/**
 * A classification tree (Breiman, Friedman, Olshen and Stone), grown best first as scikit-learn grows one of so many leaves: each step
 * takes the cut that lessens Gini's impurity most. Beside a single box it tells of several ways to the same outcome.
 */
import {
  allPoints,
  type Box,
  type BoxFigures,
  type Cases,
  countsOf,
  figuresOf,
  inside,
  type Limit,
  wholeBox,
} from "./cases.ts";
import { MASS_LEAST, measured, type PrimBox, type QuasiP, quasiP } from "./prim.ts";

/** Ours: more leaves are no rule that one reads. */
const LEAVES_MOST = 8;

interface Node {
  readonly box: Box;
  readonly points: readonly number[];
}

export interface Leaf extends PrimBox {
  readonly quasiP: readonly QuasiP[];
}

interface Cut {
  readonly gain: number;
  readonly sides: readonly [Node, Node];
}

/** The whole alone where no cut lessens the impurity. */
export function treeOf(cases: Cases): readonly Leaf[] {
  const total = countsOf(cases, allPoints(cases)).runs;
  const least = Math.max(1, Math.floor(MASS_LEAST * total));
  const withCut = (node: Node) => ({ node, cut: bestCut(cases, node, least) });
  let open = [withCut({ box: wholeBox(cases), points: allPoints(cases) })];
  while (open.length < LEAVES_MOST) {
    const most = Math.max(...open.map(({ cut }) => cut?.gain ?? 0));
    const at = open.findIndex(({ cut }) => cut !== undefined && cut.gain === most);
    const sides = open[at]?.cut?.sides;
    if (sides === undefined) break;
    open = open.toSpliced(at, 1, ...sides.map(withCut));
  }
  return open.map(({ node: { box, points } }) => ({
    ...measured(cases, box, points),
    quasiP: quasiP(cases, box),
  }));
}

/** Leaves in which the outcome holds in half of the runs or more: what the tree says of it. */
export const heldLeaves = <L extends Pick<Leaf, "density">>(leaves: readonly L[]): readonly L[] =>
  leaves.filter(({ density }) => density >= 0.5);

/** How those leaves do together, on these cases or on others. */
export function treeOn(cases: Cases, leaves: readonly Leaf[]): BoxFigures {
  const held = heldLeaves(leaves).flatMap(({ box }) => inside(cases, box, allPoints(cases)));
  return figuresOf(cases, [...new Set(held)]);
}

/** Twice the runs times Gini's impurity. */
const impurity = ({ runs, hits }: { readonly runs: number; readonly hits: number }): number =>
  runs === 0 ? 0 : (2 * hits * (runs - hits)) / runs;

/** Undefined where nothing is gained, or a side would be too small. */
function bestCut(cases: Cases, { box, points }: Node, least: number): Cut | undefined {
  const whole = countsOf(cases, points);
  let best:
    | { readonly gain: number; readonly at: number; readonly sides: readonly Limit[] }
    | undefined;
  const offer = (at: number, own: typeof whole, sides: () => readonly Limit[]): void => {
    const other = { runs: whole.runs - own.runs, hits: whole.hits - own.hits };
    if (Math.min(own.runs, other.runs) < least) return;
    const gain = impurity(whole) - impurity(own) - impurity(other);
    if (gain > (best?.gain ?? 0)) best = { gain, at, sides: sides() };
  };
  for (const [at, limit] of box.entries()) {
    const column = cases.columns[at];
    if (limit.kind === "category") {
      for (const one of limit.kept) {
        const own = points.filter((point) => column?.values[point] === one);
        const others = limit.kept.filter((kept) => kept !== one);
        offer(at, countsOf(cases, own), () => [
          { ...limit, kept: [one] },
          { ...limit, kept: others },
        ]);
      }
      continue;
    }
    const value = (point: number): number => Number(column?.values[point] ?? 0);
    const ordered = points.toSorted((a, b) => value(a) - value(b));
    const own = { runs: 0, hits: 0 };
    for (const [place, point] of ordered.slice(0, -1).entries()) {
      own.runs += cases.runs[point] ?? 0;
      own.hits += cases.hits[point] ?? 0;
      const [here, next] = [value(point), value(ordered[place + 1] ?? 0)];
      if (here === next) continue;
      const middle = (here + next) / 2;
      offer(at, own, () => [
        { ...limit, high: middle },
        { ...limit, low: middle },
      ]);
    }
  }
  if (best === undefined) return undefined;
  const { at, gain } = best;
  const [one, other] = best.sides.map((limit): Node => {
    const next = box.with(at, limit);
    return { box: next, points: inside(cases, next, points) };
  });
  return one && other && { gain, sides: [one, other] };
}
