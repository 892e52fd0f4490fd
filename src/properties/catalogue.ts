/** Every property there is. To add one: write it in the file of its subject, and list it there. */
import { agentProperties } from "./agentProperties.ts";
import { earnedProperties } from "./earnedProperties.ts";
import { goalProperties } from "./goalProperties.ts";
import { lockProperties } from "./lockProperties.ts";
import type { Property } from "./property.ts";
import { runProperties } from "./runProperties.ts";
import { shellProperties } from "./shellProperties.ts";
import { syntAuditProperties } from "./syntAudit.ts";
import { syntCascadeProperties } from "./syntCascade.ts";
import { syntGateProperties } from "./syntGate.ts";
import { syntLockProperties } from "./syntLocks.ts";
import { syntMoneyProperties } from "./syntMoney.ts";
import { syntRewardProperties } from "./syntReward.ts";
import { syntTermProperties } from "./syntTerms.ts";
import { syntUnitProperties } from "./syntUnit.ts";
import { toolProperties } from "./toolProperties.ts";
import { unitProperties } from "./unitProperties.ts";

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
  ...unitProperties,
  ...syntUnitProperties,
];
