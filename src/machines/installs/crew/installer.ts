/**
 * The builder: takes one install after another, lets its model say what it does next and holds it to the rules. Awake again, it
 * asks workflow.state first; an approval does not end its turn, a failure does. Source: seed 003.
 */
import { assign, setup } from "xstate";
import { chartActions, chartTypes } from "../../chart.ts";
import { cutText } from "../../cutText.ts";
import { isMap } from "../../isMap.ts";
import {
  cancelAsk,
  type Delivered,
  type Json,
  type Letter,
  type Mail,
  type MailOf,
  post,
} from "../../letter.ts";
import type { ValuesOf } from "../../policyLeaf.ts";
import { BUILDER, GATEWAY } from "../addresses.ts";
import {
  type BuilderStep,
  type BuilderTool,
  builderStep,
  CREATE,
  endsTurn,
  type InstallPhase,
  isLook,
  PROMOTE,
  paramsOf,
  type Wanted,
} from "./builderRules.ts";
import { agentOf, type Held, type InstallOutcome, type IntentFields } from "./crewMail.ts";
import { type Did, wantedIn } from "./crewModel.ts";
import {
  type AskPolicy,
  askingWhat,
  gatewayAsked,
  modelAsked,
  most,
  refusalText,
  resultText,
  TOOL,
} from "./crewTools.ts";

export const builderLeaves = {
  looks: most(
    3,
    "calls",
    { min: 0, max: 50 },
    "How often the builder may look something up before it must go on.",
  ),
  wakes: most(
    3,
    "times",
    { max: 50 },
    "How often in one install the builder wakes up because the gateway did not answer.",
  ),
};

type BuilderPolicy = AskPolicy & ValuesOf<typeof builderLeaves>;

export type InstallerEvent = Delivered<
  | "install.delegated"
  | "install.held"
  | "turn.interrupted"
  | "rollback.wanted"
  | "approval.decided"
  | "approval.expired"
  | "gateway.answered"
  | "llm.replied"
  | "llm.failed"
  | "ask.bounced"
>;

/** JSON, so no interface. */
type Task = {
  readonly wish: string;
  readonly intent: IntentFields;
  readonly loose: readonly string[];
  /** Whom the report goes to, and the question that it answers; null for a letter that asked nothing. */
  readonly from: string;
  readonly re: number | null;
};

/** How it ends. */
type Report = Pick<Mail["install.reported"], "reason" | "todo"> & {
  readonly outcome: InstallOutcome;
};

/** A person's word on an approval, or that there was none in time. */
type Ruling = {
  readonly approval: string;
  readonly isApproved: boolean;
  readonly reason: string;
};

export interface InstallerContext {
  readonly queue: readonly Task[];
  readonly task: Task | null;
  readonly phase: InstallPhase;
  readonly revision: string | null;
  readonly approval: string | null;
  /** It may come before the builder has stopped. */
  readonly ruling: Ruling | null;
  /** Whether the gateway was ever asked to create this one, answered or not. */
  readonly hasAsked: boolean;
  readonly looks: number;
  readonly wakes: number;
  readonly did: readonly Did[];
  readonly hint: string | null;
  readonly wanted: Wanted | null;
  readonly step: BuilderStep | null;
  readonly report: Report | null;
  /** What this install rests on, by number. */
  readonly facts: readonly number[];
}

const openingInstaller: InstallerContext = {
  queue: [],
  task: null,
  phase: "given",
  revision: null,
  approval: null,
  ruling: null,
  hasAsked: false,
  looks: 0,
  wakes: 0,
  did: [],
  hint: null,
  wanted: null,
  step: null,
  report: null,
  facts: [],
};

/** The next one of those that wait. */
function taskTaken({ queue }: InstallerContext): InstallerContext {
  const [task = null, ...rest] = queue;
  return { ...openingInstaller, queue: rest, task, phase: openingPhase(task) };
}

function openingPhase(task: Task | null): InstallPhase {
  const artifact = task?.intent["artifact_id"] ?? null;
  if (artifact === null) return task !== null && task.loose.length > 0 ? "loose" : "inspected";
  // A raw handle, or whatever else is no id of an artifact.
  return typeof artifact === "string" && artifact.startsWith("art_") ? "given" : "loose";
}

type Change = Partial<InstallerContext>;
type Answered = Mail["gateway.answered"];

/** Ours: how many calls a turn is told of. */
const DID_MAX = 20;

/** With this event among what the install rests on. */
const withFact = ({ facts }: InstallerContext, { at }: InstallerEvent) => ({
  facts: [...facts, at.seq],
});

/** Whoever delegates: all others must, and nobody else installs. */
const queueTask = (
  { queue }: InstallerContext,
  { wish, intent, loose, at }: Delivered<"install.delegated">,
): Change => ({
  queue: [...queue, { wish, intent, loose, from: at.from, re: at.asked === true ? at.seq : null }],
});

