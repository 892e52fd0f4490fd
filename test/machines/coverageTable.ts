import type { PolicyValue } from "../../src/contract/policyTree.ts";
import type { MailEvent } from "../../src/machines/letter.ts";

/** How coverage.test.ts explores one statechart. */
export interface Table {
  /** Each is explored from its start, under its policy; together they must take every transition. */
  readonly worlds: readonly {
    readonly input: object;
    readonly policy?: { readonly [path: string]: PolicyValue };
  }[];
  /** What may come at any moment; timers are added by the test. */
  readonly events: readonly MailEvent[];
  /** What guards look at: two states with the same value and facts count as one. */
  readonly facts: (context: never) => unknown;
  /** Transitions that no event can take, by name, each with the reason. */
  readonly unreachable?: { readonly [transition: string]: string };
}
