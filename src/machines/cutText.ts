/** At most `charsMax` characters, counted and cut by code point, so that no half of one is left. */
export const cutText = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : [...text].slice(0, charsMax).join("");
