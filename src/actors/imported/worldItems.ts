/** A log as a row of what people said, what agents said to one another, and what they called, with what came back. */
import { emptyText } from "../../contract/nothing.ts";
import type { Json } from "../../machines/letter.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { errorIn } from "./errorText.ts";
import { isFault } from "./linker.ts";

/** A log of which a world is made. */
export interface LogOfWorld {
  readonly name: string;
  readonly format: string;
  readonly file: string;
  readonly startsAt: string;
  readonly clock: "log" | "steps";
  readonly deliveries: Iterable<Delivery>;
}

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
  /** What was put on the wire on purpose, in order. */
  readonly faults: readonly NotedFault[];
}

/** A fault of a recording, and what stood there before. */
export interface NotedFault {
  readonly fault: string;
  /** Where its call stands in the log; null of one at a model's answer, or at what a server offers. */
  readonly seq: number | null;
  readonly instead: Json;
}

/** Far more than a scenario holds, and little enough to be in memory; ours. */
const most = { items: 20_000, chars: 40_000_000, offered: 2_000 } as const;

/** `hasTimes`: virtual times are the log's own. */
export function itemsOf(log: Iterable<Delivery>, hasTimes: boolean): ItemsOfLog {
  const items: WorldItem[] = [];
  const calls = new Map<number, number>();
  const offered = new Map<string, { description: string | null; schema: Json }>();
  const faults: NotedFault[] = [];
  /** By tool and id, and by tool alone the one that waits for its result, or was last: where calls stand. */
  const called = new Map<string, number>();
  let instructions = 0;
  let chars = 0;
  let first: ItemPlace | undefined;
  let callsBeyond = 0;
  for (const { seq, dueMs: atMs, event } of log) {
    const isFull = items.length >= most.items || chars >= most.chars;
    if (event.type === "log.offered") {
      const { tool, description, schema } = event;
      if (!offered.has(tool) && offered.size < most.offered)
        offered.set(tool, { description, schema });
    } else if (event.type === "log.noted") {
      if (!isFault(event)) continue;
      const { fault, at, instead = null } = event.data;
      const tool = at.slice(0, at.lastIndexOf(" "));
      faults.push({ fault, instead, seq: called.get(at) ?? called.get(tool) ?? null });
    } else if (event.type === "log.said" || event.type === "log.called") {
      const place = { seq, file: event.file, line: event.line, step: event.step, atMs };
      if (isFull) {
        first ??= place;
        if (event.type === "log.called") callsBeyond += 1;
      } else if (event.type === "log.called") {
        const { agent, tool, args, raw } = event;
        calls.set(seq, items.length);
        called.set(`${tool} ${event.call}`, seq).set(tool, seq);
        chars += raw?.length ?? JSON.stringify(args).length;
        items.push({ kind: "call", agent, tool, args, raw, outcome: null, ...place });
      } else {
        const { role, speaker, to, text } = event;
        chars += text.length;
        if (role === "system") instructions += text.length;
        else if (role === "user") items.push({ kind: "heard", to, text, ...place });
        else items.push({ kind: "sent", agent: speaker, to, text, ...place });
      }
    } else if (event.type === "log.returned" && event.of !== null) {
      const at = calls.get(event.of) ?? -1;
      const call = items[at];
      if (call?.kind !== "call" || call.outcome !== null) continue;
      const { result } = event;
      const error = errorIn(event)?.text ?? null;
      chars += error?.length ?? JSON.stringify(result).length;
      const isEmpty = error === null && emptyText(result) !== null;
      const latencyMs = event.latencyMs ?? (hasTimes ? atMs - call.atMs : null);
      items[at] = { ...call, outcome: { result, error, isEmpty, latencyMs } };
    }
  }
  const beyond = first === undefined ? null : { first, calls: callsBeyond };
  return { items, offered, beyond, instructions, faults };
}
