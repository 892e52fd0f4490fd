/** The agents' share of the worlds in which promises are put to the test. */

import type { PartWorlds } from "../../../contract/part.ts";
import { MILLION } from "../../../machines/units.ts";
import { withInnerLife } from "./innerLife.ts";
import { randomWorld } from "./randomWorld.ts";
import { standInParser, standInPython } from "./standInPython.ts";
import { standInShell } from "./standInShell.ts";

export const worlds: PartWorlds = {
  random: (leaves, set) => withInnerLife(randomWorld(leaves, set), set),
  tried: (path) => {
    // In a short run, suffering has no effect unless it starts higher or grows faster.
    if (/^stressors\..*start/i.test(path)) return [400_000, 700_000, MILLION];
    return /^stressors\..*growth/i.test(path) ? [100 * MILLION] : [];
  },
  standIns: (seed) => ({
    "port/sandbox.run": standInPython(seed),
    "port/python.parse": standInParser,
    "port/shell.run": standInShell(seed),
  }),
};
