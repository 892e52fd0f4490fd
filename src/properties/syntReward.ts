/** R and its gate, calculated a second time in whole numbers. Source: seed 002, 6 and 12; Y1 to Y7. */
import type { Json } from "../machines/letter.ts";
import type { Policy } from "../machines/policy.ts";
import {
  CONTRACT_FIELDS,
  type Reward,
  type Strategy,
  TERMS,
  type Term,
} from "../machines/synt/reward.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Verdict, WorldProperty } from "./property.ts";

const BILLION = 1_000_000_000n;
const WHOLE = BILLION * 1_000n;

export type Terms = { readonly [T in Term]: number };

/** R in units of 10⁻¹², from terms in billionths: the seed's formula. */
export function exactR(terms: Terms, { weights }: Policy["synt"]["reward"]): bigint {
  const part = (term: Term): bigint => BigInt(weights[term]) * BigInt(terms[term]);
  const sum =
    part("det") +
    part("judge") +
    part("cost") -
    part("similarity") +
    part("coverage") +
    part("bonus");
  return sum < 0n ? 0n : sum > WHOLE ? WHOLE : sum;
}

const rewardRecomputes: WorldProperty = {
  kind: "world",
  id: "synt-reward-recomputes",
  says: "R, where it is decided, shown or audited, is the weighted sum of its recorded terms, and the gate lets through what reaches it and nothing else.",
  source: "seed 002, 6 and 12, “R reproducible”; RULINGS Y2, Y3, Y5",
  expected: "holds",
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
};

function statedFault(event: Delivery["event"], policy: Policy): Verdict {
  const { scored, state, request, rationale } = event as unknown as {
    readonly scored: { readonly reward: Reward } | null;
    readonly state: string;
    readonly request: string;
    readonly rationale: string;
  };
  if (scored === null) return undefined;
  const { reward } = scored;
  const fault = rewardFault(reward, policy);
  if (fault !== null) return `${request}: ${fault}.`;
  const isThrough = !["abandoned", "rejected", "suspended"].includes(state);
  if (isThrough && !reward.passes) return `${request} is ${state} with an R below the gate.`;
  const isTurnedDown = state === "abandoned" && rationale.endsWith("is below the gate");
  return isTurnedDown && reward.passes ? `${request} was turned down, and its R passes.` : true;
}

function askedFault({ request, dossier }: Delivery["event"], policy: Policy): Verdict {
  const { reward = null, proposals = [] } = (dossier ?? {}) as {
    readonly reward?: Reward | null;
    readonly proposals?: readonly { readonly dossier: { readonly reward: Reward | null } }[];
  };
  const rewards = [reward, ...proposals.map((one) => one.dossier.reward)].filter(
    (one) => one !== null,
  );
  for (const one of rewards) {
    const fault = rewardFault(one, policy);
    if (fault !== null) return `The person is shown for ${request}: ${fault}.`;
    if (!one.passes) return `The person is asked about ${request}, whose R is below the gate.`;
  }
  return rewards.length > 0 ? true : undefined;
}

/** What is wrong with a reward as it was decided by; null when nothing is. */
function rewardFault({ terms, total, passes, cosine, strategy }: Reward, { synt }: Policy) {
  const { gate, bonus, similarAbove } = synt.reward;
  const exact = exactR(terms, synt.reward);
  if (BigInt(total) !== exact) return `R is given as ${total}, and its terms make ${exact}`;
  if (passes !== exact >= BigInt(gate) * BILLION) {
    return `R is ${exact}, the gate ${gate} thousandths, and it ${passes ? "passes" : "does not pass"}`;
  }
  const earned = BigInt(bonus[strategy as Strategy]) * 1_000_000n;
  if (BigInt(terms.bonus) !== earned) return `the bonus of ${strategy} is given as ${terms.bonus}`;
  const penalty = BigInt(cosine) * 1_000n > BigInt(similarAbove) * BILLION ? BILLION : 0n;
  return BigInt(terms.similarity) === penalty
    ? null
    : `a cosine of ${cosine} is given a penalty of ${terms.similarity}`;
}

function auditedFault({ text }: Delivery["event"], { synt }: Policy): Verdict {
  const line = String(text);
  if (!line.includes('"reward":{')) return undefined;
  const { reward, request_id: request } = JSON.parse(line) as {
    readonly reward: { readonly [field: string]: Json };
    readonly request_id: string;
  };
  const terms = Object.fromEntries(
    TERMS.map((term) => [
      term,
      Math.round(Number(reward[CONTRACT_FIELDS[term]]) * Number(BILLION)),
    ]),
  ) as Terms;
  const total = BigInt(Math.round(Number(reward["total"]) * Number(WHOLE)));
  const exact = exactR(terms, synt.reward);
  return total === exact
    ? true
    : `The audit of ${request} gives R as ${reward["total"]}; its terms make ${exact} of ${WHOLE}.`;
}

export const syntRewardProperties: readonly WorldProperty[] = [rewardRecomputes];
