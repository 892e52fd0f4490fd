/** What happens where agents are installed, in words. */

import { countOf } from "../../contract/countOf.ts";
import { type Words, who } from "../../contract/words.ts";
import type { InstallOutcome, Judged } from "../../machines/installs/crew/crewMail.ts";
import {
  readAudit,
  readBuild,
  readEvaluation,
  readPlan,
  readTurn,
} from "../../machines/installs/crew/crewModel.ts";
import { reasonsText } from "../../machines/installs/fault.ts";
import type { MailOf } from "../../machines/letter.ts";

/** A text with the point that ends a sentence. */
export const ended = (text: string): string => (/[.!?]["']?$/.test(text) ? text : `${text}.`);
const because = (reason: string | null): string =>
  reason === null || reason === "" ? "." : `: ${ended(reason)}`;

const whoever = (by: string): string => (by === "person" ? "The person" : by);
const GATEWAY = "gateway";
/** Ours: what a sentence can name. */
const PATHS_MAX = 5;

export const gatewayWords: Words = {
  "gateway.restarted": () =>
    "The gateway was restarted: what it had begun and not written is lost.",
  "gateway.found": ({ revision, half, did, why }) =>
    `The gateway found ${revision} with its ${half} half done, and ${did} it${because(why)}`,
  "gateway.foreign": ({ paths }) =>
    `The gateway found in its folder what it never wrote: ${paths.slice(0, PATHS_MAX).join(", ")}${paths.length > PATHS_MAX ? ` and ${paths.length - PATHS_MAX} more` : ""}.`,
  "gateway.damaged": ({ fault }) => `The gateway's books do not count: ${ended(fault)}`,
  "install.refused": ({ tool, by, agent, reasons }) =>
    `The gateway refused ${by}'s call of ${tool}${agent === undefined ? "" : ` for ${agent}`}${because(reasonsText(reasons))}`,
  "artifact.built": ({ artifact, by, files, isReused }) =>
    isReused
      ? `${artifact} was there already when ${by} built it.`
      : `${by} built ${artifact} of ${files.join(", ")}.`,
  "promotion.recorded": ({ artifact, role, pass, by, findings }) =>
    `${by} recorded as ${role} that ${artifact} ${pass ? "passes" : "does not pass"}` +
    because(findings.map(({ description }) => description).join("; ")),
  "revision.created": ({ revision, agent, gates, notes }) =>
    `${revision} of ${agent} was created, ${gates.length === 0 ? "without a gate" : `for ${gates.join(" and ")} to judge`}${because(notes.join("; "))}`,
  "revision.gated": ({ revision, gates }) => `${revision} waits for ${gates.join(" and ")}.`,
  "revision.approved": ({ revision }) => `${revision} may be promoted.`,
  "revision.activated": ({ revision, agent, before }) =>
    `${revision} of ${agent} is active${before === null ? "" : ` in place of ${before}`}.`,
  "revision.superseded": ({ revision, after }) => `${after} took the place of ${revision}.`,
  "revision.rolledBack": ({ revision, agent, after, reason }) =>
    `${agent} was rolled back from ${revision} to ${after ?? "nothing"}${because(reason)}`,
  "revision.rejected": ({ revision, reason }) =>
    `${revision} was rejected for good${because(reason)}`,
  "revision.recalled": () => null,
  "revision.standing": () => null,
  "gate.judged": ({ revision, missing }) =>
    missing.length === 0
      ? `The gate of ${revision} is open.`
      : `The gate of ${revision} is shut: ${missing.join(" and ")} must record.`,
  "gate.opened": () => null,
  "gate.shut": () => null,
  "gate.refused": ({ revision, by, reason }) =>
    `${by} wanted ${revision} promoted while its gate was shut: ${ended(reason)}`,
  "approval.requested": ({ approval, agent, factors }, { to }) =>
    to === GATEWAY
      ? `A person is asked about ${agent} (${approval}): ${factors.join(", ") || "no risk"}.`
      : null,
  "approval.ruled": ({ of, isApproved, by, reason }, { to }) =>
    to === GATEWAY
      ? `${whoever(by)} ${isApproved ? "approves of" : "rejects"} ${of}${because(reason)}`
      : null,
  "approval.decided": ({ approval, agent, isApproved, by }, { to }) =>
    to === GATEWAY
      ? `${whoever(by)} ${isApproved ? "approved" : "rejected"} the install of ${agent} (${approval}).`
      : null,
  "approval.expired": ({ approval, agent }, { to }) =>
    to === GATEWAY ? `Nobody decided on the install of ${agent} in time (${approval}).` : null,
  "approval.used": ({ approval, revision }) =>
    `${approval} let ${revision} through, and is used up.`,
  "approval.recalled": () => null,
};

const by = (choice: string | undefined): string => (choice === undefined ? "" : ` [${choice}]`);
const agentText = (agent: string): string => (agent === "" ? "an agent without a name" : agent);

const NEXT: { readonly [next in MailOf<"install.planned">["next"]]: string } = {
  build: "has it built",
  evaluate: "has it evaluated",
  audit: "has it audited",
  install: "has it installed",
  stop: "stops",
};

const OUTCOMES: { readonly [outcome in InstallOutcome]: string } = {
  installed: "is installed",
  waiting: "waits for a person",
  malformed: "cannot be installed as it is",
  refused: "was refused",
  gated: "stands before a gate that is shut",
  unapproved: "was not approved",
  returned: "was given back",
  broken: "broke off",
};

/** Who of them a model answers. */
const CREW = /^(?:planner|coder|evaluator|auditor|specialized_builder)\.default$/;

const crewWords: Words = {
  "install.wanted": ({ goal, intent }) =>
    `An agent is wanted, ${agentText(String(intent["agent_id"] ?? ""))}: ${ended(goal)}`,
  "install.planned": ({ wish, next, gates, contradiction, why }) =>
    `The planner ${NEXT[next]} for ${wish}, with ${gates.join(" and ") || "no judge"}${because(why === "" ? null : why)}` +
    (contradiction === null ? "" : ` But ${ended(contradiction)}`),
  "install.held": ({ wish, rule, wanted, does, why }, { to }) =>
    `For ${wish}, ${who(to)} was kept from ${wanted} (${rule}) and does ${does}${because(why)}`,
  "install.closed": ({ agent, isInstalled, reason, revision }) =>
    isInstalled
      ? `${agentText(agent)} was installed as ${revision ?? "a revision"}.`
      : `${agentText(agent)} was not installed${because(reason)}`,
  "build.wanted": ({ agent, flaws }) =>
    flaws.length === 0
      ? `The coder is to build ${agentText(agent)}.`
      : `The coder is to build ${agentText(agent)} again: ${ended(flaws.at(-1) ?? "")}`,
  "build.delivered": ({ wish, artifact, reason }) =>
    artifact === null
      ? `The coder built nothing for ${wish}${because(reason)}`
      : `The coder built ${artifact} for ${wish}.`,
  "judging.wanted": ({ artifact }, { to }) => `${who(to)} is to judge ${artifact}.`,
  "judging.given": (judged) => judgedText(judged),
  "install.delegated": ({ intent, loose }) =>
    `The builder is to install ${agentText(String(intent["agent_id"] ?? ""))}` +
    (loose.length === 0 ? "." : `, with ${loose.join(", ")} in place of an artifact.`),
  "install.reported": ({ agent, outcome, reason }) =>
    `The builder reports: ${agentText(agent)} ${OUTCOMES[outcome]}${because(reason)}`,
  "rollback.wanted": ({ agent, to, reason }) =>
    `The builder is to roll ${agent} back to ${to ?? "the revision before"}: ${ended(reason)}`,
  "turn.interrupted": () => "The builder's turn broke off; it wakes up.",
  "gateway.asked": ({ tool }, { from }) => `${who(from)} called ${tool}.`,
  "gateway.answered": ({ ok, error, approvalRequired }, { to }) =>
    approvalRequired === undefined
      ? ok
        ? null
        : `The gateway refused ${who(to)}${because(error?.message ?? null)}`
      : `The gateway asks a person before ${who(to)} may go on (${approvalRequired}).`,
  "gating.said": ({ agent, gating }) =>
    `The planner said of ${agentText(agent)}: gating ${gating === "none" ? "none" : "is required"}.`,
  "workflow.told": () => null,
  "llm.replied": ({ text }, { to }, choice) =>
    CREW.test(to) ? `The model ${answerText(to, text)}${by(choice)}.` : null,
  "llm.failed": ({ error }, { to }) =>
    CREW.test(to) ? `The model gave ${who(to)} no answer: ${ended(error)}` : null,
};

function judgedText({ role, pass, recorded, reason, findings }: Judged): string {
  const flaws = findings.map(({ description }) => description).join("; ");
  if (reason !== null && !recorded) return `The ${role} has no record: ${ended(reason)}`;
  return `The ${role} ${pass ? "passed it" : "did not pass it"}${because(flaws === "" ? null : flaws)}`;
}

function answerText(to: string, text: string): string {
  switch (to) {
    case "planner.default": {
      const { value } = readPlan(text);
      return value === undefined ? "gave the planner no plan" : `told the planner to ${value.next}`;
    }
    case "specialized_builder.default": {
      const { value } = readTurn(text);
      return value === undefined
        ? "gave the builder no call"
        : `wanted the builder to call ${value.tool}`;
    }
    case "coder.default": {
      const { value } = readBuild(text);
      return value === undefined
        ? "wrote the coder no files"
        : `wrote the coder ${Object.keys(value.files).join(", ")}`;
    }
    default: {
      const { value } = to === "auditor.default" ? readAudit(text) : readEvaluation(text);
      const word =
        value === undefined
          ? "gave no judgement to"
          : value.pass
            ? "passed it for"
            : "failed it for";
      return `${word} ${who(to)}`;
    }
  }
}

const wardenWords: Words = {
  "active.changed": ({ agent, revision, how }) =>
    revision === null
      ? `${agent} is to live no more: none of its revisions is active.`
      : `${agent} is to live by ${revision.id}, ${how === "rolledBack" ? "after a rollback" : "which is active now"}.`,
  "installed.born": ({ agent, revision, fault }) =>
    fault === null
      ? `${agent} lives by ${revision}.`
      : `${agent} was not born by ${revision}: ${fault}.`,
  "installed.ended": ({ agent, revision }) => `${agent} no longer lives by ${revision}.`,
  "installed.spawned": ({ agent, child }) => `${agent} had ${child} born, under its own reach.`,
  "spawned.living": () => null,
  "reach.refused": ({ agent, call, why }) => `${agent} may not call ${call}: ${why}.`,
  "reach.breached": ({ agent, call, path, why }) =>
    `${agent} wrote ${path} through ${call}, beyond its reach: ${why}.`,
  "tools.withdrawn": ({ agent, revision, paths }) =>
    `With ${revision} of ${agent}, ${countOf(paths.length, "file")} of its tools went to the archive: ${paths.join(", ")}.`,
};

export const words: Words = { ...gatewayWords, ...crewWords, ...wardenWords };