const takeWish = (context: InstallerContext, event: Delivered<"llm.replied">): Change => ({
  wanted: wantedIn(event.text),
  ...withFact(context, event),
});

/** What comes next, by the rules. */
function nextStep(context: InstallerContext, { looks }: BuilderPolicy): Change {
  const { phase, wanted } = context;
  const left = looks - context.looks;
  const step = builderStep(phase, left, wanted ?? { fault: "the model did not answer" });
  const did = step.held === null ? context.did : withDid(context, heldDid(step.held));
  return { step, did, wanted: null, ...(endsTurn(step.tool) ? endOf(context, wanted) : {}) };
}

/** What the turn's end reports, by how far the install is. */
function endOf(
  { phase, report, task }: InstallerContext,
  wanted: InstallerContext["wanted"],
): Change {
  if (report !== null || phase === "approval-pending") return {};
  if (phase === "loose") {
    const artifact = task?.intent["artifact_id"] ?? null;
    const loose = [
      ...(task?.loose ?? []),
      ...(artifact === null ? [] : [JSON.stringify(artifact)]),
    ];
    return endTurn(
      "malformed",
      `no artifact to install, but ${loose.join(", ")}`,
      ASK_FOR_ARTIFACT,
    );
  }
  if (phase === "done") return endTurn("installed", null, null);
  const why = wanted !== null && "why" in wanted ? wanted.why : "";
  return endTurn("returned", why === "" ? "the builder ended its turn" : why, null);
}

const ASK_FOR_ARTIFACT = "Name the artifact_id, or let coder.default build an artifact first.";

const endTurn = (outcome: InstallOutcome, reason: string | null, todo: string | null): Change => ({
  report: { outcome, reason, todo },
});

const broken = (reason: string): Change =>
  endTurn("broken", reason, "Delegate it again: the builder asks workflow.state how far it came.");

/** What the gateway made of the call. */
function takeAnswer(context: InstallerContext, event: Delivered<"gateway.answered">): Change {
  const { step } = context;
  if (step === null) return {};
  const one: Did = { tool: step.tool, ok: event.ok, said: answerText(event) };
  return {
    did: withDid(context, one),
    ...afterCall(context, step.tool, event),
    ...withFact(context, event),
  };
}

const withDid = ({ did }: InstallerContext, one: Did): readonly Did[] =>
  [...did, one].slice(-DID_MAX);

/** What a rule kept the model from was never called; its next turn is to know why. */
const heldDid = ({ wanted, why }: Held): Did => ({
  tool: wanted,
  ok: false,
  said: `held back: ${why}`,
});

/** Ours: as much of an answer as a turn is told. */
const ANSWER_MAX = 600;

function answerText(answered: Answered): string {
  const { ok, result = null, approvalRequired } = answered;
  if (approvalRequired !== undefined) return `approval required: ${approvalRequired}`;
  if (!ok) return refusalText(answered);
  return result === null ? "" : cutText(JSON.stringify(result), ANSWER_MAX);
}

function afterCall(context: InstallerContext, tool: BuilderTool, answered: Answered): Change {
  const approval = answered.approvalRequired;
  if (approval !== undefined) {
    const ruling = context.ruling?.approval === approval ? context.ruling : null;
    return { phase: "approval-pending", approval, ruling };
  }
  if (tool === CREATE) return afterCreation(answered);
  if (tool === PROMOTE) return afterPromotion(answered);
  if (tool === "artifact.inspect" && context.phase === "given") {
    return answered.ok
      ? { phase: "inspected" }
      : { phase: "refused", ...endTurn("malformed", refusalText(answered), TELL_CODER) };
  }
  return isLook(tool) ? { looks: context.looks + 1 } : {};
}

const TELL_CODER = "Let coder.default build the artifact again.";

function afterCreation(answered: Answered): Change {
  const revision = resultText(answered, "revision_id");
  if (answered.ok && revision !== null) return { phase: "created", revision };
  const reason = answered.ok ? "the gateway named no revision" : refusalText(answered);
  return { phase: "refused", ...endTurn("refused", reason, hintOf(answered)) };
}

/** As the seed words it; what else a promotion fails for is no matter of the judges. */
const GATE = "Promotion gate:";

function afterPromotion(answered: Answered): Change {
  if (answered.ok) return { phase: "done" };
  const reason = refusalText(answered);
  const isGated = reason.includes(GATE);
  return isGated
    ? { phase: "gated", ...endTurn("gated", reason, JUDGES_AGAIN) }
    : { phase: "refused", ...endTurn("refused", reason, hintOf(answered)) };
}

const JUDGES_AGAIN =
  "Let evaluator.default and auditor.default judge it again, so that their promotion.record is made.";

