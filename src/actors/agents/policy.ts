/** Every number and switch of the agents' world, composed from the files of its machines. */
import { mindLeaves } from "../../machines/agents/agent/mindPolicy.ts";
import { plannerLeaves } from "../../machines/agents/agent/planner.ts";
import { daemonLeaves } from "../../machines/agents/daemon.ts";
import { engineLeaves } from "../../machines/agents/engine/engine.ts";
import { ghostLeaves } from "../../machines/agents/engine/ghosts.ts";
import { lockLeaves } from "../../machines/agents/engine/locks.ts";
import { registryLeaves, toolLeaves } from "../../machines/agents/engine/registry.ts";
import { routerLeaves } from "../../machines/agents/engine/router.ts";
import { goalGateLeaves } from "../../machines/agents/goal/goalGateParts.ts";
import { progressLeaves } from "../../machines/agents/goal/progress.ts";
import { lessonLeaves } from "../../machines/agents/lessons/lessons.ts";
import { stressorLeaves } from "../../machines/agents/suffering/stressorPolicy.ts";
import { synthesisLeaves } from "../../machines/agents/synthesis/synthesisPolicy.ts";
import { shellLeaves } from "../../machines/shellPolicy.ts";

/** The branch `tools` has two sources: which actors may write the folder, and what a synthesis does. */
const tools = { ...toolLeaves, ...synthesisLeaves };

export const agentsLeaves = {
  daemon: daemonLeaves,
  engine: engineLeaves,
  gate: goalGateLeaves,
  ghosts: ghostLeaves,
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

declare module "../policy.ts" {
  interface PolicyTree extends AgentsLeaves {}
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
