/** What can be asked of a log of synt, and how a chain of causes goes on through its requests. */

import type { Questions, Trail } from "../../contract/part.ts";
import type { ProposalState } from "../../machines/synt/contract.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";

/** `request:req-0002`, `executor:NAME` and `turn:ID` ask for the last that was said of them. */
function questionOf({ event, to, fate }: Delivery): string | undefined {
  if (fate !== "handled") return undefined;
  switch (event.type) {
    case "synth.stated":
      return `request:${event.request}`;
    case "executor.changed":
      return to === "pool" ? `executor:${event.name}` : undefined;
    case "turn.closed":
      return `turn:${event.turn}`;
    default:
      return undefined;
  }
}

/** Of what kinds a delivery is that answers a question. */
const ASKED = ["synth.stated", "executor.changed", "turn.closed"] as const;

/** Every request and turn, and every executor of which more is to be told than that it was there. */
function all(deliveries: Log): string[] {
  const known = new Set<string>();
  for (const one of ofTypes(deliveries, ...ASKED)) {
    const { event, dueMs } = one;
    const isOld =
      event.type === "executor.changed" && (dueMs === 0 || event.state === "synthesized");
    const question = isOld ? undefined : questionOf(one);
    if (question !== undefined) known.add(question);
  }
  return [...known];
}

const isWrong = ({ event, fate }: Delivery): boolean | undefined => {
  if (event.type === "turn.closed") return fate === "handled" && !event.ok;
  if (event.type !== "synth.stated") return undefined;
  return fate === "handled" && (event.state === "abandoned" || event.state === "rejected");
};

/** Turns without a result, and requests that came to nothing. */
const failures = (deliveries: Log): Delivery[] =>
  [...ofTypes(deliveries, "turn.closed", "synth.stated")].filter(isWrong);

/** Where nothing failed: the last birth, else what is delivered, else what is still open. */
function symptom(deliveries: Log): Delivery | undefined {
  const ended = (states: readonly ProposalState[]): Delivery | undefined =>
    lastOf(
      ofTypes(deliveries, "synth.stated"),
      ({ event, fate }) => fate === "handled" && states.includes(event.state),
    );
  return (
    ended(["born", "fused", "generalised", "specialised"]) ??
    ended(["delivered", "suspended"]) ??
    // What is still open.
    lastOf(ofTypes(deliveries, "synth.stated")) ??
    lastOf(ofTypes(deliveries, "turn.closed"))
  );
}

function lastOf<D extends Delivery>(
  deliveries: Iterable<D>,
  is: (delivery: D) => boolean = () => true,
): D | undefined {
  let last: D | undefined;
  for (const one of deliveries) if (is(one)) last = one;
  return last;
}

export const questions: Questions = {
  forms: ["request:REQ", "executor:NAME", "turn:ID"],
  none: ["nothing was asked of synt"],
  of: questionOf,
  find: (deliveries, question) =>
    lastOf(ofTypes(deliveries, ...ASKED), (one) => questionOf(one) === question),
  all,
  failures,
  trouble: () => undefined,
  symptom,
};

/** `synt/req-0002`, when the delivery is to it or from it. */
const requestIn = ({ from, to }: Delivery): string | undefined =>
  /^synt\/req-\d+/.exec(to)?.[0] ?? /^synt\/req-\d+/.exec(from)?.[0];

export const trail: Trail = {
  subject: requestIn,
  wrong: isWrong,
  // Of the proposals in one dossier, that which the chain is about.
  behind: ({ event }, facts, subject) => {
    if (event.type !== "person.asked") return undefined;
    const own = facts.filter(({ from }) => from === subject);
    return own.length > 0 ? own : undefined;
  },
  // Of the decisions on one dossier, likewise.
  chosen: ({ event }, choices, subject) => {
    if (event.type !== "person.decided") return undefined;
    const { decisions = [] } = event;
    if (decisions.length !== choices.length) return undefined;
    const own = choices.filter((_, index) => `synt/${decisions[index]?.request}` === subject);
    return own.length > 0 ? own : undefined;
  },
  nobody: ["synt:nothing", "person:nobody"],
  otherwise: ({ event }) =>
    event.type === "executor.offered"
      ? { id: `registration:${event.offer.facts.name}`, event: null }
      : undefined,
};
