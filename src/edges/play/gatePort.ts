/**
 * A gate served from outside: asked in the terminal, left for later, or never answered. While a person
 * is asked the virtual clock stands still, and the time they took is the latency of their answer:
 * seven virtual days never take seven real ones, and no time-out comes while they think.
 */

import { nobodyDecides } from "../../contract/nobodyDecides.ts";
import type { EventType, MailOf } from "../../machines/letter.ts";
import type { PortReply, PortRequest, Provider } from "../../substrate/port.ts";
import { type Wall, wallClock } from "../live/liveClock.ts";
import type { Redactor } from "../redaction.ts";
import type { Gate, ServedGate } from "./gate.ts";
import type { Inbox } from "./inbox.ts";
import type { Person } from "./person.ts";

/** What a part brings to the desk: how its questions are put to a person, and what is heard of the answer. */
export interface Desk<K extends EventType, W> {
  /** Null when the person has gone and said nothing. */
  readonly ask: (request: PortRequest<K>, person: Person) => Promise<W | null>;
  readonly decided: (
    words: W,
    redactor: Redactor,
    request: PortRequest<K>,
  ) => MailOf<"person.decided">;
}

export interface DeskOptions {
  readonly inbox: Inbox;
  readonly redactor: Redactor;
  /** Tests give their own. */
  readonly wall?: Wall;
}

export function servedGate<K extends EventType, W>(
  gate: Gate,
  desk: Desk<K, W>,
  options: DeskOptions,
): ServedGate {
  if (gate.kind === "terminal") {
    return { provider: atTerminal(gate.person, desk, options), isLeft: () => false };
  }
  if (gate.kind === "nobody") {
    return { provider: { answer: () => nobodyDecides }, isLeft: () => false };
  }
  const { decided } = gate;
  let left = false;
  return {
    provider: {
      answer: (request) => {
        if (decided?.seq === request.seq) return decided.reply(request, options.redactor);
        left = true;
        return null;
      },
    },
    isLeft: () => left,
  };
}

function atTerminal<K extends EventType, W>(
  person: Person,
  desk: Desk<K, W>,
  { inbox, redactor, wall = wallClock }: DeskOptions,
): Provider<K> {
  return {
    answer(request) {
      const askedMs = wall();
      desk.ask(request, person).then(
        (words) => {
          const tookMs = wall() - askedMs;
          // The person has gone and said nothing: the time-out decides.
          const reply =
            words === null
              ? nobodyDecides
              : wordReply(desk.decided(words, redactor, request), request, tookMs);
          inbox.push(request.seq, reply);
        },
        (error: unknown) => inbox.fail(error),
      );
      return null;
    },
  };
}

/** A person's word, as the recording has it. */
export const wordReply = (
  event: MailOf<"person.decided">,
  { purpose, nth }: Pick<PortRequest, "purpose" | "nth">,
  latencyMs: number,
): PortReply => ({ event, latencyMs, choice: `person:${purpose}/${nth}` });
