/** Symmetric matrices by their Cholesky factor; all are n² numbers, row by row, of which the lower triangle counts. */

/** The lower L with L·Lᵀ = `matrix`; null unless that is positive definite. */
export function cholesky(matrix: Float64Array, n: number): Float64Array | null {
  const lower = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let rest = matrix[i * n + j] ?? 0;
      for (let k = 0; k < j; k += 1) rest -= (lower[i * n + k] ?? 0) * (lower[j * n + k] ?? 0);
      if (i > j) lower[i * n + j] = rest / (lower[j * n + j] ?? 1);
      else if (rest > 0) lower[i * n + i] = Math.sqrt(rest);
      else return null;
    }
  }
  return lower;
}

/** x with L·x = `right`. */
export function solvedLower(lower: Float64Array, right: ArrayLike<number>): Float64Array {
  const n = right.length;
  const x = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    let rest = right[i] ?? 0;
    for (let k = 0; k < i; k += 1) rest -= (lower[i * n + k] ?? 0) * (x[k] ?? 0);
    x[i] = rest / (lower[i * n + i] ?? 1);
  }
  return x;
}

/** x with L·Lᵀ·x = `right`. */
export function solved(lower: Float64Array, right: ArrayLike<number>): Float64Array {
  const x = solvedLower(lower, right);
  const n = x.length;
  for (let i = n - 1; i >= 0; i -= 1) {
    const own = (x[i] ?? 0) / (lower[i * n + i] ?? 1);
    x[i] = own;
    for (let k = 0; k < i; k += 1) x[k] = (x[k] ?? 0) - (lower[i * n + k] ?? 0) * own;
  }
  return x;
}

/** The inverse of L·Lᵀ, its lower triangle: both loops run along rows, which is most of the speed. */
export function inverted(lower: Float64Array, n: number): Float64Array {
  const half = new Float64Array(n * n);
  const whole = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    const pivot = lower[i * n + i] ?? 1;
    for (let k = 0; k < i; k += 1) {
      const by = (lower[i * n + k] ?? 0) / pivot;
      for (let j = 0; j <= k; j += 1) {
        half[i * n + j] = (half[i * n + j] ?? 0) - by * (half[k * n + j] ?? 0);
      }
    }
    half[i * n + i] = 1 / pivot;
    for (let j = 0; j <= i; j += 1) {
      const by = half[i * n + j] ?? 0;
      for (let k = 0; k <= j; k += 1) {
        whole[j * n + k] = (whole[j * n + k] ?? 0) + by * (half[i * n + k] ?? 0);
      }
    }
  }
  return whole;
}
