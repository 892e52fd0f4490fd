/** A regular expression that a person wrote; undefined of what is none. */
export function patternOf(text: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(text, flags);
  } catch {
    return undefined;
  }
}
