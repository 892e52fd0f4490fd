/** Tells one type of delivery from the others, so that its fields are known. */
import type { EventType, MailOf } from "../machines/letter.ts";
import type { Delivery } from "./envelope.ts";

/** A delivery of an event of one of these types. */
export type DeliveryOf<K extends EventType> = Delivery & { readonly event: MailOf<K> };

export const isEvent = <K extends EventType>(
  delivery: Delivery,
  type: K,
): delivery is DeliveryOf<K> => delivery.event.type === type;
