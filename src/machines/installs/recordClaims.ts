/** What an install claims of its judges, held against their records at once, as the real system does. Source: dossier 1.5. */
import { ownValue } from "../ownValue.ts";
import { ROLES } from "./addresses.ts";
import type { InstallFacts } from "./installFacts.ts";
import type { Intent } from "./intent.ts";
import { hasPassed, type PromotionRecord } from "./promotionRecords.ts";

type Known = Pick<InstallFacts, "records" | "artifact">;

const recordOf = ({ artifact_id: id }: Intent, { records }: Known): PromotionRecord | undefined =>
  id === undefined ? undefined : ownValue(records, id);

/** A claim of no pass is none. */
export function claimFault(intent: Intent, facts: Known): string | null {
  const record = recordOf(intent, facts);
  const unbacked = ROLES.find(
    (role) => intent.promotion_gate?.[`${role}_pass`] === true && !hasPassed(record, role),
  );
  return unbacked === undefined
    ? null
    : `promotion_gate.${unbacked}_pass=true but no passing ${unbacked} promotion record exists for artifact '${intent.artifact_id}'`;
}

/** A record that names a digest was made of that content alone. */
export function recordDigestFault(intent: Intent, facts: Known): string | null {
  const { artifact } = facts;
  if (artifact === null || "error" in artifact) return null;
  const judgements = recordOf(intent, facts)?.judgements ?? {};
  const other = ROLES.map((role) => judgements[role]?.digest).find(
    (digest) => digest !== undefined && digest !== artifact.digest,
  );
  return other === undefined
    ? null
    : `Artifact digest mismatch: the reviewed artifact '${intent.artifact_id}' has digest '${other}' but current artifact has digest '${artifact.digest}'. The artifact may have been modified after review.`;
}
