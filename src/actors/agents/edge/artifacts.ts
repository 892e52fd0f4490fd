/** Where the files of goals lie: where agents may not write, or where no step of a plan says. */

import type { Policy } from "../../../contract/policyTree.ts";
import { writeFault } from "../../../machines/agents/engine/builtins.ts";
import { isVirtualPath, rootsText } from "../../../machines/folders.ts";
import { filled, type RepertoireGoal } from "../repertoire.ts";

/** Where the goal's file would lie, for each agent that may think of it. */
export function artifactFindings(
  goal: RepertoireGoal,
  all: readonly string[],
  rules: Parameters<typeof writeFault>[1],
): string[] {
  const agents = goal.agents.length === 0 ? all : goal.agents;
  const claim = `${goal.claimBelow ?? ""}/x`;
  return agents.flatMap((agent) => {
    const path = filled(goal.artifact, { agent, n: "1", slug: goal.slug, claim });
    if (!isVirtualPath(path, rules.folders)) {
      const roots = rootsText(rules.folders);
      return `goal ${goal.slug}: its artifact ${path} is no path below ${roots}/, so no agent takes the goal up.`;
    }
    const fault = writeFault(path, rules);
    return fault === undefined
      ? []
      : `goal ${goal.slug}: agents may not write its artifact ${path} (${fault}).`;
  });
}

/** Elsewhere than there the engine itself writes files, of tools and of memory. */
const WORKSPACE = "/agentOS/workspace/";

/**
 * The gate reads the goal's file, so some step must say where it is. `path` is the artifact of one agent, `said` all that the
 * scenario says.
 */
export function unnamed(
  { slug, artifact, plans }: RepertoireGoal,
  path: string,
  said: string,
  policy: Policy,
): string[] {
  const parts: readonly string[] = policy.gate.parts;
  const steps = JSON.stringify(plans.map((plan) => plan.steps));
  // The goal itself says it once.
  const isSaid = [artifact, path].some(
    (one) => said.split(JSON.stringify(one).slice(1, -1)).length > 2,
  );
  const isDone = steps.includes("{artifact}") || steps.includes(path) || isSaid;
  return isDone ||
    !parts.includes("mechanical") ||
    !path.startsWith(WORKSPACE) ||
    artifact.includes("{claim}")
    ? []
    : [
        `goal ${slug}: no step of its plans names its artifact, ${artifact}; as a step's path, {artifact} does.`,
      ];
}
