import { describe, expect, it } from "vitest";
import { parts } from "../../../../src/builtIn/parts.ts";
import { emptyProfile } from "../../../../src/machines/agents/agent/profile.ts";
import { minutes } from "../../../../src/machines/units.ts";
import { openStage } from "../../../../src/run/openStage.ts";
import { policyWith } from "../../../builtIn.ts";
import { lettersTo } from "../../driven.ts";
import { village } from "../../village.ts";
import {
  type Agent,
  agentOf,
  failed,
  finished,
  goal,
  judged,
  look,
  openGoal,
  said,
  unreadable,
  wake,
} from "./mind.ts";

const EMPTY = said({ steps: [] });

/** A cycle whose question about a plan is answered so. */
function answered(agent: Agent, answer: typeof EMPTY) {
  wake(agent);
  return agent.send(answer);
}

const givenUp = (letters: ReturnType<typeof answered>) =>
  lettersTo(letters, openGoal.address).filter(({ event }) => event.type === "goal.givenUp");

describe("answers about a plan without a usable step", () => {
  it.each([
    ["none", '{"steps":[]}'],
    ["none that is a step", '{"steps":[{"params":{}}]}'],
    ["an unreadable answer", "{"],
    ["an answer to something else", '{"action":"rest"}'],
  ])(
    "[AG8] the fourth in a row gives the goal up and names them all, the third does not: %s",
    (_, text) => {
      const agent = agentOf({ goal: openGoal });
      const facts: number[] = [];
      for (let times = 1; times <= 3; times++) {
        expect(answered(agent, { type: "llm.replied", text })).not.toContainEqual(
          expect.objectContaining({ to: openGoal.address }),
        );
        facts.push(agent.seq);
        expect(agent.value).toBe("resting");
        expect(agent.context.goal).toEqual(openGoal);
      }

      const letters = answered(agent, { type: "llm.replied", text });

      facts.push(agent.seq);
      expect(givenUp(letters)).toMatchObject([
        {
          event: { reason: "no plan: 4 answers in a row had no usable step", facts },
          because: facts,
        },
      ]);
      agent.send(judged("abandoned", { reason: "no plan" }));
      expect(agent.context).toMatchObject({ goal: null, emptyPlans: [], givesUp: null });
      expect(agent.context.profile.lastOutcome).toBe(`[ABANDONED] ${openGoal.text}: no plan`);
    },
  );

  it("[AG8] how many is policy", () => {
    const agent = agentOf({ goal: openGoal }, { "planner.emptyPlans": 1 });

    expect(givenUp(answered(agent, EMPTY))[0]?.event).toMatchObject({
      reason: "no plan: an answer had no usable step",
    });
  });

  it("[AG8] a usable plan ends the row, and so does another goal", () => {
    const agent = agentOf({ goal: openGoal });
    for (let times = 1; times <= 3; times++) answered(agent, EMPTY);

    answered(agent, said({ steps: [look] }));

    expect(agent.context.emptyPlans).toEqual([]);
    agent.send(finished);
    agent.send(judged());
    answered(agent, EMPTY);
    expect(agent.context.emptyPlans).toHaveLength(1);

    answered(agent, said({ steps: [look] }));
    agent.send(finished);
    agent.send(judged("completed"));
    answered(agent, said(goal));
    expect(agent.context.emptyPlans).toEqual([]);
  });

  it("[AG8] a model that fails or is late says nothing of the goal: it neither counts nor ends the row", () => {
    const agent = agentOf({ goal: openGoal });
    for (let times = 1; times <= 3; times++) answered(agent, EMPTY);

    for (let times = 1; times <= 5; times++) {
      wake(agent);
      agent.send(failed);
      wake(agent);
      agent.fire("modelTimeout");
    }

    expect(agent.value).toBe("resting");
    expect(agent.context.emptyPlans).toHaveLength(3);
    expect(givenUp(answered(agent, unreadable))).toHaveLength(1);
  });

  it("[AG8] when the goal does not answer, the next empty plan gives it up again", () => {
    const agent = agentOf({ goal: openGoal }, { "planner.emptyPlans": 2 });
    answered(agent, EMPTY);
    answered(agent, EMPTY);
    expect(agent.value).toBe("givingUp");
    agent.fire("givingUpTimeout");
    expect(agent.value).toBe("resting");

    expect(givenUp(answered(agent, EMPTY))).toHaveLength(1);
  });
});

/** A world whose model never says which goal, and plans as it is told to. */
function atALoss(plan: string) {
  const world = village({
    model: ({ purpose }) => (purpose === "plan" ? plan : "{"),
    policy: { "stressors.enabled": ["repeated_failure"], "lessons.enabled": false },
  });
  openStage(world.kernel, parts, policyWith({}), {
    startsAtMs: 0,
    agents: ["cedar"],
    profiles: { cedar: { ...emptyProfile, questions: ["Who reads this?"] } },
    ...{ tools: [], files: {}, events: [] },
  });
  world.wait(minutes(6));
  return world;
}

it("[AG9] a fallback goal without a plan ends as failed, for the ledger too, and another source comes next", () => {
  const { log, context } = atALoss('{"steps":[]}');

  const born = log.flatMap(({ event }) =>
    event.type === "actor.start" && event.machine === "goal" ? [event.input] : [],
  );
  const ended = log.filter(({ to, event }) => to === "goalLedger" && event.type === "goal.ended");
  expect(born.slice(0, 3)).toMatchObject([
    { n: 1, slug: "fallback-question", fallback: "question" },
    { n: 2, slug: "fallback-last-outcome", fallback: "last-outcome" },
    { n: 3, slug: "fallback-question", fallback: "question" },
  ]);
  expect(ended.length).toBeGreaterThanOrEqual(3);
  for (const { event, because } of ended) {
    expect(event).toMatchObject({
      status: "abandoned",
      reason: "no plan: 4 answers in a row had no usable step",
    });
    expect(because).toHaveLength(4);
  }
  expect(context<{ window: object[] }>("goalLedger").window).toHaveLength(ended.length);
});
