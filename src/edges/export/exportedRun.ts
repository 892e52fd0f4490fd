/** A run as other tools are given it. */
import type { Part } from "../../contract/part.ts";
import { type ModelCalls, modelCalls } from "../../run/modelCalls.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { Log } from "../../substrate/log.ts";
import { readBundle } from "../bundle/bundleReader.ts";
import { deliveriesOf } from "../bundle/derive.ts";
import { partsFor } from "../bundle/importedBundle.ts";
import type { PartLists } from "../parts/partLists.ts";

export interface ExportedRun {
  readonly parts: readonly Part[];
  readonly name: string;
  readonly deliveries: Log;
  readonly calls: ModelCalls;
  /** What virtual time 0 is called, in milliseconds since 1970. */
  readonly startsAtMs: number;
}

/** Which letters a form that shows few of them holds; all when absent. */
export type IsShown = (delivery: Pick<Delivery, "dueMs" | "from" | "to">) => boolean;

/** Throws what reading and verifying a bundle throws. */
export function exportedRun(lists: PartLists, folder: string): ExportedRun {
  const bundle = readBundle(lists, folder);
  const parts = partsFor(lists.parts, bundle);
  const deliveries = deliveriesOf(parts, bundle);
  const { name, startsAt } = bundle.scenario;
  const calls = modelCalls(parts, deliveries, bundle.inputs);
  return { parts, name, deliveries, calls, startsAtMs: Date.parse(startsAt) || 0 };
}