const hintOf = ({ error }: Answered): string | null => error?.repair_hint ?? null;

/** A person's word, or that none came in time. */
function takeRuling(
  context: InstallerContext,
  event: Delivered<"approval.decided" | "approval.expired">,
): Change {
  if (context.approval !== null && event.approval !== context.approval) return {};
  if (agentOf(context.task?.intent ?? {}) !== event.agent) return {};
  const { approval } = event;
  const isApproved = event.type === "approval.decided" && event.isApproved;
  const reason =
    event.type === "approval.expired"
      ? `${approval} was not decided in time`
      : `${event.by} ${isApproved ? "approved" : "rejected"} ${approval}${event.reason === null ? "" : `: ${event.reason}`}`;
  return { ruling: { approval, isApproved, reason }, ...withFact(context, event) };
}

function endUnapproved({ ruling }: InstallerContext): Change {
  return { phase: "refused", ...endTurn("unapproved", ruling?.reason ?? null, null) };
}

/** Awake again: how far the install is, by the gateway's word and not by memory. Source: seed 003, "Resumption". */
function woken(context: InstallerContext, event: Delivered<"gateway.answered">): Change {
  const fact = withFact(context, event);
  if (!event.ok) return { ...broken(`workflow.state: ${refusalText(event)}`), ...fact };
  const { result } = event;
  const state = isMap(result) ? result : {};
  const hint = resultText(event, "resume_hint");
  const pending = Array.isArray(state["pending_approvals"]) ? state["pending_approvals"] : [];
  return { hint, ...fact, ...resumed(context, pending, state["install"] ?? null) };
}

function resumed(context: InstallerContext, pending: readonly Json[], install: Json): Change {
  const { ruling, phase, hasAsked, approval: known } = context;
  // What failed before it fell asleep has failed for good.
  if (OVER.includes(phase)) return {};
  if (ruling !== null && !ruling.isApproved) return { phase: "approval-pending" };
  const approval = pending.find((one) => typeof one === "string");
  if (approval !== undefined && ruling === null && hasAsked) {
    return { phase: "approval-pending", approval: known ?? approval };
  }
  const found = hasAsked && isMap(install) ? foundInstall(context, install) : null;
  if (found !== null) return found;
  return ruling !== null || phase === "approval-pending" ? { phase: "approved" } : {};
}

const OVER: readonly InstallPhase[] = ["loose", "refused", "gated"];

/** How far the gateway says that this very install came; null where it knows nothing of it. */
function foundInstall(
  { task, revision }: InstallerContext,
  { agent_id: agent, revision_id: id, step }: { readonly [field: string]: Json },
): Change | null {
  if (agent !== agentOf(task?.intent ?? {})) return null;
  if (step === "refused" && revision === null) {
    return {
      phase: "refused",
      ...endTurn("refused", "it was refused while the builder slept", null),
    };
  }
  if (typeof id !== "string" || (revision !== null && revision !== id)) return null;
  // One that is active may be an earlier one of the agent: it is this one where this one was known.
  if (step === "active") return revision === id ? { phase: "done" } : null;
  return { phase: "created", revision: id };
}

// What it asks.

function turnAsked(context: InstallerContext): Letter {
  const { task, phase, hint, did, facts } = context;
  const { wish, intent, loose } = task ?? NOTHING;
  const view = { purpose: "install.turn", wish, intent, loose, phase, hint, did } as const;
  return modelAsked(view, facts.slice(-1));
}

const NOTHING: Pick<Task, "wish" | "intent" | "loose"> = { wish: "", intent: {}, loose: [] };

const stateAsked = ({ task, facts }: InstallerContext): Letter =>
  gatewayAsked("workflow.state", { workflow_id: task?.wish ?? "" }, facts.slice(-1));

function callLetter(context: InstallerContext): Letter {
  const { step, facts, task } = context;
  const tool = step?.tool ?? "workflow.state";
  const workflow = tool === CREATE ? task?.wish : undefined;
  return gatewayAsked(tool, paramsOf(context, tool), facts, workflow);
}

/** What comes of it, the gateway tells. */
function rollbackAsked({ agent, to, reason, at }: Delivered<"rollback.wanted">): Letter {
  const params = { agent_id: agent, reason, ...(to === null ? {} : { to }) };
  const event: MailOf<"gateway.asked"> = {
    ...{ type: "gateway.asked", tool: "agent.revision.rollback", params },
  };
  return { to: GATEWAY, event, because: [at.seq] };
}

// What it says.

const heldTold = ({ step, task, facts }: InstallerContext): Letter[] =>
  step === null || step.held === null
    ? []
    : [
        {
          to: BUILDER,
          event: { type: "install.held", wish: task?.wish ?? "", ...step.held },
          because: facts.slice(-1),
        },
      ];

