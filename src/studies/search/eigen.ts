/** Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations: the four operations and roots alone. */

export type Matrix = number[][];

/** Ours: far more sweeps than any matrix of a study takes. */
const SWEEPS_MAX = 60;

/** `vectors[row][k]` is a component of the k-th eigenvector. */
export function eigen(symmetric: Matrix): { values: number[]; vectors: Matrix } {
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
