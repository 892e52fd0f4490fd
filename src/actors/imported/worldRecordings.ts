/**
 * Recordings of one task, some of them under faults, as a world plays them: its tools answer what they really answered, and its faults
 * make of that what the wire's made of it. Pure.
 */
import { FAULT_NAMES, FAULTS, type FaultName, type ToolAnswer } from "../../faults/faults.ts";
import { groupedBy } from "../../machines/grouped.ts";
import { isMap } from "../../machines/isMap.ts";
import type { Json } from "../../machines/letter.ts";
import { errorIn } from "./errorText.ts";
import {
  type CallItem,
  type ItemOutcome,
  type ItemsOfLog,
  itemsOf,
  type LogOfWorld,
} from "./worldItems.ts";

/** A fault that calls of a tool met. */
export interface RecordedFault {
  readonly does: FaultName;
  /** As the log names it. */
  readonly tool: string;
  /** Which of the tool's calls, from 1; null for all of them. */
  readonly calls: readonly number[] | null;
}

export interface Recording {
  readonly log: LogOfWorld;
  /** Outcomes are what the agent was told, as a world's fault tells it. */
  readonly items: ItemsOfLog;
  /** What a tool really answered to a call whose answer was changed. */
  readonly stood: ReadonlyMap<CallItem, ItemOutcome>;
  readonly faults: readonly RecordedFault[];
  /** Faults that no world has, such as those at a model's answer: what came of them follows from nothing that a stand-in sees. */
  readonly foreign: readonly string[];
}

export type Recordings = readonly [Recording, ...Recording[]];

const plainItems = (log: LogOfWorld): ItemsOfLog => itemsOf(log.deliveries, log.clock === "log");

/** A log that is a world by itself: its tools answer what the log says. */
export const onlyRecording = (log: LogOfWorld): Recording => ({
  ...{ log, items: plainItems(log), stood: new Map(), faults: [], foreign: [] },
});

export function recordingOf(log: LogOfWorld): Recording {
  const { items, faults: noted, ...rest } = plainItems(log);
  const bySeq = new Map(noted.map((one) => [one.seq, one]));
  const stood = new Map<CallItem, ItemOutcome>();
  const last = new Map<string, ToolAnswer>();
  const met: { readonly does: FaultName; readonly tool: string; readonly nth: number }[] = [];
  const counts = new Map<string, number>();
  const noteLast = (tool: string, outcome: ItemOutcome): void => {
    last.delete(tool);
    last.set(tool, answerOf(outcome));
  };
  const asPlayed = items.map((item) => {
    if (item.kind !== "call") return item;
    const { tool, outcome } = item;
    const nth = (counts.get(tool) ?? 0) + 1;
    counts.set(tool, nth);
    const fault = bySeq.get(item.seq);
    const does = FAULT_NAMES.find((one) => one === fault?.fault);
    if (fault === undefined || does === undefined || outcome === null) {
      if (outcome !== null) noteLast(tool, outcome);
      return item;
    }
    met.push({ does, tool, nth });
    const really =
      does === "late" ? outcome : outcomeOf({ ...outcome, result: spoken(fault.instead) });
    const other = [...last].findLast(([name]) => name !== tool)?.[1];
    const told = FAULTS[does].change({ same: last.get(tool), other }, answerOf(really));
    const own = told !== undefined && isSaid(told, outcome) ? toldAs(told, outcome) : outcome;
    const call = { ...item, outcome: own };
    noteLast(tool, own);
    stood.set(call, really);
    return call;
  });
  const faults = [...groupedBy(met, ({ does, tool }) => `${does} ${tool}`).values()].map((all) => {
    const [{ does, tool } = { does: "nothing" as const, tool: "" }] = all;
    const isEach = all.length === counts.get(tool);
    return { does, tool, calls: isEach ? null : all.map(({ nth }) => nth) };
  });
  const known = new Set(met.map(({ does }) => does as string));
  const foreign = noted.map(({ fault }) => fault).filter((one) => !known.has(one));
  return { log, items: { ...rest, items: asPlayed, faults: noted }, stood, faults, foreign };
}

const answerOf = ({ result, error }: ItemOutcome): ToolAnswer =>
  error === null ? { ok: true, result } : { ok: false, error };

const toldAs = (told: ToolAnswer, { latencyMs }: ItemOutcome): ItemOutcome => ({
  ...{ result: told.ok ? told.result : null, error: told.ok ? null : told.error },
  ...{ isEmpty: told.ok && told.result === null, latencyMs },
});

const outcomeOf = (given: ItemOutcome): ItemOutcome => {
  const error = errorIn({ result: given.result, ok: null, error: null })?.text ?? null;
  return { ...given, error, isEmpty: false };
};

/** The words of a result, which may stand in blocks. */
const spoken = (content: Json): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.map((one: Json) => (isMap(one) ? String(one["text"] ?? "") : "")).join("")
      : JSON.stringify(content);

/** Whether the wire told the agent the same in its own words. */
function isSaid(told: ToolAnswer, { result, error, isEmpty }: ItemOutcome): boolean {
  if (!told.ok) return error !== null && error.replace(/^Error: /, "") === told.error;
  const text = error ?? spoken(result);
  return text === spoken(told.result) || (told.result === null && isEmpty);
}

/** What people say is the same in all, so that they are recordings of one task. */
export const heardIn = ({ items }: Recording): string =>
  JSON.stringify(items.items.flatMap((item) => (item.kind === "heard" ? [item.text] : [])));
