/** What reports and pictures say of agents, and the shell of their command lines. */

import { countOf } from "../../../contract/countOf.ts";
import type { EdgePart } from "../../../contract/edge/edgePart.ts";
import { SHELL_NAME, shellPort } from "../../../edges/shell/shellPort.ts";
import { toolStories } from "../book/toolLives.ts";
import { agentsPicture } from "./picture.ts";
import { ghostCommands, goalColumns, goalsSummary, laterFailures, whoWasHit } from "./report.ts";
import { toolStatus, toolsTable } from "./toolsTable.ts";

export const agents = {
  name: "agents",
  ports: {
    "port/shell.run": {
      name: SHELL_NAME,
      serve: ({ policy, ...host }) => shellPort({ ...host, policy: policy.shell }),
    },
  },
  report: {
    population: ({ agents }) => countOf(agents.length, "agent"),
    summary: goalsSummary,
    before: (told) => [whoWasHit(told)],
    after: ({ deliveries, observed }) => [
      toolsTable(toolStories(observed.story.tools, deliveries)),
    ],
    variants: {
      title: "What would have prevented it, and what not",
      columns: goalColumns,
      series: { metric: "goals.abandoned", name: "failed goals, of this run and its variants" },
    },
    questions: laterFailures,
    next: ghostCommands,
    json: ({ deliveries, observed }) => ({
      tools: toolStories(observed.story.tools, deliveries).map((tool) => ({
        ...{ name: tool.name, status: toolStatus(tool), calls: tool.calls },
        ...{ standing: tool.standing.kind, broken: tool.broken },
      })),
    }),
    picture: agentsPicture,
  },
} as const satisfies EdgePart;
