/** What can be asked of a log of skills. */
import type { Delivery } from "../../substrate/envelope.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";
import type { Questions } from "../part.ts";

/** What may be wrong with a skill, or right, the last word on it first. */
const TOLD = ["skill.refused", "skill.left", "skill.counted", "skill.registered"] as const;
const FORM = "skill:";

function nameIn({ event, to }: Delivery): string | undefined {
  if (event.type === "skill.registered") return to.split(/[/#]/)[1];
  if (event.type === "skill.refused" || event.type === "skill.left") return event.skill;
  return event.type === "skill.counted" ? event.skill : undefined;
}

/** An end, or the failure that degrades; success explains nothing. */
const isTrouble = ({ event }: Delivery): boolean =>
  event.type === "skill.refused" ||
  (event.type === "skill.left" && event.how !== "replaced") ||
  (event.type === "skill.counted" && event.status === "degraded");

const questionOf = (delivery: Delivery): string | undefined => {
  const name = nameIn(delivery);
  return name === undefined || name === "" ? undefined : `${FORM}${name}`;
};

function found(deliveries: Log, question: string): Delivery | undefined {
  let last: Delivery | undefined;
  for (const one of ofTypes(deliveries, ...TOLD)) {
    if (questionOf(one) !== question) continue;
    if (last === undefined || isTrouble(one) || !isTrouble(last)) last = one;
  }
  return last;
}

export const skillQuestions: Questions = {
  forms: ["skill:NAME"],
  none: ["no skill was refused, degraded or retired"],
  of: (delivery) => (isTrouble(delivery) ? questionOf(delivery) : undefined),
  find: found,
  all: (deliveries) => {
    const known = new Set<string>();
    for (const one of ofTypes(deliveries, ...TOLD)) {
      const question = questionOf(one);
      if (question !== undefined && isTrouble(one)) known.add(question);
    }
    return [...known];
  },
  trouble: (deliveries) => {
    for (const one of ofTypes(deliveries, ...TOLD)) if (isTrouble(one)) return one;
    return undefined;
  },
};
