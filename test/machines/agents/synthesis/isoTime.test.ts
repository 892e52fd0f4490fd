import fc from "fast-check";
import { expect, it } from "vitest";
import { isoTime } from "../../../../src/machines/isoTime.ts";

it("[SY8] writes the time as ISO 8601, leap days included", () => {
  const instants = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });
  const leapDays = [1972, 2000, 2024, 2100].map((year) => Date.UTC(year, 1, 28, 23, 59, 59, 999));

  for (const ms of leapDays.flatMap((end) => [end, end + 1, end + 86_400_001])) {
    expect(isoTime(ms)).toBe(new Date(ms).toISOString());
  }
  fc.assert(fc.property(instants, (ms) => isoTime(ms) === new Date(ms).toISOString()));
});
