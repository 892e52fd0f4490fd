/**
 * CMA-ES in the unit cube: only the order of values counts, never their size. A candidate outside the cube is drawn again;
 * one that stays outside is put on its wall. What factors mean (log, step) is for whoever maps the cube to them.
 * Source: Hansen, “The CMA Evolution Strategy: A Tutorial”, arXiv 1604.00772, with positive weights alone.
 */
import { naturalLog } from "../../machines/naturalLog.ts";
import { assert } from "../../substrate/assert.ts";
import { namedRandom, type Stream } from "../../substrate/random.ts";
import { exponential } from "../surrogate/exponential.ts";

/** Ours: even at a corner of ten factors one in a thousand lies inside; beyond, the wall is near enough. */
const REDRAWS_MAX = 100;
/** A third of the cube, as the tutorial advises for a start of which nothing is known. */
const SIGMA = 0.3;
const HALF_BITS = 67_108_864;

type Matrix = number[][];

export interface CmaOptions {
  readonly dimensions: number;
  readonly seed: number;
  /** Middle of the cube when absent. */
  readonly start?: readonly number[];
  readonly sigma?: number;
  /** Candidates of a generation; 4 + ⌊3 ln n⌋ when absent. */
  readonly candidates?: number;
  /** Names its draws, where it starts again; 0 when absent. */
  readonly restart?: number;
}

export const candidatesOf = (dimensions: number): number =>
  4 + Math.floor(3 * naturalLog(dimensions));

const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0);
const at = (list: readonly number[], index: number): number => list[index] ?? 0;

/** Marsaglia's polar method: logarithm and root have the same bits everywhere, sine and cosine need not. */
function normal(stream: Stream): number {
  const even = () => (2 * (stream.integer(0, HALF_BITS - 1) + 0.5)) / HALF_BITS - 1;
  for (;;) {
    const [u, v] = [even(), even()];
    const square = u * u + v * v;
    if (square > 0 && square < 1) return u * Math.sqrt((-2 * naturalLog(square)) / square);
  }
}

export class CmaEs {
  readonly #n: number;
  readonly #seed: number;
  readonly #restart: number;
  readonly #size: number;
  #mean: number[];
  #sigma: number;
  #covariance: Matrix;
  #pathSigma: number[];
  #pathC: number[];
  #generation = 0;
  #asked: readonly (readonly number[])[] | null = null;

