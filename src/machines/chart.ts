/** What statecharts have in common: how one is typed, and how a state asks. */
import type { EventObject, MachineContext } from "xstate";
import { type At, ask, cancelAsk, type MailEvent, type Outbox, post } from "./letter.ts";

/** What a statechart knows, hears and is started with, for XState's `setup`. */
export const chartTypes = <TContext, TEvent, TInput>() => ({
  context: {} as TContext,
  events: {} as TEvent,
  input: {} as TInput & { readonly at: At },
  emitted: {} as Outbox,
});

declare const made: unique symbol;

/** What is asked of whom, and what that rests on; the state knows the key. */
export interface Question extends Omit<Parameters<typeof ask>[0], "key"> {
  /** By `question` alone: of what a function returns, the compiler passes over misspelt fields. */
  readonly [made]: true;
}

export const question = (to: string, event: MailEvent, because?: readonly number[]): Question =>
  ({ to, event, because }) as Question;

/**
 * How the states of one statechart ask: what the state asks as it is entered is forgotten as it is left, so
 * that no late answer reaches another state. The state also needs a time-out.
 */
export const askingIn =
  <TContext extends MachineContext, TEvent extends EventObject>() =>
  (key: string, of: (args: { context: TContext; event: TEvent }) => Question) => ({
    entry: post<TContext, TEvent, TEvent>((args) => [ask({ key, ...of(args) })]),
    exit: post<TContext, TEvent, TEvent>(() => [cancelAsk(key)]),
  });
