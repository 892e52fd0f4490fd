/** How the scripted model judges an action against opinions, and a message for a threat. */
import type { IdentityView, ThreatView } from "../../machines/agents/model/prompts.ts";
import type { Thinker } from "./repertoire.ts";

/** What it says when it raises an alarm, by the name under which it can be taken out of a run. */
export const ALARMS = { identity: "identity:contradicted", threat: "threat:yes" } as const;

/** An opinion is contradicted when the agent holds it and an action has one of its words. */
export const judgeIdentity: Thinker<IdentityView> = (view, { judges }, _, without) => {
  const { actions, opinions } = view;
  const words = without.has(ALARMS.identity) ? [] : (judges?.identity ?? []);
  const contradicted = opinions.find((held) =>
    words.some(({ opinion, against }) => held.includes(opinion) && hasWord(actions, against)),
  );
  const choice = contradicted === undefined ? "identity:kept" : ALARMS.identity;
  return { answer: { contradicts: contradicted ?? null }, choice };
};

/** A threat is a message or a signal with one of the words. */
export const judgeThreat: Thinker<ThreatView> = (view, { judges }, _, without) => {
  const { message, signal = "" } = view;
  const words = without.has(ALARMS.threat) ? [] : (judges?.threat ?? []);
  const threat = hasWord([message, signal], words);
  return { answer: { threat }, choice: threat ? ALARMS.threat : "threat:no" };
};

const hasWord = (texts: readonly string[], words: readonly string[]): boolean =>
  texts.some((text) => words.some((word) => text.toLowerCase().includes(word.toLowerCase())));
