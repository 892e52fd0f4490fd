// Tells one type of event from the others, in letters and in the log.
import type { Carried, EventType, MailEvent, MailOf } from "../src/machines/letter.ts";

interface Carrier {
  readonly event: Carried;
}

const carries = <C extends Carrier, K extends EventType>(
  one: C,
  type: K,
): one is C & { readonly event: MailOf<K> } => one.event.type === type;

/** Those that carry an event of this type. */
export const carrying = <C extends Carrier, K extends EventType>(carriers: readonly C[], type: K) =>
  carriers.filter((one) => carries(one, type));

/** The events of this type. */
export const mailIn = <K extends EventType>(carriers: readonly Carrier[], type: K): MailOf<K>[] =>
  carrying(carriers, type).map(({ event }) => event);

/** The event that is carried, which must be of this type. */
export function mailOf<K extends EventType>(carrier: Carrier | undefined, type: K): MailOf<K> {
  if (carrier === undefined || !carries(carrier, type)) {
    throw new Error(`${carrier?.event.type ?? "nothing"} in place of ${type}`);
  }
  return carrier.event;
}

/** An event that nobody declares, as a stranger might send it; no machine may trip over it. */
export const strangeEvent = (type: string, fields: object = {}): MailEvent =>
  ({ type, ...fields }) as MailEvent; // That it is none of them is the point.
