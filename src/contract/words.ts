/** The form of what is said of a delivery, by the type of its event, and what all parts say alike. */
import type { EventType, MailOf } from "../machines/letter.ts";
import type { Delivery } from "../substrate/envelope.ts";

/** One event in words; null when no reader needs it, or when it is another part's to tell. */
export type Sentence<K extends EventType> = (
  event: MailOf<K>,
  delivery: Delivery,
  choice: string | undefined,
) => string | null;

/** A table of sentences; it need not have words for everything. */
export type Words = { readonly [K in EventType]?: Sentence<K> };

/** The actor at an address, by name where it has one. */
export function who(address: string): string {
  const [kind = "", first] = address.split(/[/#]/);
  if (kind === "outside") return "The operator";
  return first !== undefined && !/^\d+$/.test(first) ? first : kind;
}
