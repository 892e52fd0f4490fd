/** Who may live in a world: each machine, and the ports it may write to. */
import { agentMachine } from "../machines/agents/agent/agent.ts";
import { daemonMachine } from "../machines/agents/daemon.ts";
import { engineService } from "../machines/agents/engine/engine.ts";
import { goalMachine } from "../machines/agents/goal/goal.ts";
import { lessonKeeperMachine } from "../machines/agents/lessons/lessonKeeper.ts";
import { goalLedgerService } from "../machines/agents/suffering/goalLedger.ts";
import { stressorMachine } from "../machines/agents/suffering/stressor.ts";
import { capabilitySynthesisMachine } from "../machines/agents/synthesis/capabilitySynthesis.ts";
import { filesService } from "../machines/files.ts";
import { agerService } from "../machines/synt/ager.ts";
import { executorDraftMachine } from "../machines/synt/executorDraft.ts";
import { executorLifecycleMachine } from "../machines/synt/executorLifecycle.ts";
import { paidCallMachine } from "../machines/synt/paidCall.ts";
import { poolService } from "../machines/synt/pool.ts";
import { syntDeskService } from "../machines/synt/syntDesk.ts";
import { synthesisRequestMachine } from "../machines/synt/synthesisRequest.ts";
import { turnPlannerMachine } from "../machines/synt/turnPlanner.ts";
import { userTurnMachine } from "../machines/synt/userTurn.ts";
import type { Behaviour } from "../substrate/behaviour.ts";
import type { Cast } from "../substrate/resident.ts";
import { serviceBehaviour } from "../substrate/serviceBehaviour.ts";
import { statechartBehaviour } from "../substrate/statechart.ts";
import type { Policy } from "./policy.ts";

/** Every statechart of the product, by the name under which actors are started. */
export const statecharts = (policy: Policy) => ({
  agent: agentMachine(policy),
  capabilitySynthesis: capabilitySynthesisMachine(policy),
  daemon: daemonMachine(policy),
  executorDraft: executorDraftMachine(policy),
  executorLifecycle: executorLifecycleMachine(policy),
  goal: goalMachine(policy),
  lessonKeeper: lessonKeeperMachine(policy),
  paidCall: paidCallMachine(policy),
  stressor: stressorMachine(policy),
  synthesisRequest: synthesisRequestMachine(policy),
  turnPlanner: turnPlannerMachine(policy),
  userTurn: userTurnMachine(policy),
});

/** Every service, by the same kind of name. */
export const services = (policy: Policy) => ({
  ager: agerService(policy),
  engine: engineService(policy),
  files: filesService,
  goalLedger: goalLedgerService(policy),
  pool: poolService(policy),
  syntDesk: syntDeskService(policy),
});

const PORTS: { readonly [machine: string]: readonly string[] } = {
  agent: ["port/llm.chat"],
  capabilitySynthesis: ["port/python.parse", "port/sandbox.run"],
  engine: [
    ...["port/llm.chat", "port/llm.embed", "port/sandbox.run"],
    ...["port/shell.run", "port/tool.call"],
  ],
  executorDraft: ["port/python.parse", "port/sandbox.run"],
  goal: ["port/llm.chat"],
  lessonKeeper: ["port/llm.chat"],
  paidCall: ["port/llm.chat", "port/person.decide"],
  pool: ["port/sign"],
  syntDesk: ["port/person.decide"],
  synthesisRequest: ["port/llm.embed", "port/person.decide", "port/sign"],
  turnPlanner: ["port/llm.chat"],
  userTurn: ["port/executor.run", "port/sandbox.run"],
};

export function castFor(policy: Policy): Cast {
  const charts = Object.entries(statecharts(policy)).map(([name, machine]) => [
    name,
    role(name, statechartBehaviour(machine) as Behaviour),
  ]);
  const reducers = Object.entries(services(policy)).map(([name, service]) => [
    name,
    // Each has a state of its own, which the kernel hands back to nobody else.
    role(name, serviceBehaviour(service as never) as Behaviour),
  ]);
  return Object.fromEntries([...charts, ...reducers]);
}

const role = (name: string, behaviour: Behaviour) => ({ behaviour, ports: PORTS[name] ?? [] });
