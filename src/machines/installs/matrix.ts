/** Whose promotion records an install needs. Source: seed 003, required: promotion_gate; rulings I8. */

import { type Gating, ROLES, type Role } from "./addresses.ts";
import type { CapabilityKind } from "./capability.ts";
import type { GatePolicy } from "./gatePolicy.ts";

type MatrixPolicy = Pick<GatePolicy, "matrix" | "gate">;

const ROWS: readonly (readonly [CapabilityKind, "network" | "code" | "spawn"])[] = [
  ["NetworkAccess", "network"],
  ["CodeExecution", "code"],
  ["AgentSpawn", "spawn"],
];

/** The gates that the planner's matrix has for such capabilities, in the order of the roles. */
export function matrixGates(
  capabilities: readonly { readonly type: CapabilityKind }[],
  { matrix }: Pick<GatePolicy, "matrix">,
): readonly Role[] {
  const asked = ROWS.filter(([kind]) => capabilities.some(({ type }) => type === kind)).flatMap(
    ([, row]) => matrix[row],
  );
  return ROLES.filter((role) => asked.includes(role));
}

export interface Gates {
  readonly roles: readonly Role[];
  /** What the matrix says otherwise; null for nothing. */
  readonly contradiction: string | null;
}

/** What of an intent decides on its gates. */
export interface GatedIntent {
  readonly artifact_id?: string;
  readonly capabilities: readonly { readonly type: CapabilityKind }[];
}

/** The gates of an install: an agent without an artifact never has one, whatever is said. */
export function gatesOf(
  { artifact_id, capabilities }: GatedIntent,
  said: Gating | null,
  by: MatrixPolicy,
): Gates {
  if (by.gate === "always") return { roles: ROLES, contradiction: null };
  const wished = matrixGates(capabilities, by);
  const because =
    artifact_id === undefined
      ? "an install without artifact has no promotion gate"
      : said === "none" && by.matrix.decides === "planner"
        ? "the planner said gating: none"
        : null;
  if (because !== null) {
    const list = wished.join(", ");
    const contradiction = list === "" ? null : `the matrix asks for ${list}, but ${because}`;
    return { roles: [], contradiction };
  }
  if (said === "required" && wished.length === 0) return { roles: ROLES, contradiction: null };
  const isOverruled = said === "none" && wished.length > 0;
  const contradiction = isOverruled
    ? `the planner said gating: none, but the matrix asks for ${wished.join(", ")}`
    : null;
  return { roles: wished, contradiction };
}
