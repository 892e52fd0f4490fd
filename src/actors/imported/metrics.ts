/** What is measured of a log that was read in place of a run. */
import { type Gauge, metricsIn, WORLD } from "../../contract/gauge.ts";
import { emptyText } from "../../contract/nothing.ts";
import type { Observer } from "../../contract/part.ts";
import type { Sections } from "../../contract/scenario.ts";
import { plainName } from "./addresses.ts";
import { errorIn } from "./errorText.ts";

const messages = metricsIn("messages", "agent");
const calls = metricsIn("calls", "agent");
const tokens = metricsIn("tokens", "agent");

export const importedMetrics = {
  "log.records": metricsIn("records")("Records of an imported log."),
  "log.messages": messages(
    "Messages in an imported log; those of people count in the world alone.",
  ),
  "log.calls": calls("Calls of tools in an imported log."),
  "log.errors": calls(
    "Of these, the ones whose result is an error: the log says so, or it reads like one.",
  ),
  "log.empty": calls("Of these, the ones that returned nothing or an empty list, and no error."),
  "log.tokens.prompt": tokens("Tokens of prompts, where an imported log counts them."),
  "log.tokens.answer": tokens("Tokens of answers, likewise."),
};

type ImportedMetrics = typeof importedMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends ImportedMetrics {}
}

export type ImportedMetric = keyof ImportedMetrics;

/** Ours: agents with series of their own; the others count in the world. */
const AGENTS_MOST = 200;
/** Ours: up to here each record is a sample, from here on every thousandth. */
const EACH_UP_TO = 10_000;
const THEN_EVERY = 1_000;

interface Count {
  readonly metric: ImportedMetric;
  readonly actor: string;
  value: number;
}

export function meter(_: Partial<Sections>, gauge: Gauge): Observer {
  const counts = new Map<string, Count>();
  const agents = new Set<string>();
  const waiting = new Set<Count>();
  let records = 0;

  const more = (metric: ImportedMetric, actor: string, by: number): void => {
    const key = `${metric}|${actor}`;
    const count = counts.get(key) ?? { metric, actor, value: 0 };
    count.value += by;
    counts.set(key, count);
    waiting.add(count);
  };
  const write = (atMs: number): void => {
    for (const { metric, actor, value } of waiting) gauge.set(metric, actor, atMs, value);
    waiting.clear();
  };
  /** Of an agent and of the world. */
  const add = (metric: ImportedMetric, agent: string | null, atMs: number, by = 1): void => {
    more(metric, WORLD, by);
    if (agent === null) return;
    const name = plainName(agent);
    if (!agents.has(name)) {
      if (agents.size >= AGENTS_MOST) return;
      agents.add(name);
      gauge.join(name, atMs);
    }
    more(metric, name, by);
  };
  return {
    observe: ({ event, dueMs }) => {
      if (!event.type.startsWith("log.")) return;
      if (event.type === "log.opened") return;
      if (event.type === "log.closed") {
        write(dueMs);
        return;
      }
      records += 1;
      more("log.records", WORLD, 1);
      if (event.type === "log.said") {
        const agent = event.role === "agent" ? event.speaker : null;
        add("log.messages", agent, dueMs);
        const { promptTokens, answerTokens } = event;
        if (promptTokens !== null) add("log.tokens.prompt", agent, dueMs, promptTokens);
        if (answerTokens !== null) add("log.tokens.answer", agent, dueMs, answerTokens);
      } else if (event.type === "log.called") add("log.calls", event.agent, dueMs);
      else if (event.type === "log.returned") {
        if (errorIn(event) !== null) add("log.errors", event.caller, dueMs);
        else if (emptyText(event.result) !== null) add("log.empty", event.caller, dueMs);
      }
      if (records <= EACH_UP_TO || records % THEN_EVERY === 0) write(dueMs);
    },
  };
}
