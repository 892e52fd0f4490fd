import fc from "fast-check";
import { expect, test } from "vitest";
import { clock, DURATION_MAX_MS, parseDuration, span } from "../../src/edges/duration.ts";

test.each([
  ["250ms", 250],
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["1h", 3_600_000],
  ["30d", 2_592_000_000],
  ["1h30m", 5_400_000],
  ["1h32m", 5_520_000],
  ["1d2h3m4s5ms", 93_784_005],
  ["1m5ms", 60_005],
  ["90m", 5_400_000],
  ["0s", 0],
  ["3650d", DURATION_MAX_MS],
])("%s is %d ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  "",
  "90",
  "1.5h",
  "-1h",
  "+1h",
  "1H",
  "1h 30m",
  " 1h",
  "1h\n",
  "30m1h",
  "1h1h",
  "h",
  "1w",
  "1e3s",
  "0x1s",
  "3650d1ms",
  "9999999999999s",
  "１h",
])("%j is no duration", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test("a clock counts hours beyond a day, then days, and shows milliseconds only when there are any", () => {
  expect(
    [0, 999, 5_525_000, 176_400_000, 359_999_000, 1_847_700_000, 3_599_999].map(clock),
  ).toEqual([
    "0:00:00",
    "0:00:00.999",
    "1:32:05",
    "49:00:00",
    "99:59:59",
    "21d 9:15:00",
    "0:59:59.999",
  ]);
});

test("a span leaves out what is zero", () => {
  expect([0, 1, 3_660_000, 5_525_000, 86_400_000, 90_061_001].map(span)).toEqual([
    "0 s",
    "1 ms",
    "1 h 1 min",
    "1 h 32 min 5 s",
    "1 d",
    "1 d 1 h 1 min 1 s 1 ms",
  ]);
});

test("a span without its spaces is the same duration again", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: DURATION_MAX_MS }), (ms) => {
      const text = span(ms).replaceAll(" ", "").replace("min", "m");

      expect(parseDuration(text)).toBe(ms);
    }),
  );
});
