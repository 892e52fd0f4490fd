/** What can be asked of a log of agents, and how a chain of causes goes on through what they did. */

import type { Past, Questions, Trail } from "../../contract/part.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../substrate/isEvent.ts";
import { finderIn, type Log, ofTypes } from "../../substrate/log.ts";
import { feltBy, isEndOfGoal } from "./book/agentsBook.ts";
import { callPasts, isWrong } from "./callPast.ts";
import { otherwise } from "./otherwise.ts";

const isFailedGoal = (delivery: Delivery): boolean =>
  isEndOfGoal(delivery) && delivery.event.status === "abandoned";
const isOnset = (delivery: Delivery): delivery is DeliveryOf<"stressor.changed"> =>
  isEvent(delivery, "stressor.changed") &&
  feltBy(delivery) !== undefined &&
  delivery.event.sinceMs !== null;

/** Of what kinds a delivery is that answers a question. */
const ASKED = ["goal.ended", "stressor.changed"] as const;

function questionOf(delivery: Delivery): string | undefined {
  if (isEndOfGoal(delivery)) return `goal:${delivery.event.agent}/${delivery.event.n}`;
  if (isOnset(delivery)) return `stressor:${feltBy(delivery)}/${delivery.event.stressor}`;
  return undefined;
}

/** A call by the number of any delivery: what came of it, if anything did. */
function callFound(deliveries: Log, seq: string): Delivery | undefined {
  const called = /^\d+$/.test(seq) ? finderIn(deliveries)(Number(seq)) : undefined;
  if (called === undefined) return undefined;
  const isEnd = ({ re }: Delivery): boolean => re === called.seq;
  return firstOf(ofTypes(deliveries, "call.finished"), isEnd) ?? called;
}

function firstOf(
  deliveries: Iterable<Delivery>,
  is: (delivery: Delivery) => boolean,
): Delivery | undefined {
  for (const one of deliveries) if (is(one)) return one;
  return undefined;
}

export const questions: Questions = {
  forms: ["goal:AGENT/N", "stressor:AGENT/TYPE", "call:SEQ"],
  none: ["no goal failed", "no stressor came up"],
  of: questionOf,
  find: (deliveries, question) =>
    question.startsWith("call:")
      ? callFound(deliveries, question.slice("call:".length))
      : firstOf(ofTypes(deliveries, ...ASKED), (one) => questionOf(one) === question),
  /** Every abandoned goal, and every stressor that came up. */
  all: (deliveries) => {
    const known: string[] = [];
    for (const one of ofTypes(deliveries, ...ASKED)) {
      const question = isFailedGoal(one) || isOnset(one) ? questionOf(one) : undefined;
      if (question !== undefined) known.push(question);
    }
    return known;
  },
  failures: (deliveries) => [...ofTypes(deliveries, "goal.ended")].filter(isFailedGoal),
  failuresAre: "goals.abandoned",
  trouble: () => undefined,
  // It comes of something else.
  symptom: (deliveries) => firstOf(ofTypes(deliveries, "stressor.changed"), isOnset),
};

/** What an agent hears of the outside. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(["host.message", "outside.signal"]);

/** What its calls came to, which their own words cannot know. */
export const hindsight = (deliveries: Log): Past<string> => callPasts(deliveries).says;

export const trail: Trail = {
  rests: (deliveries) => callPasts(deliveries).rests,
  wrong: isWrong,
  telling: [
    // Only a refusal explains a call.
    "permission.answered",
    // It leads on into the other part, or back to the routing.
    "capability.answered",
    "call.routed",
    "call.finished",
    "goal.ended",
    "host.message",
    "outside.signal",
    "llm.replied",
    "call.requested",
  ],
  // What a model chose of its own accord has no earlier cause than the model.
  behind: ({ event }, facts) =>
    event.type === "llm.asked" && event.purpose === "goal.choose"
      ? facts.filter((fact) => FROM_OUTSIDE.has(fact.event.type)).slice(-1)
      : undefined,
  otherwise,
};
