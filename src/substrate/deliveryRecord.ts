/** One delivery as the log keeps it, and the text that the digest chain vouches for. */
import type { Json } from "../machines/letter.ts";
import { canonicalJson } from "./canonicalJson.ts";
import type { Change, Delivery, Envelope, Fate, Mutable, Posted } from "./envelope.ts";

/** What the kernel knows after a delivery, before the chain is extended. */
export interface Delivered {
  readonly envelope: Envelope;
  readonly fate: Fate;
  readonly before: Json;
  readonly after: Json;
  readonly letters: readonly Envelope[];
  readonly changes: readonly Change[];
}

/** A delivery that changed no actor's state. */
export const passing = (
  envelope: Envelope,
  fate: Fate,
  letters: readonly Envelope[] = [],
  value: Json = null,
): Delivered => ({ envelope, fate, before: value, after: value, letters, changes: [] });

export function logEntry(delivered: Delivered, digest: string): Delivery {
  const { seq, dueMs, to, from, event, cause, because, re } = delivered.envelope;
  const { fate, before, after, changes, letters } = delivered;
  const entry: Partial<Mutable<Delivery>> = { seq, dueMs, to, from, event, cause };
  // A line of the log has its members in this order.
  if (because !== undefined) entry.because = because;
  if (re !== undefined) entry.re = re;
  entry.fate = fate;
  entry.before = before;
  entry.after = after;
  entry.changes = changes;
  entry.letters = letters.map(mentioned);
  entry.digest = digest;
  return entry as Delivery;
}

const mentioned = ({ seq, to, event, dueMs }: Envelope): Posted => ({
  seq,
  to,
  type: event.type,
  dueMs,
});

/** The delivery, the state it led to, and every letter in full. */
export function chainText({ envelope, fate, after, letters }: Delivered): string {
  const { seq, dueMs, to, from, text } = envelope;
  let sent = "";
  for (const letter of letters) {
    if (sent !== "") sent += ",";
    sent += letterText(letter);
  }
  const head = `${seq},${dueMs},${JSON.stringify([to, from, fate])}`;
  return `[${head},${text},${canonicalJson(after)},[${sent}]]`;
}

function letterText({ seq, dueMs, to, because, text }: Envelope): string {
  const reasons = because === undefined ? "null" : JSON.stringify(because);
  return `[${seq},${dueMs},${JSON.stringify(to)},${reasons},${text}]`;
}
