/** The parts that a command works with: those that come with the program, and those of its `--part` options. */

import { parts } from "../builtIn/parts.ts";
import { scenarioParts } from "../builtIn/scenarioParts.ts";
import { joinedParts } from "../edges/parts/joinedParts.ts";
import { ownParts } from "../edges/parts/ownParts.ts";
import type { PartLists, ReadingLists } from "../edges/parts/partLists.ts";

/** Of a command that plays or reads. */
export interface PartFlag {
  /** Files of modules, each with a part as its default export. */
  readonly part?: readonly string[];
}

/** For a command that only reads: what reports need is not loaded for it. Throws BadInput. */
export const readingLists = async (flags: PartFlag): Promise<ReadingLists> =>
  flags.part === undefined ? { parts, scenarioParts } : partLists(flags);

/** Throws BadInput for a file that holds no part, and for parts whose names clash. */
export async function partLists({ part: files = [] }: PartFlag): Promise<PartLists> {
  const { builtIn } = await import("../builtIn/lists.ts");
  return joinedParts(builtIn, await ownParts(files));
}
