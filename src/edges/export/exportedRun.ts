/** A run as other tools are given it. */
import type { Part } from "../../contract/part.ts";
import type { ModelCalls } from "../../run/modelCalls.ts";
import type { Log } from "../../substrate/log.ts";

export interface ExportedRun {
  readonly parts: readonly Part[];
  readonly name: string;
  readonly deliveries: Log;
  readonly calls: ModelCalls;
  /** What virtual time 0 is called, in milliseconds since 1970. */
  readonly startsAtMs: number;
}
