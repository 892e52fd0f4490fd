/** R and its threshold, calculated a second time in whole numbers. Source: seed 002, 6 and 12; Y1 to Y7. */

import type { Policy } from "../../../contract/policy.ts";
import { worldPromises } from "../../../contract/promises.ts";
import type { Verdict } from "../../../contract/property.ts";
import type { MailOf } from "../../../machines/letter.ts";
import type { Share } from "../../../machines/synt/score/exactShare.ts";
import {
  CONTRACT_FIELDS,
  type Reward,
  TERMS,
  type Term,
  type Terms,
} from "../../../machines/synt/score/reward.ts";
import { proposalsIn } from "../dossiers.ts";

const BILLION = 1_000_000_000n;

/** A share as two whole numbers of any size, not in lowest terms. */
export interface Exact {
  readonly over: bigint;
  readonly under: bigint;
}

export const exactly = ([over, under]: Share): Exact => ({
  over: BigInt(over),
  under: BigInt(under),
});

export const isSame = (a: Exact, b: Exact): boolean => a.over * b.under === b.over * a.under;

/** R from its terms: the seed's formula over one common denominator. */
export function exactR(terms: Terms, { weights }: Policy["synt"]["reward"]): Exact {
  const under = TERMS.reduce((all, term) => all * BigInt(terms[term][1]), 1000n);
  const part = (term: Term): bigint =>
    (BigInt(weights[term]) * BigInt(terms[term][0]) * (under / 1000n)) / BigInt(terms[term][1]);
  const over =
    part("det") +
    part("judge") +
    part("cost") -
    part("similarity") +
    part("coverage") +
    part("bonus");
  if (over < 0n) return { over: 0n, under };
  return over > under ? { over: under, under } : { over, under };
}

function statedFault(event: MailOf<"synth.stated">, policy: Policy): Verdict {
  const { scored, weighed, state, request, rationale } = event;
  for (const { scored: one, strategy } of weighed) {
    const fault = rewardFault(one.reward, policy);
    if (fault !== null) return `${request}, ${strategy}: ${fault}.`;
  }
  if (scored === null) return weighed.length > 0 ? true : undefined;
  const { reward } = scored;
  const fault = rewardFault(reward, policy);
  if (fault !== null) return `${request}: ${fault}.`;
  const isThrough = !["abandoned", "rejected", "suspended"].includes(state);
  if (isThrough && !reward.passes) return `${request} is ${state} with an R below the threshold.`;
  const isTurnedDown = state === "abandoned" && rationale.endsWith("is below the threshold");
  return isTurnedDown && reward.passes ? `${request} was turned down, and its R passes.` : true;
}

function askedFault(event: MailOf<"person.asked">, policy: Policy): Verdict {
  let verdict: Verdict;
  for (const { request, dossier } of proposalsIn(event)) {
    const { reward } = dossier;
    if (reward === null) continue;
    const fault = rewardFault(reward, policy);
    if (fault !== null) return `The person is shown for ${request}: ${fault}.`;
    if (!reward.passes)
      return `The person is asked about ${request}, whose R is below the threshold.`;
    verdict = true;
  }
  return verdict;
}

const fractionText = ({ over, under }: Exact): string => `${over}/${under}`;

/** What is wrong with a reward as it was decided by; null when nothing is. */
function rewardFault({ terms, total, passes, cosine, strategy }: Reward, { synt }: Policy) {
  const { gate, bonus, similarAbove } = synt.reward;
  const exact = exactR(terms, synt.reward);
  if (!isSame(exactly(total), exact)) {
    return `R is given as ${total.join("/")}, and its terms make ${fractionText(exact)}`;
  }
  if (passes !== exact.over * 1000n >= BigInt(gate) * exact.under) {
    return `R is ${fractionText(exact)}, the threshold ${gate} thousandths, and it ${passes ? "passes" : "does not pass"}`;
  }
  const earned = { over: BigInt(bonus[strategy]), under: 1000n };
  if (!isSame(exactly(terms.bonus), earned)) {
    return `the bonus of ${strategy} is given as ${terms.bonus.join("/")}`;
  }
  const penalty = BigInt(cosine) * 1_000n > BigInt(similarAbove) * BILLION ? 1n : 0n;
  return isSame(exactly(terms.similarity), { over: penalty, under: 1n })
    ? null
    : `a cosine of ${cosine} is given a penalty of ${terms.similarity.join("/")}`;
}

/** A decimal for people is the share, to a millionth. */
const isNear = (decimal: number, { over, under }: Exact): boolean => {
  const off = BigInt(Math.round(decimal * 1_000_000)) * under - over * 1_000_000n;
  return off <= under && off >= 0n - under;
};

type Audited = { readonly exact: { readonly [field: string]: Share } } & {
  readonly [field: string]: unknown;
};

/** The line's own R, and that of everything that was weighed. */
function auditedFault({ text: line }: MailOf<"files.append">, { synt }: Policy): Verdict {
  if (!line.includes('"reward":{')) return undefined;
  const {
    reward,
    weighed = [],
    request_id: request,
  } = JSON.parse(line) as {
    readonly reward: Audited | null;
    readonly weighed?: readonly { readonly reward: Audited }[];
    readonly request_id: string;
  };
  const all = [...(reward === null ? [] : [reward]), ...weighed.map((one) => one.reward)];
  const faults = all.flatMap(({ exact, total }) => {
    const terms = Object.fromEntries(
      TERMS.map((term) => [term, exact[CONTRACT_FIELDS[term]] ?? [0, 1]]),
    ) as Terms;
    const made = exactR(terms, synt.reward);
    const isRight = isSame(exactly(exact["total"] ?? [0, 1]), made);
    const isShown = isNear(Number(total), made);
    return isRight && isShown ? [] : [`${total}; its terms make ${fractionText(made)}`];
  });
  const [fault] = faults;
  return fault === undefined ? true : `The audit of ${request} gives R as ${fault}.`;
}

export const syntRewardProperties = worldPromises({
  "synt-reward-recomputes": {
    says: "R, where it is decided, shown or audited, is the weighted sum of its recorded terms, and the threshold lets through what reaches it and nothing else.",
    source: "seed 002, 6 and 12, “R reproducible”; RULINGS Y2, Y5, Y24",
    watch:
      (policy) =>
      ({ delivery }) => {
        const { event } = delivery;
        switch (event.type) {
          case "synth.stated":
            return statedFault(event, policy);
          case "person.asked":
            return askedFault(event, policy);
          case "files.append":
            return auditedFault(event, policy);
          default:
            return undefined;
        }
      },
  },
});
