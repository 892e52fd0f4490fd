/** Every goal, every ghost, the agents it hit, and the moments that mattered to agents, from the event log alone. */

import type { Book, Moment } from "../../contract/book.ts";
import { startOf } from "../../contract/startOf.ts";
import type { GoalInput, GoalStatus } from "../../machines/agents/goal/goalContext.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { ghostsIn, type SeenTools, toolsAfter } from "./engineMirror.ts";
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
  readonly callsByAgent: { [agent: string]: number };
}

declare module "../../contract/book.ts" {
  interface Books {
    readonly goals: readonly GoalStory[];
    readonly ghosts: readonly GhostStory[];
    /** The agents that were born at the request of other parts, by name. */
    readonly born: readonly string[];
  }
}

export interface AgentsFacts {
  readonly told: {
    readonly goals: GoalStory[];
    readonly ghosts: GhostStory[];
    readonly born: string[];
  };
  tools: SeenTools | null;
  /** Tools whose first deployment was told. */
  readonly deployed: string[];
}

export const book: Book<AgentsFacts> = {
  start: () => ({ told: { goals: [], ghosts: [], born: [] }, tools: null, deployed: [] }),
  step(facts, delivery, moments) {
    const { event, from, to, dueMs, fate } = delivery;
    const note: Note = (kind, label, who) =>
      void moments.push({ atMs: dueMs, kind, label, ...(who !== undefined && { who }) });
    const tools = toolsAfter(facts.tools, delivery);
    if (tools !== facts.tools) {
      facts.tools = tools;
      followRegistry(facts, dueMs, moments, note);
    }
    if (isRestart(delivery)) note("daemon", from.slice("outside/".length));
    if (event.type === "lesson.noted" && event.outcome === "promoted") {
      note("lesson", `learns: ${event.lesson}`, event.agent);
    }
    if (fate !== "handled") return;
    switch (event.type) {
      case "actor.start":
        goalStarted(facts, startOf(event, "goal"), dueMs);
        break;
      case "goal.ended":
        goalEnded(facts, event, dueMs);
        break;
      case "agent.joined":
      case "agent.left":
        // Of all that are told, the engine is told once.
        if (to.startsWith("engine")) cameOrWent(facts, event, note);
        break;
      case "call.routed":
        routed(facts, event, dueMs);
        break;
      case "synthesis.finished":
        synthesized(facts, event, note);
        break;
      case "stressor.changed":
        felt(delivery, event, note);
        break;
      case "place.answered":
        refused(to, event, note);
    }
  },
  tellsOf: isRestart,
};

/** Writes down a moment of now. */
type Note = (kind: string, label: string, who?: string) => void;

/** A restart comes from outside, and is a moment of a kind of its own. */
function isRestart({ cause, event }: SeenDelivery): boolean {
  return cause === null && event.type === "daemon.restarted";
}

function followRegistry(facts: AgentsFacts, atMs: number, moments: Moment[], note: Note): void {
  const now = ghostsIn(facts.tools);
  for (const ghost of facts.told.ghosts) {
    if (ghost.toMs !== null || now.includes(ghost.name)) continue;
    ghost.toMs = atMs;
    if (!isGlimpse(ghost)) {
      const isThere = facts.tools?.entries.some(({ name }) => name === ghost.name);
      const what = isThere ? "has code now" : "leaves the registry";
      note("ghost", `${ghost.name} ${what}`);
    }
  }
  forgetGlimpses(facts, moments);
  for (const name of now) {
    if (facts.told.ghosts.some((ghost) => ghost.name === name && ghost.toMs === null)) continue;
    const entry = facts.tools?.entries.find((one) => one.name === name);
    facts.told.ghosts.push({
      name,
      description: entry?.description ?? "",
      fromMs: atMs,
      toMs: null,
      lastCallMs: null,
      callsByAgent: {},
    });
    note("ghost", `${name} is registered without code`);
  }
  for (const { name } of facts.tools?.broken ?? []) {
    const label = `${name} is listed in broken_tools.json`;
    if (!moments.some((moment) => moment.label === label)) note("broken", label);
  }
}

/** Every tool that is written has a spec before it has code, for no time at all. */
function forgetGlimpses({ told: { ghosts } }: AgentsFacts, moments: Moment[]): void {
  for (const { name, fromMs } of ghosts.filter(isGlimpse)) {
    const at = moments.findLastIndex(
      ({ kind, atMs, label }) => kind === "ghost" && atMs === fromMs && label.startsWith(name),
    );
    moments.splice(at, 1);
  }

  ghosts.splice(0, ghosts.length, ...ghosts.filter((ghost) => !isGlimpse(ghost)));
}

/** The first deployment of a name is a notable event. */
function synthesized(
  facts: AgentsFacts,
  { capability: name, verdict, agent }: MailOf<"synthesis.finished">,
  note: Note,
): void {
  if ((verdict !== "deployed" && verdict !== "untested") || facts.deployed.includes(name)) return;
  facts.deployed.push(name);
  note("tool", `${name} is deployed${verdict === "untested" ? ", untested" : ""}`, agent);
}

/** An agent is born at request, or ends. */
function cameOrWent(
  { told: { born } }: AgentsFacts,
  { type, agent }: MailOf<"agent.joined" | "agent.left">,
  note: Note,
): void {
  const isBorn = type === "agent.joined";
  if (isBorn && !born.includes(agent)) born.push(agent);
  note("birth", isBorn ? "is born" : "is ended", agent);
}

/** A stressor of any type begins or ends. */
function felt(
  delivery: SeenDelivery,
  { stressor, sinceMs }: MailOf<"stressor.changed">,
  note: Note,
): void {
  const who = feltBy(delivery);
  if (who !== undefined)
    note("stressor", `${stressor} ${sinceMs === null ? "ends" : "begins"}`, who);
}

/** One finds no room. */
function refused(to: string, { granted }: MailOf<"place.answered">, note: Note): void {
  const [, who, stressor] = to.split(/[/#]/);
  if (!granted && who !== undefined) note("stressor", `${stressor} is dropped`, who);
}

function goalStarted(facts: AgentsFacts, goal: GoalInput | undefined, startMs: number): void {
  if (goal === undefined || goalOf(facts, goal.agent, goal.n) !== undefined) return;
  const { agent, n, text } = goal;
  facts.told.goals.push({ agent, n, text, startMs, endMs: null, status: "active" });
}

function goalEnded(facts: AgentsFacts, event: MailOf<"goal.ended">, atMs: number): void {
  const goal = goalOf(facts, event.agent, event.n);
  if (goal === undefined) return;
  goal.endMs = atMs;
  goal.status = event.status;
}

function goalOf({ told: { goals } }: AgentsFacts, agent: string, n: number): GoalStory | undefined {
  return goals.findLast((goal) => goal.agent === agent && goal.n === n);
}

function routed(
  { told: { ghosts } }: AgentsFacts,
  event: MailOf<"call.routed">,
  atMs: number,
): void {
  const ghost = ghosts.findLast(({ name }) => name === event.capability);
  if (ghost === undefined || ghost.toMs !== null) return;
  const agent = event.agent;
  ghost.lastCallMs = atMs;
  const before = Object.hasOwn(ghost.callsByAgent, agent) ? ghost.callsByAgent[agent] : 0;
  ghost.callsByAgent[agent] = (before ?? 0) + 1;
}

/** Registered without code, and with it at the same instant: no agent could have called it. */
const isGlimpse = ({ fromMs, toMs, lastCallMs }: GhostStory): boolean =>
  toMs === fromMs && lastCallMs === null;
