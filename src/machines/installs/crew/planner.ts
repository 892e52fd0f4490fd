/**
 * The planner: takes one wish after another, lets its model decide what comes next and holds it to the rules; it builds, judges
 * and installs nothing itself. Whose judgement an install needs is by its matrix. Source: seed 003.
 */
import { assign, setup } from "xstate";
import { chartActions, chartTypes } from "../../chart.ts";
import { isMap } from "../../isMap.ts";
import {
  ask,
  cancelAsk,
  type Delivered,
  type Json,
  type Letter,
  type Mail,
  type MailEvent,
  type MailOf,
} from "../../letter.ts";
import type { ValuesOf } from "../../policyLeaf.ts";
import { days } from "../../units.ts";
import { BUILDER, CODER, GATEWAY, type Gating, judgeOf, PLANNER, type Role } from "../addresses.ts";
import { faultText } from "../fault.ts";
import { CAPABILITY_KINDS, type CapabilityKind } from "../gate/capability.ts";
import { type Gates, gatesOf, type MatrixPolicy, matrixGates } from "../gate/promotionGate.ts";
import type { WorkflowTask } from "../mail.ts";
import { agentOf, type IntentFields, type Judged, type Wish } from "./crewMail.ts";
import { type PlanAnswer, type PlanView, readPlan, type Standing } from "./crewModel.ts";
import { type AskPolicy, askingWhat, modelAsked, most, wait } from "./crewTools.ts";
import { type PlanStep, planStep, roleOf, type WishState } from "./plannerRules.ts";

export const plannerLeaves = {
  workTimeoutMs: wait(
    days(2),
    "Longest wait of the planner for what it delegated; a person's decision is within it.",
  ),
  decisions: most(
    16,
    "decisions",
    { max: 200 },
    "How many decisions the planner takes for one agent before it stops.",
  ),
  builds: most(3, "builds", { max: 50 }, "How often the coder builds for one agent."),
};

export type PlannerEvent = Delivered<
  | "install.wanted"
  | "install.planned"
  | "install.held"
  | "install.closed"
  | "build.delivered"
  | "judging.given"
  | "install.reported"
  | "llm.replied"
  | "llm.failed"
  | "ask.bounced"
>;

type PlannerPolicy = MatrixPolicy & {
  readonly crew: AskPolicy & ValuesOf<typeof plannerLeaves>;
};

export interface PlannerContext {
  readonly queue: readonly Wish[];
  readonly wish: Wish | null;
  /** As it stands now: the planner may amend what was wished for. */
  readonly intent: IntentFields;
  readonly said: Gating | null;
  readonly artifact: string | null;
  /** The last word of each judge on this artifact. */
  readonly judged: { readonly [role in Role]?: Judged };
  readonly flaws: readonly string[];
  readonly report: Pick<Mail["install.reported"], "outcome" | "reason" | "revision"> | null;
  readonly isChanged: boolean;
  readonly builds: number;
  readonly decisions: number;
  readonly wanted: PlanAnswer | { readonly fault: string } | null;
  readonly step: PlanStep | null;
  /** Why its model wants that step. */
  readonly why: string;
  /** Why it stops; null while it goes on. */
  readonly end: string | null;
  readonly facts: readonly number[];
}

const fresh: Omit<PlannerContext, "queue" | "wish" | "intent" | "said" | "artifact"> = {
  judged: {},
  flaws: [],
  report: null,
  isChanged: false,
  builds: 0,
  decisions: 0,
  wanted: null,
  step: null,
  why: "",
  end: null,
  facts: [],
};

const openingPlanner: PlannerContext = {
  ...{ queue: [], wish: null, intent: {}, said: null, artifact: null },
  ...fresh,
};

