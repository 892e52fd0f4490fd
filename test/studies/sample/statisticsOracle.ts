import { existsSync, readFileSync } from "node:fs";

const ORACLE = new URL("../../../../shared/oracles/statistics.json", import.meta.url);

/** What the reference file says of Sobol sequences. */
interface SobolReference {
  readonly sobol: { readonly [dimensions: string]: readonly (readonly number[])[] };
  readonly sobol_tail: {
    readonly [dimensions: string]: {
      readonly from: number;
      readonly points: readonly (readonly number[])[];
    };
  };
  readonly discrepancy_CD: { readonly [dimensions: string]: number };
}

/** The reference values where they lie beside the checkout, else null. */
export const sobolReference = existsSync(ORACLE)
  ? (JSON.parse(readFileSync(ORACLE, "utf8")) as SobolReference)
  : null;
