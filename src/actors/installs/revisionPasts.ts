/** What only the whole log knows of a revision: which lives rest on it, and which goals its agent's tools cost. */

import { countOf } from "../../contract/countOf.ts";
import { TOOLS } from "../../machines/installs/warden/warden.ts";
import type { EventType, MailOf } from "../../machines/letter.ts";
import { onceFor } from "../../machines/onceFor.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../substrate/isEvent.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";

/** Ours: what a sentence can name. */
const GOALS_MAX = 5;

export interface RevisionPasts {
  /** By the number of a question for a goal: why there is an agent that asks it. */
  readonly rests: ReadonlyMap<number, number>;
  /** By revision, the goals that were given up over a tool that its agent wrote. */
  readonly costs: ReadonlyMap<string, readonly string[]>;
}

const TOLD = [
  ...(["revision.activated", "installed.spawned", "llm.asked", "host.message"] as const),
  ...(["call.reported", "call.finished", "goal.ended"] as const),
] as const satisfies readonly EventType[];

/** Why an installed agent lives, and by which revision. */
interface Life {
  readonly seq: number;
  readonly revision: string;
}

class Pasts implements RevisionPasts {
  readonly rests = new Map<number, number>();
  readonly costs = new Map<string, string[]>();
  readonly #lives = new Map<string, Life>();
  /** By tool, the revision whose agent wrote it last. */
  readonly #writers = new Map<string, string>();
  /** By number, calls of such tools of which nothing came. */
  readonly #lost = new Map<number, string>();
  readonly #told = new Set<number>();

  observe(delivery: Delivery): void {
    const { event, seq, fate } = delivery;
    if (isEvent(delivery, "llm.asked")) this.#asked(delivery);
    if (isEvent(delivery, "host.message")) this.#told.add(seq);
    if (fate !== "handled") return;
    switch (event.type) {
      case "revision.activated":
        this.#lives.set(event.agent, { seq, revision: event.revision });
        break;
      case "installed.spawned": {
        const life = this.#lives.get(event.agent);
        if (life !== undefined) this.#lives.set(event.child, { ...life, seq });
        break;
      }
      case "call.reported":
        this.#wrote(event);
        break;
      case "call.finished": {
        const revision = this.#writers.get(event.capability ?? "");
        const isLost = event.nothing || !event.ok;
        if (isLost && revision !== undefined) this.#lost.set(seq, revision);
        break;
      }
      case "goal.ended":
        if (event.status === "abandoned") this.#failed(delivery, `${event.agent}/${event.n}`);
    }
  }

  /** What somebody told it to do, it does whoever made it. */
  #asked({ event, from, seq, because = [] }: DeliveryOf<"llm.asked">): void {
    const life = this.#lives.get(nameIn(from));
    const isOwn = event.purpose === "goal.choose" && !because.some((one) => this.#told.has(one));
    if (life !== undefined && isOwn) this.rests.set(seq, life.seq);
  }

  #wrote({ agent, wrote }: MailOf<"call.reported">): void {
    const revision = this.#lives.get(agent)?.revision;
    for (const path of wrote.filter((one) => one.startsWith(TOOLS))) {
      const tool = path.slice(TOOLS.length).replace(/\.[^.]*$/, "");
      if (revision === undefined) this.#writers.delete(tool);
      else this.#writers.set(tool, revision);
    }
  }

  #failed({ because = [] }: Delivery, goal: string): void {
    for (const revision of new Set(because.flatMap((seq) => this.#lost.get(seq) ?? []))) {
      const known = this.costs.get(revision) ?? [];
      if (!known.includes(goal)) this.costs.set(revision, [...known, goal]);
    }
  }
}

/** Of an agent's address: `agent/toolsmith#1.2` is toolsmith's. */
const nameIn = (address: string): string => /^agent\/([^/#]+)/.exec(address)?.[1] ?? "";

export const revisionPasts = onceFor((deliveries: Log): RevisionPasts => {
  const pasts = new Pasts();
  for (const one of ofTypes(deliveries, ...TOLD)) pasts.observe(one);
  return pasts;
});

/** What its agent cost others, as a sentence of its own; empty where it cost nothing. */
export function costText(goals: readonly string[]): string {
  if (goals.length === 0) return "";
  const named = goals.slice(0, GOALS_MAX).map((goal) => `goal:${goal}`);
  const rest = goals.length - named.length;
  const all = rest > 0 ? `${named.join(", ")} and ${rest} more` : named.join(", ");
  return ` Tools of its agent cost ${countOf(goals.length, "goal")}: ${all}.`;
}
