/**
 * What models were asked in a run, and what they answered. The log holds the facts behind a prompt;
 * its text is rendered again and held against the hash under which the recording knows the request.
 */
import type { Part } from "./actors/part.ts";
import { promptText } from "./purposes.ts";
import type { Delivery } from "./substrate/envelope.ts";
import type { Input } from "./substrate/port.ts";
import { requestHash } from "./substrate/portDesk.ts";
import { type Call, callName } from "./substrate/recordedPort.ts";

const PORT = "port/llm.chat";

export interface ModelCall {
  /** The number of the question. */
  readonly seq: number;
  readonly from: string;
  readonly purpose: string;
  /** Which call of this sender for this purpose, from 1. */
  readonly nth: number;
  /** What the model read; null when this version of the program words it differently. */
  readonly prompt: string | null;
  /** The number of the answer; null when none was heard in this run. */
  readonly answerSeq: number | null;
  readonly answer: string | null;
  /** The error with which the call failed. */
  readonly error: string | null;
}

/** Every call by the number of its question, and again by that of its answer. */
export function modelCalls(
  parts: readonly Part[],
  deliveries: readonly Delivery[],
  inputs: readonly Input[],
): ReadonlyMap<number, ModelCall> {
  const recorded = new Map(
    inputs
      .filter((input): input is Call => input.kind !== "outside")
      .map((call) => [callName(call), call.request]),
  );
  const answers = new Map(
    deliveries.flatMap((one) =>
      one.from === PORT && one.re !== undefined ? [[one.re, one] as const] : [],
    ),
  );
  const counts = new Map<string, number>();
  const calls = new Map<number, ModelCall>();
  for (const { seq, to, from, event } of deliveries) {
    if (to !== PORT || event.type !== "llm.asked") continue;
    const { purpose } = event;
    const nth = (counts.get(`${from} ${purpose}`) ?? 0) + 1;
    counts.set(`${from} ${purpose}`, nth);
    const prompt = promptText(parts, event);
    const isSame =
      recorded.get(callName({ from, port: PORT, purpose, nth })) ===
      requestHash(PORT, purpose, prompt);
    const answer = answers.get(seq);
    const heard = answer?.event;
    const call = {
      ...{ seq, from, purpose, nth, prompt: isSame ? prompt : null },
      answerSeq: answer?.seq ?? null,
      answer: heard?.type === "llm.replied" ? heard.text : null,
      error: heard?.type === "llm.failed" ? heard.error : null,
    };
    calls.set(seq, call);
    if (answer !== undefined) calls.set(answer.seq, call);
  }
  return calls;
}
