/**
 * Evaluator and auditor: each looks an artifact over, lets its model judge it, and makes the promotion record of its own role,
 * which nobody else can. A record that was not made opens no gate, whatever the judge says. Source: seed 003, promotion gate.
 */

import { assign, setup } from "xstate";
import { chartTypes } from "../../chart.ts";
import { answer, type Delivered, type Letter } from "../../letter.ts";
import type { ValuesOf } from "../../policyLeaf.ts";
import type { Role } from "../addresses.ts";
import { faultText } from "../fault.ts";
import { CAPABILITY_KINDS } from "../gate/capability.ts";
import type { Judged } from "./crewMail.ts";
import {
  type AuditAnswer,
  type JudgeAnswer,
  type ReadFile,
  readAudit,
  readEvaluation,
} from "./crewModel.ts";
import {
  type AskPolicy,
  gatewayAsked,
  LATE,
  modelAsked,
  most,
  refusalOf,
  refusalText,
  resultRows,
  resultText,
  workerStates,
} from "./crewTools.ts";

export const judgeLeaves = {
  files: most(
    40,
    "files",
    { max: 1_000 },
    "How many files of an artifact a judge reads; what lies beyond them is said.",
  ),
};

type JudgePolicy = AskPolicy & ValuesOf<typeof judgeLeaves>;

export type JudgeEvent = Delivered<
  "judging.wanted" | "gateway.answered" | "llm.replied" | "llm.failed" | "ask.bounced"
>;

type Judging = Delivered<"judging.wanted">;

/** A file that is still to be read. */
type Unread = { readonly name: string; readonly alias: string };

export interface JudgeContext {
  readonly role: Role;
  readonly queue: readonly Judging[];
  readonly judging: Judging | null;
  readonly digest: string | null;
  readonly unread: readonly Unread[];
  readonly files: readonly ReadFile[];
  /** How many files it does not read. */
  readonly beyond: number;
  readonly answered: JudgeAnswer | AuditAnswer | null;
  readonly recorded: boolean;
  /** Why there is no judgement, or no record of it. */
  readonly fault: string | null;
  readonly facts: readonly number[];
}

const openingJudge = (role: Role): JudgeContext => ({
  ...{ role, queue: [], judging: null, digest: null, unread: [], files: [], beyond: 0 },
  ...{ answered: null, recorded: false, fault: null, facts: [] },
});

type Change = Partial<JudgeContext>;

function takeFileList(
  { facts }: JudgeContext,
  event: Delivered<"gateway.answered">,
  filesMax: number,
): Change {
  if (!event.ok) return { fault: refusalText(event) };
  const rows = resultRows(event, "files").flatMap(({ name, alias }) =>
    typeof name === "string" && typeof alias === "string" ? [{ name, alias }] : [],
  );
  return {
    ...{ digest: resultText(event, "digest"), unread: rows.slice(0, filesMax) },
    ...{ beyond: Math.max(0, rows.length - filesMax), facts: [...facts, event.at.seq] },
  };
}

/** The next file, or that it could not be read. */
function read(context: JudgeContext, event: Delivered<"gateway.answered">): Change {
  const [file, ...unread] = context.unread;
  if (file === undefined) return {};
  const text = event.ok ? resultText(event, "content") : null;
  return { unread, files: [...context.files, { name: file.name, text }] };
}

function takeJudgement(context: JudgeContext, { text, at }: Delivered<"llm.replied">): Change {
  const { role } = context;
  const { value, fault } = role === "auditor" ? readAudit(text) : readEvaluation(text);
  const facts = [...context.facts, at.seq];
  if (fault !== undefined) return { fault: `no judgement: ${faultText(fault)}`, facts };
  return value.record
    ? { answered: value, facts }
    : { answered: value, facts, fault: `${role}.default made no promotion.record` };
}

function takeRecord(context: JudgeContext, event: Delivered<"gateway.answered">): Change {
  const facts = [...context.facts, event.at.seq];
  return event.ok ? { recorded: true, facts } : { fault: refusalText(event), facts };
}

// What it asks.

const inspectionAsked = ({ judging, facts }: JudgeContext): Letter =>
  gatewayAsked("artifact.inspect", { artifact_id: judging?.artifact ?? "" }, facts);

const fileAsked = ({ unread, facts }: JudgeContext): Letter =>
  gatewayAsked("content.read", { reference: unread[0]?.alias ?? "" }, facts);

