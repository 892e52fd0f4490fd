/** One living actor as the kernel keeps it, and the cast it is taken from. */
import type { Json } from "../machines/letter.ts";
import type { Behaviour } from "./behaviour.ts";
import type { SavedActor } from "./checkpoint.ts";
import type { Envelope } from "./envelope.ts";

/** The actors that may live here, by the machine name that `actor.start` gives. */
export type Cast = Readonly<Record<string, Role>>;

export interface Role {
  readonly behaviour: Behaviour;
  /** The ports it may write to; a letter to any other is a bug. */
  readonly ports: readonly string[];
}

export interface Resident extends Role {
  readonly machine: string;
  state: unknown;
  value: Json;
  /** Open questions: key → seq. */
  readonly asks: Map<string, number>;
  /** Running timers: id → seq. */
  readonly timers: Map<string, number>;
}

export const savedActor = (address: string, resident: Resident): SavedActor => ({
  address,
  machine: resident.machine,
  state: resident.behaviour.persist(resident.state),
  asks: [...resident.asks],
  timers: [...resident.timers],
});

/** The key of the open question that an answer closes; null when that question is closed already. */
export function keyOfAnswer(actor: Resident, { re }: Envelope): string | null | undefined {
  if (re === undefined) return undefined;
  for (const [key, seq] of actor.asks) {
    if (seq === re) {
      actor.asks.delete(key);
      return key;
    }
  }
  return null;
}
