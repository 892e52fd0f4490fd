/**
 * What a person decided on proposals of a run, with the terms of R that they saw: what its weights can be fitted to.
 * Grants that nobody was asked for are told as such. Ours, after seed 002, 6 (“calibration”).
 */
import { type Dossier, isChain, type NightDossier } from "../../machines/synt/contract.ts";
import type { Share } from "../../machines/synt/score/exactShare.ts";
import { exactTerms, type Reward, type Strategy } from "../../machines/synt/score/reward.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { proposalsIn } from "./dossiers.ts";

/** `unasked`: granted without asking, after clean runs. */
export const VERDICTS = ["approve", "discard", "amend", "unasked"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One line of a file of decisions. */
export interface DecisionLine {
  readonly request: string;
  /** The delivery that decided it, which tells it from any other of its run. */
  readonly delivery: number;
  readonly strategy: Strategy;
  readonly verdict: Verdict;
  readonly what: string;
  readonly terms: { readonly [field: string]: Share };
  readonly total: Share;
}

const PERSONAL: readonly string[] = ["approve", "discard", "amend"];

export function decisionsIn(deliveries: Iterable<SeenDelivery>): readonly DecisionLine[] {
  const asked = new Map<number, NightDossier["proposals"]>();
  const approved = new Set<string>();
  const lines: DecisionLine[] = [];
  for (const { seq, event, fate, re } of deliveries) {
    if (event.type === "person.asked") {
      asked.set(seq, proposalsIn(event));
    } else if (event.type === "person.decided" && fate === "handled") {
      const { decisions, decision } = event;
      for (const { request, dossier } of asked.get(re ?? -1) ?? []) {
        const word = decisions?.find((one) => one.request === request)?.decision ?? decision;
        const reward = dossier.reward ?? null;
        if (reward === null || word === undefined || !PERSONAL.includes(word)) continue;
        if (word === "approve") approved.add(request);
        lines.push(lineOf(request, seq, word as Verdict, reward, dossier.artefact ?? null));
      }
    } else if (event.type === "synth.stated" && fate === "handled") {
      const { request, state, strategy, scored, artefact } = event;
      const isGranted = state === "delivered" && strategy === "compose" && scored !== null;
      if (!isGranted || approved.has(request)) continue;
      lines.push(lineOf(request, seq, "unasked", scored.reward, artefact));
    }
  }
  return lines;
}

const lineOf = (
  request: string,
  delivery: number,
  verdict: Verdict,
  reward: Reward,
  artefact: Dossier["artefact"],
): DecisionLine => ({
  ...{ request, delivery, strategy: reward.strategy, verdict },
  what: isChain(artefact) ? artefact.join(" → ") : (artefact?.name ?? ""),
  terms: exactTerms(reward.terms),
  total: reward.total,
});
