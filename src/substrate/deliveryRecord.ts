/** One delivery as the log keeps it, and the text that the digest chain vouches for. */
import type { Json } from "../machines/letter.ts";
import { canonicalJson } from "./canonicalJson.ts";
import type { Change, Delivery, Envelope, Fate, Posted } from "./envelope.ts";

/** What the kernel knows after a delivery, before the chain is extended. */
export interface Delivered {
  readonly envelope: Envelope;
  readonly fate: Fate;
  readonly before: Json;
  readonly after: Json;
  readonly letters: readonly Envelope[];
  readonly changes: readonly Change[];
}

/** A delivery that changed nobody's state. */
export const passing = (
  envelope: Envelope,
  fate: Fate,
  letters: readonly Envelope[] = [],
  value: Json = null,
): Delivered => ({ envelope, fate, before: value, after: value, letters, changes: [] });

export function logEntry({ envelope, letters, ...rest }: Delivered, digest: string): Delivery {
  const { seq, dueMs, to, from, event, cause, because, re } = envelope;
  return {
    seq,
    dueMs,
    to,
    from,
    event,
    cause,
    ...(because !== undefined && { because }),
    ...(re !== undefined && { re }),
    ...rest,
    letters: letters.map(mentioned),
    digest,
  };
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
  const sent = letters.map(
    (letter) =>
      `[${letter.seq},${letter.dueMs},${JSON.stringify(letter.to)},${JSON.stringify(letter.because ?? null)},${letter.text}]`,
  );
  const head = `${seq},${dueMs},${JSON.stringify([to, from, fate])}`;
  return `[${head},${text},${canonicalJson(after)},[${sent.join(",")}]]`;
}
