/** What is promised of agents. */
import type { PartPromises } from "../../../contract/part.ts";
import { agentProperties } from "./agents.ts";
import { earnedProperties } from "./earned.ts";
import { goalProperties } from "./goals.ts";
import { lockProperties } from "./locks.ts";
import { AgentsSeen } from "./seen.ts";
import { shellProperties } from "./shell.ts";
import { toolProperties } from "./tools.ts";
import { synthesisUnitProperties } from "./unit.ts";
import { worlds } from "./worlds.ts";

const properties: PartPromises["properties"] = [
  ...lockProperties,
  ...shellProperties,
  ...earnedProperties,
  ...toolProperties,
  ...goalProperties,
  ...agentProperties,
  ...synthesisUnitProperties,
];

export const promises: PartPromises = {
  properties,
  seen: () => ({ agents: new AgentsSeen() }),
  worlds,
};
