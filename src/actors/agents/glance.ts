/** What each agent is doing, for a person who watches a live run. */

import type { Waits } from "../../contract/part.ts";
import type { AgentContext } from "../../machines/agents/agent/context.ts";
import { loadAt } from "../../machines/agents/suffering/severity.ts";
import { decimal } from "../../machines/agents/suffering/sufferingLines.ts";

/** Ours: more than a line of any terminal shows. */
const GOAL_CHARS = 200;
const PREFIX = "agent/";

/** `cedar (load 0.30): Write a page; waits 1.2 s for plan`; of restarted agents only the living ones. */
export const glance = (
  contexts: { readonly [address: string]: object },
  nowMs: number,
  waits: ReadonlyMap<string, Waits>,
): readonly string[] =>
  Object.entries(contexts)
    .filter(([address]) => address.startsWith(PREFIX))
    .map(([address, context]) => {
      const { goal, suffering } = context as AgentContext; // By its address.
      const load = decimal(loadAt(suffering, nowMs));
      const wait = waits.get(address) ?? waits.get(goal?.address ?? "");
      const asks =
        wait === undefined
          ? []
          : [`waits ${(wait.forMs / 1_000).toFixed(1)} s for ${wait.purpose}`];
      const doing = goal === null ? "no goal" : [...goal.text].slice(0, GOAL_CHARS).join("");
      return `${address.slice(PREFIX.length)} (load ${load}): ${[...asks, doing].join("; ")}`;
    });
