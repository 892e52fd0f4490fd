/** Every property of agents. */
import type { UnitProperty, WorldProperty } from "../../property.ts";
import { agentProperties } from "./agents.ts";
import { earnedProperties } from "./earned.ts";
import { goalProperties } from "./goals.ts";
import { lockProperties } from "./locks.ts";
import { shellProperties } from "./shell.ts";
import { toolProperties } from "./tools.ts";
import { synthesisUnitProperties } from "./unit.ts";

export const properties: readonly (WorldProperty | UnitProperty)[] = [
  ...lockProperties,
  ...shellProperties,
  ...earnedProperties,
  ...toolProperties,
  ...goalProperties,
  ...agentProperties,
  ...synthesisUnitProperties,
];
