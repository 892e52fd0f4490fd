/**
 * What a person wants to know of a run, gathered from the event log alone: every goal, every ghost,
 * who was hit, and the moments that mattered. Reports and pictures are made from it.
 */
import { EngineMirror } from "./actors/agents/engineMirror.ts";
import { feltBy } from "./actors/agents/sufferingMirror.ts";
import { startOf } from "./actors/startOf.ts";
import { SyntStory } from "./actors/synt/story.ts";
import type { GoalInput, GoalStatus } from "./machines/agents/goal/goal.ts";
import type { MailOf } from "./machines/letter.ts";
import type { Delivery } from "./substrate/envelope.ts";

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

export interface Moment {
  readonly atMs: number;
  readonly kind: "outside" | "ghost" | "tool" | "stressor" | "broken" | "daemon" | "lesson";
  readonly label: string;
  /** Whom it concerns, when not everybody. */
  readonly who?: string;
}

export class Story {
  readonly goals: GoalStory[] = [];
  ghosts: GhostStory[] = [];
  readonly moments: Moment[] = [];
  readonly synt = new SyntStory();
  readonly #engine = new EngineMirror();
  readonly #deployed = new Set<string>();

  observe(delivery: Delivery): void {
    if (this.#engine.observe(delivery)) this.#followRegistry(delivery.dueMs);
    this.synt.observe(delivery);
    this.#outside(delivery);
    const { event, dueMs, fate } = delivery;
    if (event.type === "lesson.noted" && event.outcome === "promoted") {
      const label = `learns: ${event.lesson}`;
      this.moments.push({ atMs: dueMs, kind: "lesson", label, who: event.agent });
    }
    if (fate !== "handled") return;
    switch (event.type) {
      case "actor.start":
        this.#goalStarted(startOf(event, "goal"), dueMs);
        break;
      case "goal.ended":
        this.#goalEnded(event, dueMs);
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

  #followRegistry(atMs: number): void {
    const now = this.#engine.ghosts();
    for (const ghost of this.ghosts) {
      if (ghost.toMs !== null || now.includes(ghost.name)) continue;
      ghost.toMs = atMs;
      if (!isGlimpse(ghost)) {
        const isThere = this.#engine.state?.entries.some(({ name }) => name === ghost.name);
        const what = isThere ? "has code now" : "leaves the registry";
        this.moments.push({ atMs, kind: "ghost", label: `${ghost.name} ${what}` });
      }
    }
    this.#forgetGlimpses();
    for (const name of now) {
      if (this.ghosts.some((ghost) => ghost.name === name && ghost.toMs === null)) continue;
      const entry = this.#engine.state?.entries.find((one) => one.name === name);
      this.ghosts.push({
        name,
        description: entry?.description ?? "",
        fromMs: atMs,
        toMs: null,
        lastCallMs: null,
        callsByAgent: new Map(),
      });
      this.moments.push({ atMs, kind: "ghost", label: `${name} is registered without code` });
    }
    for (const { name } of this.#engine.broken()) {
      const label = `${name} is listed in broken_tools.json`;
      if (!this.moments.some((moment) => moment.label === label)) {
        this.moments.push({ atMs, kind: "broken", label });
      }
    }
  }

  /** Every tool that is written has a spec before it has code, for no time at all. */
  #forgetGlimpses(): void {
    for (const { name, fromMs } of this.ghosts.filter(isGlimpse)) {
      const at = this.moments.findLastIndex(
        ({ kind, atMs, label }) => kind === "ghost" && atMs === fromMs && label.startsWith(name),
      );
      this.moments.splice(at, 1);
    }
    this.ghosts = this.ghosts.filter((ghost) => !isGlimpse(ghost));
  }

  /** The first deployment of a name is a notable event. */
  #synthesized(event: MailOf<"synthesis.finished">, atMs: number): void {
    const name = event.capability;
    const verdict = event.verdict;
    if ((verdict !== "deployed" && verdict !== "untested") || this.#deployed.has(name)) return;
    this.#deployed.add(name);
    const how = verdict === "untested" ? "is deployed, untested" : "is deployed";
    this.moments.push({
      ...{ atMs, kind: "tool", label: `${name} ${how}` },
      who: event.agent,
    });
  }

  /** A stressor of any type begins or ends. */
  #felt(delivery: Delivery, { stressor, sinceMs }: MailOf<"stressor.changed">): void {
    const who = feltBy(delivery);
    if (who === undefined) return;
    const label = `${stressor} ${sinceMs === null ? "ends" : "begins"}`;
    this.moments.push({ atMs: delivery.dueMs, kind: "stressor", label, who });
  }

  /** One finds no room. */
  #refused({ to, dueMs: atMs }: Delivery, { granted }: MailOf<"place.answered">): void {
    const [, who, stressor] = to.split(/[/#]/);
    if (granted || who === undefined) return;
    this.moments.push({ atMs, kind: "stressor", label: `${stressor} is dropped`, who });
  }

  #outside({ from, cause, event, dueMs: atMs }: Delivery): void {
    // The user's turns are told by synt.
    const isTurn = event.type === "actor.start" && event.machine === "userTurn";
    if (cause !== null || from === "outside/stage" || isTurn) return;
    const kind = event.type === "daemon.restarted" ? "daemon" : "outside";
    this.moments.push({ atMs, kind, label: from.slice("outside/".length) });
  }

  #goalStarted(goal: GoalInput | undefined, startMs: number): void {
    if (goal === undefined || this.#goal(goal.agent, goal.n) !== undefined) return;
    const { agent, n, text } = goal;
    this.goals.push({ agent, n, text, startMs, endMs: null, status: "active" });
  }

  #goalEnded(event: MailOf<"goal.ended">, atMs: number): void {
    const goal = this.#goal(event.agent, event.n);
    if (goal === undefined) return;
    goal.endMs = atMs;
    goal.status = event.status;
  }

  #goal(agent: string, n: number): GoalStory | undefined {
    return this.goals.findLast((goal) => goal.agent === agent && goal.n === n);
  }

  #routed(event: MailOf<"call.routed">, atMs: number): void {
    const ghost = this.ghosts.findLast(({ name }) => name === event.capability);
    if (ghost === undefined || ghost.toMs !== null) return;
    const agent = event.agent;
    ghost.lastCallMs = atMs;
    ghost.callsByAgent.set(agent, (ghost.callsByAgent.get(agent) ?? 0) + 1);
  }
}

/** Registered without code, and with it at the same instant: nobody could have called it. */
const isGlimpse = ({ fromMs, toMs, lastCallMs }: GhostStory): boolean =>
  toMs === fromMs && lastCallMs === null;
