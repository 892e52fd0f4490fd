/** What is promised of macros in any world. Source: seed 001, "Composed skills". */

import { worldPromises } from "../../../contract/promises.ts";
import { startOf } from "../../../contract/startOf.ts";
import { MACROS } from "../../../machines/skills/macroKeeper.ts";
import { MACRO_KIND } from "../../../machines/skills/macroMining.ts";

export const macroBookProperties = worldPromises({
  "macros-within-their-number": {
    says: "There are never more macros than are kept, and the one that leaves for another was used as often as the log has it, and no other that stays less.",
    source: "seed 001, Composed skills",
    watch: ({ skills: { macros } }) => {
      /** How many runs of each are over. */
      const uses = new Map<string, number>();
      return ({ delivery: { event, from, to } }) => {
        for (const { name } of startOf(event, "macroKeeper")?.macros ?? []) uses.set(name, 0);
        if (from !== MACROS) return undefined;
        if (event.type === "entries.listed" && event.kind === MACRO_KIND) {
          const { length } = event.entries;
          if (length > macros.kept)
            return `there are ${length} macros where ${macros.kept} are kept.`;
          return length > 0 ? true : undefined;
        }
        if (to !== MACROS) return undefined;
        if (event.type === "macro.learned")
          uses.set(event.macro.name, uses.get(event.macro.name) ?? 0);
        if (event.type === "macro.retired") uses.delete(event.name);
        const known = "name" in event ? uses.get(event.name) : undefined;
        if (event.type === "macro.ended" && known !== undefined) uses.set(event.name, known + 1);
        if (event.type !== "macro.evicted") return undefined;
        const { name, by } = event;
        uses.delete(name);
        if (known !== event.uses) {
          return `${name} leaves with ${event.uses} uses; the log has ${known}.`;
        }
        const lesser = [...uses].find(([other, times]) => other !== by && times < known);
        return lesser === undefined
          ? true
          : `${name} leaves, which was used ${known} times, and ${lesser[0]} stays, which was used ${lesser[1]} times.`;
      };
    },
  },
  "macros-runs-are-bounded": {
    says: "No run of a macro asks for more calls than it may have steps, and it is told with no more steps than it asked for.",
    source: "seed 001, Composed skills; RULINGS K15: 64 steps",
    watch: ({ skills: { macros } }) => {
      /** By run: how many calls it has asked for. */
      const asked = new Map<number, number>();
      /** The run that goes on with this delivery, and the run of each call. */
      const goesOn = new Map<number, number>();
      const runs = new Map<number, number>();
      return ({ delivery: { event, from, to, seq, cause, re } }) => {
        if (to === MACROS && event.type === "capability.called") goesOn.set(seq, seq);
        const run = runs.get(re ?? 0);
        if (to === MACROS && event.type === "call.finished" && run !== undefined) {
          goesOn.set(seq, run);
        }
        if (from !== MACROS) return undefined;
        if (event.type === "call.requested") {
          const own = goesOn.get(cause ?? 0) ?? 0;
          const count = (asked.get(own) ?? 0) + 1;
          runs.set(seq, own);
          asked.set(own, count);
          return (
            count <= macros.stepsMax || `a run asks for ${count} calls, of ${macros.stepsMax}.`
          );
        }
        if (event.type !== "macro.ended") return undefined;
        const count = asked.get(event.run) ?? 0;
        asked.delete(event.run);
        return (
          event.ran <= count ||
          `the run of ${event.name} is told with ${event.ran} steps; it asked for ${count} calls.`
        );
      };
    },
  },
});
