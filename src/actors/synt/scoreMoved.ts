/**
 * What a proposal scored, in words: which term keeps it below the threshold, and which has moved its R
 * since the same was scored before.
 */
import { isChain, type Weighed } from "../../machines/synt/contract.ts";
import {
  ALL,
  compareShares,
  flooredTo,
  minus,
  NONE,
  type Share,
} from "../../machines/synt/score/exactShare.ts";
import { CONTRACT_FIELDS, TERMS, type Term } from "../../machines/synt/score/reward.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";

/** The sentence on each score, by the number of the judge's answer behind it. */
export function scoresTold(deliveries: Log<SeenDelivery>): ReadonlyMap<number, string> {
  const before = new Map<string, Scored>();
  const told = new Map<number, string>();
  for (const { event, to, cause } of ofTypes(deliveries, "synth.stated")) {
    if (to !== "synt") continue;
    const { request, intent, weighed } = event;
    const sentences = weighed.map((one) => {
      const key = JSON.stringify([intent, one.strategy, nameOf(one)]);
      const sentence = scoreText(one, before.get(key));
      before.set(key, { request, weighed: one });
      return sentence;
    });
    if (cause !== null && sentences.length > 0) told.set(cause, sentences.join(" "));
  }
  return told;
}

interface Scored {
  readonly request: string;
  readonly weighed: Weighed;
}

const nameOf = ({ artefact }: Weighed): string =>
  isChain(artefact) ? artefact.join(" → ") : (artefact?.name ?? "it");

const shareText = (value: Share): string => (flooredTo(value, 1000) / 1000).toFixed(3);
const size = (a: Share): Share => (compareShares(a, NONE) < 0 ? minus(NONE, a) : a);

function scoreText(weighed: Weighed, before: Scored | undefined): string {
  const { total, passes } = weighed.scored.reward;
  const verdict = passes ? "reaches the threshold" : `is below the threshold${shortText(weighed)}`;
  const head = `R ${shareText(total)} of ${nameOf(weighed)} ${verdict}.`;
  return before === undefined ? head : `${head} ${movedText(weighed, before)}`;
}

/** Each term by what it leaves of its weight, the largest first. */
function shortText({ scored }: Weighed): string {
  const { terms, parts } = scored.reward;
  const short = TERMS.filter((term) =>
    term === "similarity"
      ? compareShares(parts[term], NONE) < 0
      : term !== "bonus" && compareShares(terms[term], ALL) < 0,
  );
  const said = short
    .toSorted((a, b) => compareShares(parts[a], parts[b]))
    .map(
      (term) => `${CONTRACT_FIELDS[term]} ${shareText(terms[term])} adds ${shareText(parts[term])}`,
    );
  return said.length === 0 ? "" : `: ${said.join(", ")}`;
}

interface Moved {
  readonly term: Term;
  readonly by: Share;
}

/** Each term that moved R since, the one that moved it most first. */
function movedText({ scored: { reward } }: Weighed, { request, weighed }: Scored): string {
  const old = weighed.scored.reward;
  const moved = TERMS.map(
    (term): Moved => ({ term, by: minus(reward.parts[term], old.parts[term]) }),
  )
    .filter(({ by }) => compareShares(by, NONE) !== 0)
    .toSorted((a, b) => compareShares(size(b.by), size(a.by)));
  const since = `In ${request} it was ${shareText(old.total)}`;
  if (moved.length === 0) return `${since}.`;
  const terms = moved.map(({ term, by }) => {
    const way = compareShares(by, NONE) > 0 ? "added" : "took off";
    const from = shareText(old.terms[term]);
    return `${CONTRACT_FIELDS[term]} ${from} → ${shareText(reward.terms[term])} ${way} ${shareText(size(by))}`;
  });
  return `${since}: ${terms.join(", ")}.`;
}
