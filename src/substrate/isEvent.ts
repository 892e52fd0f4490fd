/** Tells one type of delivery from the others, so that its fields are known. */
import type { EventType, MailOf } from "../machines/letter.ts";
import type { Delivery, SeenDelivery } from "./envelope.ts";

/** A delivery of an event of one of these types. */
export type DeliveryOf<K extends EventType, D extends SeenDelivery = Delivery> = D & {
  readonly event: MailOf<K>;
};

export const isEvent = <K extends EventType, D extends SeenDelivery>(
  delivery: D,
  type: K,
): delivery is DeliveryOf<K, D> => delivery.event.type === type;
