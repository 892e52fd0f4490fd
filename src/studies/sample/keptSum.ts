/**
 * Whole numbers with a given sum, each from 0 to a bound of its own: every such combination is equally likely. The last
 * one follows from the others, so that g of them are drawn from g − 1 places.
 */

/** Ours: about 160 MB of tables. */
export const SUM_TABLE_MAX = 20_000_000;

/** How large the tables are; a sum above half of the bounds' is drawn from its other side. */
export const sumTableSize = (bounds: readonly number[], sum: number): number =>
  (nearSum(bounds, sum) + 1) * (bounds.length - 1);

/** A function from places, 0 to below 1, to the numbers. There is a combination. */
export function keptSum(
  bounds: readonly number[],
  sum: number,
): (places: readonly number[]) => number[] {
  const near = nearSum(bounds, sum);
  const tables = suffixTables(bounds, near);
  const mostAfter = bounds.map((_, at) => bounds.slice(at + 1).reduce((a, b) => a + b, 0));
  return (places) => {
    let rest = near;
    const drawn = bounds.map((bound, at) => {
      const table = tables[at];
      const number =
        table === undefined
          ? rest
          : drawnOne(table, places[at] ?? 0, {
              rest,
              least: Math.max(0, rest - (mostAfter[at] ?? 0)),
              most: Math.min(bound, rest),
            });
      rest -= number;
      return number;
    });
    return near === sum ? drawn : drawn.map((number, at) => (bounds[at] ?? 0) - number);
  };
}

function nearSum(bounds: readonly number[], sum: number): number {
  const all = bounds.reduce((a, b) => a + b, 0);
  return Math.min(sum, all - sum);
}

/**
 * For each place but the last: in how many ways the numbers after it have a sum of at most r, for each r, as a share of the most.
 * Rounding may make one combination likelier by a millionth of a millionth, never break the sum.
 */
function suffixTables(bounds: readonly number[], sum: number): Float64Array[] {
  const tables: Float64Array[] = [];
  let ways: (rest: number) => number = (rest) => (rest <= (bounds.at(-1) ?? 0) ? 1 : 0);
  for (let at = bounds.length - 2; at >= 0; at -= 1) {
    const table = new Float64Array(sum + 1);
    let total = 0;
    for (let rest = 0; rest <= sum; rest += 1) {
      total += ways(rest);
      table[rest] = total;
    }
    for (let rest = 0; rest <= sum; rest += 1) table[rest] = (table[rest] ?? 0) / total;
    tables.unshift(table);
    const bound = bounds[at] ?? 0;
    ways = (rest) => (table[rest] ?? 0) - (table[rest - bound - 1] ?? 0);
  }
  return tables;
}

interface Range {
  readonly rest: number;
  readonly least: number;
  readonly most: number;
}

/** The first number up to which more than the share `place` of the ways lie. */
function drawnOne(table: Float64Array, place: number, { rest, least, most }: Range): number {
  const above = table[rest - least] ?? 0;
  const upTo = (number: number) => above - (table[rest - number - 1] ?? 0);
  const wanted = place * upTo(most);
  let low = least;
  let high = most;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (upTo(middle) > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}
