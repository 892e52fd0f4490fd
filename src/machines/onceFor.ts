/** What is made of a value that never changes, such as the list of parts: at the first use, once for each. */
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
