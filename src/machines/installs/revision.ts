/** One revision of an agent: what it is made of, its id, and what may become of it. Source: ruling I1. */
import type { Json } from "../letter.ts";
import { sortedJson } from "../sortedJson.ts";
import type { Artifact } from "./artifact.ts";
import {
  type CanonicalIntent,
  canonicalFiles,
  canonicalIntent,
  type LockPolicy,
} from "./canonical.ts";
import { handleOf } from "./content.ts";
import { sha256Hex } from "./sha256.ts";

export type RevisionState =
  | "draft"
  | "gated"
  | "approved"
  | "active"
  | "superseded"
  | "rolled_back"
  | "rejected";

/** All that a revision's id is the hash of. */
export interface RevisionContent {
  readonly intent: { readonly [field: string]: Json };
  readonly artifact: { readonly id: string; readonly digest: string } | null;
  /** Handles by name: the artifact's files, and those that the gateway writes. */
  readonly files: { readonly [name: string]: string };
}

export interface Revision {
  readonly id: string;
  readonly agent: string;
  readonly hash: string;
  readonly content: RevisionContent;
  readonly state: RevisionState;
  readonly summary: string | null;
  readonly by: string;
  readonly timestamp: string;
}

const ID_DIGITS = 8;

export function revisionContent(
  intent: CanonicalIntent,
  artifact: Artifact | null,
  policy: LockPolicy,
): RevisionContent {
  const written = Object.entries(canonicalFiles(intent, artifact, policy));
  const files = [
    ...(artifact?.files ?? []).map(({ name, handle }) => [name, handle]),
    ...written.map(([name, text]) => [name, handleOf(text)]),
  ];
  return {
    intent: canonicalIntent(intent),
    artifact: artifact === null ? null : { id: artifact.id, digest: artifact.digest },
    files: Object.fromEntries(files),
  };
}

export const revisionHash = ({ intent, artifact, files }: RevisionContent): string =>
  sha256Hex(sortedJson({ intent, artifact: artifact === null ? null : { ...artifact }, files }));

export const revisionIdOf = (hash: string): string => `rev-${hash.slice(0, ID_DIGITS)}`;

export type Step = "gated" | "approved" | "activated" | "rejected";

/** From which states a step is taken. What was active before may be so again; what was rejected stays so. */
export const STEPS: {
  readonly [step in Step]: { readonly to: RevisionState; readonly from: readonly RevisionState[] };
} = {
  gated: { to: "gated", from: ["draft"] },
  approved: { to: "approved", from: ["draft", "gated"] },
  activated: { to: "active", from: ["approved", "superseded", "rolled_back"] },
  rejected: { to: "rejected", from: ["draft", "gated", "approved"] },
};
