// Everything that can be attached to the agents' world, by one actor.
import type { AgentHooks } from "../src/machines/agents/hooks.ts";

export const CLERK = "clerk";

export const everyHook: AgentHooks = {
  builtins: [
    {
      name: "order_supplies",
      description:
        "Orders stationery from the clerk's cupboard: item, quantity; returns a receipt.",
      isLockable: true,
      output: "possible",
      servedBy: CLERK,
    },
  ],
  kinds: [{ kind: "recipe", keeper: CLERK }],
  sections: [{ from: CLERK, purposes: ["goal.choose", "plan"] }],
  permissions: [{ from: CLERK, of: "every" }],
  reports: [{ to: CLERK, of: ["step", "call", "goal"] }],
  births: [CLERK],
  closed: ["/agentOS/cupboard"],
};
