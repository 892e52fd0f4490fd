import fc from "fast-check";

/** Surrogates are no characters of their own. */
const SURROGATES = { from: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

/**
 * Any one code point: `unit: "binary"` of fast-check, drawn alike. That one fills a table of all 1.1
 * million when it is first asked for, which takes more than a second.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat({ max: LAST - SURROGATES.count }).map(
  (n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count),
  (text) => {
    const n = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (n === undefined || text !== String.fromCodePoint(n) || isSurrogate(n)) {
      throw new Error("no code point");
    }
    return n < SURROGATES.from ? n : n - SURROGATES.count;
  },
);

const isSurrogate = (n: number): boolean =>
  n >= SURROGATES.from && n < SURROGATES.from + SURROGATES.count;

/** Text of any code points, even such as no user would write. */
export const anyText = (length: fc.StringConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...length, unit: codePoint });
