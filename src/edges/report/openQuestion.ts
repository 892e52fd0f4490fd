/** What a run waits for: the question to the person at a gate that its recording leaves unanswered. */

import type { Manifest } from "../../run/bundle.ts";
import type { Log } from "../../substrate/log.ts";
import type { Input, PortRequest } from "../../substrate/port.ts";
import { callName } from "../../substrate/recordedPort.ts";
import type { ReadBundle } from "../bundle/bundleReader.ts";
import { playedAgain } from "../bundle/derive.ts";
import type { PartLists } from "../parts/partLists.ts";
import { type Answered, type Gate, gateNames, type OpenQuestion } from "../play/gate.ts";
import { gateFor, gatesOf, isGate } from "../play/gates.ts";

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
export function gateStory(lists: PartLists, bundle: ReadBundle): GateStory {
  const asked: PortRequest[] = [];
  const { envelopes, digest, virtualMs } = playedAgain(lists.parts, bundle, {
    onRequest: (request) => {
      if (isGate(lists, request.port)) asked.push(request);
    },
  });
  const replies = new Map(
    bundle.inputs
      .filter((one): one is Answered["reply"] => one.kind === "reply" && isGate(lists, one.port))
      .map((one) => [callName(one), one]),
  );
  const open = asked.findLast((request) => !replies.has(callName(request)));
  return {
    bundle,
    end: { envelopes, digest, virtualMs },
    open: open && questionOf(lists, open, open.port, open.nowMs),
    answered: asked.flatMap((question) => {
      const reply = replies.get(callName(question));
      return reply === undefined ? [] : [{ question, reply }];
    }),
  };
}

/** Of a run that was just recorded. */
export function questionLeft(
  lists: PartLists,
  recorded: {
    readonly deliveries: Log;
    readonly inputs: Iterable<Input>;
  },
): OpenQuestion | undefined {
  let left: Extract<Input, { kind: "unanswered" }> | undefined;
  for (const one of recorded.inputs) {
    if (one.kind === "unanswered" && isGate(lists, one.port)) left = one;
  }
  if (left === undefined) return undefined;
  const asked = recorded.deliveries.findLast(
    (one) =>
      one.to === left.port &&
      one.from === left.from &&
      one.dueMs === left.deliveredAt &&
      "purpose" in one.event &&
      one.event.purpose === left.purpose,
  );
  return asked && questionOf(lists, { ...asked, purpose: left.purpose }, left.port, asked.dueMs);
}

function questionOf(
  lists: PartLists,
  { seq, purpose, event }: Pick<OpenQuestion, "seq" | "purpose" | "event">,
  port: string,
  atMs: number,
): OpenQuestion | undefined {
  const gate = gateFor(lists, port, event);
  return gate && { seq, purpose, atMs, event, gate };
}

/** Who decided in a recorded run; undefined when it was the scenario. */
export function gateKindOf(
  lists: PartLists,
  { providers }: Pick<Manifest, "providers">,
): Gate["kind"] | undefined {
  const kinds = Object.keys(gateNames) as Gate["kind"][];
  return kinds.find((kind) =>
    gatesOf(lists).some(({ port }) => providers[port] === gateNames[kind]),
  );
}
