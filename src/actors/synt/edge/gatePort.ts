/** What synt brings to the desk of the gate: how a person is asked about each proposal, and what is heard of it. */

import type { Decided, Gate, ServedGate } from "../../../edges/play/gate.ts";
import {
  type Desk,
  type DeskOptions,
  servedGate,
  wordReply,
} from "../../../edges/play/gatePort.ts";
import type { Person } from "../../../edges/play/person.ts";
import type { Redactor } from "../../../edges/redaction.ts";
import type { MailOf } from "../../../machines/letter.ts";
import type { PortRequest } from "../../../substrate/port.ts";
import { decidedEvent, isBatch, proposalsOf, type Word } from "./gateQuestion.ts";
import { type GateRules, questionText, readWord, SKIPPED, waysText } from "./gateText.ts";

type Words = ReadonlyMap<string, Word>;

export const gatePort = (
  gate: Gate,
  { rules, ...options }: DeskOptions & { readonly rules: GateRules },
): ServedGate => servedGate(gate, deskOf(rules), options);

const deskOf = (rules: GateRules): Desk<"person.asked", Words> => ({
  ask: async (request, person) => {
    const { words, isGone } = await askedAbout(request, person, rules);
    return isGone && words.size === 0 ? null : words;
  },
  decided: (words, redactor, { purpose }) => decidedOf(purpose, words, redactor),
});

/** A decision by request, given after so much virtual time about the question with this number. */
export const decidedBy = (
  words: Words,
  { seq, afterMs }: { readonly seq: number; readonly afterMs: number },
): Decided => ({
  seq,
  reply: (question, redactor) =>
    wordReply(decidedOf(question.purpose, words, redactor), question, afterMs),
});

/** Asks about each proposal in turn, as long as the person is there. */
async function askedAbout(
  { purpose, event }: PortRequest<"person.asked">,
  person: Person,
  rules: GateRules,
): Promise<{ readonly words: Words; readonly isGone: boolean }> {
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

function decidedOf(purpose: string, words: Words, redactor: Redactor): MailOf<"person.decided"> {
  const clean = [...words].map(([request, word]): [string, Word] => [
    request,
    word.feedback === undefined ? word : { ...word, feedback: redactor.text(word.feedback) },
  ]);
  return decidedEvent(purpose, new Map(clean));
}
