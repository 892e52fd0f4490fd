/**
 * The smallest sets that still do what the whole does: delta debugging. Source: A. Zeller and R. Hildebrandt, Simplifying and
 * Isolating Failure-Inducing Input (2002). All sets of one round are tried together, and the first of them counts, so that no
 * result depends on which was tried sooner.
 */

/** Of each set, whether it does it. */
export type Holds<T> = (sets: readonly (readonly T[])[]) => Promise<readonly boolean[]>;

/** A set of which no element can be left out. The whole does it: the caller has tried. */
export async function smallest<T>(whole: readonly T[], holds: Holds<T>): Promise<readonly T[]> {
  let set = whole;
  let pieces = 2;
  while (set.length > 1) {
    const parts = split(set, Math.min(pieces, set.length));
    const rests =
      parts.length === 2 ? [] : parts.map((part) => set.filter((one) => !part.includes(one)));
    const tried = [...parts, ...rests];
    const found = tried[(await holds(tried)).indexOf(true)];
    if (found !== undefined) {
      // A part starts anew; of a rest the other parts are still to be left out.
      pieces = parts.includes(found) ? 2 : Math.max(2, parts.length - 1);
      set = found;
    } else if (parts.length === set.length) return set;
    else pieces = parts.length * 2;
  }
  return set;
}

/** As many pieces, as equal as can be. */
function split<T>(set: readonly T[], pieces: number): readonly (readonly T[])[] {
  return Array.from({ length: pieces }, (_, at) =>
    set.slice(Math.floor((at * set.length) / pieces), Math.floor(((at + 1) * set.length) / pieces)),
  );
}

/**
 * Several of them: after each one is found, what it holds is left out of the whole in turn, as long as the rest still does
 * it. `most` bounds how many are looked for.
 */
export async function smallestSets<T>(
  whole: readonly T[],
  holds: Holds<T>,
  most: number,
): Promise<readonly (readonly T[])[]> {
  const found: (readonly T[])[] = [];
  const open: (readonly T[])[] = [whole];
  const seen = new Set<string>();
  while (open.length > 0 && found.length < most) {
    const rest = open.shift() ?? [];
    const name = JSON.stringify(rest);
    if (rest.length === 0 || seen.has(name)) continue;
    seen.add(name);
    const known = found.find((set) => set.every((one) => rest.includes(one)));
    if (known === undefined && !(await holds([rest]))[0]) continue;
    const set = known ?? (await smallest(rest, holds));
    if (known === undefined) found.push(set);
    for (const left of set) open.push(rest.filter((one) => one !== left));
  }
  return found;
}