function judgementAsked({ role, judging, files, beyond, facts }: JudgeContext): Letter {
  const purpose = role === "auditor" ? "install.audit" : "install.evaluate";
  const { wish = "", goal = "", artifact = "", declared = [] } = judging ?? {};
  const view = { purpose, wish, goal, artifact, declared, files, unread: beyond } as const;
  return modelAsked(view, facts);
}

function recordAsked({ role, judging, answered, digest, facts }: JudgeContext): Letter {
  const params = {
    ...{ artifact_id: judging?.artifact ?? "", role, pass: answered?.pass ?? false },
    findings: (answered?.findings ?? []).map((finding) => ({ ...finding })),
    ...(digest === null ? {} : { artifact_digest: digest }),
  };
  return gatewayAsked("promotion.record", params, facts);
}

// What it says.

function judgementTold(context: JudgeContext): Letter[] {
  const { role, judging, answered, recorded, fault, facts } = context;
  if (judging === null) return [];
  const given: Judged = {
    ...{ role, pass: answered?.pass ?? false, recorded, reason: fault },
    findings: answered?.findings ?? [],
    ...analysesOf(context),
    // What cannot be looked at is no better for being looked at again.
    ...(answered === null && context.digest !== null ? { isOpen: true } : {}),
  };
  const event = { type: "judging.given", wish: judging.wish, ...given } as const;
  return answer(judging.at, event, { because: facts });
}

/** An audit's two analyses: threats, and what the code needs; remote access is the latter, and no threat. */
function analysesOf({ answered, judging }: JudgeContext): Pick<Judged, "security" | "capability"> {
  if (answered === null || !("inferred" in answered)) return { security: null, capability: null };
  const { threats, remoteAccess, inferred } = answered;
  const declared = judging?.declared ?? [];
  const missing = inferred.filter((kind) => !declared.includes(kind));
  return {
    security: {
      ...{ passed: threats.length === 0, threats_detected: threats },
      remote_access_detected: remoteAccess,
    },
    capability: {
      ...{ inferred_capabilities: inferred, missing_capabilities: missing },
      declared_capabilities: CAPABILITY_KINDS.filter((kind) => declared.includes(kind)).sort(),
      analysis_passed: missing.length === 0,
    },
  };
}

const { say, change, askingModel, askingGateway } = workerStates<
  JudgeContext,
  JudgeEvent,
  "telling"
>("telling");

export const judgeMachine = (
  role: Role,
  { installs: { crew } }: { readonly installs: { readonly crew: JudgePolicy } },
) =>
  setup({
    types: chartTypes<JudgeContext, JudgeEvent, object>(),
    guards: {
      hasWork: ({ context }) => context.queue.length > 0,
      isFaulty: ({ context }) => context.fault !== null,
      hasFiles: ({ context }) => context.unread.length > 0,
    },
    actions: {
      refused: assign(({ event }) => refusalOf(event)),
      modelLate: assign(LATE.model),
      gatewayLate: assign(LATE.gateway),
    },
    delays: { modelTimeout: crew.modelTimeoutMs, toolTimeout: crew.toolTimeoutMs },
  }).createMachine({
    id: role,
    context: openingJudge(role),
    initial: "idle",
    on: {
      "judging.wanted": {
        actions: assign(({ context, event }) => ({ queue: [...context.queue, event] })),
      },
      "ask.bounced": { target: ".telling", actions: "refused" },
    },
    states: {
      idle: {
        always: {
          guard: "hasWork",
          target: "inspecting",
          actions: change(({ queue: [judging = null, ...queue] }) => ({
            ...{ ...openingJudge(role), queue, judging },
          })),
        },
      },
      inspecting: askingGateway(inspectionAsked, "inspected", (context, event) =>
        takeFileList(context, event, crew.files),
      ),
      inspected: {
        always: [
          { guard: "isFaulty", target: "telling" },
          { guard: "hasFiles", target: "reading" },
          { target: "judging" },
        ],
      },
      reading: askingGateway(fileAsked, "inspected", read),
      judging: askingModel(judgementAsked, "judged", takeJudgement),
      judged: { always: [{ guard: "isFaulty", target: "telling" }, { target: "recording" }] },
      recording: askingGateway(recordAsked, "telling", takeRecord),
      telling: {
        entry: say(judgementTold),
        exit: change(({ queue }) => ({ ...openingJudge(role), queue })),
        always: "idle",
      },
    },
  });
