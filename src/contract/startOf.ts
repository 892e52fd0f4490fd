/** What an actor was started with, as the log tells it. */
import type { Carried } from "../machines/letter.ts";

/** The inputs of machines, by the name of the cast. Each part adds its own by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface Inputs {}

/** The input of the machine of this name that starts with this event; undefined for any other. */
export const startOf = <M extends keyof Inputs>(
  event: Carried,
  machine: M,
): Inputs[M] | undefined =>
  event.type === "actor.start" && event.machine === machine
    ? // The kernel carries any input; which one it is follows from the name.
      (event.input as Inputs[M])
    : undefined;
