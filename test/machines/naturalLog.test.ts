import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { naturalLog } from "../../src/machines/naturalLog.ts";

describe("naturalLog", () => {
  it("is exact at 1 and right at well-known values", () => {
    expect(naturalLog(1)).toBe(0);
    expect(naturalLog(2)).toBeCloseTo(Math.LN2, 15);
    expect(naturalLog(Math.E)).toBeCloseTo(1, 15);
    expect(naturalLog(10)).toBeCloseTo(Math.LN10, 14);
  });

  it("agrees with the host's logarithm to 14 digits", () => {
    const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true });

    fc.assert(
      fc.property(positive, (value) => {
        const expected = Math.log(value);
        const error = Math.abs(naturalLog(value) - expected);
        expect(error).toBeLessThanOrEqual(1e-14 * Math.max(1, Math.abs(expected)));
      }),
    );
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("refuses %d", (value) => {
    expect(() => naturalLog(value)).toThrow(RangeError);
  });
});
