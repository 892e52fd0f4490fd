/** An agent looks around: what peers claim, which rules it has learnt, what it can do. */
import { assign } from "xstate";
import { ask, cancelAsk, post } from "../../letter.ts";
import { agentSetup } from "./agentSetup.ts";
import { lookedAround } from "./agentTurn.ts";
import type { AgentPolicy } from "./planner.ts";
import { last } from "./profile.ts";

export const perceivingStates = (policy: AgentPolicy) =>
  agentSetup(policy).createStateConfig({
    initial: "peers",
    states: {
      peers: {
        entry: post(({ context: { input } }) => [
          ask({
            to: input.ledger,
            key: "peers",
            event: { type: "peers.asked", agent: input.name },
          }),
        ]),
        exit: post(() => [cancelAsk("peers")]),
        on: {
          "peers.answered": [
            {
              guard: "hasLessons",
              target: "lessons",
              actions: assign(({ event }) => ({ claims: event.claims })),
            },
            { target: "tools", actions: assign(({ event }) => ({ claims: event.claims })) },
          ],
        },
        after: { peersTimeout: "#agent.resting" },
      },
      lessons: {
        entry: post(({ context: { input } }) => [
          ask({ to: input.lessons ?? "", key: "lessons", event: { type: "lessons.asked" } }),
        ]),
        exit: post(() => [cancelAsk("lessons")]),
        on: {
          "lessons.answered": {
            target: "tools",
            actions: assign(({ event }) => ({
              rules: last(event.rules, policy.mind.rulesShown),
              rulesFact: event.at.seq,
            })),
          },
        },
        after: { lessonsTimeout: "tools" },
      },
      tools: {
        entry: post(({ context: { input } }) => [
          ask({ to: input.engine, key: "tools", event: { type: "tools.asked" } }),
        ]),
        exit: post(() => [cancelAsk("tools")]),
        on: {
          "tools.answered": {
            target: "#agent.heeding",
            actions: assign(({ context, event }) => lookedAround(context, event)),
          },
        },
        after: { toolsTimeout: "#agent.resting" },
      },
    },
  });
