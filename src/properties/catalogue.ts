/** Every property there is. To add one: write it in the file of its subject, and list it there. */
import { agentProperties } from "../actors/agents/properties/agents.ts";
import { earnedProperties } from "../actors/agents/properties/earned.ts";
import { goalProperties } from "../actors/agents/properties/goals.ts";
import { lockProperties } from "../actors/agents/properties/locks.ts";
import { shellProperties } from "../actors/agents/properties/shell.ts";
import { toolProperties } from "../actors/agents/properties/tools.ts";
import { synthesisUnitProperties } from "../actors/agents/properties/unit.ts";
import type { Property } from "../actors/property.ts";
import { syntAuditProperties } from "../actors/synt/properties/audit.ts";
import { syntCascadeProperties } from "../actors/synt/properties/cascade.ts";
import { syntGateProperties } from "../actors/synt/properties/gate.ts";
import { syntLockProperties } from "../actors/synt/properties/locks.ts";
import { syntMoneyProperties } from "../actors/synt/properties/money.ts";
import { syntRewardProperties } from "../actors/synt/properties/reward.ts";
import { syntTermProperties } from "../actors/synt/properties/terms.ts";
import { syntUnitProperties } from "../actors/synt/properties/unit.ts";
import { runProperties } from "./runProperties.ts";

export const properties: readonly Property[] = [
  ...lockProperties,
  ...shellProperties,
  ...earnedProperties,
  ...toolProperties,
  ...goalProperties,
  ...agentProperties,
  ...syntCascadeProperties,
  ...syntGateProperties,
  ...syntMoneyProperties,
  ...syntLockProperties,
  ...syntRewardProperties,
  ...syntTermProperties,
  ...syntAuditProperties,
  ...runProperties,
  ...synthesisUnitProperties,
  ...syntUnitProperties,
];
