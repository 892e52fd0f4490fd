/** How it went for the agents of a run, in figures. */

import type { Counted, Figures } from "../../contract/figures.ts";
import { minutes } from "../../machines/units.ts";

declare module "../../contract/figures.ts" {
  interface Figures {
    readonly goalsCompleted: number;
    readonly goalsFailed: number;
    readonly callsLost: number;
    readonly ghostCalls: number;
    /** Virtual minutes from the ghost's registration to the last call routed to it; null without one. */
    readonly minutesUntilFree: number | null;
  }
}

export function figures(_: object, { story, last }: Counted): Partial<Figures> {
  const held = story.ghosts.map(({ fromMs, lastCallMs }) => (lastCallMs ?? fromMs) - fromMs);
  return {
    goalsCompleted: last("goals.completed"),
    goalsFailed: last("goals.abandoned"),
    callsLost: last("calls.lost"),
    ghostCalls: last("ghost.calls"),
    minutesUntilFree: held.length === 0 ? null : Math.max(...held) / minutes(1),
  };
}
