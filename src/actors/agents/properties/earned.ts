/** What must be earned before it opens. Source: seed 004, "Earned capabilities"; rulings U2, U10. */

import { worldPromises } from "../../../contract/promises.ts";
import type { LockPolicy } from "../../../machines/agents/engine/locks.ts";
import { decimal } from "../../../machines/agents/suffering/sufferingLines.ts";
import type { Carried, EventType, MailOf } from "../../../machines/letter.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";
import type { CallSeen } from "./seen.ts";
import { isEngine } from "./seen.ts";

/** The one capability that the seed makes a carrot of. */
const EARNED = "research_topic";

/** Ours: as many as any policy that a check draws can ask for. */
const MET_MAX = 50;

/** Which agents had to do with peers, and when, followed through what the ledger hears. */
class Meetings {
  readonly #askedMs = new Map<number, number>();
  /** The call that a letter to the ledger speaks of. */
  readonly #callOf = new Map<number, number>();
  readonly #met = new Map<string, readonly number[]>();

  observe({ seq, to, event, letters, dueMs }: SeenDelivery, call: CallSeen | undefined): void {
    // What is in no file is forgotten, and meetings are in none.
    if (event.type === "actor.start" && event.machine === "engine") this.#met.clear();
    if (event.type === "call.requested" && isEngine(to)) this.#askedMs.set(seq, dueMs);
    for (const letter of call === undefined ? [] : letters) {
      if (HEARD_OF.includes(letter.type)) this.#callOf.set(letter.seq, call?.seq ?? 0);
    }
    if (!isMeeting(event)) return;
    const { agent } = event;
    const askedMs = this.#askedMs.get(this.#callOf.get(seq) ?? -1) ?? dueMs;
    this.#met.set(agent, [...(this.#met.get(agent) ?? []), askedMs].slice(-MET_MAX));
  }

  /** How many are recent. */
  recent(agent: string, nowMs: number, { research }: LockPolicy): number {
    const met = this.#met.get(agent) ?? [];
    return met.filter((atMs) => nowMs - atMs <= research.recentMs).length;
  }
}

const HEARD_OF: readonly string[] = [
  "peer.referenced",
  "peer.messaged",
] satisfies readonly EventType[];

/** A peer's artifact read, or a message answered. */
const isMeeting = (event: Carried): event is MailOf<"peer.referenced" | "peer.messaged"> =>
  (event.type === "peer.referenced" && event.how === "read") ||
  (event.type === "peer.messaged" && event.isAnswer);

export const earnedProperties = worldPromises({
  "earned-before-used": {
    says: "An agent is let through to research_topic while its load is low and it lately had to do with a peer, and not otherwise.",
    source: "seed 004, Earned capabilities; RULINGS U2, U10",
    watch: ({ locks }) => {
      const meetings = new Meetings();
      return ({ delivery, agents }) => {
        meetings.observe(delivery, agents.call);
        const { event, letters, dueMs, seq } = delivery;
        if (!locks.enabled || event.type !== "call.routed" || event.capability !== EARNED) {
          return undefined;
        }
        const { agent } = event;
        const load = agents.load(agent, dueMs);
        const met = meetings.recent(agent, dueMs, locks);
        const { loadMax, interactionsMin } = locks.research;
        const isEarned = load <= loadMax && met >= interactionsMin;
        const isRefused = letters.some(({ type }) => type === "capability.locked");
        const standing =
          `a load of ${decimal(load)} and ${met} recent peer interactions ` +
          `(at most ${decimal(loadMax)}, at least ${interactionsMin})`;
        if (!isRefused && !isEarned)
          return `${agent} was let through to ${EARNED} (#${seq}) at ${standing}.`;
        if (isRefused && isEarned)
          return `${agent} was refused ${EARNED} (#${seq}) at ${standing}.`;
        return true;
      };
    },
  },
});
