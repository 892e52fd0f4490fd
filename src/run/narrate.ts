/** One delivery in words, for people who were not there. Null for plumbing that the reader can do without. */

import type { Part } from "../contract/part.ts";
import { groupedBy } from "../machines/grouped.ts";
import type { Carried } from "../machines/letter.ts";
import { onceFor } from "../machines/onceFor.ts";
import type { Delivery } from "../substrate/envelope.ts";

type AnySentence = (event: Carried, ...rest: [Delivery, string | undefined]) => string | null;

/** Each part is asked in turn: several may speak of the same type, such as a model's answer. */
const sentences = onceFor((parts: readonly Part[]) =>
  groupedBy(
    // A table pairs each type with its sentence; the compiler does not follow that through a lookup.
    parts.flatMap(({ words = {} }) => Object.entries(words) as [string, AnySentence][]),
    ([type]) => type,
  ),
);

const FORGED =
  "An event that carries something else than its kind does; `replay` shows what belongs there.";

export function narrate(
  parts: readonly Part[],
  delivery: Delivery,
  choice?: string,
): string | null {
  const { event } = delivery;
  try {
    for (const [, sentence] of sentences(parts).get(event.type) ?? []) {
      const said = sentence(event, delivery, choice);
      if (said !== null) return said;
    }
    return null;
  } catch {
    // A forged log with a valid seal: no run of ours carries such an event.
    return FORGED;
  }
}
