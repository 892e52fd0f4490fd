// A small version of `npm run bench:coverage`: 200 studies, whose own chance is 1.5 % to one side and the other.
import { expect, it } from "vitest";
import { wilsonHeld } from "../../../bench/coverageExact.ts";
import { DATA, pairedHeld, proportionHeld, sobolHeld } from "../../../bench/coverageOf.ts";

const STUDIES = 200;

it.each(DATA)(
  "[ST21][ST23][ST24] intervals of %s data hold the truth about as often as they say",
  (data) => {
    for (const heldOf of [pairedHeld, proportionHeld]) {
      for (const n of [30, 100]) {
        const { held, above, below } = heldOf(data, n, STUDIES);
        expect(held, `${heldOf.name}, n = ${n}`).toBeGreaterThan(0.9);
        expect(held, `${heldOf.name}, n = ${n}`).toBeLessThan(0.995);
        expect(held + above + below).toBeCloseTo(1, 12);
      }
    }
  },
);

it("[ST33][ST36] intervals of a Sobol index hold the truth about as often as they say, and oftener where rows are scrambled", () => {
  const [random, scrambled] = [
    sobolHeld("normal", 30, "random", 30).S1,
    sobolHeld("normal", 30, "scrambled", 10).S1,
  ];

  expect(random.held).toBeGreaterThan(0.85);
  expect(scrambled).toMatchObject({ held: 1, above: 0, below: 0 });
  expect(scrambled.width).toBeGreaterThan(2);
});

it("[ST23] Wilson's interval holds a share as often as sums over all counts say", () => {
  // Of one run, 0 … .793 or .207 … 1: both hold a half, one of them a tenth.
  expect(wilsonHeld(0.5, 1)).toBeCloseTo(1, 12);
  expect(wilsonHeld(0.1, 1)).toBeCloseTo(0.9, 12);
  // Of two, 0 … .658, .095 … .905, .342 … 1: a tenth is in the first two.
  expect(wilsonHeld(0.1, 2)).toBeCloseTo(0.99, 12);
  expect(wilsonHeld(0.05, 2)).toBeCloseTo(0.9025, 12);
});
