/** How a world of agents opens, and what the outside does to them. */

import type { Outside, PartStage } from "../../contract/part.ts";
import type { OutsideEvent } from "../../contract/scenario.ts";
import type { Stage } from "../../contract/stage.ts";
import type { AgentInput } from "../../machines/agents/agent/context.ts";
import {
  emptyProfile,
  profilePath,
  profileText,
  type StartingProfile,
} from "../../machines/agents/agent/profile.ts";
import type { DaemonInput } from "../../machines/agents/births.ts";
import { TOOLS_FOLDER } from "../../machines/agents/engine/state.ts";
import type { GoalInput } from "../../machines/agents/goal/goalContext.ts";
import type { Acquaintances } from "../../machines/agents/suffering/goalLedger.ts";
import type { SynthesisInput } from "../../machines/agents/synthesis/capabilitySynthesis.ts";
import { defined } from "../../machines/defined.ts";
import { type Letter, type MailEvent, startActor } from "../../machines/letter.ts";
import type { Repertoire } from "./repertoire.ts";
import type { World } from "./scriptedWorld.ts";
import { codeOf, type Tool } from "./tool.ts";

declare module "../../contract/scenario.ts" {
  interface Sections {
    /** The agents' profiles before they start, by name; an agent that is absent starts without one. */
    readonly profiles?: { readonly [agent: string]: StartingProfile };
    /** Whom an agent knows; one that is absent knows all. */
    readonly knows?: Acquaintances;
    readonly tools: readonly Tool[];
    readonly model: Repertoire;
    /** What the outside answers when a tool reaches it. */
    readonly world: World;
  }
  interface OutsideEvents {
    "host.message": { readonly agent: string; readonly text: string };
    "outside.signal": {
      readonly text: string;
      /** The agents that notice it; all agents when absent. */
      readonly agents?: readonly string[];
    };
    "daemon.restart": { readonly [field in never]: never };
  }
}

declare module "../../contract/startOf.ts" {
  interface Inputs {
    agent: AgentInput;
    goal: GoalInput;
    capabilitySynthesis: SynthesisInput;
  }
}

const toDaemon = (event: MailEvent): Letter => ({ to: "daemon", event });

function letterOf(event: OutsideEvent, stage: Stage): Letter | undefined {
  switch (event.does) {
    case "host.message":
      return toDaemon({ type: "host.message", agent: event.agent, text: event.text });
    case "outside.signal": {
      const { text, agents = stage.agents } = event;
      return toDaemon({ type: "outside.signal", agents, text });
    }
    case "daemon.restart":
      return toDaemon({ type: "daemon.restarted" });
    default:
      return undefined;
  }
}

function files({ tools = [], profiles = {} }: Stage): { readonly [path: string]: string } {
  const written = Object.entries(profiles).map(([agent, profile]) => [
    profilePath(agent),
    profileText({ ...emptyProfile, ...profile }),
  ]);
  return Object.fromEntries([...tools.flatMap(toolFiles), ...written]);
}

function opening({ agents, startsAtMs, knows }: Stage): readonly Outside[] {
  if (agents.length === 0) return [];
  const input: DaemonInput = defined({ agents, startsAtMs, knows });
  return [{ id: "stage", letter: startActor("daemon", "daemon", input) }];
}

export const stage: PartStage = { files, opening, letterOf };

/** The two files of a tool, as seed 000, step 6, gives them. */
function toolFiles(tool: Tool): [string, string][] {
  const { name, description, parameters } = tool;
  const spec = {
    name,
    description,
    inputSchema: parameters ?? { type: "object", properties: {}, additionalProperties: true },
    proposed_by: "agent",
  };
  return [
    [`${TOOLS_FOLDER}/${name}.py`, codeOf(tool)],
    [`${TOOLS_FOLDER}/${name}.json`, `${JSON.stringify(spec, null, 2)}\n`],
  ];
}
