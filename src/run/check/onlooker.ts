/** What is known of a run while it goes on, for those who watch its promises. */
import type { Observer } from "../../contract/part.ts";
import type { Policy } from "../../contract/policyTree.ts";
import type { Seen, SeenParts, WorldProperty } from "../../contract/property.ts";
import { factReader } from "../../findings/findIn.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import type { Promised } from "./promises.ts";

/** Follows a run from its beginning, and says at each delivery what those know of it who watch these properties. */
export function onlooker(
  { promises, parts }: Promised,
  watched: readonly WorldProperty[],
): (delivery: SeenDelivery) => Seen {
  const readsFacts = watched.some(({ expected }) => expected === "noted");
  const factsOf = readsFacts ? factReader(parts) : () => [];
  const known: SeenParts = Object.assign({}, ...promises.map(({ seen }) => seen?.()));
  const observers: Readonly<Record<keyof SeenParts, Observer>> = known;
  return (delivery) => {
    for (const observer of Object.values(observers)) observer.observe(delivery);
    return { ...known, delivery, facts: factsOf(delivery) };
  };
}

/** Watches one run for the first break of each promise. */
export function watchman(promised: Promised, properties: readonly WorldProperty[]) {
  const see = onlooker(promised, properties);
  const broken = new Map<string, string>();
  let watches: readonly (readonly [id: string, watch: ReturnType<WorldProperty["watch"]>])[] = [];
  return {
    /** Before the first delivery. */
    begin: (policy: Policy): void => {
      watches = properties.map(({ id, watch }) => [id, watch(policy)]);
    },
    observe: (delivery: SeenDelivery): void => {
      const seen = see(delivery);
      for (const [id, watch] of watches) {
        if (broken.has(id)) continue;
        const verdict = watch(seen);
        if (typeof verdict === "string") broken.set(id, verdict);
      }
    },
    /** What was said of each promise where it was broken; null where it held. */
    said: (): { readonly [property: string]: string | null } =>
      Object.fromEntries(properties.map(({ id }) => [id, broken.get(id) ?? null])),
  };
}
