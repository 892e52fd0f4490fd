/** What an estimate would have been of other draws: indexes drawn again, with replacement, from a named stream. */
import { assert } from "../../substrate/assert.ts";
import { namedRandom, type Stream } from "../../substrate/random.ts";
import type { Seeds } from "../seeds.ts";
import { momentsOf, varianceOf } from "./fold.ts";
import { CONFIDENCE } from "./intervals.ts";
import { tQuantile } from "./quantiles.ts";
import type { Rows } from "./replicatedRows.ts";

/** The error of a standard deviation of so many resamples is 1 in √(2 × 500), 3 %. */
const RESAMPLES = 500;

/** The stream of one purpose, of the study's seed. */
export const bootstrapStream = (seed: number, purpose: string): Stream =>
  namedRandom(seed).at("study", "bootstrap", purpose);

/** `n` indexes below `n`, with replacement. */
export const drawnAgain = (stream: Stream, n: number): number[] =>
  Array.from({ length: n }, () => stream.integer(0, n - 1));

/** What indices of sensitivity are asked of. */
export interface IndexQuestion {
  /** Groups, where factors stand in some. */
  readonly factors: number;
  /** Rows of the design, block after block, each with its replicates. */
  readonly values: Rows;
  readonly seeds: Seeds;
  /** Of the study: the bootstrap draws from a stream of its own. */
  readonly seed: number;
  /** Names that stream. */
  readonly outcome: string;
  readonly resamples?: number;
  readonly confidence?: number;
}

/** Estimates of so many blocks of rows, and how they come out of blocks and replicates that were drawn again. */
interface Estimated {
  readonly kind: "morris" | "sobol";
  readonly blocks: number;
  readonly replicates: number;
  readonly found: readonly number[];
  /** `replicates` null for each of them once. */
  readonly again: (blocks: readonly number[], replicates: number[] | null) => readonly number[];
}

/** Half the width of an interval around each estimate. */
export function halfWidths(question: IndexQuestion, estimated: Estimated): number[] {
  const { seed, seeds, outcome, resamples = RESAMPLES, confidence = CONFIDENCE } = question;
  const { kind, blocks, replicates, found, again } = estimated;
  const stream = bootstrapStream(seed, `${kind} ${outcome}`);
  // Seeds that all rows share are drawn again for all of them; other seeds were drawn with their row.
  const areSeedsDrawn = seeds === "common" && replicates > 1;
  const times: { readonly byRows: readonly number[]; readonly byBoth: readonly number[] }[] = [];
  for (let time = 0; time < resamples; time += 1) {
    const rows = drawnAgain(stream, blocks);
    const byRows = again(rows, null);
    const byBoth = areSeedsDrawn ? again(rows, drawnAgain(stream, replicates)) : byRows;
    // Where nothing varies in a resample it has no indices.
    if (Number.isFinite(byRows[0]) && Number.isFinite(byBoth[0])) times.push({ byRows, byBoth });
  }
  const varianceAt = (of: "byRows" | "byBoth", index: number): number =>
    varianceOf(momentsOf(times.map((one) => one[of][index] ?? 0)));
  return found.map((_, index) => {
    const alone = varianceAt("byRows", index);
    if (!areSeedsDrawn) return halfWidth([{ variance: alone, drawn: blocks }], confidence);
    const both = varianceAt("byBoth", index);
    const rows = { variance: Math.min(alone, both), drawn: blocks };
    const shared = { variance: Math.max(0, both - alone), drawn: replicates };
    return halfWidth([rows, shared], confidence);
  });
}

/** What the estimate varies by through one kind of thing that was drawn again, of so many. */
interface Part {
  readonly variance: number;
  readonly drawn: number;
}

/**
 * Half the width of an interval around an estimate that varies by these parts. SALib takes 1.96 standard deviations of
 * the resamples, which is short where few things were drawn: a resample spreads like a sum over n, not n − 1, and the
 * spread is itself estimated. Student's t mends both, as of a mean; its freedom is Satterthwaite's.
 */
function halfWidth(parts: readonly Part[], confidence: number): number {
  let [whole, doubts] = [0, 0];
  for (const { variance, drawn } of parts) {
    assert(drawn > 1, "a bootstrap draws two things or more");
    const unbiased = (variance * drawn) / (drawn - 1);
    whole += unbiased;
    doubts += (unbiased * unbiased) / (drawn - 1);
  }
  if (!(whole > 0)) return 0;
  return tQuantile(0.5 + confidence / 2, (whole * whole) / doubts) * Math.sqrt(whole);
}
