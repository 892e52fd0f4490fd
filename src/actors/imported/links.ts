/** What one record rests on: the rules, the order in which they tell, and each in words. */
import type { LinkRule, LogLink } from "../../machines/imported/mail.ts";

interface Rule {
  readonly inferred: boolean;
  /** How it is said that the record rests on another, given that one's number and what shows it. */
  readonly says: (seq: number, value: string | null) => string;
}

/** The most telling first: of a record with several links, `why` follows the first. */
export const rules: { readonly [rule in LinkRule]: Rule } = {
  // What was put there on purpose explains more than who asked for it.
  faulted: { inferred: false, says: (seq) => `#${seq} put it there` },
  "result-of": { inferred: false, says: (seq) => `it is the result of #${seq}` },
  // What was read rests on who wrote it, whoever asked for it.
  "wrote-then-read": {
    inferred: true,
    says: (seq, path) => `the last write of ${valueText(path)} is #${seq}`,
  },
  "made-by": { inferred: false, says: (seq) => `#${seq} made it` },
  "open-call": {
    inferred: true,
    says: (seq) => `#${seq} is the last call of that tool without a result`,
  },
  quotes: {
    inferred: true,
    says: (seq, value) => `its ${valueText(value)} stands first in #${seq}`,
  },
  "next-call": {
    inferred: true,
    says: (seq) => `it comes right after #${seq} of the same agent`,
  },
  "last-heard": { inferred: true, says: (seq) => `#${seq} is what was heard last` },
  parent: { inferred: false, says: (seq) => `it belongs to #${seq}` },
};

const ORDER = Object.keys(rules);

const valueText = (value: string | null): string => JSON.stringify(value ?? "");

export const link = (rule: LinkRule, seq: number, value: string | null = null): LogLink => ({
  seq,
  rule,
  inferred: rules[rule].inferred,
  value,
});

/** Each record once, by its most telling rule, which comes first. */
export function ordered(links: readonly LogLink[]): readonly LogLink[] {
  const sorted = links.toSorted((a, b) => ORDER.indexOf(a.rule) - ORDER.indexOf(b.rule));
  return sorted.filter((one, index) => sorted.findIndex(({ seq }) => seq === one.seq) === index);
}

/** What `why` goes back to. */
export const followed = (links: readonly LogLink[] | undefined): LogLink | undefined => links?.[0];

/** Of a link that the log does not state: that it is so, the rule, and what shows it. */
export function inferredText(followed: LogLink | undefined): string {
  if (!followed?.inferred) return "";
  const { rule, seq, value } = followed;
  return ` — inferred by ${rule}, not stated in the log: ${rules[rule].says(seq, value)}`;
}
