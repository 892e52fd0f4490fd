/**
 * The vocabulary of mail: what a machine receives and what it puts in its outbox.
 * Machines hold no references to one another; the kernel delivers every letter (DESIGN §2.3).
 */
import { type ActionFunction, type EventObject, emit, type MachineContext } from "xstate";
import { defined, type Written } from "./defined.ts";

/** What may stand in an event, a context or a recording: strict JSON. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** The kernel's stamp on every delivered event: a machine's only clock and return address. */
export interface At {
  /** Virtual milliseconds since the scenario's `startsAt`. */
  readonly nowMs: number;
  /** The envelope's number in the run; the name of this fact for `because`. */
  readonly seq: number;
  readonly from: string;
  /** On the reply to an ask: the key under which the question was asked. */
  readonly key?: string;
  /** Present on a question: the sender waits for an answer. */
  readonly asked?: true;
}

/**
 * The protocol: the fields of every event, by its type. This file declares the kernel's; each part
 * declares its own in its `mail.ts`, by merging with this interface, and nowhere else. A sender, a
 * receiver or a reader that disagrees with it does not compile.
 */
export interface Mail {
  /** To the kernel. `machine` is a name of the cast. */
  "actor.start": { readonly machine: string; readonly address: string; readonly input: object };
  /** To the kernel, so that the log shows the end of an actor and what it left. */
  "actor.stopped": { readonly address: string; readonly output: Json };
  /** The answer to a question to an address at which no actor lives. */
  "ask.bounced": { readonly address: string };
  /** To the kernel: the question under this key is closed. */
  "ask.cancelled": { readonly key: string };
}

export type EventType = keyof Mail;

/** An event of one of these types, as it is sent. */
export type MailOf<K extends EventType> = K extends EventType
  ? { readonly type: K } & Mail[K]
  : never;

/** Whatever may be posted. */
export type MailEvent = MailOf<EventType>;

/** An event of one of these types, as it is delivered. */
export type Delivered<K extends EventType> = MailOf<K> & { readonly at: At };

/** What a statechart's named delay becomes; its type is XState's. */
export interface TimerEvent {
  readonly type: `xstate.after.${string}`;
}

/** Whatever an envelope may carry. */
export type Carried = MailEvent | TimerEvent;

/** One outgoing message. Times are whole virtual milliseconds. */
export interface Letter {
  readonly to: string;
  readonly event: MailEvent;
  /** 0 when absent: delivered at the same instant, after what is already queued for it. */
  readonly delayMs?: number;
  /** Marks a question. A newer question of the same sender and key makes older replies stale. */
  readonly ask?: string;
  /** Marks an answer: the seq of the question. */
  readonly re?: number;
  /** The stored facts this letter rests on, each by the seq that made it. */
  readonly because?: readonly number[];
}

/** The event that carries an outbox from a machine to the behaviour that drives it. */
export interface Outbox extends EventObject {
  readonly type: "outbox";
  readonly letters: readonly Letter[];
}

/** Puts letters in the outbox. The only way a machine speaks. */
export const post = <
  TContext extends MachineContext,
  TExpressionEvent extends EventObject,
  TEvent extends EventObject,
>(
  letters: (args: { context: TContext; event: TExpressionEvent }) => readonly Letter[],
): ActionFunction<
  TContext,
  TExpressionEvent,
  TEvent,
  undefined,
  never,
  never,
  never,
  never,
  Outbox
> =>
  emit(({ context, event }) => ({ type: "outbox" as const, letters: letters({ context, event }) }));

/** A question. Its reply carries `re`; the asking state must also have a named time-out. */
export const ask = (question: {
  to: string;
  key: string;
  event: MailEvent;
  because?: readonly number[] | undefined;
}): Letter => {
  const { to, event, key, because } = question;
  return because === undefined ? { to, event, ask: key } : { to, event, ask: key, because };
};

/** The answer to the question that `at` stamped; no letter when it was no question. */
export const answer = (
  at: At,
  event: MailEvent,
  { because, delayMs }: Written<Pick<Letter, "because" | "delayMs">> = {},
): Letter[] => {
  if (!at.asked) return [];
  const reply: Letter = { to: at.from, event, re: at.seq };
  const hasMore = because !== undefined || delayMs !== undefined;
  return [hasMore ? defined({ ...reply, because, delayMs }) : reply];
};

/** Forgets an open question: its reply becomes stale. Takes effect at once. */
export const cancelAsk = (key: string): Letter => ({
  to: "kernel",
  event: { type: "ask.cancelled", key },
});

/** Asks the kernel to start an actor. Addresses are never reused. */
export const startActor = (machine: string, address: string, input: object): Letter => ({
  to: "kernel",
  event: { type: "actor.start", machine, address, input },
});
