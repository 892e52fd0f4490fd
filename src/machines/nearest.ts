/** The name that was meant, where another one was written. Ours. */
import { distance } from "fastest-levenshtein";

/** The candidate that the author of `word` most likely meant: one that is close enough, or the only one that begins so. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word === "" || word.length > NEAREST_CHARS_MAX) return undefined;
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of candidates) {
    if (candidate.length > NEAREST_CHARS_MAX) continue;
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    const editsMax = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
    if (edits <= editsMax && (best === undefined || edits < best.edits))
      best = { candidate, edits };
  }
  return best?.candidate ?? onlyOneThatBegins(word, candidates);
}

function onlyOneThatBegins(word: string, candidates: Iterable<string>): string | undefined {
  const found = [...candidates].filter((one) => one.toLowerCase().startsWith(word.toLowerCase()));
  return found.length === 1 ? found[0] : undefined;
}

const NEAREST_CHARS_MAX = 200;
