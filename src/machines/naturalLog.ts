/**
 * The natural logarithm from the four basic operations only. ECMAScript leaves the last bits of
 * `Math.log` to the engine; these are the same bits everywhere.
 */

/** Last power of the series; |z| ≤ 1/5 there, so what is omitted is below 1e-18. */
const lastPower = 25;

/** ln(value), good to 1e-14 relative or absolute; throws RangeError unless 0 < value < ∞. */
export function naturalLog(value: number): number {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`naturalLog needs a positive finite number, not ${value}`);
  }
  let rest = value;
  let doublings = 0;
  for (; rest > 1.5; doublings += 1) {
    rest /= 2;
  }
  for (; rest < 0.75; doublings -= 1) {
    rest *= 2;
  }
  const z = (rest - 1) / (rest + 1);
  let power = z;
  let sum = 0;
  for (let odd = 1; odd <= lastPower; odd += 2) {
    sum += power / odd;
    power *= z * z;
  }
  return doublings * Math.LN2 + 2 * sum;
}
