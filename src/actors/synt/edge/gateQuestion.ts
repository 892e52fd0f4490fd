/** What a person at the gate of synt is asked, and what they may say: the letters of `port/person.decide`. */

import type { MailOf } from "../../../machines/letter.ts";
import type { Dossier as MachineDossier } from "../../../machines/synt/contract.ts";
import type { Decision } from "../scriptedSynt.ts";

export const GATE = "port/person.decide";

/** Purposes of the port that are told apart here; what is not known is shown as it is. */
const BATCH = "proposals";
const SOFT_CAP = "soft-cap";

type Question = MailOf<"person.asked">;
type OfOne = Exclude<Question, { readonly purpose: typeof BATCH }>["dossier"];

/** Of a proposal, or of a call beyond the soft cap: the facts of either. */
export type Dossier = Partial<MachineDossier> & Partial<Exclude<OfOne, MachineDossier>>;

export interface Proposal {
  /** `req-0001` */
  readonly request: string;
  readonly dossier: Dossier;
}

/** The proposals that one question is about: several in the dossier of a night, else one. */
export const proposalsOf = (asked: Question): readonly Proposal[] =>
  asked.purpose === BATCH
    ? asked.dossier.proposals
    : [{ request: asked.request, dossier: asked.dossier }];

/** What may be said: money beyond the soft cap is spent or not, and cannot be amended. */
export const decisionsFor = (purpose: string): readonly Decision[] =>
  purpose === SOFT_CAP ? ["approve", "discard"] : ["approve", "amend", "discard"];

export const isBatch = (purpose: string): boolean => purpose === BATCH;

export const TARGETS = ["compose", "generate"] as const;

/** One decision. */
export interface Word {
  readonly decision: Decision;
  readonly feedback?: string;
  readonly target?: string;
}

/** The letter for decisions by request; a request omitted from a batch is left undecided. */
export function decidedEvent(
  purpose: string,
  words: ReadonlyMap<string, Word>,
): MailOf<"person.decided"> {
  const type = "person.decided";
  if (!isBatch(purpose)) {
    const [word = { decision: "discard" }] = words.values();
    return { type, ...word };
  }
  const decisions = [...words].map(([request, word]) => ({ request, ...word }));
  return { type, decisions };
}

/** What was decided, by request; nothing where no person was at the gate. */
export function wordsIn(
  asked: MailOf<"person.asked">,
  { decision, decisions }: MailOf<"person.decided">,
): ReadonlyMap<string, string> {
  const words = decisions ?? proposalsOf(asked).map(({ request }) => ({ request, decision }));
  return new Map(
    words
      .filter(({ decision }) => decision !== "none")
      .map(({ request, decision }) => [String(request), String(decision)]),
  );
}
