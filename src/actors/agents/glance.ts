/** What each agent is doing, for a person who watches a live run. */
import type { AgentContext } from "../../machines/agents/agent/context.ts";
import { loadAt } from "../../machines/agents/suffering/severity.ts";
import { MILLION } from "../../machines/units.ts";

const GOAL_CHARS = 40;
const PREFIX = "agent/";

/** `cedar: Write a page (load 0.30)`; of restarted agents only the living ones. */
export const glance = (
  contexts: { readonly [address: string]: object },
  nowMs: number,
): readonly string[] =>
  Object.entries(contexts)
    .filter(([address]) => address.startsWith(PREFIX))
    .map(([address, context]) => {
      const { goal, suffering } = context as AgentContext; // By its address.
      const load = (loadAt(suffering, nowMs) / MILLION).toFixed(2);
      const doing = goal === null ? "no goal" : [...goal.text].slice(0, GOAL_CHARS).join("");
      return `${address.slice(PREFIX.length)}: ${doing} (load ${load})`;
    });
