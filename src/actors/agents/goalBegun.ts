/** What a goal was started with, as the log tells it. */
import type { GoalInput } from "../../machines/agents/goal/goal.ts";
import type { Carried } from "../../machines/letter.ts";

/** The goal that this event starts; undefined for any other event. */
export const goalBegun = (event: Carried): GoalInput | undefined =>
  event.type === "actor.start" && event.machine === "goal"
    ? // The kernel carries any input; which one it is follows from the name.
      (event.input as GoalInput)
    : undefined;
