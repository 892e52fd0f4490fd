/** Fields as they are written: an optional one may turn out to be undefined. */
export type Written<T> = T extends unknown
  ? { readonly [K in keyof T]: T[K] | (object extends Pick<T, K> ? undefined : never) }
  : never;

/**
 * The object without the fields that are undefined, which no event may hold. In place of a spread of a
 * field that may be absent, where the compiler would not see that its name is misspelt.
 */
export function defined<T extends object>(fields: Written<NoInfer<T>>): T {
  const members = fields as { readonly [name: string]: unknown }; // Whatever its fields are called.
  let isWhole = true;
  // Not Object.keys, which makes a list.
  for (const name in members) isWhole &&= members[name] !== undefined;
  if (isWhole) return fields as T;
  const kept: { [name: string]: unknown } = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) kept[name] = value;
  }
  // Only an optional field may be undefined, so what is left is a whole T.
  return kept as T;
}
