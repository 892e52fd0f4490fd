/**
 * `port/person.decide` served from outside: asked in the terminal, left for later, or never answered.
 * While a person is asked the virtual clock stands still, and the time they took is the latency of
 * their answer: seven virtual days never take seven real ones, and no time-out comes while they think.
 */

import type { Decided, Gate, ServedGate } from "../../../edges/gate.ts";
import type { Inbox } from "../../../edges/inbox.ts";
import { type Wall, wallClock } from "../../../edges/live/liveClock.ts";
import type { Person } from "../../../edges/person.ts";
import type { Redactor } from "../../../edges/redaction.ts";
import type { PortReply, PortRequest, Provider } from "../../../substrate/port.ts";
import { nobodyDecides } from "../scriptedSynt.ts";
import { decidedEvent, isBatch, proposalsOf, type Word } from "./gateQuestion.ts";
import { type GateRules, questionText, readWord, SKIPPED, waysText } from "./gateText.ts";

interface GateOptions {
  readonly inbox: Inbox;
  readonly redactor: Redactor;
  readonly rules: GateRules;
  /** Tests give their own. */
  readonly wall?: Wall;
}

export function gatePort(gate: Gate, options: GateOptions): ServedGate {
  if (gate.kind === "terminal")
    return { provider: terminal(gate.person, options), isLeft: () => false };
  if (gate.kind === "nobody")
    return { provider: { answer: () => nobodyDecides }, isLeft: () => false };
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

/** A decision by request, given after so much virtual time about the question with this number. */
export const decidedBy = (
  words: ReadonlyMap<string, Word>,
  { seq, afterMs }: { readonly seq: number; readonly afterMs: number },
): Decided => ({
  seq,
  reply: (question, redactor) => replyOf(question, words, afterMs, redactor),
});

function terminal(person: Person, options: GateOptions): Provider<"person.asked"> {
  const { inbox, redactor, rules, wall = wallClock } = options;
  return {
    answer(request) {
      const askedMs = wall();
      askedAbout(request, person, rules).then(
        ({ words, isGone }) => {
          const tookMs = wall() - askedMs;
          // The person has gone and said nothing: the time-out decides.
          const isSilent = isGone && words.size === 0;
          const reply = isSilent ? nobodyDecides : replyOf(request, words, tookMs, redactor);
          inbox.push(request.seq, reply);
        },
        (error: unknown) => inbox.fail(error),
      );
      return null;
    },
  };
}

/** Asks about each proposal in turn, as long as the person is there. */
async function askedAbout(
  { purpose, event }: PortRequest<"person.asked">,
  person: Person,
  rules: GateRules,
): Promise<{ readonly words: ReadonlyMap<string, Word>; readonly isGone: boolean }> {
  const words = new Map<string, Word>();
  const proposals = proposalsOf(event);
  for (const [index, proposal] of proposals.entries()) {
    const place = isBatch(purpose) ? `Proposal ${index + 1} of ${proposals.length}. ` : "";
    let said = await person.ask(`${place}${questionText(purpose, proposal, rules)}`);
    for (;;) {
      if (said === null) return { words, isGone: true };
      const word = readWord(said, purpose);
      if (word !== undefined) {
        if (word !== SKIPPED) words.set(proposal.request, word);
        break;
      }
      said = await person.ask(`That is no decision. What is:\n${waysText(purpose)}`);
    }
  }
  return { words, isGone: false };
}

function replyOf(
  { purpose, nth }: Pick<PortRequest, "purpose" | "nth">,
  words: ReadonlyMap<string, Word>,
  latencyMs: number,
  redactor: Redactor,
): PortReply {
  const clean = [...words].map(([request, word]): [string, Word] => [
    request,
    word.feedback === undefined ? word : { ...word, feedback: redactor.text(word.feedback) },
  ]);
  const event = decidedEvent(purpose, new Map(clean));
  return { event, latencyMs, choice: `person:${purpose}/${nth}` };
}
