// A small version of `npm run bench:coverage`: 200 studies, whose own chance is 1.5 % to one side and the other.
import { expect, it } from "vitest";
import { coverageOf, DATA } from "../../../bench/coverageOf.ts";

const STUDIES = 200;

it.each(DATA)(
  "[ST21][ST23][ST24] intervals of %s data hold the truth about as often as they say",
  (data) => {
    for (const question of ["paired difference", "proportion"] as const) {
      for (const n of [30, 100]) {
        const held = coverageOf(question, data, n, STUDIES);
        expect(held, `${question}, n = ${n}`).toBeGreaterThan(0.9);
        expect(held, `${question}, n = ${n}`).toBeLessThan(0.995);
      }
    }
  },
);

it("[ST33] intervals of a Sobol index hold the truth about as often as they say", () => {
  expect(coverageOf("Sobol S1", "normal", 30, 40)).toBeGreaterThan(0.85);
});
