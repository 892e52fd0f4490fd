/**
 * One turn of the user, as the gateway serves it: plan, have what is missing built, run, answer.
 * Never a silent retreat. Source: seed 002, 2, 4.2.1, 7.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../../answerWait.ts";
import { askingIn, chartTypes, type Question, question } from "../../chart.ts";
import { isMap } from "../../isMap.ts";
import {
  type At,
  ask,
  cancelAsk,
  type Delivered,
  type Json,
  type Letter,
  type MailOf,
  post,
  startActor,
} from "../../letter.ts";
import {
  bouncedWords,
  DESK,
  isChain,
  type Need,
  noMaterial,
  POOL,
  type Wanted,
} from "../contract.ts";
import { requestMs } from "../request/synthesisRequest.ts";
import type { CallPolicy } from "../stages/paidCall.ts";
import { planMs } from "./turnPlanner.ts";

export interface TurnInput {
  readonly turn: string;
  readonly says: string;
  readonly args: { readonly [name: string]: Json };
  /** The case of its argument, by which a specialised executor is found. */
  readonly case: string | null;
  readonly budgetCents: number | null;
}

export type TurnEvent = Delivered<
  | "plan.made"
  | "synth.progressed"
  | "synth.ended"
  | "executor.found"
  | "executor.ended"
  | "sandbox.replied"
  | "ask.bounced"
>;

export interface TurnContext {
  readonly input: TurnInput;
  readonly openedMs: number;
  readonly steps: readonly string[];
  readonly known: readonly string[];
  readonly towards: readonly string[];
  readonly isReplayed: boolean;
  /** Whether a chain stands in for what was missing. */
  readonly composed: boolean;
  /** Names that were missed in this turn: each has left its proto-mnest. */
  readonly missed: readonly string[];
  /** The first of the steps that no executor in the pool can take; null when there is none. */
  readonly gap: number | null;
  readonly step: number;
  readonly running: string;
  readonly code: string | null;
  readonly startedMs: number;
  /** Whose result the next step builds on. */
  readonly behind: string | null;
  readonly result: Json;
  /** How the step went that ran last; null once the turn goes on from it. */
  readonly ran: StepRun | null;
  /** Why the turn ends without a result; null while it may still have one. */
  readonly why: string | null;
}

export interface StepRun {
  /** An executor that answers `ok: false` has not done its work. */
  readonly ok: boolean;
  readonly result: Json;
  readonly error: string | null;
}

const openingTurn = (input: TurnInput, { nowMs }: At): TurnContext => ({
  input,
  openedMs: nowMs,
  steps: [],
  known: [],
  towards: [],
  isReplayed: false,
  composed: false,
  missed: [],
  gap: null,
  step: 0,
  running: "",
  code: null,
  startedMs: nowMs,
  behind: null,
  result: null,
  ran: null,
  why: null,
});

const addressOf = ({ input }: TurnContext): string => `gateway/${input.turn}`;

interface Policies {
  readonly synt: CallPolicy & { readonly stages: { readonly testLimitMs: number } };
}

const BUILDING = "I am building a new component to extend my capabilities";

const asks = askingIn<TurnContext, TurnEvent>();

