/**
 * Sobol indices of Saltelli's design: which share of an outcome's variance a factor makes by itself (`S1`), with
 * all others (`ST`), and two of them together (`S2`). Names and order of rows are SALib's.
 */
import { assert } from "../../substrate/assert.ts";
import { bootstrapStream, drawnAgain, halfWidth, RESAMPLES } from "./bootstrap.ts";
import { CONFIDENCE } from "./intervals.ts";
import {
  noiseOfMeans,
  plainMean,
  type Rows,
  type Seeds,
  spreadOf,
  type WholeBlocks,
  wholeBlocks,
} from "./replicatedRows.ts";

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

export interface SobolQuestion {
  readonly factors: number;
  /** Blocks of A, AB by factor, BA by factor, B; each row with its replicates. */
  readonly values: Rows;
  readonly seeds: Seeds;
  /** Of the study: the bootstrap draws from a stream of its own. */
  readonly seed: number;
  /** Names that stream. */
  readonly outcome: string;
  readonly resamples?: number;
  readonly confidence?: number;
}

/** Of all pairs of an earlier and a later factor, by `earlier × factors + later`. */
interface Raw {
  readonly S1: number[];
  readonly ST: number[];
  readonly S2: number[];
}

/** Each block's means, centred: SALib does so too, as the estimate of S1 is worse far from zero. */
function centred(blocks: readonly (readonly number[])[]): number[][] {
  const all = plainMean(blocks.flat());
  return blocks.map((block) => block.map((value) => value - all));
}

/** S1 by Saltelli (2010), ST by Jansen, S2 by Saltelli (2002), over the variance of A and B. */
function rawIndices(blocks: readonly (readonly number[])[], factors: number): Raw {
  const size = 2 * factors + 2;
  const at = (block: readonly number[], index: number) => block[index] ?? 0;
  const variance = spreadOf(blocks.flatMap((block) => [at(block, 0), at(block, size - 1)]));
  const first = new Array<number>(factors).fill(0);
  const total = new Array<number>(factors).fill(0);
  const both = new Array<number>(factors * factors).fill(0);
  for (const block of blocks) {
    const [a, b] = [at(block, 0), at(block, size - 1)];
    for (let j = 0; j < factors; j += 1) {
      const ab = at(block, 1 + j);
      first[j] = (first[j] ?? 0) + b * (ab - a);
      total[j] = (total[j] ?? 0) + (a - ab) * (a - ab);
      const ba = at(block, 1 + factors + j);
      for (let k = j + 1; k < factors; k += 1) {
        const pair = j * factors + k;
        both[pair] = (both[pair] ?? 0) + ba * at(block, 1 + k) - a * b;
      }
    }
  }
  const whole = variance * blocks.length;
  const S1 = first.map((sum) => sum / whole);
  const S2 = both.map((sum, pair) => {
    const [j, k] = [Math.floor(pair / factors), pair % factors];
    return sum / whole - (S1[j] ?? 0) - (S1[k] ?? 0);
  });
  return { S1, ST: total.map((sum) => sum / whole / 2), S2 };
}

/** Upper triangle of a square. */
const triangle = (flat: readonly number[], factors: number): (number | null)[][] =>
  Array.from({ length: factors }, (_, j) =>
    Array.from({ length: factors }, (_, k) => (k > j ? (flat[j * factors + k] ?? 0) : null)),
  );

/** Null where nothing varies, or fewer than two base rows are whole: there is no variance to share out. */
export function sobolIndices(question: SobolQuestion): SobolIndices | null {
  const { factors, values, seeds, seed, outcome } = question;
  const { resamples = RESAMPLES, confidence = CONFIDENCE } = question;
  const size = 2 * factors + 2;
  assert(values.length % size === 0, "Saltelli's design has blocks of 2D + 2 rows");
  const { blocks, left } = wholeBlocks(values, size);
  const means = blocks.map((block) => block.map(plainMean));
  const variance = spreadOf(means.flatMap((block) => [block[0] ?? 0, block[size - 1] ?? 0]));
  if (means.length < 2 || !(variance > 0)) return null;

  const found = rawIndices(centred(means), factors);
  const stream = bootstrapStream(seed, `sobol ${outcome}`);
  const replicates = blocks[0]?.[0]?.length ?? 0;
  const again: Raw[] = [];
  for (let time = 0; time < resamples; time += 1) {
    const rows = drawnAgain(stream, means.length);
    // Seeds that all rows share are drawn again for all of them; other seeds were drawn with their row.
    const drawn =
      seeds === "common" && replicates > 1
        ? meansOver(blocks, drawnAgain(stream, replicates))
        : means;
    const resampled = rows.map((row) => drawn[row] ?? []);
    const raw = rawIndices(centred(resampled), factors);
    if (Number.isFinite(raw.S1[0])) again.push(raw);
  }
  const widths = (of: (raw: Raw) => readonly number[]) =>
    of(found).map((_, index) =>
      halfWidth(
        again.map((raw) => of(raw)[index] ?? 0),
        confidence,
      ),
    );
  const noise = noiseOfMeans(blocks.flat(), seeds);
  return {
    S1: found.S1,
    S1_conf: widths(({ S1 }) => S1),
    ST: found.ST,
    ST_conf: widths(({ ST }) => ST),
    S2: triangle(found.S2, factors),
    S2_conf: triangle(
      widths(({ S2 }) => S2),
      factors,
    ),
    noise: noise === null ? null : Math.min(1, noise / variance),
    rows: means.length,
    left,
  };
}

/** A loop over counts: this is nearly all the work there is. */
function meansOver(blocks: WholeBlocks["blocks"], replicates: readonly number[]): number[][] {
  const times = new Float64Array(replicates.length);
  for (const r of replicates) times[r] = (times[r] ?? 0) + 1;
  return blocks.map((block) =>
    block.map((row) => {
      let sum = 0;
      for (let r = 0; r < times.length; r += 1) sum += (times[r] ?? 0) * (row[r] ?? 0);
      return sum / times.length;
    }),
  );
}
