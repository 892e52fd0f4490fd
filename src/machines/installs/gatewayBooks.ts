/** All that the gateway keeps, as one immutable value: what a tool makes of it is another one. Source: seed 003. */
import type { Json } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Gating, Role } from "./addresses.ts";
import { type Artifact, type ArtifactBook, artifactInspected } from "./content/artifact.ts";
import { type ContentBook, NO_CONTENT } from "./content/content.ts";
import type { Refused } from "./fault.ts";
import type { Approvals } from "./gate/approval.ts";
import { type Promotable, promotable } from "./gate/promotionGate.ts";
import type { PromotionRecords } from "./gate/promotionRecords.ts";
import type { InstallsPolicy } from "./installsPolicy.ts";
import type { InstallDossier } from "./mail.ts";
import type { Revision } from "./revisions/revision.ts";
import { NO_REVISIONS, type RevisionBook } from "./revisions/revisionBook.ts";
import type { WorkflowTask } from "./workflow.ts";

export interface Books {
  readonly content: ContentBook;
  readonly artifacts: ArtifactBook;
  readonly records: PromotionRecords;
  readonly approvals: Approvals;
  /** By approval: what a person is shown. */
  readonly dossiers: { readonly [approval: string]: InstallDossier };
  readonly revisions: RevisionBook;
  /** By revision: whose judgement it needs. */
  readonly gates: { readonly [revision: string]: readonly Role[] };
  readonly workflows: { readonly [workflow: string]: Workflow };
}

/** JSON, so no interface. */
export type Workflow = {
  readonly agent: string;
  readonly tasks: readonly WorkflowTask[];
  /** What the planner said of this wish; null for nothing. */
  readonly gating: Gating | null;
};

export const NO_BOOKS: Books = {
  content: NO_CONTENT,
  artifacts: {},
  records: {},
  approvals: {},
  dossiers: {},
  revisions: NO_REVISIONS,
  gates: {},
  workflows: {},
};

export const artifactOf = (
  { artifacts, content }: Books,
  id: string,
): { readonly artifact: Artifact } | Refused =>
  artifactInspected(artifacts, id, (handle) => ownValue(content.texts, handle));

/** What its gate says now. */
export function gateOf(
  { gates, records }: Pick<Books, "gates" | "records">,
  { id, content: { artifact } }: Revision,
  policy: InstallsPolicy,
): Promotable {
  const own = { gates: ownValue(gates, id) ?? [] };
  const judged =
    artifact === null ? own : { ...own, artifactId: artifact.id, artifactDigest: artifact.digest };
  return promotable(judged, records, policy);
}

/** What is made of texts alone. */
export type Fields = { readonly [name: string]: Json };
