/** Every number and switch of the agents' world, composed from the files of its machines. */

import { plannerLeaves } from "../../machines/agents/agent/planner.ts";
import { mindLeaves } from "../../machines/agents/agent/profile.ts";
import { daemonLeaves } from "../../machines/agents/births.ts";
import { toolLeaves } from "../../machines/agents/engine/builtins.ts";
import { engineLeaves } from "../../machines/agents/engine/enginePolicy.ts";
import { ghostLeaves } from "../../machines/agents/engine/ghosts.ts";
import { lockLeaves } from "../../machines/agents/engine/locks.ts";
import { registryLeaves } from "../../machines/agents/engine/registry.ts";
import { routerLeaves } from "../../machines/agents/engine/router.ts";
import { goalGateLeaves } from "../../machines/agents/goal/goalGateParts.ts";
import { progressLeaves } from "../../machines/agents/goal/progress.ts";
import {
  type AgentHooks,
  allHooks,
  type BroughtBuiltin,
  hookLeaves,
} from "../../machines/agents/hooks.ts";
import { lessonLeaves } from "../../machines/agents/lessons/lessons.ts";
import { stressorLeaves } from "../../machines/agents/suffering/stressorPolicy.ts";
import { synthesisLeaves } from "../../machines/agents/synthesis/capabilitySynthesis.ts";
import { type LeafTree, widerList } from "../../machines/policyLeaf.ts";
import { shellLeaves } from "../../machines/shellPolicy.ts";

/** The branch `tools` has two sources: which actors may write the folder, and what a synthesis does. */
const tools = { ...toolLeaves, ...synthesisLeaves };

export const agentsLeaves = {
  daemon: daemonLeaves,
  engine: engineLeaves,
  gate: goalGateLeaves,
  ghosts: ghostLeaves,
  hooks: hookLeaves,
  lessons: lessonLeaves,
  locks: lockLeaves,
  mind: mindLeaves,
  planner: plannerLeaves,
  progress: progressLeaves,
  registry: registryLeaves,
  router: routerLeaves,
  shell: shellLeaves,
  stressors: stressorLeaves,
  tools,
};

type AgentsLeaves = typeof agentsLeaves;

declare module "../../contract/policy.ts" {
  interface PolicyTree extends AgentsLeaves {}
}

/** The lists that may name what other parts bring: a builtin by its name, an entry by its kind. */
export function widened(hooks: readonly AgentHooks[]): LeafTree {
  const { builtins, kinds: all } = allHooks(hooks);
  const kinds = all.map(({ kind }) => kind);
  const names = (isIt: (one: BroughtBuiltin) => boolean = () => true) =>
    builtins.filter(isIt).map(({ name }) => name);
  const lockable = [...names(({ isLockable }) => isLockable === true), ...kinds];
  const { constrainedLocks, dominantLocks, pathOut } = lockLeaves;
  const { outputCapabilities } = progressLeaves;
  return {
    engine: { ...engineLeaves, builtins: widerList(engineLeaves.builtins, names(), names()) },
    locks: {
      ...lockLeaves,
      constrainedLocks: widerList(constrainedLocks, lockable),
      dominantLocks: widerList(dominantLocks, lockable),
      pathOut: widerList(pathOut, lockable),
    },
    progress: {
      ...progressLeaves,
      outputCapabilities: widerList(
        outputCapabilities,
        [...names(({ output }) => output !== undefined), ...kinds],
        names(({ output }) => output === "usual"),
      ),
    },
  };
}

/** What the named profiles change here. */
export const agentsProfiles = {
  real: {
    "ghosts.okAloneIsNull": true,
    "ghosts.crossCycleFailures": 5,
    "ghosts.forgive": "never",
    "progress.outputStep": 150_000,
    "progress.damping": true,
    "progress.ceilingBeforeOutput": 900_000,
    "progress.outputCapabilities": [
      "memory_set",
      "fs_write",
      "propose_change",
      "synthesize_capability",
      "vote_on_proposal",
      "shared_log_write",
      "wrap_repo",
    ],
    "gate.missesMax": 3,
    "locks.enabled": false,
    "stressors.enabled": [
      "futility",
      "invisibility",
      "identity_violation",
      "existential_threat",
      "repeated_failure",
      "purposelessness",
    ],
    "stressors.maxActive": 5,
    "stressors.selfReport": "accepted",
  },
  strict: { "tools.directWrites": "refuse" },
};
