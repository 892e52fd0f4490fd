/** What agents do with their time. Source: seed 004, "Goals"; ruling U8; SPEC AG8, AG10. */

import type { Policy } from "../../../contract/policy.ts";
import { worldPromises } from "../../../contract/promises.ts";
import { startOf } from "../../../contract/startOf.ts";
import type { Carried } from "../../../machines/letter.ts";
import { MILLION } from "../../../machines/units.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";
import type { AgentsSeen } from "./seen.ts";

/** What is known of an agent since it last took a goal, and in its cycle. */
interface Kept {
  /** Cycles in a row that brought nothing, and said nothing of why. */
  silent: number;
  /** Cycles since it took a goal, or since something was named that keeps it. */
  held: number;
  isFallback: boolean;
  /** Something happened in this cycle: a step, a goal begun or ended, a fault with a name. */
  stirred: boolean;
}

const fresh = (): Kept => ({ silent: 0, held: 0, isFallback: false, stirred: false });

/** What an agent does, or what is told of it, before its cycle ends. */
function stir(agents: Map<string, Kept>, { event, to }: SeenDelivery): void {
  // A restart forgets what was counted.
  const born = startOf(event, "agent");
  if (born !== undefined) return void agents.set(born.name, fresh());
  const goal = startOf(event, "goal");
  const told = "agent" in event ? event.agent : undefined;
  const name = goal?.agent ?? told ?? agentIn(to);
  if (name === undefined) return;
  const kept = agents.get(name) ?? fresh();
  agents.set(name, kept);
  if (goal !== undefined) {
    kept.stirred = true;
    kept.isFallback = goal.fallback !== undefined;
    // A goal that a restart resumes was taken before.
    if (goal.resumed === undefined) kept.held = 0;
  }
  if (event.type === "call.requested" || event.type === "goal.ended") kept.stirred = true;
  if (agentIn(to) !== undefined && isFault(event)) kept.stirred = true;
}

const agentIn = (address: string): string | undefined => /^agent\/([^/#]+)/.exec(address)?.[1];

/** The model failed, or an answer did not come in time. */
const isFault = ({ type }: Carried): boolean => type === "llm.failed" || /Timeout/.test(type);

/** Stagnation has two names: nothing was achieved, or nothing was even tried. */
const names = (seen: AgentsSeen, agent: string): boolean =>
  seen.sufferings(agent).some(({ type }) => type === "stagnation" || type === "purposelessness");

/**
 * The most cycles that a goal can last: each successful step may come after as many failed ones as
 * there may be in a row, and each step after as many empty plans. Infinite where a step need not
 * bring a goal on.
 */
function longestGoal({ planner, progress, gate }: Policy): number {
  const { outputStep, otherStep, damping, repeatStep, ceilingBeforeOutput } = progress;
  const least = Math.min(outputStep, otherStep, ...(damping ? [repeatStep] : []));
  if (least === 0 || ceilingBeforeOutput < MILLION) return Number.POSITIVE_INFINITY;
  const afterMiss = Math.ceil((MILLION - gate.progressAfterMiss) / least);
  const successes = Math.ceil(MILLION / least) + gate.missesMax * Math.max(1, afterMiss);
  return successes * planner.consecutiveFailures * planner.emptyPlans;
}

export const agentProperties = worldPromises({
  "agents-come-free": {
    says: "No agent is kept for good: within a bounded number of cycles it takes another goal (a fallback goal says that its model gave none), or the log names what keeps it; and a goal without a plan is given up.",
    source: "seed 004, Goals; RULINGS U8; SPEC AG8, AG10",
    watch: (policy) => {
      const agents = new Map<string, Kept>();
      const cyclesMax = longestGoal(policy);
      return ({ delivery, agents: seen }) => {
        const { event } = delivery;
        if (event.type !== "cycle.ended") return void stir(agents, delivery);
        const { agent, goal, n } = event;
        const kept = agents.get(agent) ?? fresh();
        const isIdle = goal === null || names(seen, agent);
        kept.silent = kept.stirred || goal === null ? 0 : kept.silent + 1;
        kept.held = isIdle ? 0 : kept.held + 1;
        kept.stirred = false;
        agents.set(agent, kept);
        if (kept.silent >= policy.planner.emptyPlans) {
          return `${agent} has had goal ${n} for ${kept.silent} cycles without a step, and it goes on.`;
        }
        if (kept.held > cyclesMax) {
          return `${agent} has taken no other goal for ${kept.held} cycles, and neither stagnation nor purposelessness is named.`;
        }
        return kept.silent > 0 || kept.isFallback ? true : undefined;
      };
    },
  },
});
