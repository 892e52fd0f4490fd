/**
 * An island written as a pure reducer, where a statechart would say nothing
 * (virtual files, the registry). It has the same mail, address, digest and checkpoint.
 */
import type { At, Letter, MailEvent } from "./letter.ts";

export interface Service<TState extends object = object> {
  readonly kind: "service";
  readonly id: string;
  /** Event types it handles; all others are logged as ignored. */
  readonly handles: readonly string[];
  /** Event types it ignores on purpose. */
  readonly ignores: readonly string[];
  init(input: never, at: At): Outcome<TState>;
  receive(state: TState, event: MailEvent & { readonly at: At }): Outcome<TState>;
}

export interface Outcome<TState> {
  readonly state: TState;
  readonly letters: readonly Letter[];
  /** True ends the service, as a final state ends a statechart. */
  readonly done?: boolean;
  /** The one text of the state that only became longer, so that the log need not compare it. */
  readonly grown?: Grown;
}

export interface Grown {
  /** As it is now. */
  readonly text: string;
  /** Its new end. */
  readonly by: string;
}
