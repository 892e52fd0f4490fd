/** A record of a foreign log as the event that stands in a bundle. */
import type { MailEvent, MailOf } from "../../machines/letter.ts";
import type { OpenCall } from "./openCalls.ts";
import type { LogRecord } from "./record.ts";

/** What every event of a log has. */
export type Base = Pick<
  MailOf<"log.noted">,
  "step" | "timeMs" | "file" | "line" | "id" | "parent" | "links"
>;

/** `call` is the one that a result is of. */
export function eventOf(record: LogRecord, base: Base, call: OpenCall | undefined): MailEvent {
  switch (record.kind) {
    case "said": {
      const { speaker, role, to, text, model, usage, latencyMs } = record;
      const { promptTokens = null, answerTokens = null } = usage ?? {};
      const cost = { model, promptTokens, answerTokens, latencyMs };
      return { type: "log.said", speaker, role, to, text, ...cost, ...base };
    }
    case "called": {
      const { agent, tool, call: id, args, raw } = record;
      return { type: "log.called", agent, tool, call: id, args, raw, ...base };
    }
    case "returned": {
      const { result, ok, error, latencyMs } = record;
      const whose = { caller: call?.agent ?? null, tool: call?.tool ?? record.tool ?? "unknown" };
      const of = { call: record.call, of: call?.seq ?? null };
      return { type: "log.returned", ...whose, ...of, result, ok, error, latencyMs, ...base };
    }
    case "offered": {
      const { tool, description, schema } = record;
      return { type: "log.offered", tool, description, schema, ...base };
    }
    case "judged": {
      const { reward, success, mistake } = record;
      return { type: "log.judged", reward, success, mistake, ...base };
    }
    case "noted": {
      const { who, what, data } = record;
      return { type: "log.noted", who, what, data, ...base };
    }
  }
}
