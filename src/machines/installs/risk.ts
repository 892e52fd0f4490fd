/** How risky an install is, and so whether an approval is asked for. Source: rulings I5; dossier 1.6. */
import type { Capability } from "./capability.ts";
import type { GatePolicy } from "./gatePolicy.ts";
import type { Intent } from "./intent.ts";

export type RiskFactor =
  | "background_execution"
  | "broad_write_access"
  | "code_execution"
  | "network_access"
  | "scheduled_action";

export type Risky = Pick<Intent, "capabilities" | "background" | "scheduled_action">;

/** Sorted, each once. */
export function riskFactors({ capabilities, background, scheduled_action }: Risky): RiskFactor[] {
  const factors = new Set(capabilities.flatMap((one) => factorOf(one) ?? []));
  if (background?.enabled === true) factors.add("background_execution");
  if (scheduled_action !== undefined) factors.add("scheduled_action");
  return [...factors].sort();
}

/** Of more than this many places to write, each may be narrow, and the agent is not. */
const WRITE_SCOPES_MAX = 2;

function factorOf(capability: Capability): RiskFactor | null {
  switch (capability.type) {
    case "CodeExecution":
      return "code_execution";
    case "NetworkAccess":
      return capability.hosts.length > 0 ? "network_access" : null;
    case "WriteAccess":
      return capability.scopes.length > WRITE_SCOPES_MAX ||
        capability.scopes.some((scope) => scope === "*" || scope.endsWith("/*"))
        ? "broad_write_access"
        : null;
    default:
      return null;
  }
}

export const needsApproval = (risky: Risky, by: Pick<GatePolicy, "approval">): boolean =>
  by.approval === "always" || (by.approval === "risk_based" && riskFactors(risky).length > 0);
