/** How much of the virtual files goes into one letter. */

/** Ours: a view goes on in a letter, with the times beside it; one that were too long would end the run. */
export const VIEW_CHARS_MAX = 3_000_000;
/** In a letter, a control code takes six characters; a time and a writer about as many as their path and twenty. */
export const isBeyondView = (files: { readonly [path: string]: string }): boolean => {
  const all = Object.entries(files);
  const least = all.reduce((sum, [path, text]) => sum + 3 * path.length + 40 + text.length, 0);
  if (6 * least <= VIEW_CHARS_MAX) return false;
  const escaped = (text: string): number => JSON.stringify(text).length;
  const chars = all.map(([path, text]) => 3 * escaped(path) + 40 + escaped(text));
  return chars.reduce((sum, one) => sum + one, 0) > VIEW_CHARS_MAX;
};
