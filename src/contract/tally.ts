/** Texts with how often each stands there, the most frequent first; equals in the order they came. */
export type Tally = readonly (readonly [text: string, count: number])[];

export function tally(texts: readonly string[]): Tally {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}
