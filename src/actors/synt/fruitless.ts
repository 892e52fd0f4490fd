/** Whether anything came of what was done around a pool: users want turns answered, requests want to be granted. */

import { countOf } from "../../contract/countOf.ts";
import { answerReasons, type Done, type Fruitless, noneOf, top } from "../../contract/fruitless.ts";
import type { ProposalState } from "../../machines/synt/contract.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";
import { endName, type RequestStory } from "./requestStory.ts";
import { book } from "./story.ts";

export const GRANTED: readonly ProposalState[] = [
  "delivered",
  "born",
  "fused",
  "generalised",
  "specialised",
];

export function fruitless({ deliveries, use, soFar }: Done): readonly Fruitless[] {
  if (!hasPool(deliveries)) return [];
  const facts = book.start({});
  for (const delivery of deliveries) book.step(facts, delivery, []);
  const { turns, requests, isThere } = facts.told.synt;
  const reasons = [...(isThere && use.usable === 0 ? answerReasons(use) : []), ...ends(requests)];
  const found: Fruitless[] = [];
  if (turns.length > 0 && !turns.some(({ ok }) => ok)) {
    const open = turns.filter(({ endMs }) => endMs === null).length;
    const still = open === 0 ? [] : [`${countOf(open, "turn")} had no end when the run did.`];
    const what = `Nothing came of what the user wanted${soFar}: ${noneOf(turns.length, "turn", "answered")}.`;
    found.push({ what, reasons: [...reasons, ...still] });
  }
  if (requests.length > 0 && !requests.some((one) => GRANTED.includes(stateOf(one)))) {
    const what = `Nothing came of what synt was asked${soFar}: ${noneOf(requests.length, "request", "granted")}.`;
    found.push({ what, reasons: found.length > 0 ? [] : reasons });
  }
  return found;
}

/** In a world without one nothing is asked of synt, and no turn is taken. */
function hasPool(deliveries: Log): boolean {
  for (const { event } of ofTypes(deliveries, "actor.start")) {
    if (event.machine === "pool") return true;
  }
  return false;
}

const ends = (requests: readonly RequestStory[]): string[] =>
  top(requests.map((one) => `${endName(stateOf(one))}: ${one.rationale}`)).map(
    ([reason, count]) =>
      `${countOf(count, "request")}, ${reason}${/[.!?]$/.test(reason) ? "" : "."}`,
  );

const stateOf = ({ states }: RequestStory): ProposalState => states.at(-1)?.state ?? "composing";
