/** What agents may call to see what was learnt. Both only read. Source: seed 001, user-facing surface. */
import { PLAYBOOK } from "./playbookState.ts";

export const playbookBuiltins = [
  {
    name: "list_lessons",
    description:
      "Lists lessons of the playbook: what did you learn today, what have you learned so far. " +
      "scope (all, today, verified), limit; returns lessons, newest first.",
    servedBy: PLAYBOOK,
  },
  {
    name: "recall",
    description: "Recalls the lessons of the playbook that bear on a query; returns lessons.",
    servedBy: PLAYBOOK,
  },
];
