/** What an actor was started with, as the log tells it. */
import type { AgentInput } from "../machines/agents/agent/context.ts";
import type { GoalInput } from "../machines/agents/goal/goal.ts";
import type { Carried } from "../machines/letter.ts";
import type { PoolInput } from "../machines/synt/pool.ts";
import type { RequestInput } from "../machines/synt/requestEvents.ts";
import type { DeskInput } from "../machines/synt/syntDesk.ts";

/** By the name of the cast. */
interface Inputs {
  agent: AgentInput;
  goal: GoalInput;
  pool: PoolInput;
  syntDesk: DeskInput;
  synthesisRequest: RequestInput;
}

/** The input of the machine of this name that starts with this event; undefined for any other. */
export const startOf = <M extends keyof Inputs>(
  event: Carried,
  machine: M,
): Inputs[M] | undefined =>
  event.type === "actor.start" && event.machine === machine
    ? // The kernel carries any input; which one it is follows from the name.
      (event.input as Inputs[M])
    : undefined;