export const userTurnMachine = ({ synt }: Policies) =>
  setup({
    types: chartTypes<TurnContext, TurnEvent, TurnInput>(),
    guards: {
      isPlanless: ({ event }) => event.type === "plan.made" && event.why !== null,
      hasGap: ({ context }) => context.gap !== null,
      isBuilt: ({ event }) =>
        event.type === "synth.ended" && (event.state === "delivered" || event.state === "born"),
      isLastStep: ({ context }) => context.ran?.ok === true && isComplete(context),
      isStep: ({ context }) => context.ran?.ok === true,
      isLoaded: ({ event }) => event.type === "executor.found" && event.isLoaded,
    },
    actions: {
      unloaded: assign(({ context }) => ({
        ...context,
        why: `${context.steps[context.step]} is not loaded`,
      })),
      ran: assign(({ context, event }) => takeResult(context, event)),
      stepDone: assign(({ context }) => stepDone(context)),
      stepFailed: assign(({ context }) => stepFailed(context)),
      bounced: assign(({ context, event }) => ({ ...context, why: bouncedWords(event) })),
      plannerLate: assign(({ context }) => late(context, "the planner")),
      syntLate: assign(({ context }) => late(context, "synt")),
      poolLate: assign(({ context }) => late(context, "the pool")),
      executorLate: assign(({ context }) => late(context, context.running)),
      reported: post(({ context, event }) => [stepRan(context, event), ...runCost(context, event)]),
      announced: post(({ context }) => [tell(context, BUILDING)]),
    },
    delays: {
      answerTimeout: ANSWER_WAIT_MS,
      planTimeout: planMs(synt),
      synthTimeout: requestMs(synt),
    },
  }).createMachine({
    id: "userTurn",
    context: ({ input: { at, ...input } }) => openingTurn(input, at),
    initial: "planning",
    on: { "ask.bounced": { target: ".answered", actions: "bounced" } },
    states: {
      planning: {
        entry: post(({ context }) => {
          const { turn, says } = context.input;
          const planner = { turn, says, replyTo: addressOf(context) };
          return [
            { to: DESK, event: { type: "turn.opened", turn } },
            startActor("turnPlanner", `planner/${turn}`, planner),
          ];
        }),
        on: {
          "plan.made": [
            {
              guard: "isPlanless",
              target: "answered",
              actions: assign(({ context, event }) => planned(context, event)),
            },
            {
              target: "checking",
              actions: [
                assign(({ context, event }) => planned(context, event)),
                post(({ context, event }) => replayedUnasked(context, event)),
              ],
            },
          ],
        },
        after: { planTimeout: { target: "answered", actions: "plannerLate" } },
      },
      checking: {
        always: [{ guard: "hasGap", target: "synthesising" }, { target: "running" }],
      },
      synthesising: {
        entry: post(({ context }) => missed(context)),
        exit: post(() => [cancelAsk("synt")]),
        on: {
          "synth.progressed": { actions: "announced" },
          "synth.ended": [
            {
              guard: "isBuilt",
              target: "checking",
              actions: assign(({ context, event }) => substituted(context, event)),
            },
            { target: "answered", actions: assign(({ event }) => ({ why: event.rationale })) },
          ],
        },
        after: { synthTimeout: { target: "answered", actions: "syntLate" } },
      },
      running: {
        initial: "seeking",
        states: {
          seeking: {
            ...asks("executor", ({ context: { steps, step, input } }) =>
              question(POOL, {
                type: "executor.sought",
                name: steps[step] ?? "",
                case: input.case,
              }),
            ),
            on: {
              "executor.found": [
                {
                  guard: "isLoaded",
                  target: "executing",
                  actions: assign(({ event: { name: running, code, at } }) => ({
                    startedMs: at.nowMs,
                    running,
                    code,
                  })),
                },
                { target: "#answered", actions: "unloaded" },
              ],
            },
            after: { answerTimeout: { target: "#answered", actions: "poolLate" } },
          },
          executing: {
            ...asks("run", ({ context }) => runRequest(context, synt)),
            on: {
              "executor.ended": { target: "ran", actions: ["ran", "reported"] },
              "sandbox.replied": { target: "ran", actions: ["ran", "reported"] },
            },
            after: { answerTimeout: { target: "#answered", actions: "executorLate" } },
          },
          ran: {
            always: [
              { guard: "isLastStep", target: "#answered", actions: "stepDone" },
              { guard: "isStep", target: "seeking", actions: "stepDone" },
              { target: "#answered", actions: "stepFailed" },
            ],
          },
        },
      },
      answered: {
        id: "answered",
        type: "final",
        entry: post(({ context, event }) => closing(context, event.at)),
      },
    },
  });

const late = (context: TurnContext, who: string): TurnContext => ({
  ...context,
  why: `${who} did not answer in time`,
});

const tell = (context: TurnContext, text: string): Letter => ({
  to: DESK,
  event: { type: "user.told", turn: context.input.turn, text },
});

/** What is missing leaves its proto-mnest and goes to the desk. */
function missed(context: TurnContext): Letter[] {
  const need = gapOf(context);
  const isNamed = need.name !== "";
  const wanted: Wanted = {
    mode: "reactive",
    strategy: null,
    proto: isNamed ? `proto/${need.name}` : null,
    need,
    material: noMaterial,
    budgetCents: context.input.budgetCents,
    revision: null,
  };
  const missing = { ...need, chain: [], args: [] };
  const raised: MailOf<"proto.raised"> = { type: "proto.raised", missing };
  return [
    ...(isNamed ? [{ to: POOL, event: raised }] : []),
    ask({ to: DESK, key: "synt", event: { type: "synth.requested", ...wanted } }),
  ];
}

function closing(context: TurnContext, at: At): Letter[] {
  const { input, steps, why, composed, missed, openedMs } = context;
  const { ok, text } = answerOf(context);
  const ran: MailOf<"chain.ran"> = {
    type: "chain.ran",
    chain: steps,
    query: input.says,
    args: Object.keys(input.args),
    composed,
    missed,
    ok,
  };
  const isRun = why === null || context.step > 0;
  return [
    ...(isRun ? [{ to: POOL, event: ran }] : []),
    tell(context, text),
    {
      to: DESK,
      event: {
        type: "turn.closed",
        turn: input.turn,
        ok,
        ms: at.nowMs - openedMs,
        replayed: context.isReplayed,
      },
    },
  ];
}