/** That it waits: no answer yet, which is still to come. */
const waitingTold = (context: InstallerContext): Letter[] =>
  reportLetters(context, {
    outcome: "waiting",
    reason: `approval required: ${context.approval ?? "of a person"}`,
    todo: "Wait for the approval: nothing is tried again before.",
  }).map(({ to, event, because = [] }) => ({ to, event, because }));

const reportTold = (context: InstallerContext): Letter[] =>
  reportLetters(context, context.report ?? { outcome: "broken", reason: null, todo: null });

function reportLetters({ task, revision, facts }: InstallerContext, report: Report): Letter[] {
  if (task === null) return [];
  const event: MailOf<"install.reported"> = {
    ...{ type: "install.reported", wish: task.wish, agent: agentOf(task.intent) },
    ...report,
    revision,
  };
  const letter: Letter = { to: task.from, event, because: facts };
  return [task.re === null ? letter : { ...letter, re: task.re }];
}

const { say, change, asking } = chartActions<InstallerContext, InstallerEvent>();

export const installerMachine = ({
  installs: { crew },
}: {
  readonly installs: { readonly crew: BuilderPolicy };
}) =>
  setup({
    types: chartTypes<InstallerContext, InstallerEvent, object>(),
    guards: {
      hasWork: ({ context }) => context.queue.length > 0,
      isOver: ({ context }) => context.report?.outcome === "broken",
      isPending: ({ context }) => context.phase === "approval-pending",
      ends: ({ context }) => context.step !== null && endsTurn(context.step.tool),
      isApproved: ({ context }) => context.ruling?.isApproved === true,
      isRuled: ({ context }) => context.ruling !== null,
      mayWake: ({ context }) => context.wakes < crew.wakes,
    },
    actions: {
      // Said to itself, for the log: it is heard, and nothing follows.
      logged: assign(() => ({})),
      bounced: change(() => broken("nothing answers at the gateway")),
      late: change(() => broken("the gateway did not answer")),
    },
    delays: { modelTimeout: crew.modelTimeoutMs, toolTimeout: crew.toolTimeoutMs },
  }).createMachine({
    id: "installer",
    context: openingInstaller,
    initial: "idle",
    on: {
      "install.delegated": { actions: change(queueTask) },
      "install.held": { actions: "logged" },
      "rollback.wanted": { actions: post(({ event }) => [rollbackAsked(event)]) },
      "approval.decided": { actions: change(takeRuling) },
      "approval.expired": { actions: change(takeRuling) },
    },
    states: {
      idle: {
        always: {
          guard: "hasWork",
          target: "busy",
          actions: change(taskTaken),
        },
      },
      busy: {
        initial: "thinking",
        on: { "turn.interrupted": { target: ".waking" } },
        states: {
          waking: {
            ...asking(TOOL, stateAsked),
            on: {
              "gateway.answered": { target: "woken", actions: change(woken) },
              "ask.bounced": { target: "#installer.reporting", actions: "bounced" },
            },
            after: { toolTimeout: { target: "#installer.reporting", actions: "late" } },
          },
          woken: {
            always: [
              { guard: "isOver", target: "#installer.reporting" },
              { guard: "isPending", target: "waiting" },
              { target: "thinking" },
            ],
          },
          thinking: askingWhat<InstallerContext, InstallerEvent, "stepping">(
            turnAsked,
            "stepping",
            takeWish,
            (fault) => ({ wanted: { fault } }),
          ),
          stepping: {
            entry: [change((context) => nextStep(context, crew)), say(heldTold)],
            always: [
              { guard: "isPending", target: "stopping" },
              { guard: "ends", target: "#installer.reporting" },
              { target: "calling" },
            ],
          },
          calling: {
            entry: [
              change(({ hasAsked, step }) => ({ hasAsked: hasAsked || step?.tool === CREATE })),
              say((context) => [callLetter(context)]),
            ],
            exit: say(() => [cancelAsk(TOOL)]),
            on: {
              "gateway.answered": { target: "thinking", actions: change(takeAnswer) },
              "ask.bounced": { target: "#installer.reporting", actions: "bounced" },
            },
            after: {
              toolTimeout: [
                {
                  guard: "mayWake",
                  target: "waking",
                  actions: change(({ wakes }) => ({ wakes: wakes + 1 })),
                },
                { target: "#installer.reporting", actions: "late" },
              ],
            },
          },
          stopping: { entry: say(waitingTold), always: "waiting" },
          waiting: {
            always: [
              { guard: "isApproved", target: "waking" },
              {
                guard: "isRuled",
                target: "#installer.reporting",
                actions: change(endUnapproved),
              },
            ],
          },
        },
      },
      reporting: {
        entry: say(reportTold),
        exit: change(({ queue }) => ({ ...openingInstaller, queue })),
        always: "idle",
      },
    },
  });
