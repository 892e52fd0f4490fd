/**
 * Every question of a run to a model, in order: what it cost, and what came of it. From the log and its
 * recording; the words are in modelCalls.ts. An answer is usable when its asker can read it.
 */
import type { Part } from "../contract/part.ts";
import { policyWith } from "../contract/policyTree.ts";
import { liveTierOf, unusable } from "../contract/purposeTable.ts";
import { groupedBy } from "../machines/grouped.ts";
import type { LivePolicy, Tier } from "../machines/livePolicy.ts";
import type { View } from "../machines/portMail.ts";
import { type Log, ofTypes } from "../substrate/log.ts";
import type { Attempt, Input, Reply } from "../substrate/port.ts";
import type { Manifest } from "./bundle.ts";
import { SCRIPTED } from "./modelUse.ts";

const PORT = "port/llm.chat";

/** `open`: no answer was heard in this run. */
export type Came = "usable" | "unusable" | "failed" | "open";

export interface AskedModel {
  /** The number of the question. */
  readonly seq: number;
  /** Virtual milliseconds. */
  readonly atMs: number;
  readonly from: string;
  readonly purpose: string;
  /** Which question of this sender for this purpose, from 1. */
  readonly nth: number;
  /** The name of a live model, or `scripted`; null where a program's function answered, or nobody. */
  readonly model: string | null;
  /** Of a live model: the tier that serves such questions. */
  readonly tier: Tier | null;
  /** What a scripted model chose, by name, several with a space between. */
  readonly choice: string | null;
  /** As the server of a live model counted them. */
  readonly promptTokens: number | null;
  readonly answerTokens: number | null;
  /** Virtual milliseconds from the question to its answer, with its waiting and its tries. */
  readonly latencyMs: number | null;
  /** Tries that failed, in order. */
  readonly attempts: readonly Attempt[];
  readonly came: Came;
  /** Why it could not be used, or failed; null otherwise. */
  readonly why: string | null;
  /** It came when nobody waited for it any more. */
  readonly isLate: boolean;
}

/** Who served the models of a run. */
export interface Served {
  /** Of the manifest, at the port of models. */
  readonly provider: string;
  /** Names of live models by tier; none in a run without any. */
  readonly models: { readonly [tier: string]: string };
  readonly policy: LivePolicy;
}

export const servedBy = (
  parts: readonly Part[],
  { providers, live, policy }: Pick<Manifest, "providers" | "live" | "policy">,
): Served => ({
  provider: providers[PORT] ?? "",
  models: Object.fromEntries(
    Object.entries(live?.models ?? {}).map(([tier, { name }]) => [tier, name]),
  ),
  policy: policyWith(parts, policy).live,
});

export function askedModels(
  parts: readonly Part[],
  deliveries: Log,
  inputs: Iterable<Input>,
  served: Served,
): readonly AskedModel[] {
  const replies = new Map<number, Reply>();
  for (const one of inputs)
    if (one.kind === "reply" && one.port === PORT) replies.set(one.seq, one);
  const counts = new Map<string, number>();
  /** Of questions that are open: what counts as an answer may depend on it. */
  const views = new Map<number, View>();
  const asked = new Map<number, AskedModel>();
  for (const one of ofTypes(deliveries, "llm.asked", "llm.replied", "llm.failed")) {
    const { seq, dueMs, to, from, re = -1, event, fate } = one;
    if (to === PORT && event.type === "llm.asked") {
      const { purpose } = event;
      const nth = (counts.get(`${from} ${purpose}`) ?? 0) + 1;
      counts.set(`${from} ${purpose}`, nth);
      const tier = liveTierOf(parts, event, served.policy);
      const model = served.models[tier];
      const who = model === undefined ? { tier: null } : { tier, model };
      views.set(seq, event.view);
      asked.set(seq, { ...unanswered, seq, atMs: dueMs, from, purpose, nth, ...who });
    }
    const question = from === PORT ? asked.get(re) : undefined;
    if (question === undefined || event.type === "llm.asked") continue;
    const isLate = fate !== "handled";
    const view = views.get(re);
    views.delete(re);
    asked.set(re, {
      ...{ ...question, ...costOf(replies.get(seq), question, served), isLate },
      ...(event.type === "llm.failed"
        ? { came: "failed", why: event.error }
        : readOf(parts, question.purpose, event.text, view, replies.get(seq))),
    });
  }
  return [...asked.values()];
}

type Unanswered = Omit<AskedModel, "seq" | "atMs" | "from" | "purpose" | "nth">;

const unanswered: Unanswered = {
  ...{ model: null, tier: null, choice: null, promptTokens: null, answerTokens: null },
  ...{ latencyMs: null, attempts: [], came: "open", why: null, isLate: false },
};

function costOf(
  reply: Reply | undefined,
  question: AskedModel,
  { provider }: Served,
): Partial<AskedModel> {
  const { usage, attempts = [], choice = null, latencyMs = null } = reply ?? {};
  // In a changed run the recording of a live model and a script may both answer.
  const isLive = usage !== undefined || attempts.length > 0 || choice?.startsWith("live:") === true;
  const other = provider.includes(SCRIPTED) ? SCRIPTED : null;
  return {
    ...(isLive ? { model: usage?.model ?? question.model } : { model: other, tier: null, choice }),
    ...{ latencyMs, attempts },
    promptTokens: usage?.promptTokens ?? null,
    answerTokens: usage?.answerTokens ?? null,
  };
}

/** As the run itself recorded it, where it did. */
function readOf(
  parts: readonly Part[],
  purpose: string,
  text: string,
  view: View | undefined,
  reply: Reply | undefined,
): Pick<AskedModel, "came" | "why"> {
  const why = reply?.unusable ?? unusable(parts, purpose, text, view);
  return { came: why === null ? "usable" : "unusable", why };
}

/** What a number of questions came to. */
export interface AskedSum {
  readonly asked: number;
  readonly answered: number;
  readonly usable: number;
  readonly failed: number;
  readonly open: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** Of those that were answered or failed; null of none. */
  readonly medianMs: number | null;
}

export function sumOf(asked: readonly AskedModel[]): AskedSum {
  const count = (...came: readonly Came[]): number =>
    asked.filter((one) => came.includes(one.came)).length;
  const total = (of: "promptTokens" | "answerTokens"): number =>
    asked.reduce((sum, one) => sum + (one[of] ?? 0), 0);
  const latencies = asked.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  return {
    asked: asked.length,
    answered: count("usable", "unusable"),
    usable: count("usable"),
    failed: count("failed"),
    open: count("open"),
    promptTokens: total("promptTokens"),
    answerTokens: total("answerTokens"),
    medianMs: medianOf(latencies),
  };
}

/** Whole; of two in the middle what lies between them. Null of none. */
export function medianOf(sorted: readonly number[]): number | null {
  const low = sorted[(sorted.length - 1) >> 1];
  const high = sorted[sorted.length >> 1];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2);
}

/** By purpose, in the order of their names. */
export const sumsByPurpose = (
  asked: readonly AskedModel[],
): readonly (AskedSum & { readonly purpose: string })[] =>
  [...groupedBy(asked, ({ purpose }) => purpose)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([purpose, those]) => ({ purpose, ...sumOf(those) }));
