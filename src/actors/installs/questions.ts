/** What can be asked of a log of installs, and how a chain of causes goes on through them. */

import type { Questions, Trail } from "../../contract/part.ts";
import type { EventType } from "../../machines/letter.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";
import { costText, revisionPasts } from "./revisionPasts.ts";
import { gatewayWords } from "./words.ts";

const REVISION = "revision:";
const APPROVAL = "approval:";

const OF_REVISION = [
  ...(["revision.created", "revision.gated", "revision.approved", "revision.activated"] as const),
  ...(["revision.superseded", "revision.rolledBack", "revision.rejected", "gate.refused"] as const),
] as const satisfies readonly EventType[];
const OF_APPROVAL = [
  ...(["approval.requested", "approval.decided", "approval.expired", "approval.used"] as const),
] as const satisfies readonly EventType[];
const TROUBLE = [
  ...(["install.refused", "revision.rejected", "approval.expired", "reach.breached"] as const),
  "approval.decided",
] as const satisfies readonly EventType[];

/** `revision:rev-0badcafe`, `approval:apr-0badcafe`: what became of it last. */
function questionOf({ event, fate }: Delivery): string | undefined {
  if (fate !== "handled") return undefined;
  if ("revision" in event && OF_REVISION.some((type) => type === event.type)) {
    return REVISION + event.revision;
  }
  return "approval" in event && OF_APPROVAL.some((type) => type === event.type)
    ? APPROVAL + event.approval
    : undefined;
}

/** By question, the last delivery that answers it, in the order in which they were first told. */
function answers(deliveries: Log): ReadonlyMap<string, Delivery> {
  const found = new Map<string, Delivery>();
  for (const one of ofTypes(deliveries, ...OF_REVISION, ...OF_APPROVAL)) {
    const question = questionOf(one);
    if (question !== undefined) found.set(question, one);
  }
  return found;
}

function trouble(deliveries: Log): Delivery | undefined {
  for (const one of ofTypes(deliveries, ...TROUBLE)) if (isTrouble(one)) return one;
  return undefined;
}

const isTrouble = ({ event, fate }: Delivery): boolean =>
  fate === "handled" && (event.type !== "approval.decided" || !event.isApproved);

export const questions: Questions = {
  forms: ["revision:ID", "approval:ID"],
  none: ["no install was refused, rejected or left undecided"],
  of: questionOf,
  find: (deliveries, question) => answers(deliveries).get(question),
  all: (deliveries) => [...answers(deliveries).keys()],
  trouble,
};

/** What became of a revision last says what its agent cost others, too. */
export function hindsight(deliveries: Log): ReadonlyMap<number, string> {
  const { costs } = revisionPasts(deliveries);
  const says = new Map<number, string>();
  if (costs.size === 0) return says;
  const last = answers(deliveries);
  for (const [revision, goals] of costs) {
    const delivery = last.get(REVISION + revision);
    const own = delivery && wordsOf(delivery);
    if (own) says.set(delivery.seq, own + costText(goals));
  }
  return says;
}

function wordsOf(delivery: Delivery): string | null {
  const { event } = delivery;
  return SENTENCES.get(event.type)?.(event, delivery, undefined) ?? null;
}

type AnySentence = (event: Delivery["event"], ...rest: [Delivery, undefined]) => string | null;

// The table pairs each type with its sentence; the compiler does not follow that through a lookup.
const SENTENCES = new Map(Object.entries(gatewayWords) as [string, AnySentence][]);

const isWrong = (one: Delivery): boolean | undefined =>
  one.event.type === "gate.refused" || TROUBLE.some((type) => type === one.event.type)
    ? isTrouble(one)
    : undefined;

export const trail: Trail = {
  // What an installed agent sets itself goes back to the revision that made it.
  rests: (deliveries) => revisionPasts(deliveries).rests,
  wrong: isWrong,
  telling: [
    ...(["install.refused", "gate.refused", "approval.decided", "promotion.recorded"] as const),
    ...(["revision.rolledBack", "revision.activated", "revision.created"] as const),
  ],
  // The gateway's facts end with the call itself, which came last.
  behind: ({ event }, facts) => {
    const call = facts.at(-1);
    if (call?.event.type !== "gateway.asked") return undefined;
    // What a person once approved explains neither a rollback nor a refusal.
    const isOfCall = call.event.tool === ROLLBACK ? ROLLED.has(event.type) : event.type === REFUSED;
    return isOfCall ? [call] : undefined;
  },
};

const ROLLBACK = "agent.revision.rollback";
const ROLLED: ReadonlySet<string> = new Set([
  ...["revision.rolledBack", "revision.activated", "revision.superseded", "install.refused"],
  "active.changed",
]);
const REFUSED = "install.refused";
