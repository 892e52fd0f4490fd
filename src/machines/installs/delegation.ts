/** Whether a child that was spawned to judge an artifact has done so. Source: dossier 1.5. */
import { ownValue } from "../ownValue.ts";
import type { Role } from "./addresses.ts";
import { hasPassed, type PromotionRecords } from "./promotionRecords.ts";

export interface Delegation {
  readonly requirePromotionRecord: boolean;
  readonly artifactId: string;
  readonly role: Role;
}

export type DelegationFault = {
  readonly rule: "promotion_record_missing" | "promotion_record_failed";
  /** The child may be asked again. */
  readonly isRepairable: boolean;
  readonly message: string;
};

/** What its end leaves open; null for nothing. A record that was made earlier will do. */
export function delegationFault(
  { requirePromotionRecord, artifactId, role }: Delegation,
  records: PromotionRecords,
): DelegationFault | null {
  const record = ownValue(records, artifactId);
  if (!requirePromotionRecord || hasPassed(record, role)) return null;
  const of = `for artifact '${artifactId}' (role: ${role})`;
  return record?.judgements[role] === undefined
    ? {
        rule: "promotion_record_missing",
        isRepairable: true,
        message: `completed without a matching promotion.record within the session ${of}`,
      }
    : {
        rule: "promotion_record_failed",
        isRepairable: false,
        message: `completed with a promotion.record that does not pass ${of}`,
      };
}
