/** What can be asked of a log of skills. */

import type { Questions } from "../../contract/part.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";
import { skillPasts } from "./skillPast.ts";

const TOLD = ["skill.refused", "skill.left", "skill.counted", "skill.wrapped"] as const;
const FORM = "skill:";

/** An end, or the failure that degrades; success explains nothing. */
const isTrouble = ({ event, fate }: Delivery): boolean =>
  fate === "handled" &&
  (event.type === "skill.refused" ||
    event.type === "skill.wrapped" ||
    (event.type === "skill.left" && event.how !== "replaced") ||
    (event.type === "skill.counted" && event.status === "degraded"));

function troubles(deliveries: Log): Delivery[] {
  const found: Delivery[] = [];
  for (const one of ofTypes(deliveries, ...TOLD)) if (isTrouble(one)) found.push(one);
  return found;
}

export const skillQuestions: Questions = {
  forms: ["skill:NAME"],
  none: ["no skill was refused, wrapped, degraded or retired"],
  // What went wrong first need not be what its skill is asked about: a later try may have made it.
  of: () => undefined,
  /** What went wrong with it last, else how it came to be. */
  find: (deliveries, question) => skillPasts(deliveries).answers.get(question.slice(FORM.length)),
  all: (deliveries) => [...skillPasts(deliveries).answers.keys()].map((name) => `${FORM}${name}`),
  trouble: (deliveries) => troubles(deliveries)[0],
};
