/**
 * Which deliveries made what a keeper holds: the numbers that its letters name as `because`. Kept by
 * what they are about, such as `lock abandon:…` or `use read_files → sort_entries`.
 */
import { Entries } from "../entries.ts";
import { ownValue } from "../ownValue.ts";

export type Facts = Entries<readonly number[]>;
/** As a letter tells them. */
export interface ToldFacts {
  readonly [about: string]: readonly number[];
}

/** Ours: as many as recurrence asks for; earlier ones are forgotten. */
const FACTS_KEPT = 5;

/** One more of the same kind: a use, a payment. */
export const noted = (facts: Facts, about: string, seq: number): Facts =>
  facts.with(about, [...(facts.get(about) ?? []), seq].slice(-FACTS_KEPT));

/** What holds from now on rests on this alone: a lock, a state. */
export const withFact = (facts: Facts, about: string, seq: number): Facts =>
  facts.with(about, [seq]);

/** All that is known of these; `why` follows the last. */
export function factsOf(facts: Facts | ToldFacts, abouts: readonly string[]): readonly number[] {
  const known = (key: string) => (facts instanceof Entries ? facts.get(key) : ownValue(facts, key));
  return [...new Set(abouts.flatMap((key) => known(key) ?? []))];
}

export const about = {
  boot: "boot",
  lock: (key: string): string => `lock ${key}`,
  day: (day: number): string => `day ${day} `,
  /** What a request spent on a day. */
  spent: (day: number, request: string): string => `day ${day} ${request}`,
  request: (request: string): string => `request ${request}`,
  /** The answer at the soft cap. */
  soft: (request: string): string => `soft ${request}`,
  use: (from: string, to: string): string => `use ${from} → ${to}`,
  miss: (name: string): string => `miss ${name}`,
  memo: (query: string): string => `memo ${query}`,
  chain: (key: string): string => `chain ${key}`,
  hot: (name: string, value: string): string => `case ${name} ${value}`,
  executor: (name: string): string => `executor ${name}`,
};

/** The hops of a chain, as uses. */
export const hopsOf = (chain: readonly string[]): readonly string[] =>
  chain.slice(1).map((name, index) => about.use(chain[index] ?? "", name));
