/** What a reader wants to know of an imported log: who spoke, which tools were called, and what happened when. */
import type { Book } from "../../contract/book.ts";
import { emptyText } from "../../contract/nothing.ts";
import type { MailOf } from "../../machines/letter.ts";
import { bounds, keepLatest } from "./bounds.ts";
import { errorIn } from "./errorText.ts";
import { byLength, type Kinship, noKinship, parentsIn, type Ran } from "./nested.ts";
import { returnedText, saidText } from "./words.ts";

declare module "../../contract/book.ts" {
  interface Books {
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
  readonly latencies: number[];
}

interface Told {
  readonly speakers: Speaker[];
  /** In the order of their first calls. */
  readonly tools: ToolUse[];
  offered: number;
  /** What people or a benchmark said of the whole log; the last word where there are several. */
  judged: MailOf<"log.judged"> | null;
  /** Speakers and tools beyond those that are listed. */
  others: number;
  /** A share of the records, the more of them the fewer there are. */
  readonly points: Point[];
  /** Calls that took a time, of many the longest, and what the log says of what belongs to what. */
  readonly calls: Ran[];
  readonly kinship: Kinship;
  /** Calls that were shorter than those. */
  moreCalls: number;
  /** Errors and other moments that are not among `moments`. */
  moreMoments: number;
}

export type ImportedStory = Readonly<Told>;

/** Ours. */
const most = { listed: 500, latencies: 10_000, moments: 200, calls: 20_000 } as const;

export interface ImportedFacts {
  readonly told: { readonly imported: Told };
  readonly points: LogPoints;
  /** When calls began that wait for their results, and what they belong to: the latest, with their numbers. */
  readonly begun: [seq: number, atMs: number, parent: string | null][];
  hasTimes: boolean;
}

export const book: Book<ImportedFacts> = {
  start() {
    const none = { speakers: [], tools: [], offered: 0, judged: null, others: 0, moreMoments: 0 };
    const nested = { calls: [], kinship: noKinship(), moreCalls: 0 };
    return {
      told: { imported: { ...none, ...nested, points: [] } },
      ...{ points: noPoints(), begun: [], hasTimes: true },
    };
  },
  step(facts, { event, dueMs, seq }, moments) {
    const told = facts.told.imported;
    const moment = (kind: string, label: string, who?: string): void => {
      const one = { atMs: dueMs, kind, label, ...(who !== undefined && { who }) };
      if (moments.length < most.moments) moments.push(one);
      else told.moreMoments += 1;
    };
    const point: Notes["point"] = (lane, kind): void =>
      addPoint(told.points, facts.points, { lane, atMs: dueMs, kind });
    if ("parent" in event) {
      const who = event.type === "log.noted" ? event.who : null;
      parentsIn(told.kinship).note(event, { seq, atMs: dueMs, who });
    }
    switch (event.type) {
      case "log.opened":
        facts.hasTimes = event.clock === "log";
        break;
      case "log.offered":
        told.offered += 1;
        break;
      case "log.judged":
        told.judged = event;
        break;
      case "log.said": {
        const one = speaker(told, event.speaker, event.role);
        point(event.speaker, event.role === "agent" ? "said" : "heard");
        if (event.role === "user") moment("said", saidText(event), event.speaker);
        if (one === undefined) return;
        one.messages += 1;
        one.promptTokens += event.promptTokens ?? 0;
        one.answerTokens += event.answerTokens ?? 0;
        break;
      }
      case "log.called": {
        const one = tool(told, event.tool);
        const who = speaker(told, event.agent, "agent");
        keepLatest(facts.begun, [seq, dueMs, event.parent], bounds.openCalls);
        point(event.agent, "called");
        if (who !== undefined) who.calls += 1;
        if (one === undefined) return;
        one.calls += 1;
        if (one.calls === 1) moment("called", `${event.agent} calls ${event.tool} first`);
        break;
      }
      case "log.returned":
        returned(facts, event, { seq, atMs: dueMs }, { point, moment });
    }
  },
  // Whatever comes from outside in a log is told here.
  tellsOf: ({ event }) => event.type.startsWith("log."),
};

interface Notes {
  readonly point: (lane: string, kind: Point["kind"]) => void;
  readonly moment: (kind: string, label: string) => void;
}

function returned(
  { told: { imported: told }, begun, hasTimes }: ImportedFacts,
  event: MailOf<"log.returned">,
  { seq, atMs }: { readonly seq: number; readonly atMs: number },
  { point, moment }: Notes,
): void {
  const one = tool(told, event.tool);
  const isError = errorIn(event) !== null;
  const [began, startMs, parent] = (event.of === null ? undefined : begunOf(begun, event.of)) ?? [];
  const tookMs = event.latencyMs ?? (hasTimes && startMs !== undefined ? atMs - startMs : null);
  point(event.tool, isError ? "error" : "returned");
  if (hasTimes && tookMs !== null && tookMs > 0)
    addCall(told, {
      ...{ row: event.tool, kind: isError ? "error" : "returned", caller: event.caller },
      ...{ fromMs: Math.max(0, atMs - tookMs), toMs: atMs, began: began ?? seq, ended: seq },
      ...{ id: event.id, parent: parent === undefined ? event.parent : parent },
    });
  if (isError) moment("error", returnedText(event));
  if (one === undefined) return;
  if (isError) one.errors += 1;
  else if (emptyText(event.result) !== null) one.empty += 1;
  if (tookMs !== null && one.latencies.length < most.latencies) one.latencies.push(tookMs);
}

/** What lies within a call is shorter; so the longest go on telling what others lie within. */
function addCall(told: Told, call: Ran): void {
  told.calls.push(call);
  if (told.calls.length < most.calls) return;
  told.calls.sort(byLength).splice(most.calls / 2);
  told.moreCalls += most.calls / 2;
}

/** The call of that number; the numbers only grow. */
function begunOf(begun: ImportedFacts["begun"], of: number) {
  let [from, to] = [0, begun.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const one = begun[middle] as (typeof begun)[number]; // It lies within the list.
    if (one[0] === of) return one;
    if (one[0] < of) from = middle + 1;
    else to = middle;
  }
  return undefined;
}

const speaker = (told: Told, name: string, role: Speaker["role"]): Speaker | undefined =>
  listed(told, told.speakers, name, () => ({
    ...{ name, role, messages: 0, calls: 0, promptTokens: 0, answerTokens: 0 },
  }));

const tool = (told: Told, name: string): ToolUse | undefined =>
  listed(told, told.tools, name, () => ({
    ...{ name, calls: 0, errors: 0, empty: 0, latencies: [] },
  }));

/** The one of that name, new if there is room. */
function listed<T extends { readonly name: string }>(
  told: Told,
  list: T[],
  name: string,
  made: () => T,
): T | undefined {
  const known = list.find((one) => one.name === name);
  if (known !== undefined) return known;
  if (list.length >= most.listed) {
    told.others += 1;
    return undefined;
  }
  const one = made();
  list.push(one);
  return one;
}

/** A share of the records for a picture: of a long log every second, every fourth … but all of few errors. */
interface Point {
  /** Who spoke, or the tool that answered. */
  readonly lane: string;
  readonly atMs: number;
  readonly kind: "said" | "heard" | "called" | "returned" | "error";
}

/** Ours: more than a picture can tell apart. */
const POINTS_MOST = 4_000;

/** Of how many points each so-many-th is kept. */
interface LogPoints {
  count: number;
  every: number;
}

const noPoints = (): LogPoints => ({ count: 0, every: 1 });

function addPoint(all: Point[], points: LogPoints, point: Point): void {
  points.count += 1;
  if (points.count % points.every !== 0) return;
  all.push(point);
  if (all.length < POINTS_MOST) return;
  points.every *= 2;
  const errors = all.filter(({ kind }) => kind === "error").length;
  const keepsErrors = errors < POINTS_MOST / 4;
  const kept = all.filter(
    ({ kind }, index) => index % 2 === 0 || (keepsErrors && kind === "error"),
  );
  all.splice(0, all.length, ...kept);
}
