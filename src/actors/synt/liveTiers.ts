/** Which tiers of synt the models of a live run serve. A replay reads them from the manifest. */
import type { LiveIdentity } from "../../bundle.ts";
import type { Tier as LiveTier } from "../../machines/livePolicy.ts";
import { TIERS, type Tier, type TierConfig } from "../../machines/synt/tiers.ts";

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
export function liveTiers({ models }: LiveIdentity, given: TierConfig): TierConfig {
  const tiers = TIERS.flatMap((tier): [Tier, TierConfig[Tier]][] => {
    const own = given[tier];
    const model = models[LIVE_TIER[tier]];
    if (own?.provider === "none" || model === undefined) return [[tier, own]];
    // Nobody asked for a frontier model: none is there.
    if (own === undefined && tier === "frontier") return [];
    const billions = millionsOf(model.parameters) / 1_000;
    return [[tier, { ...own, provider: "ollama", model: model.name, billions }]];
  });
  return Object.fromEntries(tiers.filter(([, binding]) => binding !== undefined));
}

/** `9.7B` → 9700, `566.70M` → 566; 0 when it is neither. */
export function millionsOf(parameters: string): number {
  const [, number = "", unit] = /^(\d+(?:\.\d+)?)\s*([KMBT])$/.exec(parameters.trim()) ?? [];
  const millions = { K: 0.001, M: 1, B: 1_000, T: 1_000_000 }[unit ?? ""] ?? 0;
  return Math.floor(Number(number) * millions);
}