function wishTaken({ queue }: PlannerContext): PlannerContext {
  const [wish = null, ...rest] = queue;
  const { artifact_id: artifact = null, ...intent } = wish?.intent ?? {};
  return {
    ...fresh,
    ...{ queue: rest, wish, said: wish?.gating ?? null },
    // Anything else under this name is handed over as it came.
    intent:
      typeof artifact === "string" && artifact.startsWith("art_") ? intent : { ...wish?.intent },
    artifact: typeof artifact === "string" && artifact.startsWith("art_") ? artifact : null,
  };
}

/** The kinds that an intent declares, sorted; whether their fields are right is for the gateway to say. */
function declaredKinds({ capabilities }: IntentFields): readonly CapabilityKind[] {
  const rows = Array.isArray(capabilities) ? capabilities : [];
  const types = rows.map((row) => (isMap(row) ? row["type"] : undefined));
  return CAPABILITY_KINDS.filter((kind) => types.includes(kind)).sort();
}

/** Whose judgement it asks for. */
function gatesNow(context: PlannerContext, by: PlannerPolicy): Gates {
  const { wish, artifact, intent, said } = context;
  const capabilities = declaredKinds(intent).map((type) => ({ type }));
  const id = artifact ?? (wish?.needsCode === true ? "art_" : undefined);
  return gatesOf({ ...(id === undefined ? {} : { artifact_id: id }), capabilities }, said, by);
}

const matrixNow = ({ intent }: PlannerContext, by: PlannerPolicy): readonly Role[] =>
  matrixGates(
    declaredKinds(intent).map((type) => ({ type })),
    by,
  );

function standingOf({ judged }: PlannerContext, role: Role): Standing {
  const word = judged[role];
  if (word === undefined || word.isOpen === true) return "open";
  if (!word.pass) return "failed";
  return word.recorded ? "passed" : "unrecorded";
}

const wishState = (context: PlannerContext, by: PlannerPolicy): WishState => ({
  needsCode: context.wish?.needsCode ?? false,
  artifact: context.artifact,
  buildsLeft: by.crew.builds - context.builds,
  gates: gatesNow(context, by).roles,
  judges: {
    evaluator: standingOf(context, "evaluator"),
    auditor: standingOf(context, "auditor"),
  },
  outcome: context.report?.outcome ?? null,
  isChanged: context.isChanged,
});

type Change = Partial<PlannerContext>;

/** Ours: of how many flaws a plan and a coder are told. */
const FLAWS_MAX = 20;

const withFact = ({ facts }: PlannerContext, { at }: PlannerEvent) => ({
  facts: [...facts, at.seq],
});

const withFlaws = ({ flaws }: PlannerContext, more: readonly string[]) => ({
  flaws: [...flaws, ...more].slice(-FLAWS_MAX),
});

function takePlan(context: PlannerContext, event: Delivered<"llm.replied">): Change {
  const { value, fault } = readPlan(event.text);
  return {
    wanted: fault === undefined ? value : { fault: faultText(fault) },
    ...withFact(context, event),
  };
}

/** The next step by the rules, with what the answer changes of intent and gates. */
function nextStep(context: PlannerContext, by: PlannerPolicy): Change {
  const wanted = context.wanted ?? { fault: "the model did not answer" };
  const amend = "fault" in wanted ? {} : wanted.amend;
  const { agent_id: _, artifact_id: __, ...fields } = amend;
  const isAmended = Object.keys(fields).length > 0;
  const changed: PlannerContext = {
    ...context,
    intent: { ...context.intent, ...fields },
    said: ("fault" in wanted ? null : wanted.gating) ?? context.said,
    isChanged: context.isChanged || isAmended,
  };
  const decisions = context.decisions + 1;
  const isLast = decisions >= by.crew.decisions;
  const step = keptFrom(planStep(wishState(changed, by), wanted), amend);
  const why = "fault" in wanted ? wanted.fault : wanted.why;
  const { intent, said, isChanged } = changed;
  const now = { intent, said, isChanged, decisions, step, why, wanted: null };
  if (step.next === "stop") return { ...now, end: why === "" ? "the planner stopped" : why };
  return isLast ? { ...now, end: `after ${decisions} decisions the planner stopped` } : now;
}

