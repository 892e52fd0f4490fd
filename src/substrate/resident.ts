/** One living actor as the kernel keeps it, and the cast it is taken from. */
import type { Json } from "../machines/letter.ts";
import { AssertionError } from "./assert.ts";
import type { Awaited } from "./awaited.ts";
import type { Behaviour } from "./behaviour.ts";
import type { SavedActor } from "./checkpoint.ts";
import type { Envelope } from "./envelope.ts";

/** The actors that may live here, by the machine name that `actor.start` gives. */
export type Cast = Readonly<Record<string, Role>>;

export interface Role {
  readonly behaviour: Behaviour;
  /** The ports it may write to; a letter to any other is a bug. */
  readonly ports: readonly string[];
  /** Whose fault it is, where that is not ours. */
  readonly blame?: Blame | undefined;
}

/** Errors that name whose machine did it; `address` is where it lives. */
export interface Blame {
  readonly threw: (thrown: unknown, address: string) => Error;
  /** It wrote to a port that is not listed for it, or that nothing serves. */
  readonly noPort: (port: string, address: string, isListed: boolean) => Error;
}

/** Why the mail that it sent to a port cannot be taken. */
export function portFault({ blame, ports }: Partial<Role>, port: string, from: string): Error {
  const isListed = ports?.includes(port) ?? true;
  const says = isListed ? `nothing serves ${port}` : `${from} has no use of ${port}`;
  return blame?.noPort(port, from, isListed) ?? new AssertionError(says);
}

export interface Resident extends Role {
  readonly machine: string;
  state: unknown;
  value: Json;
  /** Open questions: key → seq. */
  readonly asks: Awaited;
  /** Running timers: id → seq. */
  readonly timers: Awaited;
}

export const savedActor = (address: string, resident: Resident): SavedActor => ({
  address,
  machine: resident.machine,
  state: resident.behaviour.persist(resident.state),
  asks: resident.asks.entries(),
  timers: resident.timers.entries(),
});

/** The key of the open question that an answer closes; null when that question is closed already. */
export function keyOfAnswer(actor: Resident, { re }: Envelope): string | null | undefined {
  if (re === undefined) return undefined;
  return actor.asks.nameOf(re) ?? null;
}
