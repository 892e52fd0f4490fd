/** The goal that begins with an event; undefined for any other event. */
import type { GoalInput } from "../../machines/agents/goal/goalContext.ts";
import type { Carried } from "../../machines/letter.ts";

export const goalBegun = (event: Carried): GoalInput | undefined =>
  event.type === "actor.start" && event.machine === "goal"
    ? (event.input as GoalInput) // By its machine.
    : undefined;
