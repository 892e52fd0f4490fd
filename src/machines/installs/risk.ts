/** How risky an install is, and so whether an approval is asked for. Source: rulings I5, I13; dossier 1.6. */

import type { Capability } from "./capability.ts";
import type { GatePolicy } from "./gatePolicy.ts";
import type { Intent } from "./intent.ts";
import { type Area, isWithin, ownFolder, pathArea } from "./warden/grant.ts";
import type { ReachPolicy } from "./warden/reach.ts";

export type RiskFactor =
  | "background_execution"
  | "broad_write_access"
  | "code_execution"
  | "network_access"
  | "scheduled_action";

export type Risky = Pick<Intent, "agent_id" | "capabilities" | "background" | "scheduled_action">;

export type RiskPolicy = Pick<GatePolicy, "approval" | "broadWrites"> & {
  readonly reach: Pick<ReachPolicy, "scopes">;
};

/** Sorted, each once. */
export function riskFactors(risky: Risky, by: RiskPolicy): RiskFactor[] {
  const { capabilities, background, scheduled_action } = risky;
  const factors = new Set(capabilities.flatMap((one) => factorOf(one) ?? []));
  if (writesBroadly(risky, by)) factors.add("broad_write_access");
  if (background?.enabled === true) factors.add("background_execution");
  if (scheduled_action !== undefined) factors.add("scheduled_action");
  return [...factors].sort();
}

function factorOf(capability: Capability): RiskFactor | null {
  if (capability.type === "CodeExecution") return "code_execution";
  const isOpen = capability.type === "NetworkAccess" && capability.hosts.length > 0;
  return isOpen ? "network_access" : null;
}

/** Of more than this many places to write, each may be narrow, and the agent is not. */
const WRITE_SCOPES_MAX = 2;

function writesBroadly({ agent_id: agent, capabilities }: Risky, by: RiskPolicy): boolean {
  const lists = capabilities.flatMap((one) => (one.type === "WriteAccess" ? [one.scopes] : []));
  if (by.broadWrites === "words") {
    return lists.some(
      (scopes) =>
        scopes.length > WRITE_SCOPES_MAX ||
        scopes.some((scope) => scope === "*" || scope.endsWith("/*")),
    );
  }
  const areas = lists.flat().flatMap((scope) => pathArea(scope, agent, by.reach.scopes) ?? []);
  return areas.length > WRITE_SCOPES_MAX || !areas.every((area) => isOwn(area, agent));
}

/** Whether it lies within the agent's own folder. Where every text that begins so is covered, `self.` is that folder's name. */
function isOwn(area: Area, agent: string): boolean {
  if ("at" in area) return isWithin(`${area.at}/`, { prefix: ownFolder(agent) });
  return area.prefix.startsWith(ownFolder(agent)) || area.prefix.startsWith("self.");
}

export const needsApproval = (risky: Risky, by: RiskPolicy): boolean =>
  by.approval === "always" || (by.approval === "risk_based" && riskFactors(risky, by).length > 0);
