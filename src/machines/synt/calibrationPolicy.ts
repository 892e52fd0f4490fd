/** When the weights of R are looked at again. */
import { integer } from "../policyLeaf.ts";

export const syntCalibrationLeaves = {
  after: integer(30, {
    unit: "syntheses",
    min: 1,
    max: 1_000_000,
    says: "Scored requests that have ended after which the weights of R are due for a look.",
    source: "seed 002, 6 (calibration)",
  }),
};
