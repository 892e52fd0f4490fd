/**
 * What models were asked in a run, and what they answered. The log holds the facts behind a prompt;
 * its text is rendered again and held against the hash under which the recording knows the request.
 */
import type { Part } from "../contract/part.ts";
import { promptText } from "../contract/purposeTable.ts";
import { isEvent } from "../substrate/isEvent.ts";
import { finderIn, type Log, ofTypes } from "../substrate/log.ts";
import type { Input } from "../substrate/port.ts";
import { requestHash } from "../substrate/portDesk.ts";
import { type Call, callName } from "../substrate/recordedPort.ts";

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

/** The call by the number of its question, or by that of its answer. */
export interface ModelCalls {
  get(seq: number): ModelCall | undefined;
}

/** What is kept of a call until a reader wants its words. */
interface Kept {
  readonly nth: number;
  answerSeq?: number;
}

/** Prompts are long: each is rendered when its call is asked for. */
export function modelCalls(
  parts: readonly Part[],
  deliveries: Log,
  inputs: readonly Input[],
): ModelCalls {
  const recorded = new Map(
    inputs
      .filter((input): input is Call => input.kind !== "outside")
      .map((call) => [callName(call), call.request]),
  );
  const counts = new Map<string, number>();
  const calls = new Map<number, Kept>();
  const questions = new Map<number, number>();
  for (const { seq, to, from, re, event } of ofTypes(deliveries, ...MODEL_MAIL)) {
    if (to === PORT && event.type === "llm.asked") {
      const nth = (counts.get(`${from} ${event.purpose}`) ?? 0) + 1;
      counts.set(`${from} ${event.purpose}`, nth);
      calls.set(seq, { nth });
    }
    const call = from === PORT ? calls.get(re ?? -1) : undefined;
    if (call === undefined || re === undefined) continue;
    call.answerSeq = seq;
    questions.set(seq, re);
  }
  const find = finderIn(deliveries);
  return {
    get(seq) {
      const asked = find(questions.get(seq) ?? seq);
      const call = calls.get(asked?.seq ?? -1);
      if (asked === undefined || call === undefined || !isEvent(asked, "llm.asked"))
        return undefined;
      const { from, event } = asked;
      const { purpose } = event;
      const { nth, answerSeq = null } = call;
      const prompt = promptText(parts, event);
      const isSame =
        recorded.get(callName({ from, port: PORT, purpose, nth })) ===
        requestHash(PORT, purpose, prompt);
      const heard = answerSeq === null ? undefined : find(answerSeq)?.event;
      return {
        ...{ seq: asked.seq, from, purpose, nth, prompt: isSame ? prompt : null, answerSeq },
        answer: heard?.type === "llm.replied" ? heard.text : null,
        error: heard?.type === "llm.failed" ? heard.error : null,
      };
    },
  };
}

const MODEL_MAIL = ["llm.asked", "llm.replied", "llm.failed"] as const;
