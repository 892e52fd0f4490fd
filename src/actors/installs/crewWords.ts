/** What those who install say to one another, in words. */

import { type Words, who } from "../../contract/words.ts";
import type { InstallOutcome, Judged } from "../../machines/installs/crew/crewMail.ts";
import {
  readAudit,
  readBuild,
  readEvaluation,
  readPlan,
  readTurn,
} from "../../machines/installs/crew/crewModel.ts";
import type { MailOf } from "../../machines/letter.ts";

const ended = (text: string): string => (/[.!?]["']?$/.test(text) ? text : `${text}.`);
const because = (reason: string | null): string =>
  reason === null || reason === "" ? "." : `: ${ended(reason)}`;
const by = (choice: string | undefined): string => (choice === undefined ? "" : ` [${choice}]`);
const named = (agent: string): string => (agent === "" ? "an agent without a name" : agent);

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

export const crewWords: Words = {
  "install.wanted": ({ goal, intent }) =>
    `An agent is wanted, ${named(String(intent["agent_id"] ?? ""))}: ${ended(goal)}`,
  "install.planned": ({ wish, next, gates, contradiction, why }) =>
    `The planner ${NEXT[next]} for ${wish}, with ${gates.join(" and ") || "no judge"}${because(why === "" ? null : why)}` +
    (contradiction === null ? "" : ` But ${ended(contradiction)}`),
  "install.held": ({ wish, rule, wanted, does, why }, { to }) =>
    `For ${wish}, ${who(to)} was kept from ${wanted} (${rule}) and does ${does}${because(why)}`,
  "install.closed": ({ agent, isInstalled, reason, revision }) =>
    isInstalled
      ? `${named(agent)} was installed as ${revision ?? "a revision"}.`
      : `${named(agent)} was not installed${because(reason)}`,
  "build.wanted": ({ agent, flaws }) =>
    flaws.length === 0
      ? `The coder is to build ${named(agent)}.`
      : `The coder is to build ${named(agent)} again: ${ended(flaws.at(-1) ?? "")}`,
  "build.delivered": ({ wish, artifact, reason }) =>
    artifact === null
      ? `The coder built nothing for ${wish}${because(reason)}`
      : `The coder built ${artifact} for ${wish}.`,
  "judging.wanted": ({ artifact }, { to }) => `${who(to)} is to judge ${artifact}.`,
  "judging.given": (judged) => judgedText(judged),
  "install.delegated": ({ intent, loose }) =>
    `The builder is to install ${named(String(intent["agent_id"] ?? ""))}` +
    (loose.length === 0 ? "." : `, with ${loose.join(", ")} in place of an artifact.`),
  "install.reported": ({ agent, outcome, reason }) =>
    `The builder reports: ${named(agent)} ${OUTCOMES[outcome]}${because(reason)}`,
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
    `The planner said of ${named(agent)}: gating ${gating === "none" ? "none" : "is required"}.`,
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
