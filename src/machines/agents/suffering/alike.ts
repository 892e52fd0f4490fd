/** Whether two texts speak of the same: the share of their words they have in common (Jaccard). */
export function isAlike(one: string, other: string, fromThousandths: number): boolean {
  const mine = wordsOf(one);
  const theirs = wordsOf(other);
  const shared = [...mine].filter((word) => theirs.has(word)).length;
  const all = mine.size + theirs.size - shared;
  return shared * 1000 >= fromThousandths * all;
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
