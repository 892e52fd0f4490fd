/**
 * What a scenario knows of proposals and synt does not: which are good and which are bad. Labels are
 * looked up while a log is measured; nothing of them is in the world. Ours.
 */

import { isChain, type Weighed } from "../../machines/synt/contract.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import type { ProposalLabel } from "./stage.ts";

export class SyntLabels {
  readonly #labels: readonly ProposalLabel[];
  /** The text of each request's last draft, code and all. */
  readonly #drafts = new Map<string, string>();

  constructor(labels: readonly ProposalLabel[]) {
    this.#labels = labels;
  }

  observe(event: SeenDelivery["event"], to: string): void {
    if (this.#labels.length === 0 || event.type !== "draft.ended") return;
    const { description = "", code = "" } = event.draft ?? {};
    this.#drafts.set(to, `${description}\n${code}`);
  }

  /** The first label that fits; null for a proposal without one. */
  verdictOn(request: string, { artefact }: Weighed): ProposalLabel["is"] | null {
    const text = isChain(artefact)
      ? artefact.join(" → ")
      : (this.#drafts.get(`synt/${request}`) ?? "");
    return this.#labels.find(({ match }) => text.includes(match))?.is ?? null;
  }
}
