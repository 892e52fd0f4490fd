// Worlds of which the causes are known because they are written down: each tells from what is left of it whether the outcome is there.
import { parts } from "../../src/builtIn/parts.ts";
import type { Change } from "../../src/run/causes/changes.ts";
import type { PreventOptions } from "../../src/run/causes/prevent.ts";
import type { PlayTrials, Trial } from "../../src/run/causes/trial.ts";
import { namedRandom } from "../../src/substrate/random.ts";

/** What is there of a world: everything that nothing took out. */
export type Has = (name: string) => boolean;

/** Whether the outcome comes about. `chance(name, perMille)` is drawn by seed and name. */
export type World = (has: Has, chance: (name: string, perMille: number) => boolean) => boolean;

export const PLANTED: { readonly [name: string]: World } = {
  chain: (has) => has("a") && has("b") && has("c"),
  fork: (has) => has("a"),
  collider: (has) => has("a") || has("b"),
  conjunction: (has) => has("a") && has("b"),
  overDetermined: (has) => has("a") || has("b") || has("c"),
  // The second one would have done it had the first not come before.
  preEmpted: (has) => has("a") || (has("b") && has("c")),
  pairOfPairs: (has) => (has("a") && has("b")) || (has("c") && has("d")),
  decoy: (has, chance) => has("a") && chance("late", 900),
  byChance: (has, chance) => has("a") && chance("a", 500),
  causeless: () => true,
  never: () => false,
};

const left = (id: string): Change => ({ kind: "choice", id });

/** All that could be left out of any of them, and one that is in none. */
export const NAMES = ["a", "b", "c", "d", "decoy"];

export function playing(world: World): PlayTrials & { asked: Trial[] } {
  const asked: Trial[] = [];
  const play: PlayTrials = async (trials) =>
    trials.map((trial) => {
      asked.push(trial);
      const gone = trial.changes.flatMap((one) => ("id" in one ? [one.id] : []));
      const random = namedRandom(trial.seed);
      const occurred = world(
        (name) => !gone.includes(name),
        (name, perMille) => random.at("planted", name, 0).integer(0, 999) < perMille,
      );
      // What is left out costs a goal, and the outcome costs three.
      const completed = 10 - gone.length - (occurred ? 3 : 0);
      return { occurred, outcome: "ended", costs: { "goals.completed": completed } };
    });
  return Object.assign(play, { asked });
}

export const asked = (play: PlayTrials, more: Partial<PreventOptions> = {}): PreventOptions => ({
  ...{ parts, seed: 1, singles: NAMES.map(left), variants: [], runs: 20, most: 8, play },
  ...more,
});
