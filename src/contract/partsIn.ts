/** Which parts a world has anything of. */
import type { Part } from "./part.ts";
import type { Inhabited } from "./scenario.ts";

/** One that does not say so is in every world. */
export const isPartIn = ({ isThere }: Pick<Part, "isThere">, world: Inhabited): boolean =>
  isThere?.(world) !== false;

export const partsIn = (parts: readonly Part[], world: Inhabited): readonly Part[] =>
  parts.filter((part) => isPartIn(part, world));
