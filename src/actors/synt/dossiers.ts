/** What the person at the gate is asked about. */
import type { MailOf } from "../../machines/letter.ts";
import type { NightDossier } from "../../machines/synt/contract.ts";

/** One proposal, or at night several; none when it is about money. */
export function proposalsIn(event: MailOf<"person.asked">): NightDossier["proposals"] {
  switch (event.purpose) {
    case "soft-cap":
      return [];
    case "proposals":
      return event.dossier.proposals;
    default: {
      const { request, dossier } = event;
      return [{ request, dossier }];
    }
  }
}
