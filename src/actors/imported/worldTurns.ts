/**
 * Turns of agents: what each did after something was said to it, until the next such word. Who is meant by a
 * word to nobody by name is inferred: of agents, the next one that does something; else people.
 */

import { cutText } from "../../machines/cutText.ts";
import { worldBounds } from "./worldBounds.ts";
import type {
  CallItem,
  HeardItem,
  ItemPlace,
  ItemsOfLog,
  SentItem,
  WorldItem,
} from "./worldItems.ts";

export type Act =
  | { readonly kind: "call"; readonly item: CallItem }
  | {
      readonly kind: "message";
      readonly item: SentItem;
      readonly to: string;
      readonly text: string;
    };

export interface Trigger {
  readonly kind: "heard" | "message";
  /** `turn-3`, `message-3`. */
  readonly id: string;
  /** Of all texts of that kind to the agent that hold it, which one this is, from 1. */
  readonly nth: number;
  readonly text: string;
}

export interface Turn {
  readonly id: string;
  readonly agent: string;
  /** Null: it follows the agent's turn before, or nothing at all. */
  readonly trigger: Trigger | null;
  readonly acts: readonly Act[];
}

export interface HeardEvent {
  readonly id: string;
  readonly agent: string;
  readonly item: HeardItem;
  readonly text: string;
}

export interface Turns {
  readonly agents: readonly string[];
  readonly turns: readonly Turn[];
  readonly events: readonly HeardEvent[];
  /** In the order of the log. */
  readonly order: readonly (HeardEvent | Turn)[];
  /** What agents said to people or to themselves: a world has nobody who hears it. */
  readonly unheard: number;
  /** Characters of all that was said. */
  readonly chars: number;
  /** Where the scenario ends before the log does, and why. */
  readonly stopped: { readonly item: ItemPlace; readonly why: string } | null;
}

/** The beginning by which a goal knows a text: up to its first place, such as {agent}, which no such text may hold. */
function knownBy(text: string): string {
  const begins = cutText(text, worldBounds.heardChars);
  const [place] = /\{[a-z]+\}/.exec(begins) ?? [];
  return place === undefined ? begins : begins.slice(0, begins.indexOf(place) + place.length - 1);
}

/** A text that an agent can send: one without words is refused. */
export const wordsOf = (text: string): string => (text === "" ? "(no words)" : text);

interface Open {
  readonly id: string;
  readonly agent: string;
  readonly trigger: Trigger | null;
  readonly acts: Act[];
}

