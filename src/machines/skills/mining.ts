/** Which calls in a row recur in what agents did well. Source: seed 001, "Composed skills"; dossier 1.10. */

export interface MinedSequence {
  readonly tools: readonly string[];
  /** Where it first occurs in each of the trajectories that have it, by their number. */
  readonly at: readonly { readonly trajectory: number; readonly start: number }[];
}

export interface MiningBy {
  /** In so many trajectories it recurs. */
  readonly support: number;
  /** Most calls of a sequence. */
  readonly windowMax: number;
  /** Most sequences that are told at once. */
  readonly minedMax: number;
}

const WINDOW_MIN = 2;

/**
 * `trajectories` are the tools that each called, in order, of those that ended well. One tool again and again
 * is no sequence, nor is one of nothing but `meta` tools. A part of a longer sequence is told only when it
 * recurs more often. The most frequent come first, of equals the longest, then the first.
 */
export function mineSequences(
  trajectories: readonly (readonly string[])[],
  by: MiningBy,
  meta: ReadonlySet<string> = new Set(),
): readonly MinedSequence[] {
  const frequent = [...windowsIn(trajectories, by.windowMax)].filter(
    ({ tools, at }) =>
      at.length >= by.support && new Set(tools).size > 1 && tools.some((tool) => !meta.has(tool)),
  );
  return frequent
    .filter((one) => !frequent.some((other) => covers(other, one)))
    .toSorted((a, b) => b.at.length - a.at.length || b.tools.length - a.tools.length)
    .slice(0, by.minedMax);
}

function windowsIn(
  trajectories: readonly (readonly string[])[],
  windowMax: number,
): Iterable<MinedSequence> {
  const found = new Map<string, { tools: readonly string[]; at: MinedSequence["at"][number][] }>();
  for (const [trajectory, tools] of trajectories.entries()) {
    for (let size = WINDOW_MIN; size <= windowMax; size += 1) {
      for (let start = 0; start + size <= tools.length; start += 1) {
        const window = tools.slice(start, start + size);
        const key = JSON.stringify(window);
        const known = found.get(key) ?? { tools: window, at: [] };
        if (known.at.at(-1)?.trajectory !== trajectory) known.at.push({ trajectory, start });
        found.set(key, known);
      }
    }
  }
  return found.values();
}

/** Whether the other is longer, contains this one, and recurs as often. */
function covers(other: MinedSequence, one: MinedSequence): boolean {
  if (other.tools.length <= one.tools.length || other.at.length < one.at.length) return false;
  return other.tools.some((_, start) =>
    one.tools.every((tool, index) => other.tools[start + index] === tool),
  );
}
