/** What statecharts have in common: how one is typed, what is said, what changes, and how a state asks. */
import { assign, type EventObject, type MachineContext } from "xstate";
import {
  type At,
  ask,
  cancelAsk,
  type Letter,
  type MailEvent,
  type Outbox,
  post,
} from "./letter.ts";

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
 * What a state asks as it is entered is forgotten as it is left, so that no late answer reaches another
 * state. The state also needs a time-out.
 */
const asksWhileIn = <C extends MachineContext, E extends EventObject>(
  key: string,
  letter: (moment: { readonly context: C; readonly event: E }) => Letter,
) => ({
  entry: post<C, E, E>((moment) => [letter(moment)]),
  exit: post<C, E, E>(() => [cancelAsk(key)]),
});

/** How the states of one statechart ask by a question. */
export const askingIn =
  <C extends MachineContext, E extends EventObject>() =>
  (key: string, of: (moment: { readonly context: C; readonly event: E }) => Question) =>
    asksWhileIn<C, E>(key, (moment) => ask({ key, ...of(moment) }));

/** How one statechart acts: what is said, what changes, and what a state asks by a letter. */
export function chartActions<C extends MachineContext, E extends EventObject>() {
  const say = (letters: (context: C) => readonly Letter[]) =>
    post<C, E, E>(({ context }) => letters(context));
  /** `update` is given the event of the transition that it stands in. */
  const change = <K extends EventObject = E>(update: (context: C, event: K) => Partial<C>) =>
    assign<C, K, undefined, E, never>(({ context, event }) => update(context, event));
  const asking = (key: string, letter: (context: C) => Letter) =>
    asksWhileIn<C, E>(key, ({ context }) => letter(context));
  return { say, change, asking };
}
