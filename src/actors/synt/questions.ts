/** What can be asked of a log of synt, and which delivery answers it. */
import type { ProposalState } from "../../machines/synt/contract.ts";
import type { Delivery } from "../../substrate/envelope.ts";

/** `request:req-0002`, `executor:NAME` and `turn:ID` ask for the last that was said of them. */
export function syntQuestionFor({ event, to, fate }: Delivery): string | undefined {
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

export const isSyntQuestion = (kind: string): boolean =>
  kind === "request" || kind === "executor" || kind === "turn";

export const syntFound = (
  deliveries: readonly Delivery[],
  question: string,
): Delivery | undefined => deliveries.findLast((one) => syntQuestionFor(one) === question);

/** Every request and turn, and every executor of which more is to be told than that it was there. */
export function syntQuestions(deliveries: readonly Delivery[]): string[] {
  const asked = deliveries.filter((one) => {
    const { event, dueMs } = one;
    const isOld =
      event.type === "executor.changed" && (dueMs === 0 || event.state === "synthesized");
    return !isOld && syntQuestionFor(one) !== undefined;
  });
  return [...new Set(asked.flatMap((one) => syntQuestionFor(one) ?? []))];
}

/** What a person wants explained first: the last refusal, else a turn without a result, else a birth. */
export function syntTrouble(deliveries: readonly Delivery[]): Delivery | undefined {
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

/** `synt/req-0002`, when the delivery is to it or from it. */
export const requestIn = ({ from, to }: Delivery): string | undefined =>
  /^synt\/req-\d+/.exec(to)?.[0] ?? /^synt\/req-\d+/.exec(from)?.[0];
