/**
 * Every number of the findings, and why it is what it is. All are ours. They were set before any figure of
 * docs/findings-statistics.md was made, and that page says which logs were looked at meanwhile.
 */

/** Calls of one agent within which a repeated call counts: loops go round in few, and later ones may want to know of changes. */
export const SAME_WITHIN_CALLS = 5;

/** Successful calls of one kind that make a tool the one that serves it: one may be chance. */
export const SERVED_LEAST = 2;

/** Different words of a result below which it is an acknowledgement, which nobody needs to use. */
export const UNUSED_WORDS_LEAST = 5;

/** Words of a result that are looked for later: any one of them is a use, so more find no more. */
export const UNUSED_WORDS_MAX = 64;

/** Letters of a word that tells: shorter ones occur in any text. */
export const WORD_CHARS_LEAST = 4;

/** Messages of an agent within which it retells an error: later ones are about something else. */
export const RETOLD_WITHIN_MESSAGES = 3;

/** Letters of a tool's name without `_` or a capital inside that may not be an English word of a sentence. */
export const NAME_CHARS_LEAST = 9;

/** Characters from which on a first word of an agent is long: a paragraph. */
export const LONG_CHARS_LEAST = 500;

/** Digits of a number that tells where it comes from: smaller ones stand anywhere. */
export const FIGURE_CHARS_LEAST = 3;

/** Hits of a finding that people judged, and the share of them that must be right, before it is looked for unasked: with fewer, one log of a kind decides. */
export const JUDGED_HITS_LEAST = 15;
export const RIGHT_SHARE_LEAST = 0.7;

// Bounds of memory: a log of a million deliveries takes no more than one of a hundred thousand.

/** Calls without a result, results not used yet, kinds of calls, tools, and agents, each. */
export const KEPT_MAX = 5_000;

/** Characters of a text that a sentence quotes. */
export const QUOTED_CHARS_MAX = 80;
