/**
 * One executor of the pool, from the proposal to the archive. It is loaded as long as it may be
 * called, and visible to planners only while active. Nothing is ever deleted.
 * Source: seed 002, 5.1, 5.2 and 13; ruling Y19; the nightly ages are the real system's.
 */
import { assign, setup } from "xstate";
import { chartTypes } from "../../chart.ts";
import { type Delivered, type Letter, post } from "../../letter.ts";
import { between, choice, integer, type ValuesOf } from "../../policyLeaf.ts";
import { days } from "../../units.ts";

const age = (value: number, says: string) =>
  integer(value, between(1, days(3650), "ms"), {
    says,
    source: "the real system's (dossier metnos 1.10); the seed is silent, so ours",
  });

export const syntLifecycleLeaves = {
  revoke: choice("archive", ["archive", "quarantine"], {
    says: "What becomes of a born executor that is revoked.",
    source: "seed 002, 13 leaves it open; RULINGS Y19",
  }),
  unusedMs: age(days(30), "Time without use after which a synthesised executor is deprecated."),
  deprecatedMs: age(days(14), "Time deprecated, still unused, after which it is archived."),
};

export type LifecyclePolicy = ValuesOf<typeof syntLifecycleLeaves>;

export interface ExecutorInput {
  readonly name: string;
  readonly version: string;
  /** Only a synthesised one ages. */
  readonly isHandcrafted: boolean;
  /** The address that is told of every change. */
  readonly pool: string;
}

export type ExecutorEvent = Delivered<
  | "executor.synthesized"
  | "executor.granted"
  | "executor.rejected"
  | "executor.used"
  | "executor.fused"
  | "executor.superseded"
  | "residue.counted"
  | "executor.revoked"
  | "signature.broken"
  | "executor.released"
  | "night.came"
>;

export interface ExecutorContext {
  readonly input: ExecutorInput;
  /** The last use, or the birth. */
  readonly usedMs: number;
  /** Whether the human gate has granted it. */
  readonly isGranted: boolean;
  readonly into: string | null;
  readonly deprecatedMs: number;
  /** The delivery since which it is what it is: its birth or last use, or what took its place. */
  readonly since: number;
}

const EXECUTOR_STATES = [
  "proposed",
  "synthesized",
  "active",
  "fused",
  "superseded",
  "deprecated",
  "quarantined",
  "archived",
] as const;
export type ExecutorState = (typeof EXECUTOR_STATES)[number];

/** What a state means to others: whether calls reach it, and whether planners are shown it. */
const standing = (
  state: ExecutorState,
): { readonly isLoaded: boolean; readonly isVisible: boolean } => ({
  isLoaded: ["active", "fused", "superseded", "deprecated"].includes(state),
  isVisible: state === "active",
});

/** By policy. */
const revoked = [
  { guard: "isQuarantined", target: "quarantined" },
  { target: "archived" },
] as const;

/** Another one covers it: it goes once nothing cites it any more. */
const replaced = {
  "residue.counted": { guard: "isUncited", target: "archived" },
  "executor.revoked": "archived",
  "signature.broken": "archived",
} as const;

export const executorLifecycleMachine = (policy: {
  readonly synt: { readonly lifecycle: LifecyclePolicy };
}) => {
  const { revoke, unusedMs, deprecatedMs } = policy.synt.lifecycle;
  return setup({
    types: chartTypes<ExecutorContext, ExecutorEvent, ExecutorInput>(),
    guards: {
      isUncited: ({ event }) => event.type === "residue.counted" && event.mnests === 0,
      isQuarantined: () => revoke === "quarantine",
      wasGranted: ({ context }) => context.isGranted,
      isUnused: ({ context: { input, usedMs }, event }) =>
        !input.isHandcrafted && event.at.nowMs - usedMs >= unusedMs,
      isForgotten: ({ context, event }) => event.at.nowMs - context.deprecatedMs >= deprecatedMs,
    },
    actions: {
      used: assign(({ event }) => ({ usedMs: event.at.nowMs, since: event.at.seq })),
    },
  }).createMachine({
    id: "executorLifecycle",
    context: ({ input: { at, ...input } }) => ({
      input,
      usedMs: at.nowMs,
      isGranted: false,
      into: null,
      deprecatedMs: 0,
      since: at.seq,
    }),
    initial: "proposed",
    states: {
      proposed: {
        on: { "executor.synthesized": "synthesized", "executor.rejected": "archived" },
      },
      synthesized: {
        entry: changed("synthesized"),
        on: {
          "executor.granted": {
            target: "active",
            actions: assign(({ event: { at } }) => ({
              usedMs: at.nowMs,
              isGranted: true,
              since: at.seq,
            })),
          },
          "executor.rejected": "archived",
          "signature.broken": "quarantined",
        },
      },
      active: {
        entry: changed("active"),
        on: {
          "executor.used": { actions: "used" },
          "executor.fused": {
            target: "fused",
            actions: assign(({ event }) => ({ into: event.into, since: event.at.seq })),
          },
          "executor.superseded": {
            target: "superseded",
            actions: assign(({ event }) => ({ into: event.into, since: event.at.seq })),
          },
          "executor.revoked": revoked,
          "signature.broken": "quarantined",
          "night.came": {
            guard: "isUnused",
            target: "deprecated",
            actions: assign(({ event }) => ({ deprecatedMs: event.at.nowMs })),
          },
        },
      },
      fused: { entry: changed("fused"), on: replaced },
      superseded: { entry: changed("superseded"), on: replaced },
      deprecated: {
        entry: changed("deprecated"),
        on: {
          "executor.used": {
            target: "active",
            actions: "used",
          },
          "executor.revoked": revoked,
          "signature.broken": "quarantined",
          "night.came": { guard: "isForgotten", target: "archived" },
        },
      },
      quarantined: {
        entry: changed("quarantined"),
        on: {
          "executor.released": [
            {
              guard: "wasGranted",
              target: "active",
              actions: "used",
            },
            { target: "synthesized" },
          ],
          "executor.rejected": "archived",
        },
      },
      archived: { type: "final", entry: changed("archived") },
    },
  });
};

/** The keeper of the pool learns of every change, with what it means to callers and planners. */
function changed(state: ExecutorState) {
  return post<ExecutorContext, ExecutorEvent, ExecutorEvent>(
    ({ context: { input, into, since }, event }): readonly Letter[] => [
      {
        to: input.pool,
        event: {
          type: "executor.changed",
          name: input.name,
          version: input.version,
          state,
          ...standing(state),
          into,
        },
        // A night finds what has been so for long.
        because: event.type === "night.came" || event.type === "residue.counted" ? [since] : [],
      },
    ],
  );
}
