/** Calls to the outside world: numbered by sender and purpose, answered at once or later. */
import { defined } from "../machines/defined.ts";
import type { Carried, Letter, MailEvent } from "../machines/letter.ts";
import { assert } from "./assert.ts";
import { canonicalJson, inCanonicalOrder } from "./canonicalJson.ts";
import { sha256Hex } from "./digest.ts";
import type { Envelope } from "./envelope.ts";
import type { Input, PortReply, PortRequest, Provider, Reply } from "./port.ts";

/** A call that waits for its reply, whose number is taken already. */
export interface OpenCall {
  readonly request: PortRequest;
  readonly replySeq: number;
}

/** What a question is for; calls are counted by it. */
export const purposeOf = (event: Carried): string =>
  "purpose" in event ? event.purpose : event.type;

/** What a recording recognises a request by. */
export const requestHash = (port: string, purpose: string, text: string): string =>
  sha256Hex(`${port}\n${purpose}\n${text}`);

export class PortDesk {
  readonly #counts = new Map<string, number>();
  readonly #open = new Map<number, OpenCall>();
  readonly #withHashes: boolean;

  /** Without hashes, only a provider that needs one gets it: the texts of requests are not made for the others. */
  constructor(withHashes: boolean) {
    this.#withHashes = withHashes;
  }

  /** The request as a provider gets it; counts the call. */
  requestOf(envelope: Envelope, provider: Provider): PortRequest {
    const { to: port, from, seq, dueMs: nowMs } = envelope;
    const event = envelope.event as MailEvent; // No timer goes to a port.
    const purpose = purposeOf(event);
    const caller = `${from} ${port} ${purpose}`;
    const nth = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, nth);
    const isHashed = this.#withHashes || provider.needsRequestHash;
    const request = isHashed
      ? requestHash(port, purpose, provider.text?.(event) ?? canonicalJson(event))
      : null;
    return { port, from, purpose, nth, seq, nowMs, event, request };
  }

  get openCount(): number {
    return this.#open.size;
  }

  keep(call: OpenCall): void {
    this.#open.set(call.request.seq, call);
  }

  /** Takes the call whose question has this number; undefined when it is not open. */
  close(seq: number): OpenCall | undefined {
    const call = this.#open.get(seq);
    this.#open.delete(seq);
    return call;
  }

  /** Open calls in the order of their questions. */
  open(): OpenCall[] {
    return [...this.#open.values()];
  }

  counts(): [string, number][] {
    return [...this.#counts];
  }

  restoreCounts(counts: readonly (readonly [string, number])[]): void {
    for (const [caller, count] of counts) this.#counts.set(caller, count);
  }
}

/** The reply as mail. Its keys are in the order of the recording, since a machine may keep the event as it is. */
export const replyLetter = (
  { request: { from, seq, nowMs: askedMs } }: OpenCall,
  { event, latencyMs }: PortReply,
  nowMs: number,
): Letter => ({
  ...{ to: from, event: inCanonicalOrder(event), re: seq },
  delayMs: askedMs + latencyMs - nowMs,
});

/** Of a request that is written down. */
function hashOf({ request }: PortRequest): string {
  assert(request !== null, "a bare run leaves no recording");
  return request;
}

/** The line of the recording for a reply. */
export function replyInput(
  { request, replySeq }: OpenCall,
  { event, latencyMs, choice, usage, attempts, unusable }: PortReply,
): Reply {
  const { port, from, purpose, nth, nowMs } = request;
  return defined({
    kind: "reply",
    seq: replySeq,
    port,
    from,
    purpose,
    nth,
    request: hashOf(request),
    latencyMs,
    deliveredAt: nowMs + latencyMs,
    choice,
    usage,
    attempts,
    unusable,
    event,
  });
}

/** The line for a call that no provider answered before the run was over. */
export function unansweredInput({ request, replySeq }: OpenCall): Input {
  const { port, from, purpose, nth, nowMs } = request;
  return {
    kind: "unanswered",
    seq: replySeq,
    port,
    from,
    purpose,
    nth,
    request: hashOf(request),
    deliveredAt: nowMs,
  };
}
