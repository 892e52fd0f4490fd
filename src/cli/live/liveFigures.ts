/** What a live run has cost and brought so far, from the calls it made. */
import type { Waits } from "../../contract/part.ts";
import { medianOf } from "../../run/askedModels.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import type { Input, Reply } from "../../substrate/port.ts";

const PORT = "port/llm.chat";

interface OpenQuestion {
  readonly from: string;
  readonly purpose: string;
  /** In virtual milliseconds. */
  readonly askedAt: number;
  /** On the wall: while a model is asked, virtual time goes on only with what is delivered. */
  readonly askedMs: number;
}

export interface LiveFigures {
  readonly asked: number;
  readonly answered: number;
  readonly failed: number;
  /** Of the answers: those that their askers could read. */
  readonly usable: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** Milliseconds from a question to its answer, with its waiting and its tries; null before the first. */
  readonly medianMs: number | null;
  readonly lastMs: number | null;
  readonly lastError: string | null;
  /** Questions that nobody has answered yet. */
  readonly open: number;
  /** Failed tries by what went wrong. */
  readonly tries: ReadonlyMap<string, number>;
}

export interface LiveCount {
  input(input: Input): void;
  delivery(delivery: SeenDelivery): void;
  figures(): LiveFigures;
  /** Who waits for a model, each with the oldest of its questions. */
  waits(): ReadonlyMap<string, Waits>;
}

/**
 * `isServed`: a recording answers some questions, the moment they are asked, before they are seen. Those were not
 * asked of a model now, and count for nothing.
 */
export function liveCount({ isServed = false } = {}): LiveCount {
  const counted = { answered: 0, failed: 0, usable: 0, promptTokens: 0, answerTokens: 0 };
  const tries = new Map<string, number>();
  const open = new Map<number, OpenQuestion>();
  const latencies: number[] = [];
  let lastMs: number | null = null;
  let lastError: string | null = null;
  /** Answers that came before their questions were seen, as a recording gives them, by question. */
  const early = new Map<string, number>();
  /** Whether it was seen before. */
  const closed = ({ from, purpose, deliveredAt, latencyMs }: Reply): boolean => {
    const askedAt = deliveredAt - latencyMs;
    // Of one sender those for one purpose at one instant are alike, whichever was answered.
    const found = [...open].find(
      ([, one]) => one.askedAt === askedAt && one.from === from && one.purpose === purpose,
    );
    const name = nameOf(from, purpose, askedAt);
    if (found !== undefined) open.delete(found[0]);
    else early.set(name, (early.get(name) ?? 0) + 1);
    return found !== undefined;
  };
  const chatted = (reply: Reply): void => {
    const { event, usage, latencyMs, unusable: why } = reply;
    insert(latencies, latencyMs);
    lastMs = latencyMs;
    counted.promptTokens += usage?.promptTokens ?? 0;
    counted.answerTokens += usage?.answerTokens ?? 0;
    if (event.type === "llm.failed") counted.failed += 1;
    if (event.type !== "llm.replied") return;
    counted.answered += 1;
    if (why === undefined) counted.usable += 1;
  };
  return {
    input(input) {
      if (input.kind !== "reply") return;
      if (input.port === PORT && !closed(input) && isServed) return;
      const { from, purpose, attempts = [], event } = input;
      const told = (error: string): string => `${from}, ${purpose}: ${error}`;
      for (const { kind, error } of attempts) {
        tries.set(kind, (tries.get(kind) ?? 0) + 1);
        lastError = told(`${kind}: ${error}`);
      }
      if (event.type === "llm.failed") lastError = told(event.error);
      if (input.port === PORT) chatted(input);
    },
    delivery({ seq, dueMs: askedAt, to, from, event }) {
      if (to !== PORT || event.type !== "llm.asked") return;
      const { purpose } = event;
      const name = nameOf(from, purpose, askedAt);
      const answers = early.get(name) ?? 0;
      if (answers === 0) open.set(seq, { from, purpose, askedAt, askedMs: performance.now() });
      else if (answers === 1) early.delete(name);
      else early.set(name, answers - 1);
    },
    figures() {
      const medianMs = medianOf(latencies);
      const asked = counted.answered + counted.failed + open.size;
      return { ...counted, asked, open: open.size, medianMs, lastMs, lastError, tries };
    },
    waits() {
      const nowMs = performance.now();
      const waits = new Map<string, Waits>();
      for (const { from, purpose, askedMs } of open.values()) {
        if (!waits.has(from)) waits.set(from, { purpose, forMs: nowMs - askedMs });
      }
      return waits;
    },
  };
}

const nameOf = (from: string, purpose: string, askedAt: number): string =>
  `${askedAt} ${from} ${purpose}`;

/** Into its place among sorted numbers. */
function insert(sorted: number[], value: number): void {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, value);
}
