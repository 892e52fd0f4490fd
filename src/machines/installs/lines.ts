/** Where in a text something stands, counted from line 1. A text may be one line of ten million characters. */
export function lineFinder(text: string): (at: number) => number {
  let ends: readonly number[] | undefined;
  return (at) => {
    ends ??= lineEnds(text);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

function lineEnds(text: string): readonly number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at);
  return ends;
}
