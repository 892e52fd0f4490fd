/**
 * A crisis that lasts: with the policy on, all stressors of the agent end and its peers are told.
 * Source: hollow-agentOS, existence loop, where this code exists and never runs.
 */
import type { Letter, MailOf } from "../../letter.ts";
import { type AgentRecord, noRun, type StressorAddress } from "./agentRecord.ts";
import type { SufferingPolicy } from "./observations.ts";
import { share } from "./stressorRules.ts";

export function crisisLetters(
  agent: string,
  record: AgentRecord,
  stressors: readonly StressorAddress[],
  policy: SufferingPolicy,
): { readonly record: AgentRecord; readonly letters: readonly Letter[] } {
  const { crisisReset, crisisCycles } = policy.stressors;
  const { count, facts: because } = record.crisis;
  if (crisisReset === "off" || count < crisisCycles) return { record, letters: [] };
  const active = record.suffering.map(({ type }) => type);
  const own = stressors.filter((one) => one.agent === agent);
  const ended = own.filter(({ type }) => active.includes(type)).map(({ address }) => address);
  const self = own.slice(0, 1).map(({ agentAddress }) => agentAddress);
  const others = stressors.filter((one) => one.agent !== agent);
  const peers = new Set(others.map(({ agentAddress }) => agentAddress));
  const text =
    `${agent} is in crisis: its load was ${share(policy.locks.crisis)} or more ` +
    `for ${count} cycles in a row.`;
  const reset: MailOf<"crisis.reset"> = { type: "crisis.reset", agent };
  const message: MailOf<"peer.message"> = { type: "peer.message", from: agent, text };
  return {
    record: { ...record, crisis: noRun },
    letters: [
      ...[...ended, ...self].map((to): Letter => ({ to, event: reset, because })),
      ...[...peers].map((to): Letter => ({ to, event: message, because })),
    ],
  };
}
