/**
 * A revision of an agent: drafted, gated until its judges have recorded, approved, active, and after that superseded or
 * rolled back, from where it may become active again. The gateway's books decide; no step is taken that none leads to.
 * Source: seed 003; rulings I1.
 */
import { assign, setup } from "xstate";
import { answer, type Delivered, type Outbox, post } from "../letter.ts";
import type { RevisionState } from "./revision.ts";

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
    types: {
      context: {} as RevisionContext,
      events: {} as RevisionEvent,
      input: {} as RevisionInput & { readonly at: unknown },
      emitted: {} as Outbox,
    },
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
