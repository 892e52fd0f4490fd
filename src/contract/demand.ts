/** Throws the sentence unless the condition holds: how a unit property says what is wrong. */
export function demand(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}
