/**
 * `port/person.decide` served from outside: asked in the terminal, left for later, or never answered.
 * While a person is asked the virtual clock stands still, and the time they took is the latency of
 * their answer: seven virtual days never take seven real ones, and no time-out comes while they think.
 */

import type { Inbox } from "../../../edges/inbox.ts";
import { type Wall, wallClock } from "../../../edges/live/liveClock.ts";
import type { Person } from "../../../edges/personPort.ts";
import type { Redactor } from "../../../edges/redaction.ts";
import type { PortReply, PortRequest, Provider } from "../../../substrate/port.ts";
import { nobodyDecides } from "../scriptedSynt.ts";
import { decidedEvent, isBatch, proposalsOf, type Word } from "./gateQuestion.ts";
import { type GateRules, questionText, readWord, SKIPPED, waysText } from "./gateText.ts";

/** What decides at the gate; the scenario's list when there is none. */
export type Gate =
  | { readonly kind: "terminal"; readonly person: Person }
  | { readonly kind: "later"; readonly decided?: Decided | undefined }
  | { readonly kind: "nobody" };

/** A decision about the question with this number, given between two runs. */
export interface Decided {
  readonly seq: number;
  readonly words: ReadonlyMap<string, Word>;
  /** How long it took, in virtual time. */
  readonly afterMs: number;
}

/** How a manifest names it. */
export const gateNames = {
  terminal: "a person, at the terminal",
  later: "a person, asked later",
  nobody: "nobody",
} as const;

interface GatePort {
  readonly provider: Provider<"person.asked">;
  /** Whether a question is open that is left for later. */
  readonly isLeft: () => boolean;
}

interface GateOptions {
  readonly inbox: Inbox;
  readonly redactor: Redactor;
  readonly rules: GateRules;
  /** Tests give their own. */
  readonly wall?: Wall;
}

export function gatePort(gate: Gate, options: GateOptions): GatePort {
  if (gate.kind === "terminal")
    return { provider: terminal(gate.person, options), isLeft: () => false };
  if (gate.kind === "nobody")
    return { provider: { answer: () => nobodyDecides }, isLeft: () => false };
  const { decided } = gate;
  let left = false;
  return {
    provider: {
      answer: (request) => {
        if (decided?.seq === request.seq) {
          return replyOf(request, decided.words, decided.afterMs, options.redactor);
        }
        left = true;
        return null;
      },
    },
    isLeft: () => left,
  };
}

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
