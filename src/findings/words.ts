/** The words of a text by which a use of it is known again. */
import { leavesIn, TEXT_CHARS_MAX } from "../contract/plainValue.ts";
import type { Json } from "../machines/letter.ts";
import { stopWords } from "../machines/stopWords.ts";
import { WORD_CHARS_LEAST } from "./thresholds.ts";

/** Words and numbers; names, addresses and paths fall into theirs. */
const WORD = /[\p{L}\p{N}]+/gu;

/** Words of at least four letters, and numbers of at least two digits, in lower case. */
export function* wordsIn(text: string): Generator<string, undefined> {
  for (const [word] of text.slice(0, TEXT_CHARS_MAX).matchAll(WORD)) {
    const isNumber = /^\d+$/.test(word);
    if (isNumber ? word.length < 2 : word.length < WORD_CHARS_LEAST) continue;
    const lower = word.toLowerCase();
    if (!stopWords.has(lower)) yield lower;
  }
}

/** The words of everything that a value holds, names of members not counted; at most `max` different ones. */
export function wordsOf(value: Json, max: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (const leaf of leavesIn(value)) {
    for (const word of wordsIn(String(leaf))) {
      found.add(word);
      if (found.size >= max) return found;
    }
  }
  return found;
}
