/** What a run waits for: the question to the person at the gate that its recording leaves unanswered. */
import type { Manifest } from "../bundle.ts";
import type { Delivery } from "../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../substrate/isEvent.ts";
import type { Input, PortRequest } from "../substrate/port.ts";
import { callName } from "../substrate/recordedPort.ts";
import type { ReadBundle } from "./bundleReader.ts";
import { playedAgain } from "./derive.ts";
import { type Gate, gateNames } from "./gatePort.ts";
import { GATE, type Proposal, proposalsOf, wordsIn } from "./gateQuestion.ts";

export interface OpenQuestion {
  /** The number of the question. */
  readonly seq: number;
  /** `chain`, `executor`, `proposals`, `soft-cap`, … */
  readonly purpose: string;
  /** Virtual time at which it was asked. */
  readonly atMs: number;
  readonly proposals: readonly Proposal[];
}

/** A decision that a recording holds. */
export interface Past {
  readonly decision: string;
  readonly atMs: number;
}

/** How far a recording goes, and what was asked at the gate on the way. */
export interface GateStory {
  readonly bundle: ReadBundle;
  readonly end: { readonly envelopes: number; readonly digest: string; readonly virtualMs: number };
  readonly open: OpenQuestion | undefined;
  readonly decided: ReadonlyMap<string, Past>;
}

type Reply = Extract<Input, { kind: "reply" }>;

/**
 * Plays the recording once more, so that a killed run is told like any other. Throws Divergence when
 * it no longer goes as it was recorded, or its log was changed.
 */
export function gateStory(bundle: ReadBundle): GateStory {
  const asked: PortRequest<"person.asked">[] = [];
  const { envelopes, digest, virtualMs } = playedAgain(bundle, (request) => {
    const { port, event } = request;
    if (port === GATE && event.type === "person.asked") asked.push({ ...request, event });
  });
  const replies = new Map(
    bundle.inputs
      .filter((one): one is Reply => one.kind === "reply" && one.port === GATE)
      .map((one) => [callName(one), one]),
  );
  const decided = asked.flatMap((request) => {
    const reply = replies.get(callName(request));
    const atMs = reply?.deliveredAt ?? 0;
    const decided = reply?.event.type === "person.decided" ? reply.event : undefined;
    const words = decided === undefined ? [] : [...wordsIn(request.event, decided)];
    return words.map(([name, decision]): [string, Past] => [name, { decision, atMs }]);
  });
  const open = asked.findLast((request) => !replies.has(callName(request)));
  return {
    bundle,
    end: { envelopes, digest, virtualMs },
    open: open && questionOf(open, open.nowMs),
    decided: new Map(decided),
  };
}

/** Of a run that was just recorded. */
export function questionLeft(recorded: {
  readonly deliveries: readonly Delivery[];
  readonly inputs: readonly Input[];
}): OpenQuestion | undefined {
  const left = recorded.inputs.findLast((one) => one.kind === "unanswered" && one.port === GATE);
  if (left?.kind !== "unanswered") return undefined;
  const asked = recorded.deliveries.findLast(
    (one): one is DeliveryOf<"person.asked"> =>
      isEvent(one, "person.asked") &&
      one.to === GATE &&
      one.from === left.from &&
      one.dueMs === left.deliveredAt &&
      one.event.purpose === left.purpose,
  );
  return asked && questionOf(asked, asked.dueMs);
}

const questionOf = (
  { seq, event }: Pick<PortRequest<"person.asked">, "seq" | "event">,
  atMs: number,
) => ({
  seq,
  purpose: event.purpose,
  atMs,
  proposals: proposalsOf(event),
});

/** Who decided in a recorded run; undefined when it was the scenario. */
export function gateKindOf({ providers }: Pick<Manifest, "providers">): Gate["kind"] | undefined {
  const kinds = Object.keys(gateNames) as Gate["kind"][];
  return kinds.find((kind) => gateNames[kind] === providers[GATE]);
}
