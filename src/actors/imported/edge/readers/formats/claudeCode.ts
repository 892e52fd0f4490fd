/** Sessions of Claude Code: a line each message, result of a tool, and note; helpers of the agent on side chains. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Place } from "../../../record.ts";
import { give } from "../conversations.ts";
import { type Fields, isEmpty, listOf, mapOf, mapsIn, textOf } from "../fields.ts";
import { readMessage } from "../message.ts";
import { usageIn } from "../messageFields.ts";
import { bare, type OpenLog } from "../openLog.ts";
import { timeIn } from "../time.ts";
import { aroundOf, type Session } from "./sessions.ts";

export function isClaudeCode(value: Json): boolean {
  const fields = mapOf(value);
  if (fields === null || textOf(fields["sessionId"]) === null) return false;
  const isLine = ["uuid", "parentUuid", "isSidechain", "leafUuid"].some((name) =>
    Object.hasOwn(fields, name),
  );
  return isLine && textOf(fields["type"]) !== null;
}

const MAIN = "assistant";

export function claudeCode(log: OpenLog): Session {
  /** Answers come in a line each block, and each line says what the whole cost. */
  const counted = new Set<string>();
  const take = (fields: Fields, place: Place): void => {
    const { type, uuid, parentUuid, isSidechain, toolUseResult } = fields;
    const message = mapOf(fields["message"]);
    const atMs = timeIn(fields);
    const agent = isSidechain === true ? `agent-${textOf(fields["agentId"]) ?? "sidechain"}` : MAIN;
    if ((type !== "user" && type !== "assistant") || message === null) {
      const { sessionId: _session, ...data } = fields;
      const who = isSidechain === true ? agent : null;
      log.give({
        ...bare(place),
        atMs,
        id: textOf(uuid),
        kind: "noted",
        who,
        what: textOf(type) ?? "line",
        data,
      });
      return;
    }
    const { id, usage, ...said } = message;
    const answer = textOf(id);
    const isFirst = answer === null || !counted.has(answer);
    if (answer !== null) counted.add(answer);
    const around = {
      ...aroundOf(place, "claude-code"),
      ...{ atMs, id: textOf(uuid), parent: textOf(parentUuid), agent },
      usage: type === "assistant" && isFirst && mapOf(usage) !== null ? usageIn(message) : null,
    };
    give(log, place, readMessage({ ...said, ...speaker(fields, agent) }, around));
    if (mapOf(toolUseResult) !== null && !isEmpty(toolUseResult))
      log.give({
        ...bare(place),
        atMs,
        kind: "noted",
        who: agent,
        what: "toolUseResult",
        data: toolUseResult ?? null,
      });
    if (fields["isApiErrorMessage"] === true)
      log.give({
        ...bare(place),
        atMs,
        kind: "noted",
        who: agent,
        what: "error",
        data: fields["error"] ?? true,
      });
  };
  return { take };
}

/** Who speaks to a helper is the agent that called it; what the program itself writes is no word of a person. */
function speaker({ type, isSidechain, isMeta, message }: Fields, agent: string): Fields {
  if (type === "assistant") return { role: "assistant" };
  const content = mapOf(message)?.["content"];
  const isResult = mapsIn(listOf(content) ?? []).some((part) => part["type"] === "tool_result");
  if (isMeta === true) return { role: "system" };
  return isSidechain === true && !isResult
    ? { role: "assistant", name: MAIN, to: agent }
    : { role: "user" };
}
