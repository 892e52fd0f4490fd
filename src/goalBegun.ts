/** The goal that an actor is started for, from its birth in the log. */
import type { GoalInput } from "./machines/agents/goal/goal.ts";
import type { MailOf } from "./machines/letter.ts";

/** What a goal is started with; undefined for any other actor. */
export const goalBegun = ({ machine, input }: MailOf<"actor.start">): GoalInput | undefined =>
  // To the kernel an input is any object; the cast gives a goal this one.
  machine === "goal" ? (input as GoalInput) : undefined;
