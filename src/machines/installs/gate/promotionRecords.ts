/**
 * What evaluator and auditor have recorded of artifacts, as a value: read, written, asked for, looked up. Source: seed 003,
 * promotion gate; rulings I6 and I10; dossier 1.5.
 */
import { defined } from "../../defined.ts";
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { choice, flag, type ValuesOf } from "../../policyLeaf.ts";
import { judgeOf, ROLES, type Role } from "../addresses.ts";
import { type Decoded, decoded, FLAG, noObject, oneOf, TEXT } from "../fault.ts";

export const recordLeaves = {
  tiedToRole: flag(true, {
    says: "Whether the evaluator records its own passes alone, and the auditor its own.",
    source: "RULINGS I6; not tied in the real system",
  }),
  digest: choice("bound", ["bound", "first"], {
    says: "Whether each record holds for the digest that the artifact had, or only the first one that names it.",
    source: "RULINGS I10; the first in the real system",
  }),
};

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

interface Recording {
  readonly artifactId: string;
  readonly role: Role;
  readonly pass: boolean;
  readonly findings: readonly Finding[];
  readonly summary?: string;
  /** What the recorder says that the digest is. */
  readonly digest?: string;
}

export interface RecordsPolicy {
  readonly records: ValuesOf<typeof recordLeaves>;
}

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

/** The last word of a role counts, be it better or worse. `digest` is the artifact's, as the gateway has it. */
export function recorded(
  records: PromotionRecords,
  given: Recording,
  { from, digest }: { readonly from: string; readonly digest: string },
  by: RecordsPolicy,
): { readonly records: PromotionRecords; readonly record: PromotionRecord } | { error: string } {
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
  const { pass, findings, summary } = given;
  const judgement = defined<Judgement>({ pass, by: from, findings, summary, digest: bound });
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

/* What promotion.record is given, or all that is wrong with it. Source: dossier 1.5. */

const SHAPE =
  'Correct format: {"artifact_id": "art_a1b2c3d4", "role": "evaluator", "pass": true, "findings": [{"severity": "info", "description": "…"}], "summary": "…"}';
const FIELDS = ["artifact_id", "artifact_digest", "role", "pass", "findings", "summary"];

export function decodedRecording(json: Json): Decoded<Recording> {
  if (!isMap(json)) return { faults: [noObject("record", json, SHAPE)] };
  return decoded(json, SHAPE, (read) => {
    const artifactId = read.must(TEXT, "artifact_id");
    if (artifactId !== "" && !artifactId.startsWith("art_")) {
      read.refuse("artifact_id", "an id that begins with art_");
    }
    const recording = defined<Recording>({
      artifactId,
      role: read.must(oneOf(ROLES), "role"),
      pass: read.must(FLAG, "pass"),
      findings: read.each("findings", (one) =>
        defined<Finding>({
          severity: one.must(oneOf(SEVERITIES), "severity"),
          description: one.must(TEXT, "description"),
          evidence: one.may(TEXT, "evidence") ?? undefined,
        }),
      ),
      summary: read.may(TEXT, "summary") ?? undefined,
      digest: read.may(TEXT, "artifact_digest") ?? undefined,
    });
    read.refuseOthers(SHAPE, FIELDS);
    return recording;
  });
}

/* Whether a child that was spawned to judge an artifact has done so. Source: dossier 1.5. */

/** What its end leaves open; null for nothing. A record that was made earlier will do. `isRepairable`: the child may be asked again. */
export function delegationFault(
  {
    requirePromotionRecord,
    artifactId,
    role,
  }: { requirePromotionRecord: boolean; artifactId: string; role: Role },
  records: PromotionRecords,
) {
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
