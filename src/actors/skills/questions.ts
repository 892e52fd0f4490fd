/** What can be asked of a log of skills and lessons, and how a chain of causes goes on through them. */

import type { Questions, Trail } from "../../contract/part.ts";
import type { LessonChange } from "../../machines/skills/playbookKeeper.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";
import { lessonPasts } from "./lessonPast.ts";
import { skillPasts } from "./skillPast.ts";

const FORM = "lesson:";

/** That it came, or went, or found no room; what is learnt once more, or is of use, stays. */
const TURNS: readonly LessonChange[] = ["written", "blocked", "dropped"];

/** `lesson:lesson-3` asks for the last that became of it; of one that only lasted, for its use. */
function questionOf({ event, fate }: Delivery): string | undefined {
  return event.type === "playbook.changed" && fate === "handled" && TURNS.includes(event.how)
    ? `${FORM}${event.lesson}`
    : undefined;
}

const all = (deliveries: Log): string[] =>
  [...lessonPasts(deliveries).answers.keys()].map((name) => `${FORM}${name}`);

const find = (deliveries: Log, question: string): Delivery | undefined =>
  lessonPasts(deliveries).answers.get(question.slice(FORM.length));

/** A lesson that had to go. */
function trouble(deliveries: Log): Delivery | undefined {
  for (const one of ofTypes(deliveries, "playbook.changed")) {
    if (one.event.cause !== null) return one;
  }
  return undefined;
}

export const questions: Questions = {
  forms: ["lesson:ID"],
  none: ["no lesson came or went"],
  of: questionOf,
  find,
  all,
  trouble,
};

/** What skills and lessons came to, which their own words cannot know. */
export const hindsight = (deliveries: Log): ReadonlyMap<number, string> =>
  new Map([...skillPasts(deliveries).says, ...lessonPasts(deliveries).says]);

const isWrong = ({ event }: Delivery): boolean | undefined => {
  switch (event.type) {
    case "skill.refused":
    case "skill.wrapped":
      return true;
    case "skill.counted":
      return event.outcome !== "success";
    case "skill.left":
      return event.how !== "replaced";
    case "macro.ended":
      return !event.ok;
    default:
      return undefined;
  }
};

export const trail: Trail = {
  rests: (deliveries) => skillPasts(deliveries).rests,
  wrong: isWrong,
  telling: ["playbook.changed", "dream.ended", "skill.refused", "skill.counted"],
  // What a model sets itself of its own accord has no earlier cause than the model.
  behind: ({ event }) =>
    event.type === "llm.asked" && event.purpose === "skill.challenge" ? [] : undefined,
  nobody: ["dream:nothing"],
  otherwise: ({ event }) =>
    event.type === "skill.registering"
      ? { id: `registration:${event.skill}`, event: null }
      : undefined,
};
