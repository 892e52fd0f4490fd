/** Sessions of Claude Code: a line each message, result of a tool, and note; helpers of the agent on side chains. */
import type { Json } from "../../../../../machines/letter.ts";
import { type Fields, isEmpty, mapIn, mapOf, mapsIn, textOf } from "../fields.ts";
import { tell } from "../message.ts";
import { usageIn } from "../messageFields.ts";
import { noted, type OpenLog } from "../openLog.ts";
import { timeIn } from "../time.ts";
import type { TakeLine } from "./sessions.ts";

const SIGNS = ["uuid", "parentUuid", "isSidechain", "leafUuid"];

export function isClaudeCode(value: Json): boolean {
  const fields = mapIn(value);
  if (textOf(fields["sessionId"]) === null || textOf(fields["type"]) === null) return false;
  return SIGNS.some((name) => Object.hasOwn(fields, name));
}

const MAIN = "assistant";

export function claudeCode(log: OpenLog): TakeLine {
  /** Answers come in a line each block, and each line says what the whole cost. */
  const counted = new Set<string>();
  return (fields, place) => {
    const { type, uuid, parentUuid, isSidechain, toolUseResult } = fields;
    const message = mapOf(fields["message"]);
    const at = { place, atMs: timeIn(fields) };
    const agent = isSidechain === true ? `agent-${textOf(fields["agentId"]) ?? "sidechain"}` : MAIN;
    if ((type !== "user" && type !== "assistant") || message === null) {
      const { sessionId: _session, ...data } = fields;
      const who = isSidechain === true ? agent : null;
      log.give(noted({ ...at, id: textOf(uuid) }, textOf(type) ?? "line", data, who));
      return;
    }
    const { id, usage, ...said } = message;
    const answer = textOf(id);
    const isFirst = answer === null || !counted.has(answer);
    if (answer !== null) counted.add(answer);
    tell(
      log,
      { ...said, ...speaker(fields, agent) },
      {
        ...{ ...at, id: textOf(uuid), parent: textOf(parentUuid), agent },
        usage: type === "assistant" && isFirst && mapOf(usage) !== null ? usageIn(message) : null,
      },
    );
    const result = mapOf(toolUseResult);
    if (!isEmpty(result)) log.give(noted(at, "toolUseResult", result, agent));
    if (fields["isApiErrorMessage"] === true)
      log.give(noted(at, "error", fields["error"] ?? true, agent));
  };
}

/** Who speaks to a helper is the agent that called it; what the program itself writes is no word of a person. */
function speaker({ type, isSidechain, isMeta, message }: Fields, agent: string): Fields {
  if (type === "assistant") return { role: "assistant" };
  const isResult = mapsIn(mapIn(message)["content"]).some((part) => part["type"] === "tool_result");
  if (isMeta === true) return { role: "system" };
  return isSidechain === true && !isResult
    ? { role: "assistant", name: MAIN, to: agent }
    : { role: "user" };
}
