/** Which tiers of synt the models of a live run serve. A replay reads them from the manifest. */

import type { LiveFault } from "../../contract/part.ts";
import type { Policy } from "../../contract/policy.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { type LiveIdentity, type Tier as LiveTier, millionsOf } from "../../machines/livePolicy.ts";
import {
  bootFaults,
  TIERS,
  type Tier,
  type TierConfig,
  usedTiers,
} from "../../machines/synt/stages/stageTiers.ts";

/** The live tier whose model answers for a tier of synt. */
export const LIVE_TIER: { readonly [tier in Tier]: LiveTier } = {
  "local-fast": "fast",
  middle: "middle",
  wise: "wise",
  frontier: "wise",
};

/**
 * The tiers of a scenario with the models that really answer: provider, name and size are the live
 * ones, a price is the scenario's, and a tier that the scenario takes away stays away.
 */
export function liveTiers({ server, models }: LiveIdentity, given: TierConfig): TierConfig {
  const provider = server.startsWith("an OpenAI-compatible") ? "openai-compatible" : "ollama";
  const tiers = TIERS.flatMap((tier): [Tier, TierConfig[Tier]][] => {
    const own = given[tier];
    const model = models[LIVE_TIER[tier]];
    if (own?.provider === "none" || model === undefined) return [[tier, own]];
    // The user asked for no frontier model, so there is none.
    if (own === undefined && tier === "frontier") return [];
    const billions = millionsOf(model.parameters) / 1_000;
    return [[tier, { ...own, provider, model: model.name, billions }]];
  });
  return Object.fromEntries(tiers.filter(([, binding]) => binding !== undefined));
}

/** Synt writes no code with less than its floor, and no smaller model ever serves in silence. */
export function liveFault(
  { synt }: Scenario,
  policy: Policy,
  live: LiveIdentity,
): LiveFault | null {
  if (synt === undefined) return null;
  const { tiers, stages } = policy.synt;
  const faults = bootFaults(liveTiers(live, synt.tiers), tiers, usedTiers(stages));
  const [fault] = faults;
  if (fault === undefined) return null;
  const { name, parameters } = live.models["wise"] ?? { name: "none", parameters: "no" };
  return fault.endsWith("(tiers.wise.model)")
    ? {
        where: { path: "--tier wise" },
        found: `${name} with ${parameters} parameters: ${fault}`,
        allowed: `a model of at least ${tiers.floorBillions} billion parameters`,
        todo:
          "Name a larger one with --tier wise=NAME, or lower the floor on purpose: " +
          "--set synt.tiers.floorBillions=N.",
      }
    : {
        where: { path: "synt.tiers" },
        found: faults.join("; "),
        allowed: "a provider for each tier that the world uses",
        todo: "Take `provider: none` out of the scenario, so that the live model serves the tier.",
      };
}
