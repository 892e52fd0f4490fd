/** The agents' world: agents with goals, tools that they write, what they suffer from and learn. Source: seeds 000, 004. */

import type { Attached, Part } from "../../contract/part.ts";
import { agentMachine } from "../../machines/agents/agent/agent.ts";
import { daemonMachine } from "../../machines/agents/daemon.ts";
import { engineService } from "../../machines/agents/engine/engine.ts";
import { goalMachine } from "../../machines/agents/goal/goal.ts";
import type { AgentHooks } from "../../machines/agents/hooks.ts";
import { lessonKeeperMachine } from "../../machines/agents/lessons/lessonKeeper.ts";
import { goalLedgerService } from "../../machines/agents/suffering/goalLedger.ts";
import { stressorMachine } from "../../machines/agents/suffering/stressor.ts";
import { capabilitySynthesisMachine } from "../../machines/agents/synthesis/capabilitySynthesis.ts";
import { figures } from "./figures.ts";
import { fruitless } from "./fruitless.ts";
import { glance } from "./glance.ts";
import { AgentsMeter, agentsMetrics } from "./meter.ts";
import { agentsLeaves, agentsProfiles, widened } from "./policy.ts";
import { fronts, scriptedModel, scriptedPorts } from "./providers.ts";
import { purposes } from "./purposes.ts";
import { hindsight, questions, trail } from "./questions.ts";
import { stage } from "./stage.ts";
import { StandIns } from "./standIns.ts";
import { book } from "./story.ts";
import { agentsTrace } from "./trace.ts";
import { words } from "./words.ts";

declare module "../../contract/part.ts" {
  interface Hooks {
    agents: AgentHooks;
  }
}

export const agents = {
  name: "agents",
  isThere: (world) => world.agents.length > 0,
  policy: agentsLeaves,
  profiles: agentsProfiles,
  widened: ({ agents: hooks = [] }) => widened(hooks),
  statecharts: (values, { agents: hooks }: Attached = {}) => ({
    agent: agentMachine(values, hooks),
    capabilitySynthesis: capabilitySynthesisMachine(values),
    daemon: daemonMachine(values, hooks),
    goal: goalMachine(values, hooks),
    lessonKeeper: lessonKeeperMachine(values),
    stressor: stressorMachine(values),
  }),
  services: (values, { agents: hooks }: Attached = {}) => ({
    engine: engineService(values, hooks),
    goalLedger: goalLedgerService(values),
  }),
  ports: {
    agent: ["port/llm.chat"],
    capabilitySynthesis: ["port/python.parse", "port/sandbox.run"],
    engine: [
      ...["port/llm.chat", "port/llm.embed", "port/sandbox.run"],
      ...["port/shell.run", "port/tool.call"],
    ],
    goal: ["port/llm.chat"],
    lessonKeeper: ["port/llm.chat"],
  },
  stage,
  purposes,
  scriptedModel,
  scriptedPorts,
  fronts,
  words,
  hindsight,
  questions,
  trail,
  trace: agentsTrace,
  fruitless,
  promises: async () => (await import("./properties/promises.ts")).promises,
  metrics: agentsMetrics,
  meter: ({ model, tools = [] }, gauge) => {
    const agents = new AgentsMeter(gauge);
    if (model?.recorded === undefined) return agents;
    const names = new Set(tools.map(({ name }) => name));
    const standIns = new StandIns(model.recorded, names, gauge);
    return [agents, standIns];
  },
  book,
  figures,
  glance,
} as const satisfies Part;
