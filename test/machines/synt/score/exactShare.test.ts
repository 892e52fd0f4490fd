import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ALL,
  ceiledTo,
  compareShares,
  decimalOf,
  flooredTo,
  NONE,
  plus,
  share,
  shareOfDecimal,
  times,
} from "../../../../src/machines/synt/score/exactShare.ts";

const shares = fc
  .tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: 1, max: 999 }))
  .map(([over, under]) => share(over, under));

describe("exact shares", () => {
  it("[SN74] are kept in lowest terms, so that equal ones are the same", () => {
    expect(share(6, 9)).toEqual([2, 3]);
    expect([share(0, 7), share(7, 7), share(-2, 4)]).toEqual([NONE, ALL, [-1, 2]]);
    expect(() => share(1, 0)).toThrow(RangeError);
  });

  it("[SN74] beyond safe integers are decimal text, and lose nothing", () => {
    const third = share(1, 3n);
    const small = Array.from({ length: 40 }, () => third).reduce(times);

    expect(small).toEqual([1, "12157665459056928801"]);
    expect(compareShares(times(small, share(3, 1)), small)).toBe(1);
    expect(JSON.parse(JSON.stringify(small))).toEqual(small);
  });

  it("[SN74] a judge's digits are taken for what they say", () => {
    expect(shareOfDecimal(0.1)).toEqual([1, 10]);
    expect(shareOfDecimal(1e-7)).toEqual([1, 10_000_000]);
    expect(shareOfDecimal(1.5e21)).toEqual(["1500000000000000000000", 1]);
    expect([shareOfDecimal(0), shareOfDecimal(-0), shareOfDecimal(1)]).toEqual([NONE, NONE, ALL]);
    expect(() => shareOfDecimal(Number.NaN)).toThrow(RangeError);
  });

  it("[SN74] add, multiply and compare without rounding; the shown decimal is never above", () => {
    fc.assert(
      fc.property(shares, shares, shares, (a, b, c) => {
        expect(plus(a, b)).toEqual(plus(b, a));
        expect(times(a, plus(b, c))).toEqual(plus(times(a, b), times(a, c)));
        expect(compareShares(a, b)).toBe(0 - compareShares(b, a));
        expect(compareShares(share(flooredTo(a, 1000), 1000), a)).toBeLessThanOrEqual(0);
        expect(compareShares(share(ceiledTo(a, 1000), 1000), a)).toBeGreaterThanOrEqual(0);
        expect(compareShares(shareOfDecimal(decimalOf(a)), a)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
