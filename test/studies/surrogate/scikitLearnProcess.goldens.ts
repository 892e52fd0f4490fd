// The Gaussian process beside scikit-learn's own, where Python has it.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { gaussianProcess } from "../../../src/studies/surrogate/gaussianProcess.ts";
import { uniforms } from "../statistics/testFunctions.ts";

const next = uniforms(4, "process");
const x = Array.from({ length: 80 }, () => [next(), next(), next()]);
const y = x.map(([a = 0, b = 0]) => 3 * Math.sin(5 * a) + 4 * b * b + 0.3 * (next() - 0.5));
const at = Array.from({ length: 20 }, () => [next(), next(), next()]);
const asked = spawnSync("python3", ["tools/besideProcess.py"], {
  input: JSON.stringify({ x, y, at }),
  encoding: "utf8",
});

describe.skipIf(asked.status !== 0)("(skipped where Python has no scikit-learn)", () => {
  it("[ST263] is as likely as scikit-learn's, with its lengths, noise, means and variances", () => {
    const known = JSON.parse(asked.stdout);
    const found = gaussianProcess(x, y, [false, false, false]);

    expect(found?.likelihood).toBeGreaterThan(known.likelihood - 1e-4);
    expect(found?.likelihood).toBeLessThan(known.likelihood + 1e-2);
    [0, 1].forEach((factor) => {
      expect((found?.lengths[factor] ?? 0) / known.lengths[factor]).toBeCloseTo(1, 2);
    });
    expect((found?.noise ?? 0) / known.noise).toBeCloseTo(1, 2);
    expect((found?.variance ?? 0) / known.variance).toBeCloseTo(1, 2);
    at.forEach((place, index) => {
      const foretold = found?.foretold(place);
      expect(foretold?.mean).toBeCloseTo(known.mean[index], 3);
      expect((foretold?.variance ?? 0) / known.variances[index]).toBeCloseTo(1, 1);
    });
  });
});
