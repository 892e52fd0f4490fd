/**
 * What the parts promise, in the order in which it is told. Loaded with whatever puts it to the test:
 * no other run waits for it.
 */
import type { Part, PartPromises } from "../actors/part.ts";
import { partsBackwards } from "../parts.ts";

export const promises: readonly Promised[] = await Promise.all(
  partsBackwards.flatMap((part) =>
    part.promises === undefined ? [] : part.promises().then((own) => ({ ...own, part })),
  ),
);

interface Promised extends PartPromises {
  /** Whose they are. */
  readonly part: Part;
}
