/** One log in the index of an import: what a reader needs to choose among many. */
import { WORLD } from "../../../contract/gauge.ts";
import { hasFailed } from "../questions.ts";
import type { WrittenLog } from "./logWriter.ts";

export interface LogEntry {
  readonly log: string;
  readonly bundle: string;
  readonly format: string;
  readonly file: string;
  readonly outcome: string;
  readonly clock: "log" | "steps";
  readonly startsAt: string;
  readonly virtualMs: number;
  readonly records: number;
  readonly messages: number;
  readonly calls: number;
  readonly errors: number;
  readonly empty: number;
  /** Pieces of it that could not be read. */
  readonly unread: number;
  readonly agents: readonly string[];
  readonly reward: number | null;
  /** As judges say, else by the reward; null where nobody judged. */
  readonly failed: boolean | null;
}

/** Agents that are named. */
const AGENTS_MOST = 50;

export function logEntry(log: WrittenLog, bundle: string): LogEntry {
  const { head, outcome, imported, startsAt, endMs: virtualMs, records, meter, story } = log;
  const last = (metric: Parameters<typeof meter.valueAt>[0]): number =>
    meter.valueAt(metric, WORLD, virtualMs);
  const { judged } = story.imported;
  const isJudged = judged !== null && (judged.reward !== null || judged.success !== null);
  const agents = story.imported.speakers.flatMap(({ name, role }) =>
    role === "agent" ? [name] : [],
  );
  return {
    ...{ log: head.name, bundle, format: head.format, file: head.file, outcome },
    ...{ clock: imported.clock, startsAt, virtualMs, records },
    ...{ messages: last("log.messages"), calls: last("log.calls") },
    ...{ errors: last("log.errors"), empty: last("log.empty") },
    unread: imported.unread?.count ?? 0,
    agents: agents.slice(0, AGENTS_MOST),
    reward: judged?.reward ?? null,
    failed: isJudged ? hasFailed(judged) : null,
  };
}
