/** What models are asked for, over all parts: the prompt, the form of its answer, and whether it can be used. */

import type { AnswerSchema } from "../machines/answerSchema.ts";
import type { Mail } from "../machines/letter.ts";
import type { LivePolicy, Tier } from "../machines/livePolicy.ts";
import { onceFor } from "../machines/onceFor.ts";
import type { View } from "../machines/portMail.ts";
import type { Part, Purpose } from "./part.ts";
import { faultFor, unusableFor } from "./purposes.ts";

const purposesOf = onceFor(
  (parts: readonly Part[]): ReadonlyMap<string, Purpose> =>
    new Map(parts.flatMap(({ purposes: own = {} }) => Object.entries(own))),
);

/** What a purpose is; undefined for one that no part knows. */
export const purposeOf = (parts: readonly Part[], purpose: string): Purpose | undefined =>
  purposesOf(parts).get(purpose);

/** The text of a question to a model: what a live one reads, and a recording's key. */
export function promptText(
  parts: readonly Part[],
  { view }: Pick<Mail["llm.asked"], "view">,
): string {
  const purpose = purposeOf(parts, view.purpose);
  if (purpose === undefined) throw new Error(`no part asks models for ${view.purpose}`);
  return purpose.render(view);
}

/**
 * Ollama's `format` for a purpose: `json` where any JSON will do, undefined where the answer is words or
 * code. A purpose that no part knows answers in some JSON. `view`: the question's, where there is one.
 */
export function answerFormat(
  parts: readonly Part[],
  purpose: string,
  view?: View,
): AnswerSchema | "json" | undefined {
  const known = purposeOf(parts, purpose);
  if (known === undefined) return "json";
  return (view === undefined ? undefined : known.formatOf?.(view)) ?? known.format;
}

/** Why a model's answer cannot be used, in words; null for one that the asking actor can read. */
export const unusable = (
  parts: readonly Part[],
  purpose: string,
  text: unknown,
  view?: View,
): string | null => unusableFor(purposeOf(parts, purpose), text, view);

/** What is wrong with an answer, as it is told; null for one that the asking actor can read. */
export const answerFault = (
  parts: readonly Part[],
  purpose: string,
  text: string,
  view?: View,
): string | null => faultFor(purposeOf(parts, purpose), text, view);

/** The tier of live models that serves a question: the one that plans, unless its part says otherwise. */
export const liveTierOf = (
  parts: readonly Part[],
  asked: Pick<Mail["llm.asked"], "purpose" | "tier">,
  { tier }: LivePolicy,
): Tier => purposeOf(parts, asked.purpose)?.tier?.(asked, tier) ?? tier.plan;
