/** The rows of a page: all that the log says of each delivery besides the columns. */
import { type AskedModel, askedModels, servedBy } from "../../run/askedModels.ts";
import { type ModelCalls, modelCalls } from "../../run/modelCalls.ts";
import type { Explainer } from "../../run/why.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { ViewCall, ViewRow } from "../../viewer/viewData.ts";
import type { PlaceOf, ViewedRun } from "./viewedRun.ts";

/** How much of a delivery a page holds. */
export type Fullness =
  /** All of it. */
  | "whole"
  /** No prompts, answers, contents of letters and contexts. */
  | "bare"
  /** Neither that nor words. */
  | "silent";

/** Gives the row of a delivery; `says` is what it is in words, where that is known. */
export type RowMaker = (one: Delivery, fullness: Fullness, says?: string | null) => ViewRow;

export function rowMaker(run: ViewedRun, explainer: Explainer): RowMaker {
  const { parts, deliveries, bundle, placeOf } = run;
  const calls = modelCalls(parts, deliveries, bundle.inputs);
  const served = servedBy(parts, bundle.manifest);
  const asked = new Map(
    askedModels(parts, deliveries, bundle.inputs, served).map((one) => [one.seq, one]),
  );
  return (one, fullness, says = fullness === "silent" ? null : explainer.says(one)) => {
    const { seq, fate, before, after, re } = one;
    const question = re === undefined ? undefined : placeOf(re);
    const call = asked.get(seq);
    return {
      ...{ fate, before, after },
      ...(says && { says }),
      ...(question !== undefined && { re: question }),
      ...(call && { call: callOf(call, calls, placeOf, fullness) }),
      ...(fullness === "whole" && contents(one)),
    };
  };
}

/** The same row as one that is bare. */
export function bareRow({ event: _, changes: __, call, ...row }: ViewRow): ViewRow {
  if (call === undefined) return row;
  const { prompt: ___, answer: ____, ...bare } = call;
  return { ...row, call: bare };
}

function contents({ event, changes }: Delivery): Pick<ViewRow, "event" | "changes"> {
  const { type, ...carried } = event;
  // Of a question to a model its prompt is shown, which says the same.
  return {
    ...(type !== "llm.asked" && { event: { ...carried } as never }),
    ...(changes.length > 0 && { changes }),
  };
}

function callOf(
  { seq, purpose, nth, model, came, why, latencyMs, promptTokens, answerTokens }: AskedModel,
  calls: ModelCalls,
  placeOf: PlaceOf,
  fullness: Fullness,
): ViewCall {
  const words = calls.get(seq);
  const answerSeq = words?.answerSeq ?? null;
  const answer = words?.answer ?? words?.error ?? null;
  return {
    ...{ purpose, nth, model, came, why, latencyMs, promptTokens, answerTokens },
    ...(fullness === "whole" && { prompt: words?.prompt ?? null, answer }),
    answerPlace: answerSeq === null ? null : (placeOf(answerSeq) ?? null),
  };
}