/** Who it is and what it is made of are not the planner's to change. */
function keptFrom(step: PlanStep, amend: IntentFields): PlanStep {
  const fields = ["agent_id", "artifact_id"]
    .filter((field) => Object.hasOwn(amend, field))
    .join(", ");
  if (fields === "" || step.held !== null) return step;
  const why = `${fields} would change, and stays as it is: other fields of the intent may be amended`;
  return { ...step, held: { rule: "same-agent", wanted: `amend ${fields}`, does: step.next, why } };
}

function takeBuild(context: PlannerContext, event: Delivered<"build.delivered">): Change {
  const { artifact, reason } = event;
  const builds = context.builds + 1;
  const now = { builds, ...withFact(context, event) };
  if (artifact === null)
    return { ...now, ...withFlaws(context, [`coder: ${reason ?? "no artifact"}`]) };
  // A judgement is of one content.
  return artifact === context.artifact
    ? now
    : { ...now, artifact, judged: {}, flaws: [], isChanged: true };
}

function judgedBy(context: PlannerContext, event: Delivered<"judging.given">): Change {
  const { type: _, at: __, wish: ___, ...judged } = event;
  const found = judged.findings.map(({ severity, description }) => `${severity}: ${description}`);
  const said = [...(judged.reason === null ? [] : [judged.reason]), ...(judged.pass ? [] : found)];
  return {
    judged: { ...context.judged, [judged.role]: judged },
    isChanged: context.isChanged || judged.recorded,
    ...withFlaws(
      context,
      said.map((one) => `${judged.role}: ${one}`),
    ),
    ...withFact(context, event),
  };
}

function takeReport(context: PlannerContext, event: Delivered<"install.reported">): Change {
  const { outcome, reason, revision } = event;
  return {
    report: { outcome, reason, revision },
    isChanged: false,
    end: outcome === "installed" ? "installed" : null,
    ...withFlaws(context, reason === null ? [] : [`builder: ${reason}`]),
    ...withFact(context, event),
  };
}

/** Nobody answered, or nobody is there. */
const unanswered = (context: PlannerContext, why: string): Change => ({
  ...(context.step?.next === "build" ? { builds: context.builds + 1 } : {}),
  ...withFlaws(context, [`${workerOf(context)}: ${why}`]),
});

// What it asks and delegates.

function planAsked(context: PlannerContext, by: PlannerPolicy): Letter {
  const { artifact, gates: _, needsCode, isChanged, judges } = wishState(context, by);
  const { wish, intent, said, flaws, report, decisions, facts } = context;
  const view: PlanView = {
    ...{ purpose: "install.plan", wish: wish?.wish ?? "", goal: wish?.goal ?? "", intent },
    ...{ needsCode, artifact, loose: wish?.loose ?? [], matrix: matrixNow(context, by) },
    ...{ gating: said, judges, flaws, isChanged, decisionsLeft: by.crew.decisions - decisions },
    report: report === null ? null : { outcome: report.outcome, reason: report.reason },
  };
  return modelAsked(view, facts.slice(-1));
}

const workerOf = ({ step }: PlannerContext): string => {
  switch (step?.next) {
    case "evaluate":
    case "audit":
      return judgeOf(roleOf(step.next));
    case "install":
      return BUILDER;
    default:
      return CODER;
  }
};

const WORK = "work";

/** The work, with word of it to the gateway, whose workflow.state tells of it. */
function delegation(context: PlannerContext, by: PlannerPolicy): Letter[] {
  const to = workerOf(context);
  const { wish: name = "" } = context.wish ?? {};
  const event = workFor(context, name, by);
  const question = ask({ to, key: WORK, event, because: context.facts });
  return [...gatingTold(context), workTold(context, "running"), question];
}

