/** Every goal, every ghost, the agents it hit, and the moments that mattered to agents, from the event log alone. */

import type { Teller } from "../../contract/part.ts";
import type { Moment } from "../../contract/story.ts";
import type { GoalInput, GoalStatus } from "../../machines/agents/goal/goalContext.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { EngineMirror } from "./engineMirror.ts";
import { goalBegun } from "./goalBegun.ts";
import { feltBy } from "./sufferingMirror.ts";

export interface GoalStory {
  readonly agent: string;
  readonly n: number;
  readonly text: string;
  readonly startMs: number;
  endMs: number | null;
  status: GoalStatus;
}

/** A capability that was registered without code behind it. */
export interface GhostStory {
  readonly name: string;
  readonly description: string;
  readonly fromMs: number;
  /** When its entry left the registry; null while it stands. */
  toMs: number | null;
  /** The last call that the router gave to it. */
  lastCallMs: number | null;
  readonly callsByAgent: Map<string, number>;
}

declare module "../../contract/story.ts" {
  interface Stories {
    readonly goals: readonly GoalStory[];
    readonly ghosts: readonly GhostStory[];
    /** The agents that were born at the request of other parts, by name. */
    readonly born: readonly string[];
  }
}

export class AgentsTeller implements Teller {
  readonly told = { goals: [] as GoalStory[], ghosts: [] as GhostStory[], born: [] as string[] };
  readonly #moments: Moment[];
  readonly #engine = new EngineMirror();
  readonly #deployed = new Set<string>();

  constructor(moments: Moment[]) {
    this.#moments = moments;
  }

  observe(delivery: SeenDelivery): void {
    if (this.#engine.observe(delivery)) this.#followRegistry(delivery.dueMs);
    const { event, from, dueMs, fate } = delivery;
    if (this.tellsOf(delivery)) {
      this.#moments.push({ atMs: dueMs, kind: "daemon", label: from.slice("outside/".length) });
    }
    if (event.type === "lesson.noted" && event.outcome === "promoted") {
      const label = `learns: ${event.lesson}`;
      this.#moments.push({ atMs: dueMs, kind: "lesson", label, who: event.agent });
    }
    if (fate !== "handled") return;
    switch (event.type) {
      case "actor.start":
        this.#goalStarted(goalBegun(event), dueMs);
        break;
      case "goal.ended":
        this.#goalEnded(event, dueMs);
        break;
      case "agent.joined":
      case "agent.left":
        this.#cameOrWent(delivery, event);
        break;
      case "call.routed":
        this.#routed(event, dueMs);
        break;
      case "synthesis.finished":
        this.#synthesized(event, dueMs);
        break;
      case "stressor.changed":
        this.#felt(delivery, event);
        break;
      case "place.answered":
        this.#refused(delivery, event);
    }
  }

  /** A restart comes from outside, and is a moment of a kind of its own. */
  tellsOf({ cause, event }: SeenDelivery): boolean {
    return cause === null && event.type === "daemon.restarted";
  }

  #followRegistry(atMs: number): void {
    const now = this.#engine.ghosts();
    for (const ghost of this.told.ghosts) {
      if (ghost.toMs !== null || now.includes(ghost.name)) continue;
      ghost.toMs = atMs;
      if (!isGlimpse(ghost)) {
        const isThere = this.#engine.state?.entries.some(({ name }) => name === ghost.name);
        const what = isThere ? "has code now" : "leaves the registry";
        this.#moments.push({ atMs, kind: "ghost", label: `${ghost.name} ${what}` });
      }
    }
    this.#forgetGlimpses();
    for (const name of now) {
      if (this.told.ghosts.some((ghost) => ghost.name === name && ghost.toMs === null)) continue;
      const entry = this.#engine.state?.entries.find((one) => one.name === name);
      this.told.ghosts.push({
        name,
        description: entry?.description ?? "",
        fromMs: atMs,
        toMs: null,
        lastCallMs: null,
        callsByAgent: new Map(),
      });
      this.#moments.push({ atMs, kind: "ghost", label: `${name} is registered without code` });
    }
    for (const { name } of this.#engine.broken()) {
      const label = `${name} is listed in broken_tools.json`;
      if (!this.#moments.some((moment) => moment.label === label)) {
        this.#moments.push({ atMs, kind: "broken", label });
      }
    }
  }

