/** One log in the index of an import: what a reader needs to choose among many. */
import { countOf } from "../../../contract/countOf.ts";
import { type MetricName, WORLD } from "../../../contract/gauge.ts";
import { type Suspect, standsText } from "../../../findings/suspects.ts";
import type { Meter } from "../../../run/meter.ts";
import { hasFailed } from "../questions.ts";
import type { ImportedStory } from "../story.ts";
import type { WrittenLog } from "./logWriter.ts";

/** How much happened in a log. */
export interface LogCounts {
  readonly messages: number;
  readonly calls: number;
  readonly errors: number;
  readonly empty: number;
}

export function logCounts(meter: Meter, endMs: number): LogCounts {
  const last = (metric: MetricName): number => meter.valueAt(metric, WORLD, endMs);
  const [messages, calls] = [last("log.messages"), last("log.calls")];
  return { messages, calls, errors: last("log.errors"), empty: last("log.empty") };
}

export const callsText = ({ calls, errors, empty }: Omit<LogCounts, "messages">): string =>
  `${countOf(calls, "call")}, ${countOf(errors, "error")}, ${countOf(empty, "empty result")}`;

const agentsIn = ({ speakers }: ImportedStory): readonly string[] =>
  speakers.flatMap(({ name, role }) => (role === "agent" ? [name] : []));

export const countsText = (story: ImportedStory, counts: LogCounts): string =>
  `${countOf(agentsIn(story).length, "agent")}${story.others > 0 ? " and more" : ""}, ${countOf(counts.messages, "message")}, ${callsText(counts)}.`;

export interface LogEntry extends LogCounts {
  readonly log: string;
  readonly bundle: string;
  readonly format: string;
  readonly file: string;
  readonly outcome: string;
  readonly clock: "log" | "steps";
  readonly startsAt: string;
  readonly virtualMs: number;
  readonly records: number;
  /** Pieces of it that could not be read. */
  readonly unread: number;
  readonly agents: readonly string[];
  readonly reward: number | null;
  /** As judges say, else by the reward; null where nobody judged. */
  readonly failed: boolean | null;
  /** The likeliest mistake, in words; null where no agent did anything, or of a long log. */
  readonly suspect: string | null;
}

export const suspectText = (one: Suspect): string =>
  `${standsText(one)}, ${one.agent}: ${one.reason}`;

/** Agents that are named. */
const AGENTS_MOST = 50;

export function logEntry(log: WrittenLog, bundle: string): LogEntry {
  const { head, outcome, imported, startsAt, endMs: virtualMs, records, meter, story } = log;
  const { judged } = story.imported;
  const [first] = log.reading.suspects;
  const isJudged = judged !== null && (judged.reward !== null || judged.success !== null);
  return {
    ...{ log: head.name, bundle, format: head.format, file: head.file, outcome },
    ...{ clock: imported.clock, startsAt, virtualMs, records },
    ...logCounts(meter, virtualMs),
    unread: imported.unread?.count ?? 0,
    agents: agentsIn(story.imported).slice(0, AGENTS_MOST),
    reward: judged?.reward ?? null,
    failed: isJudged ? hasFailed(judged) : null,
    suspect: first === undefined ? null : suspectText(first),
  };
}
