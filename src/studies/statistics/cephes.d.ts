/** What is used of cephes, whose own declarations its `exports` hide from an import. */
declare module "cephes" {
  /** Nothing else may be called before it is kept. */
  export const compiled: Promise<void>;
  export function ndtr(value: number): number;
  export function ndtri(probability: number): number;
  /** The regularized incomplete beta function, and its inverse. */
  export function incbet(a: number, b: number, x: number): number;
  export function incbi(a: number, b: number, probability: number): number;
}
