/** Every property of synt. */
import type { UnitProperty, WorldProperty } from "../../property.ts";
import { syntAuditProperties } from "./audit.ts";
import { syntCascadeProperties } from "./cascade.ts";
import { syntGateProperties } from "./gate.ts";
import { syntLockProperties } from "./locks.ts";
import { syntMoneyProperties } from "./money.ts";
import { syntRewardProperties } from "./reward.ts";
import { syntTermProperties } from "./terms.ts";
import { syntUnitProperties } from "./unit.ts";

export const properties: readonly (WorldProperty | UnitProperty)[] = [
  ...syntCascadeProperties,
  ...syntGateProperties,
  ...syntMoneyProperties,
  ...syntLockProperties,
  ...syntRewardProperties,
  ...syntTermProperties,
  ...syntAuditProperties,
  ...syntUnitProperties,
];
