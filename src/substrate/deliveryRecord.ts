/** One delivery as the log and observers have it. */
import type { Carried, Json } from "../machines/letter.ts";
import type { Grown } from "../machines/service.ts";
import type { Behaviour } from "./behaviour.ts";
import { changesBetween } from "./changes.ts";
import type {
  Change,
  Delivery,
  Envelope,
  Fate,
  Mutable,
  Posted,
  SeenDelivery,
} from "./envelope.ts";

/** What the kernel knows after a delivery. */
export interface Delivered {
  readonly envelope: Envelope;
  readonly fate: Fate;
  readonly before: Json;
  readonly after: Json;
  readonly letters: readonly Envelope[];
  /** Of the receiver, before and after. Absent where no actor received it. */
  readonly contexts?: Contexts;
}

/** Its states; their contexts are made for whoever asks what changed. */
interface Contexts {
  readonly behaviour: Behaviour;
  /** Absent at its start. */
  readonly before?: unknown;
  readonly after: unknown;
  readonly grown?: Grown | undefined;
}

/** A delivery that changed no actor's state. */
export const passing = (
  envelope: Envelope,
  fate: Fate,
  letters: readonly Envelope[] = [],
  value: Json = null,
): Delivered => ({ envelope, fate, before: value, after: value, letters });

/** `digest` where the delivery ends a block of the chain. */
export function logEntry(delivered: Delivered, digest?: string): Delivery {
  const { seq, dueMs, to, from, event, cause, because, re } = delivered.envelope;
  const { fate, before, after, letters } = delivered;
  const entry: Partial<Mutable<Delivery>> = { seq, dueMs, to, from, event, cause };
  // A line of the log has its members in this order.
  if (because !== undefined) entry.because = because;
  if (re !== undefined) entry.re = re;
  entry.fate = fate;
  entry.before = before;
  entry.after = after;
  entry.letters = letters.map(mentioned);
  entry.changes = changesOf(delivered);
  if (digest !== undefined) entry.digest = digest;
  return entry as Delivery;
}

const mentioned = ({ seq, to, event, dueMs }: Envelope): Posted => ({
  seq,
  to,
  type: event.type,
  dueMs,
});

function changesOf({ contexts }: Delivered): readonly Change[] {
  if (contexts === undefined) return [];
  const { behaviour, before, after, grown } = contexts;
  // What knows the difference needs no contexts, which may be long.
  if (grown?.apart !== undefined) return changesBetween({}, {}, grown);
  return changesBetween(
    before === undefined ? {} : behaviour.context(before),
    behaviour.context(after),
    grown,
  );
}

/** What observers see where no log is kept: few ask for changes and letters, so they are found for those. */
export function seenDelivery(delivered: Delivered): SeenDelivery {
  const { because, re } = delivered.envelope;
  const seen: Mutable<SeenDelivery> = new Unlogged(delivered);
  if (because !== undefined) seen.because = because;
  if (re !== undefined) seen.re = re;
  return seen;
}

/**
 * What changed of the members of these names, of the receiver's context. Where no log is kept, nothing else is compared, and a
 * change is the whole member: for members that the receiver keeps as they are shown.
 */
export const changesOfMembers = (
  delivery: SeenDelivery,
  names: readonly string[],
): readonly Change[] =>
  delivery instanceof Unlogged
    ? delivery.changesOfMembers(names)
    : delivery.changes.filter(({ path: [key = ""] }) => names.includes(key));

const NO_CHANGES: readonly Change[] = [];

type Members = { readonly [name: string]: Json | undefined };

class Unlogged implements SeenDelivery {
  readonly seq: number;
  readonly dueMs: number;
  readonly to: string;
  readonly from: string;
  readonly event: Carried;
  readonly cause: number | null;
  readonly fate: Fate;
  readonly before: Json;
  readonly after: Json;
  readonly #delivered: Delivered;
  #changes: readonly Change[] | undefined;
  #letters: readonly Posted[] | undefined;

  constructor(delivered: Delivered) {
    const { seq, dueMs, to, from, event, cause } = delivered.envelope;
    this.seq = seq;
    this.dueMs = dueMs;
    this.to = to;
    this.from = from;
    this.event = event;
    this.cause = cause;
    this.fate = delivered.fate;
    this.before = delivered.before;
    this.after = delivered.after;
    this.#delivered = delivered;
  }

  get changes(): readonly Change[] {
    this.#changes ??= changesOf(this.#delivered);
    return this.#changes;
  }

  changesOfMembers(names: readonly string[]): readonly Change[] {
    const { contexts } = this.#delivered;
    if (contexts === undefined || contexts.before === contexts.after) return NO_CHANGES;
    const { behaviour } = contexts;
    const before = contexts.before === undefined ? {} : behaviour.members(contexts.before);
    const after = behaviour.members(contexts.after);
    let changes: Change[] | undefined;
    for (const name of names) {
      const to = (after as Members)[name];
      if (to === (before as Members)[name]) continue;
      changes ??= [];
      changes.push(to === undefined ? { path: [name], removed: true } : { path: [name], to });
    }
    return changes ?? NO_CHANGES;
  }

  get letters(): readonly Posted[] {
    this.#letters ??= this.#delivered.letters.map(mentioned);
    return this.#letters;
  }
}
