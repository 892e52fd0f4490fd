/**
 * What evaluator and auditor have recorded of artifacts, as a value: written, asked for, looked up. Source: seed 003,
 * promotion gate; rulings I6 and I10; dossier 1.5.
 */
import type { Json } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { judgeOf, ROLES, type Role } from "./addresses.ts";
import type { GatePolicy } from "./gatePolicy.ts";

export const SEVERITIES = ["info", "warning", "error", "critical"] as const;

/** JSON, so no interface. */
export type Finding = {
  readonly severity: (typeof SEVERITIES)[number];
  readonly description: string;
  readonly evidence?: string;
};

/** What one role last said of an artifact. */
export type Judgement = {
  readonly pass: boolean;
  /** The address that recorded it. */
  readonly by: string;
  readonly findings: readonly Finding[];
  readonly summary?: string;
  /** Of the artifact as it was judged; none where the recorder named none and nothing binds it. */
  readonly digest?: string;
};

export type PromotionRecord = {
  readonly artifactId: string;
  readonly judgements: { readonly [role in Role]?: Judgement };
};

/** By artifact id. */
export interface PromotionRecords {
  readonly [artifactId: string]: PromotionRecord;
}

export interface Recording {
  readonly artifactId: string;
  readonly role: Role;
  readonly pass: boolean;
  readonly findings: readonly Finding[];
  readonly summary?: string;
  /** What the recorder says that the digest is. */
  readonly digest?: string;
}

type RecordsPolicy = Pick<GatePolicy, "records">;

/** Why this address may not record for this role; null where it may. */
export function recorderFault(from: string, role: Role, { records }: RecordsPolicy): string | null {
  if (from === judgeOf(role)) return null;
  const others = ROLES.map(judgeOf);
  if (!others.includes(from)) {
    return `promotion.record denied by policy: only ${others.join(" and ")} may call it, and this is ${from}`;
  }
  return records.tiedToRole
    ? `promotion.record denied by policy: only ${judgeOf(role)} records as ${role}, and this is ${from}`
    : null;
}

export type Recorded =
  | { readonly records: PromotionRecords; readonly record: PromotionRecord }
  | { readonly error: string };

/** The last word of a role counts, be it better or worse. `digest` is the artifact's, as the gateway has it. */
export function recorded(
  records: PromotionRecords,
  given: Recording,
  { from, digest }: { readonly from: string; readonly digest: string },
  by: RecordsPolicy,
): Recorded {
  const { artifactId, role } = given;
  const refusal = recorderFault(from, role, by);
  if (refusal !== null) return { error: refusal };
  if (by.records.digest === "bound" && given.digest !== undefined && given.digest !== digest) {
    return {
      error: `Artifact digest mismatch: the judged artifact '${artifactId}' has digest '${given.digest}' but current artifact has digest '${digest}'. Judge the artifact as it is now.`,
    };
  }
  const before = ownValue(records, artifactId)?.judgements ?? {};
  const bound = by.records.digest === "bound" ? digest : firstDigest(before, given);
  const judgement: Judgement = {
    ...{ pass: given.pass, by: from, findings: given.findings },
    ...(given.summary === undefined ? {} : { summary: given.summary }),
    ...(bound === undefined ? {} : { digest: bound }),
  };
  const record = { artifactId, judgements: { ...before, [role]: judgement } };
  return { records: { ...records, [artifactId]: record }, record };
}

/** In the real system whoever records first pins the digest, or leaves it open for good. */
const firstDigest = (
  before: PromotionRecord["judgements"],
  given: Recording,
): string | undefined => {
  const first = ROLES.flatMap((role) => before[role] ?? [])[0];
  return first === undefined ? given.digest : first.digest;
};

export const hasPassed = (record: PromotionRecord | undefined, role: Role): boolean =>
  record?.judgements[role]?.pass === true;

/** What promotion.query answers. */
export function queried(records: PromotionRecords, artifactId: string): Json {
  const record = ownValue(records, artifactId);
  if (record === undefined) {
    return { artifact_id: artifactId, error: "No promotion record found for this artifact" };
  }
  return {
    artifact_id: artifactId,
    evaluator_pass: hasPassed(record, "evaluator"),
    auditor_pass: hasPassed(record, "auditor"),
    fully_promoted: ROLES.every((role) => hasPassed(record, role)),
    findings: ROLES.flatMap((role) =>
      (record.judgements[role]?.findings ?? []).map((finding) => ({ role, ...finding })),
    ),
  };
}

/** An entry of the history, as far as it may be a record. */
export interface ChainEntry {
  readonly action: string;
  readonly status: string;
  readonly payload: {
    readonly arguments?: {
      readonly artifact_id?: string;
      readonly role?: string;
      readonly pass?: boolean;
    };
  };
}

/** Whether the history itself holds a pass of this role. */
export const isRecordedIn = (
  chain: readonly ChainEntry[],
  artifactId: string,
  role: Role,
): boolean =>
  chain.some(({ action, status, payload: { arguments: given } }) => {
    const isRecord = action === "promotion.record" && status === "SUCCESS";
    return (
      isRecord && given?.artifact_id === artifactId && given.role === role && given.pass === true
    );
  });