  constructor({ dimensions, seed, start, sigma = SIGMA, candidates, restart = 0 }: CmaOptions) {
    assert(dimensions >= 1, "CMA-ES needs a factor");
    this.#n = dimensions;
    this.#seed = seed;
    this.#restart = restart;
    this.#size = candidates ?? candidatesOf(dimensions);
    assert(this.#size >= 2, "a generation has two candidates or more");
    this.#mean = Array.from({ length: dimensions }, (_, i) => start?.[i] ?? 0.5);
    this.#sigma = sigma;
    this.#covariance = this.#mean.map((_, i) => this.#mean.map((_one, j) => (i === j ? 1 : 0)));
    this.#pathSigma = this.#mean.map(() => 0);
    this.#pathC = this.#mean.map(() => 0);
  }

  get mean(): readonly number[] {
    return this.#mean;
  }

  get sigma(): number {
    return this.#sigma;
  }

  /** How far candidates lie apart, where they do most: a deviation, of the cube's width. */
  get spread(): number {
    const variances = eigen(this.#covariance).values;
    return this.#sigma * Math.sqrt(Math.max(0, ...variances));
  }

  /** The candidates of this generation; the same until they are told. */
  ask(): readonly (readonly number[])[] {
    this.#asked ??= this.#drawn();
    return this.#asked;
  }

  #drawn(): readonly (readonly number[])[] {
    const { values, vectors } = eigen(this.#covariance);
    const roots = values.map((value) => Math.sqrt(Math.max(0, value)));
    return Array.from({ length: this.#size }, (_, candidate) => {
      const number = this.#generation * this.#size + candidate;
      const key = this.#restart === 0 ? number : `${this.#restart} ${number}`;
      const stream = namedRandom(this.#seed).at("cma-es", "candidate", key);
      let point: number[] = [];
      for (let draw = 0; draw <= REDRAWS_MAX; draw += 1) {
        const z = roots.map((root) => root * normal(stream));
        point = this.#mean.map(
          (mean, i) => mean + this.#sigma * sum(z.map((one, k) => at(vectors[i] ?? [], k) * one)),
        );
        if (point.every((one) => one >= 0 && one <= 1)) break;
      }
      return point.map((one) => Math.min(1, Math.max(0, one)));
    });
  }

  /** A value for each candidate, less is better; null for one that is infeasible or failed, and counts for nothing. */
  tell(values: readonly (number | null)[]): void {
    const points = this.ask();
    assert(values.length === points.length, "a value for each candidate");
    // A sort puts what is no number anywhere.
    assert(!values.some(Number.isNaN), "a candidate without a value is null");
    const n = this.#n;
    const scored = values
      .flatMap((value, index) => (value === null ? [] : [{ value, point: points[index] ?? [] }]))
      .sort((a, b) => a.value - b.value);
    this.#asked = null;
    this.#generation += 1;
    const parents = scored.slice(0, Math.floor(this.#size / 2));
    if (parents.length === 0) return;
    const raw = parents.map((_, i) => naturalLog(this.#size / 2 + 0.5) - naturalLog(i + 1));
    const weights = raw.map((one) => one / sum(raw));
    const mu = 1 / sum(weights.map((one) => one * one));
    const cSigma = (mu + 2) / (n + mu + 5);
    const dSigma = 1 + 2 * Math.max(0, Math.sqrt((mu - 1) / (n + 1)) - 1) + cSigma;
    const cC = (4 + mu / n) / (n + 4 + (2 * mu) / n);
    const c1 = 2 / ((n + 1.3) * (n + 1.3) + mu);
    const cMu = Math.min(1 - c1, (2 * (mu - 2 + 1 / mu)) / ((n + 2) * (n + 2) + mu));
    const expected = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    const steps = parents.map(({ point }) =>
      point.map((one, i) => (one - at(this.#mean, i)) / this.#sigma),
    );
    const step = this.#mean.map((_, i) => sum(steps.map((one, k) => at(weights, k) * at(one, i))));
    const whitened = this.#whitened(step);
    this.#mean = this.#mean.map((one, i) => one + this.#sigma * at(step, i));
    const gainSigma = Math.sqrt(cSigma * (2 - cSigma) * mu);
    this.#pathSigma = this.#pathSigma.map(
      (one, i) => (1 - cSigma) * one + gainSigma * at(whitened, i),
    );
    const length = Math.sqrt(sum(this.#pathSigma.map((one) => one * one)));
    let faded = 1;
    for (let k = 0; k < 2 * this.#generation && faded > 0; k += 1) faded *= 1 - cSigma;
    const isShort = length / Math.sqrt(1 - faded) < (1.4 + 2 / (n + 1)) * expected;
    const gainC = isShort ? Math.sqrt(cC * (2 - cC) * mu) : 0;
    this.#pathC = this.#pathC.map((one, i) => (1 - cC) * one + gainC * at(step, i));
    const kept = 1 - c1 - cMu + (isShort ? 0 : c1 * cC * (2 - cC));
    this.#covariance = this.#covariance.map((row, i) =>
      row.map((old, j) => {
        const rankMu = sum(steps.map((one, k) => at(weights, k) * at(one, i) * at(one, j)));
        return kept * old + c1 * at(this.#pathC, i) * at(this.#pathC, j) + cMu * rankMu;
      }),
    );
    // At most e-fold, as is usual.
    this.#sigma *= exponential(Math.min(1, (cSigma / dSigma) * (length / expected - 1)));
  }

  /** In the coordinates in which candidates are drawn alike in every direction. */
  #whitened(step: readonly number[]): number[] {
    const { values, vectors } = eigen(this.#covariance);
    const parts = values.map((value, k) => {
      const along = sum(step.map((one, i) => at(vectors[i] ?? [], k) * one));
      return value > 0 ? along / Math.sqrt(value) : 0;
    });
    return step.map((_, i) => sum(parts.map((one, k) => at(vectors[i] ?? [], k) * one)));
  }
}

/** Ours: far more sweeps than any matrix of a study takes. */
const SWEEPS_MAX = 60;

/**
 * Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations: the four operations and roots alone.
 * `vectors[row][k]` is a component of the k-th eigenvector.
 */
function eigen(symmetric: Matrix): { values: number[]; vectors: Matrix } {
  const n = symmetric.length;
  const a = symmetric.map((row) => [...row]);
  const v = a.map((_, i) => a.map((_row, j) => (i === j ? 1 : 0)));
  const get = (m: Matrix, i: number, j: number): number => m[i]?.[j] ?? 0;
  const put = (m: Matrix, i: number, j: number, value: number): void => {
    const row = m[i];
    if (row !== undefined) row[j] = value;
  };
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    let off = 0;
    for (let p = 0; p < n; p += 1) for (let q = p + 1; q < n; q += 1) off += Math.abs(get(a, p, q));
    if (off === 0) break;
    for (let p = 0; p < n; p += 1) {
      for (let q = p + 1; q < n; q += 1) {
        const apq = get(a, p, q);
        if (apq === 0) continue;
        const theta = (get(a, q, q) - get(a, p, p)) / (2 * apq);
        const sign = theta < 0 ? -1 : 1;
        const t = sign / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < n; k += 1) {
          const [kp, kq] = [get(a, k, p), get(a, k, q)];
          put(a, k, p, c * kp - s * kq);
          put(a, k, q, s * kp + c * kq);
        }
        for (let k = 0; k < n; k += 1) {
          const [pk, qk] = [get(a, p, k), get(a, q, k)];
          put(a, p, k, c * pk - s * qk);
          put(a, q, k, s * pk + c * qk);
          const [vp, vq] = [get(v, k, p), get(v, k, q)];
          put(v, k, p, c * vp - s * vq);
          put(v, k, q, s * vp + c * vq);
        }
        put(a, p, q, 0);
        put(a, q, p, 0);
      }
    }
  }
  return { values: a.map((_, i) => get(a, i, i)), vectors: v };
}
