/** The parts that worlds are made of, in the order in which their actors start. */
import { agents } from "./actors/agents/part.ts";
import type { Part } from "./actors/part.ts";
import { synt } from "./actors/synt/part.ts";
import { world } from "./actors/world/part.ts";

export const parts: readonly Part[] = [world, synt, agents];

/** The same in the order in which failures are explained: the part that starts last comes first. */
export const partsBackwards: readonly Part[] = parts.toReversed();
