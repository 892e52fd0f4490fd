/** What a kernel is given: who acts, who answers, the bounds, and who looks on. */
import { assert } from "./assert.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Delivery, Envelope, SeenDelivery } from "./envelope.ts";
import type { Level } from "./level.ts";
import type { Limits } from "./limits.ts";
import type { Input, Provider } from "./port.ts";
import type { Cast } from "./resident.ts";

export interface KernelOptions {
  readonly cast: Cast;
  readonly ports: Readonly<Record<string, Provider>>;
  readonly limits: Limits;
  /** Virtual end of the run: nothing due later is delivered. */
  readonly endMs: number;
  /** What is made for readers; `full` when absent. */
  readonly level?: Level;
  /** How far time may move while a call is open; not at all when absent. */
  readonly horizonMs?: () => number;
  /** `onCheckpoint` gets a digest whenever this many more deliveries are done: over all but what providers keep. */
  readonly checkpointEvery: number;
  readonly onCheckpoint?: (seq: number, digest: string, saved: Checkpoint) => void;
  /** What is delivered in place of an envelope that is due; null for nothing. */
  readonly otherwise?: (due: Envelope) => Envelope | null;
  /** Every delivery, on any level. */
  readonly onSeen?: (delivery: SeenDelivery) => void;
  /** Every delivery as the log holds it, and what its line begins with, until the next: of a full run. */
  readonly onDelivery?: (delivery: Delivery, start: Uint8Array) => void;
  readonly onInput?: (input: Input) => void;
}

/** Nobody may ask for what a run of this level does not make. */
export function checkedLevel({ level = "full", ...asked }: KernelOptions): Level {
  assert(level === "full" || asked.onDelivery === undefined, `a ${level} run has no log`);
  const isRecorded = asked.onInput !== undefined || asked.onCheckpoint !== undefined;
  assert(level !== "bare" || !isRecorded, "a bare run leaves no recording");
  return level;
}
