/**
 * Why this strategy, here: the two or three lines that stand above a proposal, in the dossier and in
 * the audit. Source: seed 002, 9 (`rationale`).
 */
import { MILLION } from "../units.ts";
import { flooredTo, NONE } from "./exactShare.ts";
import type { RequestContext } from "./requestContext.ts";
import type { RewardPolicy } from "./reward.ts";

/** What was missed or seen; why this strategy; what the proposal is worth. */
export function proposalRationale(
  context: RequestContext,
  policy: { readonly reward: RewardPolicy },
): string {
  return [`Here: ${occasion(context)}.`, `Why: ${reason(context)}.`, worth(context, policy)].join(
    "\n",
  );
}

function occasion({ input, strategy }: RequestContext): string {
  const { need, material, mode, revision } = input;
  const { members, chain, hot, covers } = material;
  if (revision !== null) return `${revision.request} is taken up again: ${need.intent}`;
  if (mode === "reactive") {
    const behind = need.from === null ? "" : ` behind ${need.from}`;
    return `a user asked "${need.intent}" and ${need.name} was missed${behind}`;
  }
  if (strategy === "merge") return `${members.join(" and ")} are used together, by their traces`;
  if (hot !== null) {
    return `${hot.uses} of ${hot.of} uses of ${members.join(", ")} are the case ${hot.value}`;
  }
  if (chain.length > 0) return `${chain.join(" → ")} came back often enough to be one executor`;
  const missed = covers.length === 0 ? need.name : covers.join(", ");
  return members.length === 0
    ? `${missed} was missed again and again`
    : `${members.join(", ")} have one shape, and ${missed} of their family is missed`;
}

function reason({ strategy, tried, rationale }: RequestContext): string {
  const before = tried.length === 0 ? "" : `${tried.join("; ")}; so `;
  return `${before}${strategy}: ${rationale}`;
}

function worth({ scored, cost }: RequestContext, { reward }: { readonly reward: RewardPolicy }) {
  const total = flooredTo(scored?.reward.total ?? NONE, 1000);
  const cents = (cost / MILLION).toFixed(2);
  return `Worth: R ${thousandths(total)} against the threshold of ${thousandths(reward.gate)}, for ${cents} ct.`;
}

/** The words of a refusal: what was tried, and its R, rounded down. */
export function belowThreshold({ strategy, scored, chain }: RequestContext): string {
  const what = chain.length > 1 ? chain.join(" → ") : "it";
  const total = thousandths(flooredTo(scored?.reward.total ?? NONE, 1000));
  return `tried to ${strategy} ${what}: R ${total} is below the threshold`;
}

const thousandths = (value: number): string => (value / 1000).toFixed(3);
