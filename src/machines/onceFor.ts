/** What is made of an object at the first use, once for each: of one that never changes, such as the list of parts, or to stand beside it. */
export function onceFor<K extends object, T>(make: (of: K) => T): (of: K) => T {
  const made = new WeakMap<K, { readonly it: T }>();
  return (of) => {
    const known = made.get(of);
    if (known !== undefined) return known.it;
    const it = make(of);
    made.set(of, { it });
    return it;
  };
}
