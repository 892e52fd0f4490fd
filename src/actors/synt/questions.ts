/** What can be asked of a log of synt, and how a chain of causes goes on through its requests. */
import type { ProposalState } from "../../machines/synt/contract.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { Questions, Trail } from "../part.ts";

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

/** Every request and turn, and every executor of which more is to be told than that it was there. */
function all(deliveries: readonly Delivery[]): string[] {
  const asked = deliveries.filter((one) => {
    const { event, dueMs } = one;
    const isOld =
      event.type === "executor.changed" && (dueMs === 0 || event.state === "synthesized");
    return !isOld && questionOf(one) !== undefined;
  });
  return [...new Set(asked.flatMap((one) => questionOf(one) ?? []))];
}

/** What a person wants explained first: the last refusal, else a turn without a result, else a birth. */
function trouble(deliveries: readonly Delivery[]): Delivery | undefined {
  const ended = (states: readonly ProposalState[]): Delivery | undefined =>
    deliveries.findLast(
      ({ event, fate }) =>
        event.type === "synth.stated" && fate === "handled" && states.includes(event.state),
    );
  const declined = ({ event }: Delivery): boolean => event.type === "turn.closed" && !event.ok;
  return (
    ended(["abandoned", "rejected"]) ??
    deliveries.findLast(declined) ??
    ended(["born", "fused", "generalised", "specialised"]) ??
    ended(["delivered", "suspended"]) ??
    // What is still open.
    deliveries.findLast(({ event }) => event.type === "synth.stated") ??
    deliveries.findLast(({ event }) => event.type === "turn.closed")
  );
}

export const questions: Questions = {
  forms: ["request:REQ", "executor:NAME", "turn:ID"],
  none: ["nothing was asked of synt"],
  of: questionOf,
  find: (deliveries, question) => deliveries.findLast((one) => questionOf(one) === question),
  all,
  trouble,
};

/** `synt/req-0002`, when the delivery is to it or from it. */
const requestIn = ({ from, to }: Delivery): string | undefined =>
  /^synt\/req-\d+/.exec(to)?.[0] ?? /^synt\/req-\d+/.exec(from)?.[0];

export const trail: Trail = {
  subject: requestIn,
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
};
