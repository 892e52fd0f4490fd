/**
 * What every log has in common, whoever wrote it: tools offered, calls, results, words. Each part says which of
 * its deliveries are that, so that one reader serves simulated, recorded and imported logs alike.
 */
import type { Json } from "../machines/letter.ts";
import type { SeenDelivery } from "../substrate/envelope.ts";

/** Every fact names the delivery that it is read from. */
interface FactBase {
  readonly seq: number;
  readonly atMs: number;
  /** The log's own number of it, where it has one. */
  readonly step: number | null;
}

/** A tool that agents may call, from this moment on. */
export interface ToolOffered extends FactBase {
  readonly is: "offered";
  readonly tool: string;
  readonly description: string | null;
  /** JSON Schema of its arguments; null where the log has none. */
  readonly schema: Json;
}

/** A tool was called. */
export interface ToolCalled extends FactBase {
  readonly is: "called";
  readonly agent: string;
  /** The tool that served it; null where none did: the call was refused, or no tool fits it. */
  readonly tool: string | null;
  /** What the agent asked for in words, where tools are not called by name. */
  readonly intent: string | null;
  readonly args: Json;
  /** The arguments as text, where they are no JSON. */
  readonly raw: string | null;
}

/** What a call came to. */
export interface ToolReturned extends FactBase {
  readonly is: "returned";
  readonly agent: string;
  /** As in the call. */
  readonly tool: string | null;
  /** The seq of the call's fact. */
  readonly call: number;
  readonly result: Json;
  /** What the log says of it; null where it says nothing. */
  readonly ok: boolean | null;
  readonly error: string | null;
}

/** A message in words, of whoever speaks in the log. */
export interface WordSaid extends FactBase {
  readonly is: "said";
  readonly speaker: string;
  readonly role: "user" | "system" | "agent";
  readonly to: string | null;
  readonly text: string;
}

/** What people said of the whole log. */
export interface LogJudged extends FactBase {
  readonly is: "judged";
  readonly reward: number | null;
  readonly success: boolean | null;
  readonly mistake: { readonly agent: string | null; readonly step: number | null } | null;
}

/** One of them. */
export type TraceFact = ToolOffered | ToolCalled | ToolReturned | WordSaid | LogJudged;

/** Reads one log, delivery by delivery. */
export type TraceReader = (delivery: SeenDelivery) => readonly TraceFact[];
