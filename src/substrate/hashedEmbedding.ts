/**
 * A scripted stand-in for an embedding model: signed feature hashing of terms and of their 3- to
 * 5-grams. It knows shared words and word parts, nothing of meaning.
 *
 * Source: ours; hashing as in Weinberger et al. 2009, FNV-1a as published by its authors.
 */

/** Length of every vector. Ours: 20 descriptions of 15 terms stay apart, and it reads in a log. */
export const hashedDimensions = 256;

/** A whole term counts as much as nine of its grams (squares add). Ours: words first, word parts second. */
const termWeight = 3;
const gramWeight = 1;
const gramLengths = [3, 4, 5];
/** Components are integers, so that a vector survives JSON bit for bit. */
const thousandths = 1000;

/**
 * The vector of a text: `hashedDimensions` integers, thousandths of a unit vector (rounding leaves
 * its length within 1 % of 1000); all zeros when the text has no terms. `terms` is the tokeniser.
 */
export function embed(text: string, terms: (text: string) => readonly string[]): number[] {
  const sums = new Array<number>(hashedDimensions).fill(0);
  for (const term of terms(text)) {
    add(sums, hashed(termStart, term, 0, term.length), termWeight);
    const word = `<${term}>`;
    for (const size of gramLengths) {
      for (let end = size; end <= word.length; end += 1) {
        add(sums, hashed(gramStart, word, end - size, end), gramWeight);
      }
    }
  }
  const length = Math.sqrt(sums.reduce((sum, value) => sum + value * value, 0));
  // Adding 0 turns −0, which JSON cannot write, into 0.
  return sums.map((value) => (length === 0 ? 0 : Math.round((value / length) * thousandths) + 0));
}

function add(sums: number[], hash: number, weight: number): void {
  const position = ((hash ^ (hash >>> 16)) >>> 0) % hashedDimensions;
  sums[position] = (sums[position] ?? 0) + (hash >>> 31 === 0 ? weight : -weight);
}

/**
 * 32-bit FNV-1a over the bytes of the text's UTF-16 code units, low byte first, of one part of it; `before` is the
 * hash of what comes before that part.
 */
function hashed(before: number, text: string, start: number, end: number): number {
  let hash = before;
  for (let position = start; position < end; position += 1) {
    const unit = text.charCodeAt(position);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return hash >>> 0;
}

/** Words and their parts are told apart by what comes before them. */
const afterText = (text: string): number => hashed(0x811c9dc5, text, 0, text.length);
const termStart = afterText("term ");
const gramStart = afterText("gram ");
