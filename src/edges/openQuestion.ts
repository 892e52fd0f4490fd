/** What a run waits for: the question to the person at a gate that its recording leaves unanswered. */

import type { Manifest } from "../bundle.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Input, PortRequest } from "../substrate/port.ts";
import { callName } from "../substrate/recordedPort.ts";
import type { ReadBundle } from "./bundleReader.ts";
import { playedAgain } from "./derive.ts";
import { type Answered, type Gate, gateNames, type OpenQuestion } from "./gate.ts";
import { gateAt, gates } from "./gates.ts";

/** How far a recording goes, and what was asked at a gate on the way. */
export interface GateStory {
  readonly bundle: ReadBundle;
  readonly end: { readonly envelopes: number; readonly digest: string; readonly virtualMs: number };
  readonly open: OpenQuestion | undefined;
  /** In the order in which it was asked. */
  readonly answered: readonly Answered[];
}

/**
 * Plays the recording once more, so that a killed run is told like any other. Throws Divergence when
 * it no longer goes as it was recorded, or its log was changed.
 */
export function gateStory(bundle: ReadBundle): GateStory {
  const asked: PortRequest[] = [];
  const { envelopes, digest, virtualMs } = playedAgain(bundle, (request) => {
    if (gateAt(request.port) !== undefined) asked.push(request);
  });
  const replies = new Map(
    bundle.inputs
      .filter(
        (one): one is Answered["reply"] => one.kind === "reply" && gateAt(one.port) !== undefined,
      )
      .map((one) => [callName(one), one]),
  );
  const open = asked.findLast((request) => !replies.has(callName(request)));
  return {
    bundle,
    end: { envelopes, digest, virtualMs },
    open: open && questionOf(open, open.port, open.nowMs),
    answered: asked.flatMap((question) => {
      const reply = replies.get(callName(question));
      return reply === undefined ? [] : [{ question, reply }];
    }),
  };
}

/** Of a run that was just recorded. */
export function questionLeft(recorded: {
  readonly deliveries: readonly Delivery[];
  readonly inputs: readonly Input[];
}): OpenQuestion | undefined {
  const left = recorded.inputs.findLast(
    (one) => one.kind === "unanswered" && gateAt(one.port) !== undefined,
  );
  if (left?.kind !== "unanswered") return undefined;
  const asked = recorded.deliveries.findLast(
    (one) =>
      one.to === left.port &&
      one.from === left.from &&
      one.dueMs === left.deliveredAt &&
      "purpose" in one.event &&
      one.event.purpose === left.purpose,
  );
  return asked && questionOf({ ...asked, purpose: left.purpose }, left.port, asked.dueMs);
}

function questionOf(
  { seq, purpose, event }: Pick<OpenQuestion, "seq" | "purpose" | "event">,
  port: string,
  atMs: number,
): OpenQuestion | undefined {
  const gate = gateAt(port);
  return gate && { seq, purpose, atMs, event, gate };
}

/** Who decided in a recorded run; undefined when it was the scenario. */
export function gateKindOf({ providers }: Pick<Manifest, "providers">): Gate["kind"] | undefined {
  const kinds = Object.keys(gateNames) as Gate["kind"][];
  return kinds.find((kind) => gates.some(({ port }) => providers[port] === gateNames[kind]));
}
