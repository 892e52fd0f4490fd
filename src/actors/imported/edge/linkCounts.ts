/** How many links of which rule there are. */
import type { LinkRule } from "../../../machines/imported/mail.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";
import { rules } from "../links.ts";

export type Counts = { readonly [rule: string]: number };

export class LinkCounts {
  readonly #counts = new Map<LinkRule, number>();

  count({ event }: SeenDelivery): void {
    if (!("links" in event)) return;
    for (const { rule } of event.links) this.#add(rule, 1);
  }

  addAll(other: LinkCounts): void {
    for (const [rule, count] of other.#counts) this.#add(rule, count);
  }

  /** As a program keeps it. */
  saved(): Counts {
    return Object.fromEntries(this.#counts);
  }

  addSaved(saved: Counts): void {
    for (const [rule, count] of Object.entries(saved)) {
      if (Object.hasOwn(rules, rule)) this.#add(rule as LinkRule, count);
    }
  }

  /** Those that the log states, and those that the importer inferred. */
  told(): { readonly stated: Counts; readonly inferred: Counts } {
    const all = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
    const of = (isInferred: boolean): Counts =>
      Object.fromEntries(all.filter(([rule]) => rules[rule].inferred === isInferred));
    return { stated: of(false), inferred: of(true) };
  }

  #add(rule: LinkRule, count: number): void {
    this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + count);
  }
}
