/** A port served by a recording: the n-th call of a sender for a purpose gets its recorded reply. */
import type { Input, PortReply, PortRequest, Provider } from "./port.ts";

type Reply = Extract<Input, { kind: "reply" }>;
type Call = Exclude<Input, { kind: "outside" }>;

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

/** Throws RecordingMiss from `answer` when the call, or the text of its request, is another one. */
export function recordedPorts(
  inputs: readonly Input[],
  scripted: Readonly<Record<string, Provider>>,
): RecordedPorts {
  const calls = inputs.filter((input): input is Call => input.kind !== "outside");
  const replies = calls.filter((call): call is Reply => call.kind === "reply");
  const byCall = new Map(calls.map((call) => [callName(call), call]));
  let served = 0;
  const answer = (request: PortRequest): PortReply | null => {
    const call = byCall.get(callName(request));
    if (call === undefined || call.request !== request.request) {
      const ofPurpose = replies.findLast(
        ({ from, purpose }) => from === request.from && purpose === request.purpose,
      );
      throw new RecordingMiss(request, call?.kind === "reply" ? call : ofPurpose);
    }
    served += 1;
    if (call.kind === "unanswered") return null;
    const { event, latencyMs, choice } = call;
    return { event, latencyMs, ...(choice !== undefined && { choice }) };
  };
  const ports = Object.entries(scripted).map(([port, { text }]) => [
    port,
    { answer, ...(text && { text }) },
  ]);
  return { ports: Object.fromEntries(ports), served: () => served };
}

const callName = (call: Pick<PortRequest, "from" | "port" | "purpose" | "nth">): string =>
  JSON.stringify([call.from, call.port, call.purpose, call.nth]);
