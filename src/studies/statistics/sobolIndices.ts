/**
 * Sobol indices of Saltelli's design: which share of an outcome's variance a factor makes by itself (`S1`), with
 * all others (`ST`), and two of them together (`S2`). Names and order of rows are SALib's.
 */
import { assert } from "../../substrate/assert.ts";
import { halfWidths, type IndexQuestion } from "./bootstrap.ts";
import { noiseOfMeans, plainMean, spreadOf, wholeBlocks } from "./replicatedRows.ts";

export interface SobolIndices {
  readonly S1: readonly number[];
  readonly S1_conf: readonly number[];
  readonly ST: readonly number[];
  readonly ST_conf: readonly number[];
  /** By factor, then by a later factor; null elsewhere. */
  readonly S2: readonly (readonly (number | null)[])[];
  readonly S2_conf: readonly (readonly (number | null)[])[];
  /** The share of the variance of the rows' means that is chance; null of one replicate. */
  readonly noise: number | null;
  /** Base rows that counted, and those left out because a run of theirs gave nothing. */
  readonly rows: number;
  readonly left: number;
}

/** Of all pairs of an earlier and a later factor, by `earlier × factors + later`. */
interface Raw {
  readonly S1: number[];
  readonly ST: number[];
  readonly S2: number[];
}

/**
 * S1 by Saltelli (2010), ST by Jansen, S2 by Saltelli (2002), over the variance of A and B. `means` has a row's mean
 * at its place in the design, and each block counts as often as `times` says. Values are taken from their mean, as by
 * SALib: the estimate of S1 is worse far from zero. Plain loops: a bootstrap is nearly all the work there is.
 */
function rawIndices(means: Float64Array, times: Float64Array, factors: number): Raw {
  const size = 2 * factors + 2;
  let [all, blocks] = [0, 0];
  times.forEach((count, block) => {
    let sum = 0;
    for (let row = 0; row < size; row += 1) sum += means[block * size + row] ?? 0;
    all += count * sum;
    blocks += count;
  });
  const middle = all / (blocks * size);
  let [sum, squares] = [0, 0];
  const first = new Array<number>(factors).fill(0);
  const total = new Array<number>(factors).fill(0);
  const both = new Array<number>(factors * factors).fill(0);
  times.forEach((count, block) => {
    if (count === 0) return;
    const at = (row: number) => (means[block * size + row] ?? 0) - middle;
    const [a, b] = [at(0), at(size - 1)];
    sum += count * (a + b);
    squares += count * (a * a + b * b);
    for (let j = 0; j < factors; j += 1) {
      const ab = at(1 + j);
      first[j] = (first[j] ?? 0) + count * b * (ab - a);
      total[j] = (total[j] ?? 0) + count * (a - ab) * (a - ab);
      const ba = at(1 + factors + j);
      for (let k = j + 1; k < factors; k += 1) {
        const pair = j * factors + k;
        both[pair] = (both[pair] ?? 0) + count * (ba * at(1 + k) - a * b);
      }
    }
  });
  const away = sum / (2 * blocks);
  const whole = blocks * (squares / (2 * blocks) - away * away);
  const S1 = first.map((one) => one / whole);
  const S2 = both.map((one, pair) => {
    const [j, k] = [Math.floor(pair / factors), pair % factors];
    return one / whole - (S1[j] ?? 0) - (S1[k] ?? 0);
  });
  return { S1, ST: total.map((one) => one / whole / 2), S2 };
}

/** Upper triangle of a square. */
const triangle = (flat: readonly number[], factors: number): (number | null)[][] =>
  Array.from({ length: factors }, (_, j) =>
    Array.from({ length: factors }, (_, k) => (k > j ? (flat[j * factors + k] ?? 0) : null)),
  );

/**
 * Of blocks of A, AB by factor, BA by factor, B. Null where nothing varies, or fewer than two base rows are whole: there
 * is no variance to share out.
 */
export function sobolIndices(question: IndexQuestion): SobolIndices | null {
  const { factors, values, seeds } = question;
  const size = 2 * factors + 2;
  assert(values.length % size === 0, "Saltelli's design has blocks of 2D + 2 rows");
  const { blocks, left } = wholeBlocks(values, size);
  const means = blocks.map((block) => block.map(plainMean));
  const variance = spreadOf(means.flatMap((block) => [block[0] ?? 0, block[size - 1] ?? 0]));
  if (means.length < 2 || !(variance > 0)) return null;

  const runs = blocks.flat();
  const flat = Float64Array.from(means.flat());
  const each = Float64Array.from(runs.flat());
  const { S1, ST, S2 } = rawIndices(flat, new Float64Array(means.length).fill(1), factors);
  const widths = halfWidths(question, {
    ...{ kind: "sobol", blocks: means.length, replicates: runs[0]?.length ?? 0 },
    found: [...S1, ...ST, ...S2],
    again: (rows, replicates) => {
      const drawn = replicates === null ? flat : meansOver(each, timesDrawn(replicates));
      const raw = rawIndices(drawn, timesDrawn(rows), factors);
      return [...raw.S1, ...raw.ST, ...raw.S2];
    },
  });
  const noise = noiseOfMeans(runs, seeds);
  return {
    ...{ S1, S1_conf: widths.slice(0, factors) },
    ...{ ST, ST_conf: widths.slice(factors, 2 * factors) },
    ...{ S2: triangle(S2, factors), S2_conf: triangle(widths.slice(2 * factors), factors) },
    noise: noise === null ? null : Math.min(1, noise / variance),
    rows: means.length,
    left,
  };
}

/** How often each index is among those that were drawn, of as many. */
function timesDrawn(drawn: readonly number[]): Float64Array {
  const times = new Float64Array(drawn.length);
  for (const one of drawn) times[one] = (times[one] ?? 0) + 1;
  return times;
}

/** Of each run of the design, whose replicates follow one another. */
function meansOver(values: Float64Array, times: Float64Array): Float64Array {
  const replicates = times.length;
  const means = new Float64Array(values.length / replicates);
  for (let run = 0; run < means.length; run += 1) {
    const from = run * replicates;
    let sum = 0;
    for (let r = 0; r < replicates; r += 1) sum += (times[r] ?? 0) * (values[from + r] ?? 0);
    means[run] = sum / replicates;
  }
  return means;
}
