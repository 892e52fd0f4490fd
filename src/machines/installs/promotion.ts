/** Whether a revision may become active: by the records of its gates, and by nothing that anybody claims. Source: seed 003, promotion gate failure. */
import { ownValue } from "../ownValue.ts";
import { judgeOf, type Role } from "./addresses.ts";
import type { GatePolicy } from "./gatePolicy.ts";
import type { PromotionRecord, PromotionRecords } from "./promotionRecords.ts";

export interface GatedRevision {
  readonly artifactId?: string;
  readonly artifactDigest?: string;
  /** As they were when it was created. */
  readonly gates: readonly Role[];
}

export type Promotable =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: string;
      /** The judges that must be run again. */
      readonly missing: readonly Role[];
      readonly todo: string;
    };

/** Mechanical: it says no until the records are there, however often it is asked. */
export function promotable(
  { artifactId, artifactDigest, gates }: GatedRevision,
  records: PromotionRecords,
  by: Pick<GatePolicy, "records">,
): Promotable {
  if (by.records.checkedAt === "creation") return { ok: true };
  const record = artifactId === undefined ? undefined : ownValue(records, artifactId);
  const faults = gates.map(
    (role) => [role, judgementFault(record, role, artifactDigest, by)] as const,
  );
  const open = faults.filter(([, fault]) => fault !== null);
  if (open.length === 0) return { ok: true };
  const missing = open.map(([role]) => role);
  return {
    ok: false,
    reason: `Promotion gate: ${[...new Set(open.map(([, fault]) => fault))].join("; ")}`,
    missing,
    todo: `Stop: do not retry agent.revision.promote or agent.revision.create_from_intent. Report to the planner that ${missing.map(judgeOf).join(" and ")} must be re-run to produce promotion.record entries.`,
  };
}

function judgementFault(
  record: PromotionRecord | undefined,
  role: Role,
  digest: string | undefined,
  { records }: Pick<GatePolicy, "records">,
): string | null {
  const judgement = record?.judgements[role];
  if (judgement === undefined) return "no promotion.record found";
  if (!judgement.pass) return `the promotion.record of ${judgeOf(role)} does not pass`;
  const isBound = records.digest === "bound" || judgement.digest !== undefined;
  return isBound && judgement.digest !== digest
    ? `the promotion.record of ${judgeOf(role)} is of other content`
    : null;
}
