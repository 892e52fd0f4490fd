/**
 * What agents may call of installing, and which of it is its owners' alone, whatever an agent may do besides or claims.
 * Source: seed 003, first paragraph; dossier 1.5.
 */
import { subset, type ValuesOf } from "../policyLeaf.ts";
import { GATEWAY, judgeOf, ROLES, WARDEN } from "./addresses.ts";

export const ownerLeaves = {
  installers: subset(
    ["specialized_builder.default"],
    ["specialized_builder.default", "evolution-steward.default"],
    {
      says: "Who may create, promote and roll back revisions.",
      source: "seed 003, first paragraph; both in the real system",
    },
  ),
};

export type OwnerPolicy = ValuesOf<typeof ownerLeaves>;

const INSTALLING = /^agent\.(?:install$|revision\.)/;

/** The addresses that may call a tool; null where none owns it. */
export function ownersOf(tool: string, by: OwnerPolicy): readonly string[] | null {
  if (INSTALLING.test(tool)) return by.installers;
  return tool === "promotion.record" ? ROLES.map(judgeOf) : null;
}

/** Why this address may not call the tool, whatever it claims to be; null where it may. */
export function ownerFault(tool: string, from: string, by: OwnerPolicy): string | null {
  const owners = ownersOf(tool, by);
  return owners === null || owners.includes(from)
    ? null
    : `Native tool '${tool}' is not available or permitted`;
}

const own = (name: string, description: string) => ({ name, description, servedBy: GATEWAY });

/** The gateway refuses its owners' tools to all others, whatever they claim. */
export const installBuiltins = [
  own(
    "agent.revision.create_from_intent",
    "Creates a revision of a durable agent from an install intent: agent_id, description, instructions, capabilities, artifact_id.",
  ),
  own("agent.revision.promote", "Promotes a revision of a durable agent: agent_id, revision_id."),
  own("agent.revision.list", "Lists the revisions of a durable agent: agent_id."),
  own("agent.revision.inspect", "Inspects a revision of a durable agent: agent_id, revision_id."),
  own("agent.revision.rollback", "Rolls a durable agent back to a previous revision: agent_id."),
  own("agent.revision.diff", "Compares two revisions of a durable agent: agent_id, from, to."),
  own(
    "promotion.record",
    "Makes a promotion record of an artifact for evaluator or auditor: artifact_id, role, pass.",
  ),
  own("promotion.query", "Queries the promotion record of an artifact: artifact_id."),
  own("artifact.build", "Builds an artifact of content handles: files, entrypoints."),
  own("artifact.inspect", "Inspects an artifact and its digest: artifact_id."),
  own(
    "content.write",
    "Keeps a text as content under a name and answers its alias: name, content.",
  ),
  own("content.read", "Reads content by name, alias or handle: ref."),
  own("workflow.state", "Answers the state of an install workflow and how it is resumed."),
  {
    name: "agent.spawn",
    description: "Spawns a child agent under the parent's own reach: name, instructions.",
    servedBy: WARDEN,
    isLockable: true,
  },
] as const;
