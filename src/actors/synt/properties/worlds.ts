/** The share that synt has of the worlds in which promises are put to the test. */
import type { PartWorlds } from "../../../contract/part.ts";
import type { WorldEvent } from "../../../contract/worldSource.ts";
import { syntNear } from "./near.ts";
import { anySyntWorld } from "./smooth.ts";

export const worlds: PartWorlds = {
  random: anySyntWorld,
  near: syntNear,
  cut: (source, isKept) => {
    const synt = source["synt"] as { readonly turns?: readonly WorldEvent[] } | undefined;
    return synt?.turns === undefined
      ? source
      : { ...source, synt: { ...synt, turns: synt.turns.filter(isKept) } };
  },
};
