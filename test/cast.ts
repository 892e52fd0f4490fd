// Every statechart and service by its own type, where a test drives one alone.
import { agents } from "../src/actors/agents/part.ts";
import { installs } from "../src/actors/installs/part.ts";
import { skills } from "../src/actors/skills/part.ts";
import { synt } from "../src/actors/synt/part.ts";
import { world } from "../src/actors/world/part.ts";
import { parts } from "../src/builtIn/parts.ts";
import type { Policy } from "../src/contract/policyTree.ts";
import type { AgentHooks } from "../src/machines/agents/hooks.ts";
import { castOf } from "../src/run/cast.ts";

/** With whatever is attached to the agents' world. */
export const statecharts = (policy: Policy, ...hooks: readonly AgentHooks[]) => ({
  ...agents.statecharts(policy, { agents: hooks }),
  ...synt.statecharts(policy),
  ...skills.statecharts(policy),
  ...installs.statecharts(policy),
});

export const services = (policy: Policy) => ({
  ...world.services(policy),
  ...agents.services(policy),
  ...synt.services(policy),
  ...skills.services(policy),
  ...installs.services(policy),
});

export const castFor = (policy: Policy) => castOf(parts, policy);
