/** A log as a row of what people said, what agents said to one another, and what they called, with what came back. */
import type { Json } from "../../machines/letter.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { errorIn, isEmptyResult } from "./errorText.ts";

/** Where it stands in the log. */
export interface ItemPlace {
  readonly seq: number;
  /** Null: the file that the log began in. */
  readonly file: string | null;
  readonly line: number | null;
  readonly step: number | null;
  readonly atMs: number;
}

export interface HeardItem extends ItemPlace {
  readonly kind: "heard";
  readonly to: string | null;
  readonly text: string;
}

export interface SentItem extends ItemPlace {
  readonly kind: "sent";
  readonly agent: string;
  readonly to: string | null;
  readonly text: string;
}

export interface CallItem extends ItemPlace {
  readonly kind: "call";
  readonly agent: string;
  readonly tool: string;
  readonly args: Json;
  readonly raw: string | null;
  /** Null: the log holds none. */
  readonly outcome: ItemOutcome | null;
}

export interface ItemOutcome {
  readonly result: Json;
  readonly error: string | null;
  readonly isEmpty: boolean;
  readonly latencyMs: number | null;
}

export type WorldItem = HeardItem | SentItem | CallItem;

export interface ItemsOfLog {
  readonly items: readonly WorldItem[];
  readonly offered: ReadonlyMap<
    string,
    { readonly description: string | null; readonly schema: Json }
  >;
  /** What was too much to look at: where it begins, and its calls. */
  readonly beyond: { readonly first: ItemPlace; readonly calls: number } | null;
  /** Characters of instructions that nobody plays. */
  readonly instructions: number;
}

/** Far more than a scenario holds, and little enough to be in memory; ours. */
const most = { items: 20_000, chars: 40_000_000, offered: 2_000 } as const;

/** `hasTimes`: virtual times are the log's own. */
export function itemsOf(log: Iterable<Delivery>, hasTimes: boolean): ItemsOfLog {
  const items: WorldItem[] = [];
  const calls = new Map<number, number>();
  const offered = new Map<string, { description: string | null; schema: Json }>();
  let instructions = 0;
  let chars = 0;
  let first: ItemPlace | undefined;
  let callsBeyond = 0;
  for (const { seq, dueMs, event } of log) {
    if (event.type === "log.offered") {
      const { tool, description, schema } = event;
      if (!offered.has(tool) && offered.size < most.offered)
        offered.set(tool, { description, schema });
    }
    if (items.length >= most.items || chars >= most.chars) {
      if (event.type === "log.called") callsBeyond += 1;
      if (first === undefined && (event.type === "log.said" || event.type === "log.called")) {
        const { file, line, step } = event;
        first = { seq, file, line, step, atMs: dueMs };
      }
      if (event.type !== "log.returned") continue;
    }
    if (event.type === "log.said") {
      const { role, speaker, to, text, file, line, step } = event;
      const place = { seq, file, line, step, atMs: dueMs };
      chars += text.length;
      if (role === "system") instructions += text.length;
      else if (role === "user") items.push({ kind: "heard", to, text, ...place });
      else items.push({ kind: "sent", agent: speaker, to, text, ...place });
    }
    if (event.type === "log.called") {
      const { agent, tool, args, raw, file, line, step } = event;
      calls.set(seq, items.length);
      const place = { seq, file, line, step, atMs: dueMs };
      chars += raw?.length ?? JSON.stringify(args).length;
      items.push({ kind: "call", agent, tool, args, raw, outcome: null, ...place });
    }
    if (event.type === "log.returned" && event.of !== null) {
      const at = calls.get(event.of) ?? -1;
      const call = items[at];
      if (call?.kind !== "call" || call.outcome !== null) continue;
      const passedMs = hasTimes ? dueMs - call.atMs : null;
      const error = errorIn(event)?.text ?? null;
      chars += error?.length ?? JSON.stringify(event.result).length;
      const isEmpty = error === null && isEmptyResult(event.result);
      const latencyMs = event.latencyMs ?? passedMs;
      items[at] = { ...call, outcome: { result: event.result, error, isEmpty, latencyMs } };
    }
  }
  const beyond = first === undefined ? null : { first, calls: callsBeyond };
  return { items, offered, beyond, instructions };
}
