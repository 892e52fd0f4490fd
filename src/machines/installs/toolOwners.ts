/** Which tools are their owners' alone, whatever an agent may do besides. Source: seed 003, first paragraph; dossier 1.5. */

import { judgeOf, ROLES } from "./addresses.ts";
import type { GatePolicy } from "./gatePolicy.ts";

const INSTALLING = /^agent\.(?:install$|revision\.)/;

/** The addresses that may call a tool; null where none owns it. */
export function ownersOf(
  tool: string,
  by: Pick<GatePolicy, "installers">,
): readonly string[] | null {
  if (INSTALLING.test(tool)) return by.installers;
  return tool === "promotion.record" ? ROLES.map(judgeOf) : null;
}

/** Why this address may not call the tool, whatever it claims to be; null where it may. */
export function ownerFault(
  tool: string,
  from: string,
  by: Pick<GatePolicy, "installers">,
): string | null {
  const owners = ownersOf(tool, by);
  return owners === null || owners.includes(from)
    ? null
    : `Native tool '${tool}' is not available or permitted`;
}
