/** What may name an agent, and so its folder. Source: seed 003, parameters; rulings I2. */
import type { GatePolicy } from "./gatePolicy.ts";

/** As long as a name of a skill; the real system has no bound. */
const CHARS_MAX = 64;

/** What keeps an id from being an agent's, in the real system's words where it has some; null for nothing. */
export function agentIdFault(id: string, by: Pick<GatePolicy, "agentId">): string | null {
  if (id.trim() === "") return "agent_id must not be empty";
  if (id.startsWith(".") || id.endsWith(".") || id.includes("..")) {
    return "agent_id must not start or end with '.', or contain '..'";
  }
  if (!/^[A-Za-z0-9._-]+$/.test(id)) {
    return "agent_id may only contain ASCII letters, digits, '.', '-' and '_'";
  }
  if (by.agentId === "loose") return null;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id)) return "agent_id must be lowercase with hyphens";
  return id.length > CHARS_MAX ? `agent_id must have at most ${CHARS_MAX} characters` : null;
}