  /** Every tool that is written has a spec before it has code, for no time at all. */
  #forgetGlimpses(): void {
    for (const { name, fromMs } of this.told.ghosts.filter(isGlimpse)) {
      const at = this.#moments.findLastIndex(
        ({ kind, atMs, label }) => kind === "ghost" && atMs === fromMs && label.startsWith(name),
      );
      this.#moments.splice(at, 1);
    }
    const { ghosts } = this.told;
    ghosts.splice(0, ghosts.length, ...ghosts.filter((ghost) => !isGlimpse(ghost)));
  }

  /** The first deployment of a name is a notable event. */
  #synthesized(event: MailOf<"synthesis.finished">, atMs: number): void {
    const name = event.capability;
    const verdict = event.verdict;
    if ((verdict !== "deployed" && verdict !== "untested") || this.#deployed.has(name)) return;
    this.#deployed.add(name);
    const how = verdict === "untested" ? "is deployed, untested" : "is deployed";
    this.#moments.push({
      ...{ atMs, kind: "tool", label: `${name} ${how}` },
      who: event.agent,
    });
  }

  /** An agent is born at request, or ends; of all that are told, the engine is told once. */
  #cameOrWent(
    { to, dueMs: atMs }: SeenDelivery,
    { type, agent }: MailOf<"agent.joined" | "agent.left">,
  ): void {
    if (!to.startsWith("engine")) return;
    const isBorn = type === "agent.joined";
    if (isBorn && !this.told.born.includes(agent)) this.told.born.push(agent);
    this.#moments.push({ atMs, kind: "birth", label: isBorn ? "is born" : "is ended", who: agent });
  }

  /** A stressor of any type begins or ends. */
  #felt(delivery: SeenDelivery, { stressor, sinceMs }: MailOf<"stressor.changed">): void {
    const who = feltBy(delivery);
    if (who === undefined) return;
    const label = `${stressor} ${sinceMs === null ? "ends" : "begins"}`;
    this.#moments.push({ atMs: delivery.dueMs, kind: "stressor", label, who });
  }

  /** One finds no room. */
  #refused({ to, dueMs: atMs }: SeenDelivery, { granted }: MailOf<"place.answered">): void {
    const [, who, stressor] = to.split(/[/#]/);
    if (granted || who === undefined) return;
    this.#moments.push({ atMs, kind: "stressor", label: `${stressor} is dropped`, who });
  }

  #goalStarted(goal: GoalInput | undefined, startMs: number): void {
    if (goal === undefined || this.#goal(goal.agent, goal.n) !== undefined) return;
    const { agent, n, text } = goal;
    this.told.goals.push({ agent, n, text, startMs, endMs: null, status: "active" });
  }

  #goalEnded(event: MailOf<"goal.ended">, atMs: number): void {
    const goal = this.#goal(event.agent, event.n);
    if (goal === undefined) return;
    goal.endMs = atMs;
    goal.status = event.status;
  }

  #goal(agent: string, n: number): GoalStory | undefined {
    return this.told.goals.findLast((goal) => goal.agent === agent && goal.n === n);
  }

  #routed(event: MailOf<"call.routed">, atMs: number): void {
    const ghost = this.told.ghosts.findLast(({ name }) => name === event.capability);
    if (ghost === undefined || ghost.toMs !== null) return;
    const agent = event.agent;
    ghost.lastCallMs = atMs;
    ghost.callsByAgent.set(agent, (ghost.callsByAgent.get(agent) ?? 0) + 1);
  }
}

/** Registered without code, and with it at the same instant: no agent could have called it. */
const isGlimpse = ({ fromMs, toMs, lastCallMs }: GhostStory): boolean =>
  toMs === fromMs && lastCallMs === null;
