/**
 * One stressor of one agent: absent until its trigger is observed, then growing with virtual time
 * until its observable condition is met. The agent's word neither starts nor ends it, unless the
 * policy accepts that word. One machine serves all nine types.
 * Source: seed 004, "Suffering"; rulings U1, U2, U3, U4.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../../answerWait.ts";
import { askingIn, chartTypes, question } from "../../chart.ts";
import { type Delivered, type Letter, type MailOf, post } from "../../letter.ts";
import type { StressorPolicy, StressorType } from "./stressorPolicy.ts";
import {
  type Assessed,
  clears,
  conditionOf,
  fires,
  isAssessment,
  MEASURED,
  severityLaw,
} from "./stressorRules.ts";

export interface StressorInput {
  readonly agent: string;
  readonly agentAddress: string;
  /** They keep a copy of what the agent feels. */
  readonly engine: string;
  readonly ledger: string;
  readonly type: StressorType;
  /** From its file, when a restart finds it active. */
  readonly since: number | null;
}

export type StressorEvent = Delivered<
  Assessed | "place.answered" | "word.given" | "crisis.reset" | "daemon.stopped"
>;

export interface StressorContext {
  readonly input: StressorInput;
  readonly sinceMs: number | null;
  /** The delivery that last began, proposed or ended it; null after a restart. */
  readonly fact: number | null;
}

/** The same transitions for every kind of assessment. */
const onAssessment = <const T>(transitions: T) =>
  Object.fromEntries(Object.keys(MEASURED).map((kind) => [kind, transitions])) as {
    readonly [Kind in Assessed]: T;
  };

/** Whether it is said: by what was measured, or, where that counts, by the agent's own word. */
const isSaid = (
  { input }: StressorContext,
  event: StressorEvent,
  policy: StressorPolicy,
  isOver: boolean,
): boolean => {
  if (event.type === "word.given") return policy.selfReport === "accepted" && event.over === isOver;
  if (!isAssessment(event) || MEASURED[event.type] !== input.type) return false;
  return isOver ? clears(event, policy) : fires(event, policy);
};

const begun = { guard: "begins", target: "active", actions: ["begin", "tell", "save"] } as const;
const proposed = { guard: "needsPlace", target: "proposed", actions: "propose" } as const;
const ended = { guard: "ends", target: "absent", actions: ["end", "tell", "save"] } as const;

export const stressorMachine = ({ stressors: policy }: { readonly stressors: StressorPolicy }) => {
  const isBounded = policy.maxActive < policy.enabled.length;
  return setup({
    types: chartTypes<StressorContext, StressorEvent, StressorInput>(),
    guards: {
      begins: ({ context, event }) => isSaid(context, event, policy, false),
      needsPlace: ({ context, event }) => isBounded && isSaid(context, event, policy, false),
      ends: ({ context, event }) => isSaid(context, event, policy, true),
      isGranted: ({ event }) => event.type === "place.answered" && event.granted,
      wasActive: ({ context }) => context.input.since !== null,
    },
    actions: {
      propose: assign(({ event }) => ({ fact: event.at.seq })),
      begin: assign(({ context, event }) => ({
        sinceMs: event.at.nowMs,
        fact: event.type === "place.answered" ? context.fact : event.at.seq,
      })),
      end: assign(({ event }) => ({ sinceMs: null, fact: event.at.seq })),
      tell: post(({ context }) => changed(context, policy)),
      save: post(({ context }) => [saved(context)]),
    },
    delays: { placeTimeout: ANSWER_WAIT_MS },
  }).createMachine({
    id: "stressor",
    context: ({ input: { at: _, ...input } }) => ({ input, sinceMs: input.since, fact: null }),
    initial: "waking",
    on: { "daemon.stopped": ".stopped" },
    states: {
      waking: {
        always: [{ guard: "wasActive", target: "active", actions: "tell" }, { target: "absent" }],
      },
      absent: {
        on: { ...onAssessment([proposed, begun]), "word.given": [proposed, begun] },
      },
      proposed: {
        ...askingIn<StressorContext, StressorEvent>()("place", ({ context: { input, fact } }) =>
          question(
            input.ledger,
            { type: "place.asked", agent: input.agent, stressor: input.type },
            fact === null ? [] : [fact],
          ),
        ),
        on: {
          "place.answered": [
            { guard: "isGranted", target: "active", actions: ["begin", "tell", "save"] },
            { target: "absent" },
          ],
        },
        after: { placeTimeout: "absent" },
      },
      active: {
        on: {
          ...onAssessment(ended),
          "word.given": ended,
          "crisis.reset": { target: "absent", actions: ["end", "tell", "save"] },
        },
      },
      stopped: { type: "final" },
    },
  });
};

export const sufferingPath = (agent: string, type: string): string =>
  `/agentOS/memory/identity/${agent}/suffering/${type}.json`;

/** Tells the agent what it feels now, and the actors that keep a copy. */
function changed({ input, sinceMs, fact }: StressorContext, policy: StressorPolicy): Letter[] {
  const event: MailOf<"stressor.changed"> = {
    type: "stressor.changed",
    agent: input.agent,
    stressor: input.type,
    sinceMs,
    ...severityLaw(input.type, policy),
    condition: conditionOf(input.type, policy),
  };
  return [input.agentAddress, input.engine, input.ledger].map(
    (to): Letter => ({ to, event, because: fact === null ? [] : [fact] }),
  );
}

const saved = ({ input, sinceMs }: StressorContext): Letter => ({
  to: "files",
  event: {
    type: "files.write",
    path: sufferingPath(input.agent, input.type),
    text: `${JSON.stringify({ type: input.type, sinceMs })}\n`,
  },
});
