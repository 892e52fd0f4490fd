/** What is promised of synt. */
import type { PartPromises } from "../../../contract/part.ts";
import { syntAuditProperties } from "./audit.ts";
import { syntCascadeProperties } from "./cascade.ts";
import { syntGateProperties } from "./gate.ts";
import { syntLockProperties } from "./locks.ts";
import { syntMoneyProperties } from "./money.ts";
import { syntRewardProperties } from "./reward.ts";
import { SyntSeen } from "./seen.ts";
import { syntTermProperties } from "./terms.ts";
import { syntUnitProperties } from "./unit.ts";
import { worlds } from "./worlds.ts";

const properties: PartPromises["properties"] = [
  ...syntCascadeProperties,
  ...syntGateProperties,
  ...syntMoneyProperties,
  ...syntLockProperties,
  ...syntRewardProperties,
  ...syntTermProperties,
  ...syntAuditProperties,
  ...syntUnitProperties,
];

export const promises: PartPromises = {
  properties,
  seen: () => ({ synt: new SyntSeen() }),
  worlds,
};
