/** Who speaks in a message, and as what. */
import type { Format } from "../../record.ts";
import { type Fields, fieldOf, textOf } from "./fields.ts";

export type Role = "user" | "system" | "agent" | "tool";

const ROLES: ReadonlyMap<string, Role> = new Map([
  ["user", "user"],
  ["human", "user"],
  ["system", "system"],
  ["developer", "system"],
  ["assistant", "agent"],
  ["ai", "agent"],
  ["agent", "agent"],
  ["bot", "agent"],
  ["gpt", "agent"],
  ["model", "agent"],
  ["tool", "tool"],
  ["function", "tool"],
  ["observation", "tool"],
  ["ipython", "tool"],
]);

/** What a role that names no speaker means; null for any other. */
export const knownRole = (role: string): Role | null => ROLES.get(role.toLowerCase()) ?? null;

export interface Speaker {
  readonly speaker: string;
  readonly role: Role;
  readonly to: string | null;
  /** Another thing that stands behind the name in brackets, such as `termination condition`. */
  readonly label: string | null;
}

export const NAMES = [
  "name",
  "speaker",
  "agent",
  "agent_name",
  "sender",
  "from",
  "author",
  "source",
];
const ROLE_NAMES = ["role", "type", "from", "speaker", "agent", "sender", "name"];
export const SPEAKER_FIELDS: readonly string[] = [
  ...new Set([...NAMES, ...ROLE_NAMES, "to", "recipient", "receiver"]),
];

/** `Orchestrator (-> WebSurfer)`, `Orchestrator (thought)`. */
const WITH_NOTE = /^(.{1,200}?)\s*\((?:(?:->|→)\s*([^()]+)|([^()]+))\)$/u;

/** Null where nobody is named. In `speakers`, any role is a name; elsewhere an unknown one is null, too. */
export function speakerOf(fields: Fields, format: Format): Speaker | null {
  const written = textOf(fieldOf(fields, ROLE_NAMES));
  if (written === null) return null;
  const role = knownRole(written);
  const name = textOf(fieldOf(fields, NAMES));
  const to = textOf(fieldOf(fields, ["to", "recipient", "receiver"]));
  if (format !== "speakers") {
    if (role === null) return null;
    const own = name === null || knownRole(name) === role ? written : name;
    return { speaker: own, role, to, label: null };
  }
  // In a conversation of several agents, `user` says no more than that another one spoke.
  if (role !== null && (name === null || knownRole(name) !== null))
    return { speaker: written, role, to, label: null };
  if (role === "tool" || role === "system")
    return { speaker: name ?? written, role, to, label: null };
  const byName = role === null && name !== null ? knownRole(name) : null;
  if (name !== null && byName !== null) return { speaker: name, role: byName, to, label: null };
  return named(name ?? written, to);
}

function named(name: string, to: string | null): Speaker {
  const [, speaker = name, addressed, label] = WITH_NOTE.exec(name) ?? [];
  // Who thinks speaks to nobody else.
  if (label === "thought") return { speaker, role: "agent", to: speaker, label: null };
  return { speaker, role: "agent", to: addressed?.trim() ?? to, label: label ?? null };
}
