/** The form of what is said of a delivery, by the type of its event. */
import type { EventType, MailOf } from "../machines/letter.ts";
import type { Delivery } from "../substrate/envelope.ts";

/** One event in words; null when nobody needs to read of it. */
export type Sentence<K extends EventType> = (
  event: MailOf<K>,
  delivery: Delivery,
  choice: string | undefined,
) => string | null;

/** A table of sentences; it need not have words for everything. */
export type Words = { readonly [K in EventType]?: Sentence<K> };