function workFor(context: PlannerContext, wish: string, by: PlannerPolicy): MailEvent {
  const { intent, artifact, flaws, step } = context;
  const of = { wish, agent: agentOf(intent), goal: context.wish?.goal ?? "" };
  switch (step?.next) {
    case "evaluate":
    case "audit":
      return {
        ...{ type: "judging.wanted", ...of, artifact: artifact ?? "" },
        declared: declaredKinds(intent),
      };
    case "install":
      return {
        ...{ type: "install.delegated", wish, intent: handedOver(context, by) },
        loose: artifact === null ? looseOf(context.wish) : [],
      };
    default:
      return { type: "build.wanted", ...of, intent, flaws };
  }
}

/** What is there in place of an artifact: what came with the wish, or what nobody has built yet. */
function looseOf(wish: Wish | null): readonly string[] {
  if (wish === null || wish.loose.length > 0) return wish?.loose ?? [];
  return wish.needsCode ? ["files that coder.default has not built"] : [];
}

/** The intent as the builder gets it: with the artifact, and with what the judges reported. */
function handedOver(context: PlannerContext, by: PlannerPolicy): IntentFields {
  const { intent, artifact, judged } = context;
  const { evaluator, auditor } = judged;
  const whole = artifact === null ? intent : { ...intent, artifact_id: artifact };
  const hasReports = evaluator !== undefined || auditor !== undefined;
  if (gatesNow(context, by).roles.length === 0 || !hasReports) return whole;
  const gate: { readonly [field: string]: Json } = {
    evaluator_pass: evaluator?.pass ?? false,
    auditor_pass: auditor?.pass ?? false,
    ...(auditor?.security ? { security_analysis: { ...auditor.security } } : {}),
    ...(auditor?.capability ? { capability_analysis: { ...auditor.capability } } : {}),
  };
  return { ...whole, promotion_gate: gate };
}

function gatingTold({ said, step, intent, wish }: PlannerContext): Letter[] {
  if (said === null || step?.next !== "install") return [];
  const of = { workflow: wish?.wish ?? "", agent: agentOf(intent) };
  return [{ to: GATEWAY, event: { type: "gating.said", ...of, gating: said } }];
}

/** How the task stands that was delegated last. */
function workTold(context: PlannerContext, status: WorkflowTask["status"]): Letter {
  const { wish, decisions, intent, artifact, facts } = context;
  const task: WorkflowTask = {
    ...{ task_id: `${wish?.wish ?? ""}/${decisions}`, agent_id: workerOf(context), status },
    ...(artifact === null ? {} : { artifact_id: artifact }),
  };
  const workflow = wish?.wish ?? "";
  return {
    to: GATEWAY,
    event: { type: "workflow.told", workflow, agent: agentOf(intent), task },
    because: facts.slice(-1),
  };
}

// What it says.

function planTold(context: PlannerContext, by: PlannerPolicy): Letter[] {
  const { wish, step, end, facts } = context;
  if (step === null) return [];
  const name = wish?.wish ?? "";
  const { roles, contradiction } = gatesNow(context, by);
  const planned: MailOf<"install.planned"> = {
    ...{ type: "install.planned", wish: name, next: end === null ? step.next : "stop" },
    ...{ gates: roles, contradiction, why: end ?? step.held?.why ?? context.why },
  };
  const held: MailEvent[] =
    step.held === null ? [] : [{ type: "install.held", wish: name, ...step.held }];
  return [...held, planned].map((event) => ({ to: PLANNER, event, because: facts.slice(-1) }));
}

function closeTold({ wish, intent, end, report, facts }: PlannerContext): Letter[] {
  const isInstalled = report?.outcome === "installed";
  const event: MailOf<"install.closed"> = {
    ...{ type: "install.closed", wish: wish?.wish ?? "", agent: agentOf(intent), isInstalled },
    ...{ reason: end ?? "", revision: isInstalled ? report.revision : null },
  };
  return [{ to: PLANNER, event, because: facts }];
}

const isOf = ({ wish }: PlannerContext, event: { readonly wish: string }): boolean =>
  wish !== null && wish.wish === event.wish;

