/** What can be asked of a log of skills and lessons, and how a chain of causes goes on through them. */
import type { LessonChange } from "../../machines/skills/playbookMail.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";
import type { Questions, Trail } from "../part.ts";

/** That it came, or went, or found no room; what is learnt once more, or is of use, stays. */
const TURNS: readonly LessonChange[] = ["written", "blocked", "dropped"];

/** `lesson:lesson-3` asks for the last that became of it. */
function questionOf({ event, fate }: Delivery): string | undefined {
  return event.type === "playbook.changed" && fate === "handled" && TURNS.includes(event.how)
    ? `lesson:${event.lesson}`
    : undefined;
}

const ASKED = ["playbook.changed"] as const;

function all(deliveries: Log): string[] {
  const known = new Set<string>();
  for (const one of ofTypes(deliveries, ...ASKED)) {
    const question = questionOf(one);
    if (question !== undefined) known.add(question);
  }
  return [...known];
}

function find(deliveries: Log, question: string): Delivery | undefined {
  let last: Delivery | undefined;
  for (const one of ofTypes(deliveries, ...ASKED)) if (questionOf(one) === question) last = one;
  return last;
}

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

export const trail: Trail = {
  telling: ["playbook.changed", "dream.ended", "skill.refused", "skill.counted"],
  // What a model sets itself of its own accord has no earlier cause than the model.
  behind: ({ event }) =>
    event.type === "llm.asked" && event.purpose === "skill.challenge" ? [] : undefined,
  nobody: ["dream:nothing"],
};
