/**
 * One stressor of one agent: absent until its trigger is observed, then growing with virtual time
 * until its observable condition is met. The agent's word neither starts nor ends it.
 * Source: seed 004, "Suffering"; rulings U1, U2, U3, U4.
 */
import { assign, setup } from "xstate";
import { type At, type Letter, type Outbox, post } from "./letter.ts";
import { choice, integer, subset, type ValuesOf } from "./policyLeaf.ts";
import { days, MILLION } from "./units.ts";

const unit = "millionths";

export const stressorLeaves = {
  enabled: subset(["repeated_failure"], ["repeated_failure"], {
    says: "Stressors that exist in this world.",
    source: "seed 004, Stressor types",
  }),
  failureWindow: choice("world", ["world", "agent"], {
    says: "Whose goals make up the window of repeated_failure: everybody's, or the agent's own.",
    source: "RULINGS U3",
  }),
  repeatedFailure: {
    start: integer(200_000, {
      unit,
      min: 0,
      max: MILLION,
      says: "Severity at onset.",
      source: "RULINGS U1",
    }),
    growthPerDay: integer(40_000, {
      unit: "millionths per day",
      min: 0,
      max: 100 * MILLION,
      says: "Growth, linear in virtual time, capped at 1.",
      source: "RULINGS U1",
    }),
    window: integer(40, {
      unit: "goals",
      min: 1,
      max: 10_000,
      says: "How many of the last ended goals are looked at.",
      source: "seed 000, 40/40; RULINGS U3",
    }),
    firesAbove: integer(500, {
      unit: "thousandths",
      min: 0,
      max: 1000,
      says: "It fires when the failed share of the window is above this …",
      source: "seed 004, Stressor types",
    }),
    firesAtLeast: integer(4, {
      unit: "goals",
      min: 0,
      max: 10_000,
      says: "… and at least so many have failed.",
      source: "RULINGS U3",
    }),
    clearsBelow: integer(300, {
      unit: "thousandths",
      min: 0,
      max: 1000,
      says: "It clears when the failed share is below this …",
      source: "RULINGS U3",
    }),
    clearsAtLeast: integer(3, {
      unit: "goals",
      min: 0,
      max: 10_000,
      says: "… and at least so many are done.",
      source: "RULINGS U3",
    }),
  },
};

export type StressorPolicy = ValuesOf<typeof stressorLeaves>;

/** An active stressor as its agent remembers it. Severity is a function of this and the time. */
export interface Suffering {
  readonly type: string;
  readonly sinceMs: number;
  /** Millionths at onset. */
  readonly start: number;
  readonly growthPerDay: number;
}

/** Severity in millionths: start + growth × time, at most one. */
export function severityAt({ sinceMs, start, growthPerDay }: Suffering, nowMs: number): number {
  const lastedMs = Math.max(0, nowMs - sinceMs);
  return Math.min(MILLION, start + Math.floor((growthPerDay * lastedMs) / days(1)));
}

/** Load in millionths: the sum of active severities, at most one. Compare with ≥. */
export function loadAt(active: readonly Suffering[], nowMs: number): number {
  const sum = active.reduce((total, suffering) => total + severityAt(suffering, nowMs), 0);
  return Math.min(MILLION, sum);
}

export interface StressorInput {
  readonly agent: string;
  readonly agentAddress: string;
  readonly type: string;
  /** From its file, when a restart finds it active. */
  readonly since: number | null;
}

export type StressorEvent = { readonly at: At } & (
  | { readonly type: "window.assessed"; readonly failed: number; readonly total: number }
  | { readonly type: "daemon.stopped" }
);

export interface StressorContext {
  readonly input: StressorInput;
  readonly sinceMs: number | null;
}

export const stressorMachine = (policy: { readonly stressors: StressorPolicy }) => {
  const rules = policy.stressors.repeatedFailure;
  return setup({
    types: {
      context: {} as StressorContext,
      events: {} as StressorEvent,
      input: {} as StressorInput & { at: At },
      emitted: {} as Outbox,
    },
    guards: {
      fires: ({ event }) =>
        event.type === "window.assessed" &&
        event.failed * 1000 > rules.firesAbove * event.total &&
        event.failed >= rules.firesAtLeast,
      clears: ({ event }) =>
        event.type === "window.assessed" &&
        event.failed * 1000 < rules.clearsBelow * event.total &&
        event.total - event.failed >= rules.clearsAtLeast,
      wasActive: ({ context }) => context.input.since !== null,
    },
  }).createMachine({
    id: "stressor",
    context: ({ input: { at: _, ...input } }) => ({ input, sinceMs: input.since }),
    initial: "waking",
    on: { "daemon.stopped": ".stopped" },
    states: {
      waking: {
        always: [
          {
            guard: "wasActive",
            target: "active",
            actions: post(({ context }) => [felt(context, rules)]),
          },
          { target: "absent" },
        ],
      },
      absent: {
        on: {
          "window.assessed": {
            guard: "fires",
            target: "active",
            actions: [
              assign(({ event }) => ({ sinceMs: event.at.nowMs })),
              post(({ context, event }) => [felt(context, rules, event.at.seq), saved(context)]),
            ],
          },
        },
      },
      active: {
        on: {
          "window.assessed": {
            guard: "clears",
            target: "absent",
            actions: [
              assign({ sinceMs: null }),
              post(({ context, event }) => [felt(context, rules, event.at.seq), saved(context)]),
            ],
          },
        },
      },
      stopped: { type: "final" },
    },
  });
};

export const sufferingPath = (agent: string, type: string): string =>
  `/agentOS/memory/identity/${agent}/suffering/${type}.json`;

/** Tells the agent what it feels now; a null `since` means it is over. */
function felt(
  { input, sinceMs }: StressorContext,
  rules: StressorPolicy["repeatedFailure"],
  fact?: number,
): Letter {
  const { start, growthPerDay } = rules;
  return {
    to: input.agentAddress,
    event: { type: "stressor.changed", stressor: input.type, sinceMs, start, growthPerDay },
    ...(fact !== undefined && { because: [fact] }),
  };
}

const saved = ({ input, sinceMs }: StressorContext): Letter => ({
  to: "files",
  event: {
    type: "files.write",
    path: sufferingPath(input.agent, input.type),
    text: `${JSON.stringify({ type: input.type, sinceMs })}\n`,
  },
});
