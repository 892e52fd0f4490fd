/** What can be asked of a log that was read in place of a run, and how a chain of causes goes through it. */

import type { Questions, Trail } from "../../contract/part.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../substrate/isEvent.ts";
import { finderIn, type Log, ofTypes } from "../../substrate/log.ts";
import { errorIn } from "./errorText.ts";
import { followed } from "./links.ts";

const CALL = "call:";
const MESSAGE = "message:";
const STEP = "step:";

const RECORDS = ["log.said", "log.called", "log.returned", "log.noted"] as const;

type RecordOf = DeliveryOf<(typeof RECORDS)[number]>;

function questionOf(delivery: Delivery): string | undefined {
  if (isEvent(delivery, "log.said")) return MESSAGE + delivery.seq;
  if (isEvent(delivery, "log.called")) return CALL + delivery.seq;
  return undefined;
}

function find(deliveries: Log, question: string): Delivery | undefined {
  const [, digits = ""] = /:(\d{1,15})$/.exec(question) ?? [];
  if (digits === "") return undefined;
  const number = Number(digits);
  if (question.startsWith(STEP)) return atStep(deliveries, number, null);
  const one = finderIn(deliveries)(number);
  if (one === undefined) return undefined;
  if (question.startsWith(MESSAGE)) return isEvent(one, "log.said") ? one : undefined;
  // What came of a call, if anything did; of a result, it itself.
  if (isEvent(one, "log.returned")) return one;
  if (!isEvent(one, "log.called")) return undefined;
  return firstOf(ofTypes(deliveries, "log.returned"), ({ event }) => event.of === number) ?? one;
}

/** The first record of a step: a message where there is one, and of that agent where the step has several. */
function atStep(deliveries: Log, step: number, agent: string | null): Delivery | undefined {
  let first: Delivery | undefined;
  for (const one of ofTypes(deliveries, ...RECORDS)) {
    if (one.event.step !== step) continue;
    if (agent === null || whoIn(one) === agent) return one;
    first ??= one;
  }
  return first;
}

function whoIn({ event }: RecordOf): string | null {
  if (event.type === "log.said") return event.speaker;
  if (event.type === "log.noted") return event.who;
  return event.type === "log.called" ? event.agent : event.caller;
}

function all(deliveries: Log): readonly string[] {
  const questions = new Set<string>();
  for (const one of ofTypes(deliveries, ...RECORDS)) {
    const question = questionOf(one);
    if (question !== undefined) questions.add(question);
    if (one.event.step !== null) questions.add(STEP + one.event.step);
  }
  return [...questions];
}

/** The first error, else the step that people marked, else the last words of an agent in a log that failed. */
function trouble(deliveries: Log): Delivery | undefined {
  const error = firstOf(
    ofTypes(deliveries, "log.returned"),
    ({ event }) => errorIn(event) !== null,
  );
  if (error !== undefined) return error;
  const judged = [...ofTypes(deliveries, "log.judged")].map(({ event }) => event);
  for (const { mistake } of judged) {
    if (mistake === null || mistake.step === null) continue;
    const marked = atStep(deliveries, mistake.step, mistake.agent);
    if (marked !== undefined) return marked;
  }
  if (!judged.some(hasFailed)) return undefined;
  let last: DeliveryOf<"log.said"> | undefined;
  for (const one of ofTypes(deliveries, "log.said")) {
    // A person's farewell explains nothing.
    if (one.event.role === "agent" || last?.event.role !== "agent") last = one;
  }
  return last;
}

/** As its judges say; without their word, by a reward of nothing. */
export const hasFailed = ({
  success,
  reward,
}: {
  readonly success: boolean | null;
  readonly reward: number | null;
}): boolean => (success === null ? reward !== null && reward <= 0 : !success);

function firstOf<D extends Delivery>(
  deliveries: Iterable<D>,
  is: (delivery: D) => boolean,
): D | undefined {
  for (const one of deliveries) if (is(one)) return one;
  return undefined;
}

export const questions: Questions = {
  forms: ["call:SEQ", "message:SEQ", "step:N"],
  none: [
    "no result of the log is an error, nobody marked a mistake and nothing says that it failed",
  ],
  of: questionOf,
  find,
  all,
  trouble,
};

export const trail: Trail = {
  wrong: (one) => (isEvent(one, "log.returned") ? errorIn(one.event) !== null : undefined),
  inferred: ({ event }) => "links" in event && followed(event.links)?.inferred === true,
  // Only an earlier one: a forged log may say anything.
  behind: ({ event, seq: own }, facts) => {
    if (!("links" in event)) return undefined;
    const seq = followed(event.links)?.seq;
    const fact = facts.find((one) => one.seq === seq && one.seq < own);
    return fact === undefined ? [] : [fact];
  },
};
