/** A port served by a recording: the n-th call of a sender for a purpose gets its recorded reply. */
import { defined } from "../machines/defined.ts";
import { canonicalJson } from "./canonicalJson.ts";
import type { Input, PortReply, PortRequest, Provider, Reply } from "./port.ts";

export type Call = Exclude<Input, { kind: "outside" }>;

/** The run asked for something the recording does not hold. */
export class RecordingMiss extends Error {
  override readonly name = "RecordingMiss";
  readonly request: PortRequest;
  /** The recorded call in its place, or the nearest one of the same purpose. */
  readonly nearest: Reply | undefined;
  constructor(request: PortRequest, nearest: Reply | undefined) {
    super(
      `${request.from} asked ${request.port} (${request.purpose}, call ${request.nth}) ` +
        "something the recording does not hold",
    );
    this.request = request;
    this.nearest = nearest;
  }
}

export interface RecordedPorts {
  readonly ports: Readonly<Record<string, Provider>>;
  /** Calls served so far. */
  served(): number;
}

/** What answers a call that the recording does not; `provider` is the one that would without a recording. */
export type OnMiss = (miss: {
  readonly request: PortRequest;
  /** The recorded call of the same name, if any: of another text, or without an answer. */
  readonly inPlace: Call | undefined;
  /** What a strict replay throws. */
  readonly error: RecordingMiss;
  readonly provider: Provider;
}) => PortReply | null;

export interface RecordedOptions {
  /** Throws its `error` when absent. */
  readonly onMiss?: OnMiss;
  /** Which calls of the recording count; all when absent. Of an unanswered one none is served. */
  readonly serves?: (call: Call, request: PortRequest) => boolean;
  /** Every call, with its text as the outside world would read it. */
  readonly onRequest?: (request: PortRequest, text: string) => void;
}

/** Throws RecordingMiss from `answer` when the call, or the text of its request, is another one. */
export function recordedPorts(
  inputs: readonly Input[],
  scripted: Readonly<Record<string, Provider>>,
  { onMiss, serves = isSame, onRequest }: RecordedOptions = {},
): RecordedPorts {
  const calls = inputs.filter((input): input is Call => input.kind !== "outside");
  const replies = calls.filter((call): call is Reply => call.kind === "reply");
  const byCall = new Map(calls.map((call) => [callName(call), call]));
  let served = 0;
  const answer = (request: PortRequest, provider: Provider): PortReply | null => {
    onRequest?.(request, textOf(request, provider));
    const call = byCall.get(callName(request));
    if (call !== undefined && serves(call, request)) {
      served += 1;
      const reply = call.kind === "unanswered" ? null : replyOf(call);
      provider.passedOver?.(request, reply ?? undefined);
      return reply;
    }
    const ofPurpose = replies.findLast(
      ({ from, purpose }) => from === request.from && purpose === request.purpose,
    );
    const error = new RecordingMiss(request, call?.kind === "reply" ? call : ofPurpose);
    if (onMiss === undefined) throw error;
    return onMiss({ request, inPlace: call, error, provider });
  };
  const ports = Object.entries(scripted).map(([port, provider]) => [
    port,
    {
      needsRequestHash: true as const,
      answer: (request: PortRequest) => answer(request, provider),
      ...(provider.text && { text: provider.text }),
      ...(provider.completed && { completed: provider.completed }),
      ...(provider.persist && { persist: provider.persist }),
      ...(provider.restore && { restore: provider.restore }),
    },
  ]);
  return { ports: Object.fromEntries(ports), served: () => served };
}

export const textOf = ({ event }: PortRequest, provider: Provider): string =>
  provider.text?.(event) ?? canonicalJson(event);

const isSame = (call: Call, { request }: PortRequest): boolean => call.request === request;

export function replyOf({ event, latencyMs, choice, usage, attempts, unusable }: Reply): PortReply {
  return defined({ event, latencyMs, choice, usage, attempts, unusable });
}

/** What identifies a call: the asker, the port, the purpose, and which of such calls it is, from 1. */
export const callName = (call: Pick<PortRequest, "from" | "port" | "purpose" | "nth">): string =>
  JSON.stringify([call.from, call.port, call.purpose, call.nth]);