const isJudgeOf = ({ step }: PlannerContext, role: Role): boolean =>
  (step?.next === "evaluate" || step?.next === "audit") && roleOf(step.next) === role;

const { say, change } = chartActions<PlannerContext, PlannerEvent>();

/** A state that waits for whoever it delegated to. */
const AT_WORK = {
  entry: "delegate",
  exit: say(() => [cancelAsk(WORK)]),
  after: { workTimeout: { target: "untold", actions: "late" } },
} as const;
const bounced = { target: "untold", actions: "bounced" } as const;

export const plannerMachine = ({ installs }: { readonly installs: PlannerPolicy }) =>
  setup({
    types: chartTypes<PlannerContext, PlannerEvent, object>(),
    guards: {
      hasWish: ({ context }) => context.queue.length > 0,
      ends: ({ context }) => context.end !== null,
      builds: ({ context }) => context.step?.next === "build",
      installs: ({ context }) => context.step?.next === "install",
      isDelivered: ({ context, event }) => event.type === "build.delivered" && isOf(context, event),
      isJudged: ({ context, event }) =>
        event.type === "judging.given" && isOf(context, event) && isJudgeOf(context, event.role),
      // That the builder waits for a person ends nothing.
      isReported: ({ context, event }) =>
        event.type === "install.reported" && isOf(context, event) && event.outcome !== "waiting",
    },
    actions: {
      // Said to itself, for the log: it is heard, and nothing follows.
      logged: assign(() => ({})),
      done: say((context) => [workTold(context, "succeeded")]),
      failed: say((context) => [workTold(context, "failed")]),
      bounced: change((context) => unanswered(context, "nobody is there")),
      late: change((context) => unanswered(context, "it did not answer in time")),
      delegate: say((context) => delegation(context, installs)),
    },
    delays: {
      modelTimeout: installs.crew.modelTimeoutMs,
      workTimeout: installs.crew.workTimeoutMs,
    },
  }).createMachine({
    id: "planner",
    context: openingPlanner,
    initial: "idle",
    on: {
      "install.wanted": {
        actions: change(({ queue }, { type: _, at: __, ...wish }: Delivered<"install.wanted">) => ({
          queue: [...queue, wish],
        })),
      },
      "install.planned": { actions: "logged" },
      "install.held": { actions: "logged" },
      "install.closed": { actions: "logged" },
    },
    states: {
      idle: {
        always: {
          guard: "hasWish",
          target: "thinking",
          actions: change(wishTaken),
        },
      },
      thinking: askingWhat<PlannerContext, PlannerEvent, "deciding">(
        (context) => planAsked(context, installs),
        "deciding",
        takePlan,
        (fault) => ({ wanted: { fault } }),
      ),
      deciding: {
        entry: [
          change((context) => nextStep(context, installs)),
          say((context) => planTold(context, installs)),
        ],
        always: [
          { guard: "ends", target: "closing" },
          { guard: "builds", target: "building" },
          { guard: "installs", target: "installing" },
          { target: "judging" },
        ],
      },
      building: {
        ...AT_WORK,
        on: {
          "build.delivered": { guard: "isDelivered", target: "told", actions: change(takeBuild) },
          "ask.bounced": bounced,
        },
      },
      judging: {
        ...AT_WORK,
        on: {
          "judging.given": { guard: "isJudged", target: "told", actions: change(judgedBy) },
          "ask.bounced": bounced,
        },
      },
      installing: {
        ...AT_WORK,
        on: {
          "install.reported": { guard: "isReported", target: "told", actions: change(takeReport) },
          "ask.bounced": bounced,
        },
      },
      told: {
        entry: "done",
        always: [{ guard: "ends", target: "closing" }, { target: "thinking" }],
      },
      untold: { entry: "failed", always: "thinking" },
      closing: {
        entry: say(closeTold),
        exit: change(({ queue }) => ({ ...openingPlanner, queue })),
        always: "idle",
      },
    },
  });
