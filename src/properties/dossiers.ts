/** What the person at the gate is shown: one proposal, or at night several. */
import type { Json, MailOf } from "../machines/letter.ts";
import type { Reward, Strategy } from "../machines/synt/reward.ts";

/** Of a dossier, what properties look at. */
interface Dossier {
  readonly strategy: Strategy;
  readonly artefact: Json;
  readonly reward: Reward | null;
}

export interface Proposal {
  readonly request: string;
  readonly dossier: Dossier;
}

/** None when the question is about money. */
export function proposalsIn(event: MailOf<"person.asked">): readonly Proposal[] {
  const { purpose, request = "", dossier } = event;
  if (purpose === "soft-cap") return [];
  // To the protocol a dossier is any JSON; what stands in it follows from the purpose.
  const shown: unknown = purpose === "proposals" ? dossier : { proposals: [{ request, dossier }] };
  return (shown as { readonly proposals: readonly Proposal[] }).proposals;
}
