/** Order of the code points of two texts, as Python sorts; JavaScript compares UTF-16 units, which differ beyond U+FFFF. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [one = 0, other = 0] = [a.codePointAt(at), b.codePointAt(at)];
    if (one !== other) return one - other;
  }
  return a.length - b.length;
}
