/**
 * Exact shares, as `[numerator, denominator]` in lowest terms: what R is made of. Nothing is rounded
 * before it meets a threshold. Source: seed 002, 6; ruling Y24.
 */
/** A number as long as it is a safe integer, its decimal text beyond: strict JSON, and never rounded. */
export type Whole = number | string;
/** The denominator is above 0. */
export type Share = readonly [Whole, Whole];

export const NONE: Share = [0, 1];
export const ALL: Share = [1, 1];

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

function commonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [absolute(a), absolute(b)];
  while (smaller > 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

const wholeOf = (value: bigint): Whole =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

/** over / under in lowest terms; both are whole, and under is above 0. */
export function share(over: bigint | number, under: bigint | number): Share {
  const [a, b] = [BigInt(over), BigInt(under)];
  if (b <= 0n) throw new RangeError(`a share of ${under}`);
  const divisor = commonDivisor(a, b);
  return [wholeOf(a / divisor), wholeOf(b / divisor)];
}

const partsOf = ([over, under]: Share): readonly [bigint, bigint] => [BigInt(over), BigInt(under)];

export function plus(a: Share, b: Share): Share {
  const [[overA, underA], [overB, underB]] = [partsOf(a), partsOf(b)];
  return share(overA * underB + overB * underA, underA * underB);
}

export function times(a: Share, b: Share): Share {
  const [[overA, underA], [overB, underB]] = [partsOf(a), partsOf(b)];
  return share(overA * overB, underA * underB);
}

export const minus = (a: Share, b: Share): Share => plus(a, times(b, [-1, 1]));

/** Below 0 where a is less than b, 0 where they are equal. */
export function compareShares(a: Share, b: Share): number {
  const [[overA, underA], [overB, underB]] = [partsOf(a), partsOf(b)];
  const [left, right] = [overA * underB, overB * underA];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** a × scale as a whole number, rounded down. */
export function flooredTo(a: Share, scale: number): number {
  const [over, under] = partsOf(a);
  const scaled = over * BigInt(scale);
  const isCut = scaled < 0n && scaled % under !== 0n;
  return Number(scaled / under - (isCut ? 1n : 0n));
}

/** a × scale as a whole number, rounded up. */
export const ceiledTo = (a: Share, scale: number): number =>
  0 - flooredTo(times(a, [-1, 1]), scale);

/** Digits that are shown at most. */
const SHOWN = 1_000_000_000_000;

/** For people and for JSON: rounded down, so that nothing looks as if it passed that did not. */
export const decimalOf = (a: Share): number => flooredTo(a, SHOWN) / SHOWN;

/** What the digits of a finite number say, exactly: .1 is a tenth, not the nearest double. Throws RangeError for other texts. */
export function shareOfDecimal(value: number | string): Share {
  const [, sign, whole = "", digits = "", power = "0"] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(String(value)) ?? [];
  if (whole + digits === "") throw new RangeError(`no decimal: ${value}`);
  const shift = Number(power) - digits.length;
  const size = BigInt(`${whole}${digits}${"0".repeat(Math.max(0, shift))}`);
  const over = sign === "-" ? -size : size;
  return share(over, BigInt(`1${"0".repeat(Math.max(0, -shift))}`));
}
