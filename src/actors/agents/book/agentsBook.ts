/**
 * The agents' book: whatever follows their log reads it here, and folds no more of it than it names. Its promises do
 * not, since they judge what stands here.
 */

import { factsOf, newsOf, type SubBooks } from "../../../contract/book.ts";
import { startOf } from "../../../contract/startOf.ts";
import { sufferingAfter } from "../../../machines/agents/suffering/severity.ts";
import type { EventType } from "../../../machines/letter.ts";
import { onceFor } from "../../../machines/onceFor.ts";
import { ownValue } from "../../../machines/ownValue.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../../substrate/isEvent.ts";
import { type Log, ofTypes } from "../../../substrate/log.ts";
import { toolsAfter } from "../engineMirror.ts";
import { calls } from "./calls.ts";
import type { AgentBook, AgentFacts, AgentNews, GoalStory } from "./facts.ts";
import { ghosts } from "./ghosts.ts";
import { tools } from "./toolLives.ts";

const registry: AgentBook<"registry"> = {
  start: () => ({ tools: null }),
  step(own, delivery, news) {
    const after = toolsAfter(own.tools, delivery);
    if (after === null || after === own.tools) return;
    own.tools = after;
    news.push({ is: "registry", tools: after });
  },
};

const broken: AgentBook<"broken"> = {
  needs: ["registry"],
  reads: [],
  start: () => [],
  step(own, _, news) {
    for (const one of news) {
      if (one.is !== "registry") continue;
      for (const { name: tool } of one.tools.broken) {
        if (own.includes(tool)) continue;
        own.push(tool);
        news.push({ is: "broken", tool });
      }
    }
  },
};

/** Where each goal stands: a search among those of a thousand agents would take most of the time. */
const placesOf = onceFor(
  (goals: readonly GoalStory[]) => new Map(goals.map(({ agent, n }, at) => [`${agent}/${n}`, at])),
);

const goals: AgentBook<"goals"> = {
  reads: ["actor.start", "goal.ended"],
  start: () => [],
  step(own, delivery, news) {
    const { event, dueMs, fate } = delivery;
    if (fate !== "handled") return;
    const goalAt = placesOf(own);
    const known = (agent: string, n: number): GoalStory | undefined =>
      own[goalAt.get(`${agent}/${n}`) ?? -1];
    const goal = startOf(event, "goal");
    if (goal !== undefined) {
      const { agent, n, text } = goal;
      if (known(agent, n) === undefined) {
        goalAt.set(`${agent}/${n}`, own.length);
        own.push({ agent, n, text, startMs: dueMs, endMs: null, status: "active" });
      }
      news.push({ is: "goalBegun", goal });
    }
    if (event.type !== "goal.ended") return;
    const { agent, n, status } = event;
    const ended = known(agent, n);
    if (ended !== undefined) Object.assign(ended, { endMs: dueMs, status });
    if (isEndOfGoal(delivery)) news.push({ is: "goalEnded", agent });
  },
};

/** A goal's end is told to the ledger that all agents share; the keeper of lessons hears it too. */
export const isEndOfGoal = <D extends SeenDelivery>(
  delivery: D,
): delivery is DeliveryOf<"goal.ended", D> =>
  isEvent(delivery, "goal.ended") && !delivery.to.startsWith("lessons/");

const born: AgentBook<"born"> = {
  reads: ["agent.joined", "agent.left"],
  start: () => [],
  step(own, { event, to, fate }, news) {
    if (fate !== "handled" || (event.type !== "agent.joined" && event.type !== "agent.left"))
      return;
    const { agent } = event;
    const is = event.type === "agent.joined" ? "joined" : "left";
    const isFirst = is === "joined" && !own.includes(agent);
    if (isFirst) own.push(agent);
    news.push({ is, agent, isFirst, isToEngine: to.startsWith("engine") });
  },
};

const syntheses: AgentBook<"syntheses"> = {
  reads: ["synthesis.stepped", "synthesis.finished"],
  start: () => ({ deployed: [], inTest: [] }),
  step({ deployed, inTest }, { event, fate }, news) {
    if (fate !== "handled") return;
    if (event.type === "synthesis.stepped") {
      const { step, outcome, capability } = event;
      if (step === 6 && outcome === "done" && !inTest.includes(capability)) inTest.push(capability);
    }
    if (event.type !== "synthesis.finished") return;
    const { capability, verdict } = event;
    if (inTest.includes(capability)) inTest.splice(inTest.indexOf(capability), 1);
    const isFirst =
      (verdict === "deployed" || verdict === "untested") && !deployed.includes(capability);
    if (isFirst) deployed.push(capability);
    news.push({ is: "synthesized", event, isFirst });
  },
};

const feelings: AgentBook<"feelings"> = {
  reads: ["stressor.changed"],
  start: () => ({}),
  step(own, delivery, news) {
    const agent = feltBy(delivery);
    if (agent === undefined || !isEvent(delivery, "stressor.changed")) return;
    own[agent] = sufferingAfter(ownValue(own, agent) ?? [], delivery.event);
    news.push({ is: "felt", agent, event: delivery.event });
  },
};

/** The agent that a change of a stressor reaches; others get copies of the same letter. */
export const feltBy = ({ event, to, fate }: SeenDelivery): string | undefined =>
  event.type === "stressor.changed" && to.startsWith("agent/") && fate === "handled"
    ? to.split(/[/#]/)[1]
    : undefined;

export const agentBooks: SubBooks<AgentFacts, AgentNews> = {
  ...{ registry, calls, ghosts, broken, goals, born, syntheses, feelings, tools },
};

/** The facts of these sub-books before the first delivery. */
export const agentFacts = (...names: readonly (keyof AgentFacts)[]): AgentFacts =>
  factsOf(agentBooks, names);

/** Writes a delivery into the facts; what was new in it. */
export const agentNews = newsOf(agentBooks);

/** What is new in a log for one sub-book that reads no events but these. */
export function* newsIn(
  log: Log,
  facts: AgentFacts,
  ...types: readonly EventType[]
): Generator<AgentNews, undefined> {
  for (const delivery of ofTypes(log, ...types)) yield* agentNews(facts, delivery);
}
