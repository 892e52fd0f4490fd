/** How the scripted model judges an action against opinions, and a message for a threat. */
import type { Thinker } from "./repertoire.ts";

/** Contradicted is an opinion the agent holds and for which an action has one of the words. */
export const judgeIdentity: Thinker = (view, { judges }) => {
  const actions = view["actions"] as readonly string[];
  const opinions = view["opinions"] as readonly string[];
  const words = judges?.identity ?? [];
  const contradicted = opinions.find((held) =>
    words.some(({ opinion, against }) => held.includes(opinion) && hasWord(actions, against)),
  );
  const choice = contradicted === undefined ? "identity:kept" : "identity:contradicted";
  return { answer: { contradicts: contradicted ?? null }, choice };
};

/** A threat is a message with one of the words. */
export const judgeThreat: Thinker = (view, { judges }) => {
  const threat = hasWord([view["message"] as string], judges?.threat ?? []);
  return { answer: { threat }, choice: threat ? "threat:yes" : "threat:no" };
};

const hasWord = (texts: readonly string[], words: readonly string[]): boolean =>
  texts.some((text) => words.some((word) => text.toLowerCase().includes(word.toLowerCase())));