/** `most`: calls and messages that are taken. `cut` bounds a text. */
export function turnsOf(
  { items, beyond }: Pick<ItemsOfLog, "items" | "beyond">,
  most: number,
  cut: (text: string) => string,
): Turns {
  const agents = agentsOf(items);
  const next = nextAgents(items);
  /** Whom a word of people is for: at the end of a log, whoever acted last. */
  const heardBy = ({ to }: HeardItem, nobody: string | undefined): string | undefined =>
    to !== null && agents.has(to) ? to : nobody;
  let last: string | undefined;
  const said = new Map<string, string[]>();
  const pending = new Map<string, Trigger>();
  const current = new Map<string, Open>();
  const turns: Open[] = [];
  const events: HeardEvent[] = [];
  const order: (HeardEvent | Open)[] = [];
  const acting = new Set<string>();
  const tools = new Set<string>();
  let [messages, acts, unheard, chars] = [0, 0, 0, 0];
  let stopped: Turns["stopped"] = null;
  const counts = { heard: 0, unasked: 0 };

  const told = (agent: string, kind: Trigger["kind"], id: string, text: string): void => {
    const key = `${kind} ${agent}`;
    const before = said.get(key) ?? [];
    before.push(text);
    chars += text.length;
    said.set(key, before);
    const trigger = knownBy(text);
    const nth = before.filter((one) => one.includes(trigger)).length;
    pending.set(agent, { kind, id, nth, text: trigger });
  };

  const open = (agent: string): Open => {
    const trigger = pending.get(agent) ?? null;
    const last = current.get(agent);
    if (trigger === null && last !== undefined && last.acts.length < worldBounds.steps) return last;
    pending.delete(agent);
    if (trigger === null) counts.unasked += 1;
    const id = trigger?.id ?? `${last === undefined ? "opening" : "more"}-${counts.unasked}`;
    const turn: Open = { id, agent, trigger, acts: [] };
    current.set(agent, turn);
    turns.push(turn);
    order.push(turn);
    return turn;
  };

  for (const [at, item] of items.entries()) {
    const meant = item.kind === "heard" ? heardBy(item, next[at] ?? last) : undefined;
    const to = item.kind === "sent" ? receiverOf(items, at, item, agents) : undefined;
    if (item.kind !== "heard") last = item.agent;
    for (const agent of [meant, to, item.kind === "heard" ? undefined : item.agent]) {
      if (agent !== undefined) acting.add(agent);
    }
    if (item.kind === "call") tools.add(item.tool);
    const full = { acts, most, turns: turns.length, events: events.length };
    const why = fullOf({ ...full, agents: acting.size, tools: tools.size });
    if (why !== undefined || chars > worldBounds.fileChars) {
      stopped = { item, why: why ?? `${chars} characters` };
      break;
    }
    if (item.kind === "heard") {
      counts.heard += 1;
      if (meant === undefined) continue;
      const text = wordsOf(cut(item.text));
      const event = { id: `turn-${counts.heard}`, agent: meant, item, text };
      events.push(event);
      order.push(event);
      told(meant, "heard", event.id, text);
    } else if (item.kind === "call") {
      acts += 1;
      open(item.agent).acts.push({ kind: "call", item });
    } else {
      if (to === undefined) {
        unheard += 1;
        continue;
      }
      acts += 1;
      messages += 1;
      const text = wordsOf(cut(item.text));
      open(item.agent).acts.push({ kind: "message", item, to, text });
      told(to, "message", `message-${messages}`, text);
    }
  }
  const receivers = turns.flatMap(({ acts: all }) =>
    all.flatMap((act) => (act.kind === "message" ? [act.to] : [])),
  );
  const there = new Set([...[...turns, ...events].map(({ agent }) => agent), ...receivers]);
  const inOrder = [...agents].filter((agent) => there.has(agent));
  if (stopped === null && beyond !== null) {
    stopped = { item: beyond.first, why: "what fits into memory" };
  }
  return { agents: inOrder, turns, events, order, unheard, chars, stopped };
}

function fullOf(now: {
  readonly agents: number;
  readonly tools: number;
  readonly acts: number;
  readonly most: number;
  readonly turns: number;
  readonly events: number;
}): string | undefined {
  if (now.agents > worldBounds.agents) return `${worldBounds.agents} agents`;
  if (now.tools > worldBounds.tools) return `${worldBounds.tools} tools`;
  if (now.acts >= now.most) return `${now.most} calls and messages`;
  if (now.turns >= worldBounds.goals) return `${worldBounds.goals} turns`;
  return now.events >= worldBounds.events ? `${worldBounds.events} words of people` : undefined;
}

/** Those that call or speak, in the order in which they begin to. */
const agentsOf = (items: readonly WorldItem[]): ReadonlySet<string> =>
  new Set(items.flatMap((item) => (item.kind === "heard" ? [] : [item.agent])));

/** Of each place, the agent that acts next behind it. */
function nextAgents(items: readonly WorldItem[]): readonly (string | undefined)[] {
  const next: (string | undefined)[] = new Array(items.length);
  let agent: string | undefined;
  for (let at = items.length - 1; at >= 0; at--) {
    next[at] = agent;
    const item = items[at];
    if (item !== undefined && item.kind !== "heard") agent = item.agent;
  }
  return next;
}

/** Of what an agent says to itself, so much is looked over. */
const LOOK_MOST = 100;

/** Undefined: people, or nobody. */
function receiverOf(
  items: readonly WorldItem[],
  at: number,
  { agent, to }: SentItem,
  agents: ReadonlySet<string>,
): string | undefined {
  if (to !== null) return to !== agent && agents.has(to) ? to : undefined;
  for (let next = at + 1; next <= at + LOOK_MOST; next++) {
    const item = items[next];
    if (item === undefined || item.kind === "heard") return undefined;
    if (item.agent !== agent) return item.agent;
    // It goes on itself: what it called is no answer to anyone.
    if (item.kind === "call") return undefined;
  }
  return undefined;
}
