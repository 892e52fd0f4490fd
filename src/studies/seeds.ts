/** The seeds of a study's replicates. Runs of one seed share their luck, as streams are named. */
import { namedRandom, SEED_MAX } from "../substrate/random.ts";

/** `common`: replicate r has one seed at every point, so differences between points are paired. */
export type Seeds = "common" | "independent";

/**
 * From a first one that is drawn, one after another, so that no two replicates of a point are alike. That they are
 * neighbours makes them no more alike than others: each names its streams through SHA-256.
 */
export function seedOf(
  studySeed: number,
  seeds: Seeds,
  { point, replicate }: { readonly point: number; readonly replicate: number },
): number {
  const first = namedRandom(studySeed)
    .at("study", "replicates", seeds === "common" ? "all" : point)
    .integer(0, SEED_MAX);
  return (first + replicate) % (SEED_MAX + 1);
}

/** Of runs that no search may have seen: half of all seeds away from those above. */
export const heldOutSeed = (studySeed: number, replicate: number): number =>
  (seedOf(studySeed, "common", { point: 0, replicate }) + HALF) % (SEED_MAX + 1);

/** The first so many. */
export const heldOutSeeds = (studySeed: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, replicate) => heldOutSeed(studySeed, replicate));

const HALF = (SEED_MAX + 1) / 2;
