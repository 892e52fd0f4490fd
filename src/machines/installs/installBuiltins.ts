/** What agents may call of installing: the gateway refuses its owners' tools to all others, whatever they claim. Source: seed 003. */
import { GATEWAY, WARDEN } from "./addresses.ts";

const own = (name: string, description: string) => ({ name, description, servedBy: GATEWAY });

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
