/** What looking at a server before a live run is given, and what all kinds of servers are held to. */
import { type LivePolicy, millionsOf, type Tier, tiers } from "../../machines/livePolicy.ts";
import { LiveUnavailable } from "../errors.ts";
import type { LiveModel, Server } from "./liveSetup.ts";
import type { ModelNames, ServerKind } from "./modelName.ts";

export interface PreflightOptions {
  readonly server: Server;
  readonly names: ModelNames;
  readonly policy: LivePolicy;
  /** Load the models, so that the first call does not wait for it. */
  readonly warm?: boolean;
  readonly onStep?: (text: string) => void;
  /** What a person should know of the server, a line each; it goes on all the same. */
  readonly onNote?: (text: string) => void;
}

/** Each tier with its model, of those that were found by name. */
export const tierModels = (
  names: ModelNames,
  found: ReadonlyMap<string, LiveModel>,
): readonly (readonly [Tier, LiveModel])[] =>
  tiers.flatMap((tier) => {
    const model = found.get(names.tiers[tier]);
    return model === undefined ? [] : [[tier, model] as const];
  });

/** A tier with a floor takes no smaller model. */
export function floorFault(
  tier: Tier,
  { name, parameters }: LiveModel,
  policy: LivePolicy,
  kind: ServerKind,
): LiveUnavailable | undefined {
  const floor = policy.floor[tier];
  const size = millionsOf(parameters);
  if (floor === 0 || size >= floor) return undefined;
  return new LiveUnavailable({
    where: { path: `--tier ${tier}` },
    found: `${name}, which has ${size === 0 ? "no known number of" : size} million parameters`,
    allowed: `at least the ${floor} million of live.floor.${tier}`,
    todo: `Give the ${tier} tier a larger one: --tier ${tier}=${kind}:NAME.`,
  });
}