function planned(context: TurnContext, event: Delivered<"plan.made">): TurnContext {
  const { steps, towards, known, isReplayed, why } = event;
  // A planner that sees no way and names nothing: one step is missing, and synt finds its name.
  const isNameless = steps.length === 0 && why === null;
  const next = { ...context, steps: isNameless ? [""] : steps, towards, known, isReplayed, why };
  // What is replayed is not looked through again.
  return { ...next, gap: isReplayed ? null : gapIn(next) };
}

/** A composed chain runs without the person's word: for the audit. Ruling Y27. */
function replayedUnasked(
  { input: { turn, says: intent } }: TurnContext,
  { steps: chain, unasked: cleanRuns }: Delivered<"plan.made">,
): readonly Letter[] {
  if (cleanRuns === undefined) return [];
  return [{ to: DESK, event: { type: "chain.replayed", turn, intent, chain, cleanRuns } }];
}

function gapIn({ steps, known }: Pick<TurnContext, "steps" | "known">): number | null {
  const index = steps.findIndex((name) => !known.includes(name));
  return index < 0 ? null : index;
}

/** The first step that no executor in the pool can take. */
function gapOf(context: TurnContext): Need {
  const { steps, towards, input } = context;
  const gap = context.gap ?? 0;
  const from = steps[gap - 1] ?? null;
  return { intent: input.says, name: steps[gap] ?? "", from, hints: towards };
}

/** A chain takes the place of the step before the gap and of the gap; an executor that of the gap. */
function substituted(
  context: TurnContext,
  { artefact }: Delivered<"synth.ended">,
): Partial<TurnContext> {
  const { gap } = context;
  if (gap === null) return {};
  const made = isChain(artefact) ? artefact : [artefact?.name ?? ""];
  const isWhole = made.length > 1;
  const before = context.steps.slice(0, isWhole ? Math.max(0, gap - 1) : gap);
  const steps = [...before, ...made, ...context.steps.slice(gap + 1)];
  const known = [...context.known, ...made];
  return {
    ...{ steps, known, gap: gapIn({ steps, known }) },
    composed: context.composed || isWhole,
    missed: [...context.missed, context.steps[gap] ?? ""],
  };
}

function runRequest(
  { running, code, input, result }: TurnContext,
  { stages }: Policies["synt"],
): Question {
  const args = { ...input.args, ...(result !== null && { previous: result }) };
  const common = { purpose: "turn", params: { args } };
  if (code === null) {
    return question("port/executor.run", { type: "executor.run", ...common, name: running });
  }
  const limitMs = stages.testLimitMs;
  return question("port/sandbox.run", {
    type: "sandbox.run",
    ...common,
    name: "invoke",
    code,
    limitMs,
  });
}

function takeResult(context: TurnContext, event: TurnEvent): TurnContext {
  if (event.type !== "executor.ended" && event.type !== "sandbox.replied") return context;
  const result = event.type === "sandbox.replied" ? (event.result ?? null) : null;
  // An answer without `ok` says nothing of it; any other value than true is not true.
  const said = isMap(result) ? (result["ok"] ?? true) : true;
  const ok = event.ok && said === true;
  return { ...context, ran: { ok, result, error: event.error ?? null } };
}

const isComplete = ({ step, steps }: TurnContext): boolean => step === steps.length - 1;

const stepDone = (context: TurnContext): TurnContext => ({
  ...context,
  step: context.step + 1,
  behind: context.running,
  result: context.ran?.result ?? null,
  ran: null,
});

const stepFailed = (context: TurnContext): TurnContext => ({
  ...context,
  why: `${context.running} failed: ${context.ran?.error ?? "no reason given"}`,
  ran: null,
});

const stepRan = (context: TurnContext, event: TurnEvent): Letter => ({
  to: POOL,
  event: {
    type: "executor.ran",
    executor: context.running,
    behind: context.behind,
    ok: context.ran?.ok === true,
    ms: event.at.nowMs - context.startedMs,
    cents: "cents" in event ? (event.cents ?? 0) : 0,
    case: context.input.case,
  },
});

/** What the run cost, for the desk, which keeps the day's money; nothing of one that costs nothing. */
function runCost({ input, running }: TurnContext, event: TurnEvent): readonly Letter[] {
  const cents = "cents" in event ? (event.cents ?? 0) : 0;
  if (cents <= 0) return [];
  const { turn } = input;
  return [{ to: DESK, event: { type: "money.ran", turn, executor: running, cents } }];
}

const answerOf = ({ why, steps }: TurnContext): { readonly ok: boolean; readonly text: string } =>
  why === null
    ? { ok: true, text: `Done with ${steps.join(" → ")}.` }
    : { ok: false, text: `I could not: ${why}.` };
