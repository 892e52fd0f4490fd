/**
 * What the parts promise, in the order in which it is told. Loaded with whatever puts it to the test:
 * no other run waits for it.
 */

import type { Part, PartPromises } from "../../contract/part.ts";
import { onceFor } from "../../machines/onceFor.ts";

/** Parts, and what they promise. */
export interface Promised {
  readonly parts: readonly Part[];
  readonly promises: readonly OnePromised[];
}

interface OnePromised extends PartPromises {
  /** Whose they are. */
  readonly part: Part;
}

export const promisedBy = onceFor(
  async (parts: readonly Part[]): Promise<Promised> => ({
    parts,
    promises: await Promise.all(
      parts
        .toReversed()
        .flatMap((part) =>
          part.promises === undefined ? [] : part.promises().then((own) => ({ ...own, part })),
        ),
    ),
  }),
);
