/** What a reader wants to know of an imported log: who spoke, which tools were called, and what happened when. */

import type { Teller } from "../../contract/part.ts";
import type { Sections } from "../../contract/scenario.ts";
import type { Moment } from "../../contract/story.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { NumberList } from "../../substrate/numberList.ts";
import { BoundedMap } from "./boundedMap.ts";
import { bounds } from "./bounds.ts";
import { errorIn, isEmptyResult } from "./errorText.ts";
import { LogPoints, type Point } from "./logPoints.ts";
import { returnedText, saidText } from "./words.ts";

declare module "../../contract/story.ts" {
  interface Stories {
    readonly imported: ImportedStory;
  }
}

export interface Speaker {
  readonly name: string;
  readonly role: "user" | "system" | "agent";
  messages: number;
  calls: number;
  promptTokens: number;
  answerTokens: number;
}

export interface ToolUse {
  readonly name: string;
  calls: number;
  errors: number;
  empty: number;
  /** In ms; the first ones where there are many. */
  readonly latencies: NumberList;
}

export interface ImportedStory {
  readonly speakers: readonly Speaker[];
  /** In the order of their first calls. */
  readonly tools: readonly ToolUse[];
  readonly offered: number;
  /** What people or a benchmark said of the whole log; the last word where there are several. */
  readonly judged: MailOf<"log.judged"> | null;
  /** Speakers and tools beyond those that are listed. */
  readonly others: number;
  /** A share of the records, the more of them the fewer there are. */
  readonly points: readonly Point[];
  /** Errors and other moments that are not among `moments`. */
  readonly moreMoments: number;
}

/** Ours. */
const most = { listed: 500, latencies: 10_000, moments: 200 } as const;

export function story(_: Partial<Sections>, moments: Moment[]): Teller {
  const speakers = new Map<string, Speaker>();
  const tools = new Map<string, ToolUse>();
  const begun = new BoundedMap<number, number>(bounds.openCalls);
  const points = new LogPoints();
  const told = {
    ...{ speakers: [] as Speaker[], tools: [] as ToolUse[], offered: 0, others: 0 },
    judged: null as MailOf<"log.judged"> | null,
    points: points.all,
    moreMoments: 0,
  };
  let hasTimes = true;

  const speaker = (name: string, role: Speaker["role"]): Speaker | undefined =>
    listed(speakers, told.speakers, name, () => ({
      ...{ name, role, messages: 0, calls: 0, promptTokens: 0, answerTokens: 0 },
    }));
  const tool = (name: string): ToolUse | undefined =>
    listed(tools, told.tools, name, () => ({
      ...{ name, calls: 0, errors: 0, empty: 0, latencies: new NumberList(4) },
    }));
  const listed = <T>(map: Map<string, T>, list: T[], name: string, made: () => T) => {
    const known = map.get(name);
    if (known !== undefined || map.size >= most.listed) {
      if (known === undefined) told.others += 1;
      return known;
    }
    const one = made();
    map.set(name, one);
    list.push(one);
    return one;
  };
  const moment = (one: Moment): void => {
    if (moments.length < most.moments) moments.push(one);
    else told.moreMoments += 1;
  };

  function said({ event, dueMs }: SeenDelivery): void {
    if (event.type !== "log.said") return;
    const one = speaker(event.speaker, event.role);
    points.add({
      lane: event.speaker,
      atMs: dueMs,
      kind: event.role === "agent" ? "said" : "heard",
    });
    if (event.role === "user") {
      moment({ atMs: dueMs, kind: "said", label: saidText(event), who: event.speaker });
    }
    if (one === undefined) return;
    one.messages += 1;
    one.promptTokens += event.promptTokens ?? 0;
    one.answerTokens += event.answerTokens ?? 0;
  }

  function returned({ event, dueMs }: SeenDelivery): void {
    if (event.type !== "log.returned") return;
    const one = tool(event.tool);
    const isError = errorIn(event) !== null;
    points.add({ lane: event.tool, atMs: dueMs, kind: isError ? "error" : "returned" });
    if (isError) moment({ atMs: dueMs, kind: "error", label: returnedText(event) });
    const startMs = event.of === null ? undefined : begun.get(event.of);
    if (one === undefined) return;
    if (isError) one.errors += 1;
    else if (isEmptyResult(event.result)) one.empty += 1;
    const tookMs = event.latencyMs ?? (hasTimes && startMs !== undefined ? dueMs - startMs : null);
    if (tookMs !== null && one.latencies.length < most.latencies) one.latencies.push(tookMs);
  }

  return {
    told: { imported: told },
    // Whatever comes from outside in a log is told here.
    tellsOf: ({ event }) => event.type.startsWith("log."),
    observe(delivery) {
      const { event, dueMs, seq } = delivery;
      said(delivery);
      returned(delivery);
      if (event.type === "log.opened") hasTimes = event.clock === "log";
      if (event.type === "log.offered") told.offered += 1;
      if (event.type === "log.judged") told.judged = event;
      if (event.type !== "log.called") return;
      const one = tool(event.tool);
      const who = speaker(event.agent, "agent");
      begun.set(seq, dueMs);
      points.add({ lane: event.agent, atMs: dueMs, kind: "called" });
      if (who !== undefined) who.calls += 1;
      if (one === undefined) return;
      one.calls += 1;
      if (one.calls > 1) return;
      moment({ atMs: dueMs, kind: "called", label: `${event.agent} calls ${event.tool} first` });
    },
  };
}
