/**
 * Words to terms: the English stemmer "Porter2" and the tokeniser in front of it. Own code, because
 * a ranking must not move when a dependency does.
 *
 * Source: M. F. Porter et al., "The English (Porter2) stemming algorithm", snowballstem.org, in its
 * edition 3.1. Its step 0 (apostrophes) is omitted: `terms` removes them first.
 */
import { stopWords } from "./stopWords.ts";

/** Suffix and replacement, longest first: the first that fits decides, even when it then declines. */
type SuffixRule = readonly [suffix: string, replacement: string];

const longestFirst = (rules: readonly SuffixRule[]): readonly SuffixRule[] =>
  rules.toSorted((a, b) => b[0].length - a[0].length);

const special: ReadonlyMap<string, string> = new Map([
  ["skies", "sky"],
  ["skis", "ski"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"].map(
    (word) => [word, word] as const,
  ),
]);

/** Word beginnings that would otherwise be cut too short ("general" and "generate" to one stem). */
const fixedBeginning = /^(?:gener|commun|arsen|past|univers|later|emerg|inter|organ)/;

/** Longest first. */
const verbEndings = ["eedly", "ingly", "edly", "eed", "ing", "ed"];
/** What stands before `eed` in proceed, exceed, succeed. */
const notPastTense: ReadonlySet<string> = new Set(["proc", "exc", "succ"]);
/** What stands before `ing` in inning, outing, canning, herring, earring, evening. */
const notParticiple: ReadonlySet<string> = new Set(["inn", "out", "cann", "herr", "earr", "even"]);

const derivation = longestFirst([
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["entli", "ent"],
  ["izer", "ize"],
  ["ization", "ize"],
  ["ational", "ate"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["alli", "al"],
  ["fulness", "ful"],
  ["ousli", "ous"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["bli", "ble"],
  ["ogist", "og"],
  ["ogi", "og"],
  ["fulli", "ful"],
  ["lessli", "less"],
  ["li", ""],
]);

const derivationOfDerivation = longestFirst([
  ["tional", "tion"],
  ["ational", "ate"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
  ["ative", ""],
]);

const residue = longestFirst(
  [
    ...["al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ism"],
    ...["ate", "iti", "ous", "ive", "ize", "ion"],
  ].map((suffix) => [suffix, ""]),
);

/**
 * The stem of one lower-case word of ASCII letters and digits: "operations" → "oper". Irregular
 * forms keep stems of their own ("write" but "written", "run" but "ran").
 */
export function stem(word: string): string {
  if (word.length <= 2) {
    return word;
  }
  const exception = special.get(word);
  if (exception !== undefined) {
    return exception;
  }
  const marked = markConsonantY(word);
  const r1 = fixedBeginning.exec(marked)?.[0].length ?? regionAfter(marked, 0);
  const r2 = regionAfter(marked, r1);
  const base = softenY(withoutVerbEnding(withoutPlural(marked), r1));
  const derived = replaceSuffix(base, derivation, (suffix, before) => {
    return before.length >= r1 && derivationApplies(suffix, before);
  });
  const simpler = replaceSuffix(derived, derivationOfDerivation, (suffix, before) => {
    return before.length >= (suffix === "ative" ? r2 : r1);
  });
  const bare = replaceSuffix(simpler, residue, (suffix, before) => {
    return before.length >= r2 && (suffix !== "ion" || /[st]$/.test(before));
  });
  return withoutFinalLetter(bare, r1, r2).toLowerCase();
}

/**
 * The terms of a text, in order and with repetitions: accents removed, split at everything that is
 * neither an ASCII letter nor a digit and inside camelCase, stop words dropped, the rest stemmed.
 * A text in another script has no terms.
 */
export function terms(text: string): string[] {
  return words(text)
    .filter((word) => !stopWords.has(word))
    .map(knownStem);
}

/** Agents use few words, and each of them often. */
const stems = new Map<string, string>();
const STEMS_MAX = 20_000;

function knownStem(word: string): string {
  let known = stems.get(word);
  if (known === undefined) {
    known = stem(word);
    if (stems.size >= STEMS_MAX) stems.clear();
    stems.set(word, known);
  }
  return known;
}

function words(text: string): string[] {
  const split = withoutAccents(text)
    .replace(/['’]/g, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z]{2})/g, "$1 $2");
  return split.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

function withoutAccents(text: string): string {
  return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
}

/** A `y` that opens the word or follows a vowel is a consonant; it is written `Y` until the end. */
function markConsonantY(word: string): string {
  return word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
}

/** Where the text after the first consonant that follows a vowel begins, looking from `start`. */
function regionAfter(word: string, start: number): number {
  const found = word.slice(start).search(/[aeiouy][^aeiouy]/);
  return found < 0 ? word.length : start + found + 2;
}

function hasVowel(word: string): boolean {
  return /[aeiouy]/.test(word);
}

function endsInShortSyllable(word: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$|past$/.test(word);
}

/** Step 1a. */
function withoutPlural(word: string): string {
  if (word.endsWith("sses")) {
    return word.slice(0, -2);
  }
  if (/ie[ds]$/.test(word)) {
    return word.slice(0, word.length > 4 ? -2 : -1);
  }
  const plural = word.endsWith("s") && !/[us]s$/.test(word) && hasVowel(word.slice(0, -2));
  return plural ? word.slice(0, -1) : word;
}

/** Step 1b. */
function withoutVerbEnding(word: string, r1: number): string {
  const ending = verbEndings.find((candidate) => word.endsWith(candidate));
  if (ending === undefined) {
    return word;
  }
  const before = word.slice(0, -ending.length);
  if (ending.startsWith("eed")) {
    return before.length >= r1 && !notPastTense.has(before) ? `${before}ee` : word;
  }
  if (!hasVowel(before) || (ending === "ing" && notParticiple.has(before))) {
    return word;
  }
  if (ending === "ing" && /^[^aeiouy]y$/.test(before)) {
    return `${before.slice(0, 1)}ie`;
  }
  return repairedVerb(before, r1);
}

/** Gives a verb that lost its ending back its `e`, or takes a doubled letter away. */
function repairedVerb(word: string, r1: number): string {
  if (/(?:at|bl|iz)$/.test(word)) {
    return `${word}e`;
  }
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(word)) {
    return /^[aeo]..$/.test(word) ? word : word.slice(0, -1);
  }
  return r1 >= word.length && endsInShortSyllable(word) ? `${word}e` : word;
}

/** Step 1c. */
function softenY(word: string): string {
  return word.replace(/(.[^aeiouy])[yY]$/, "$1i");
}

function derivationApplies(suffix: string, before: string): boolean {
  if (suffix === "ogi") {
    return before.endsWith("l");
  }
  return suffix !== "li" || /[cdeghkmnrt]$/.test(before);
}

/** Steps 2 to 4. */
function replaceSuffix(
  word: string,
  rules: readonly SuffixRule[],
  applies: (suffix: string, before: string) => boolean,
): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) {
    return word;
  }
  const [suffix, replacement] = rule;
  const before = word.slice(0, -suffix.length);
  return applies(suffix, before) ? before + replacement : word;
}

/** Step 5. */
function withoutFinalLetter(word: string, r1: number, r2: number): string {
  const before = word.slice(0, -1);
  const inR2 = before.length >= r2;
  if (word.endsWith("e") && (inR2 || (before.length >= r1 && !endsInShortSyllable(before)))) {
    return before;
  }
  return word.endsWith("ll") && inR2 ? before : word;
}
