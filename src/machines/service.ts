/**
 * An island written as a pure reducer, where a statechart would say nothing
 * (virtual files, the registry). It has the same mail, address, digest and checkpoint.
 */
import type { At, Delivered, EventType, Letter } from "./letter.ts";

/** A reducer with mail of its own. See the head of this file. */
export interface Service<TState extends object, TInput extends object = object> {
  readonly kind: "service";
  readonly id: string;
  /** What it does on each type of event; all others are logged as ignored. */
  readonly on: Handlers<TState>;
  /** Event types it ignores on purpose. */
  readonly ignores: readonly EventType[];
  init(input: TInput, at: At): Outcome<TState>;
  /** Of one that keeps more than strict JSON. */
  readonly kept?: Kept<TState>;
}

/** What a service keeps, as everyone else sees it: as strict JSON. */
export interface Kept<TState> {
  plain(state: TState): object;
  /** From what `plain` made. */
  restored(plain: object): TState;
  /** Of a state and the next one, as plain data, what is not the same in both. */
  apart(before: TState, after: TState): readonly [before: object, after: object];
}

/** Any service, whatever it keeps and is started with. */
export interface AnyService {
  readonly kind: "service";
  readonly id: string;
  readonly on: object;
  readonly ignores: readonly EventType[];
  init(input: object, at: At): Outcome<object>;
}

export type Handlers<TState> = {
  readonly [K in EventType]?: (state: TState, event: Delivered<K>) => Outcome<TState>;
};

/** What a service makes of an event: its next state, and its letters. */
export interface Outcome<TState> {
  readonly state: TState;
  readonly letters: readonly Letter[];
  /** True ends the service, as a final state ends a statechart. */
  readonly done?: boolean;
  /** What it knows of the difference to the state before. */
  readonly grown?: Grown | undefined;
}

/** What the log would otherwise find out by comparing the whole state before and after. */
export interface Grown {
  /** A text that only became longer, as it is now. */
  readonly text?: string;
  /** Its new end. */
  readonly by?: string;
  /** Of the state before and after, what is not the same in both; asked for by a run that keeps a log. */
  readonly apart?: () => readonly [before: object, after: object];
}

/** For what is said to it only so that it stands in the log. */
export const onlyLogged = <TState>(state: TState): Outcome<TState> => ({ state, letters: [] });

/** The next state, and what is said. */
export const done = <TState>(state: TState, letters: readonly Letter[] = []): Outcome<TState> => ({
  state,
  letters,
});
