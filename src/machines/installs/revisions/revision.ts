/**
 * One revision of an agent: what it is made of, its id, and its statechart: drafted, gated until its judges have recorded,
 * approved, active, and after that superseded or rolled back, from where it may become active again. The gateway's books
 * decide; no step is taken that none leads to. Source: seed 003; ruling I1.
 */

import { assign, setup } from "xstate";
import { chartTypes } from "../../chart.ts";
import { answer, type Delivered, type Json, post } from "../../letter.ts";
import { sortedJson } from "../../sortedJson.ts";
import type { Artifact } from "../content/artifact.ts";
import { handleOf, sha256Hex } from "../content/content.ts";
import {
  type CanonicalIntent,
  canonicalFiles,
  canonicalIntent,
  type LockPolicy,
} from "./canonical.ts";

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

export interface RevisionInput {
  readonly revision: string;
  readonly agent: string;
  /** How it stands in the books: of one that is started again after a restart, anything. */
  readonly state: RevisionState;
}

export interface RevisionContext extends RevisionInput {
  /** The letter that told of its creation; null before it, and of one that is started again after a restart. */
  readonly created: number | null;
}

export type RevisionEvent = Delivered<
  | "revision.created"
  | "revision.gated"
  | "revision.approved"
  | "revision.activated"
  | "revision.superseded"
  | "revision.rolledBack"
  | "revision.rejected"
  | "revision.recalled"
>;

/** By the guard that says so. */
const GUARDED = [
  ["isDraft", "draft"],
  ["isGated", "gated"],
  ["isApproved", "approved"],
  ["isActive", "active"],
  ["isSuperseded", "superseded"],
  ["isRolledBack", "rolled_back"],
  ["isRejected", "rejected"],
] as const;

interface Standing {
  readonly context: RevisionContext;
  readonly event: RevisionEvent;
}

/** How the books say that it stands. */
const stands =
  (state: RevisionState) =>
  ({ context, event }: Standing): boolean =>
    (event.type === "revision.recalled" ? event.state : context.state) === state;

export const revisionMachine = () =>
  setup({
    types: chartTypes<RevisionContext, RevisionEvent, RevisionInput>(),
    guards: {
      isDraft: stands("draft"),
      isGated: stands("gated"),
      isApproved: stands("approved"),
      isActive: stands("active"),
      isSuperseded: stands("superseded"),
      isRolledBack: stands("rolled_back"),
      isRejected: stands("rejected"),
    },
  }).createMachine({
    id: "revision",
    context: ({ input: { at: _, ...input } }) => ({ ...input, created: null }),
    initial: "opening",
    // After a restart the books may be a step behind or ahead of what was told.
    on: {
      "revision.recalled": GUARDED.map(([guard, state]) => ({
        guard,
        target: `.${state}` as const,
        actions: post<RevisionContext, RevisionEvent, RevisionEvent>(({ context, event }) =>
          answer(event.at, { type: "revision.standing", revision: context.revision, state }),
        ),
      })),
    },
    states: {
      opening: { always: GUARDED.map(([guard, target]) => ({ guard, target })) },
      draft: {
        on: {
          "revision.created": { actions: assign({ created: ({ event }) => event.at.seq }) },
          "revision.gated": "gated",
          "revision.approved": "approved",
          "revision.rejected": "rejected",
        },
      },
      gated: { on: { "revision.approved": "approved", "revision.rejected": "rejected" } },
      approved: { on: { "revision.activated": "active", "revision.rejected": "rejected" } },
      active: {
        on: { "revision.superseded": "superseded", "revision.rolledBack": "rolled_back" },
      },
      superseded: { on: { "revision.activated": "active" } },
      rolled_back: { on: { "revision.activated": "active" } },
      rejected: {},
    },
  });
