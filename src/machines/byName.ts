/**
 * Values by name, of which one is replaced at a time: a change copies its share of the names, and not all of them.
 * Immutable. It holds what a service knows of each of a thousand agents.
 */
import { groupedBy } from "./grouped.ts";
import { ownValue } from "./ownValue.ts";

export interface ByName<T> {
  /** In the order in which they came. */
  readonly names: readonly string[];
  /** Each name stands in one of them. */
  readonly shares: readonly Plain<T>[];
}

interface Plain<T> {
  readonly [name: string]: T;
}

function shareOf(name: string, count: number): number {
  let sum = 0;
  for (let at = 0; at < name.length; at++) sum = (31 * sum + name.charCodeAt(at)) % 65_521;
  return sum % count;
}

export const noValues: ByName<never> = { names: [], shares: [{}] };

/** From plain data. */
export const byName = <T>(plain: Plain<T>): ByName<T> =>
  Object.entries(plain).reduce<ByName<T>>(
    (all, [name, value]) => withValue(all, name, value),
    noValues,
  );

export const valueIn = <T>({ shares }: ByName<T>, name: string): T | undefined =>
  ownValue(shares[shareOf(name, shares.length)] ?? {}, name);

export function withValue<T>({ names, shares }: ByName<T>, name: string, value: T): ByName<T> {
  const place = shareOf(name, shares.length);
  const share = shares[place] ?? {};
  const after = shares.with(place, { ...share, [name]: value });
  if (Object.hasOwn(share, name)) return { names, shares: after };
  return divided({ names: [...names, name], shares: after });
}

/** A change copies the list of the shares, and one of them: neither is to be much longer than the other. */
function divided<T>(all: ByName<T>): ByName<T> {
  const { names, shares } = all;
  if (4 * names.length <= shares.length * shares.length) return all;
  const count = 2 * shares.length;
  const byShare = groupedBy(entriesOf(all), ([name]) => shareOf(name, count));
  const more = Array.from({ length: count }, (_, place) =>
    Object.fromEntries(byShare.get(place) ?? []),
  );
  return { names, shares: more };
}

/** All values, in the order in which their names came. */
export const entriesOf = <T>(all: ByName<T>): (readonly [name: string, value: T])[] =>
  all.names.map((name) => [name, valueIn(all, name) as T]);

/** As plain data. */
export const plainOf = <T>(all: ByName<T>): Plain<T> => Object.fromEntries(entriesOf(all));

const NOTHING = {};

/** As plain data, of one and of what it became, the values that are not the same in both. */
export function apartOf<T>(before: ByName<T>, after: ByName<T>): readonly [Plain<T>, Plain<T>] {
  if (before === after) return [NOTHING, NOTHING];
  const others = after.names.filter((name) => valueIn(before, name) !== valueIn(after, name));
  const part = (all: ByName<T>): Plain<T> =>
    Object.fromEntries(
      others.flatMap((name) => {
        const value = valueIn(all, name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  return [part(before), part(after)];
}
