/** What the real system's agent.install takes of work in the background; the seed has a capability for it. Source: dossier 1.1. */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { intervalSecs } from "./interval.ts";

/** JSON, so no interface. */
export type Background = {
  readonly enabled: boolean;
  readonly interval_secs: number;
};

export type ScheduledActionKind = "sandbox_exec" | "write_file";

/** An error where the action is none. */
export interface BackgroundWork {
  readonly background: Background | null;
  readonly scheduledAction: ScheduledActionKind | null;
  readonly error: string | null;
}

const NEITHER =
  "scheduled_action must include either a tagged 'type', a 'command' or 'script' field, a supported 'tool_use' wrapper, or both 'path' and 'content' fields";

export function backgroundWork(background: Json, action: Json): BackgroundWork {
  const hint = isMap(action)
    ? (intervalSecs(action["interval_secs"] ?? null) ?? intervalSecs(action["cadence"] ?? null))
    : null;
  const told = isMap(background)
    ? {
        enabled: background["enabled"] === true,
        interval_secs: intervalSecs(background["interval_secs"] ?? null) ?? 0,
      }
    : null;
  // An interval in the action turns the work on, and gives what the background leaves open.
  const merged =
    hint === null ? told : { enabled: true, interval_secs: told?.interval_secs || hint };
  const kind = action === null ? null : actionKind(action);
  const error = action !== null && kind === null ? NEITHER : null;
  return { background: merged, scheduledAction: kind, error };
}

/** What is wrong with them together, be the work turned on or not; null for nothing. */
export function workFault(
  background: Background | undefined,
  action: ScheduledActionKind | undefined,
): string | null {
  if (action !== undefined && background?.enabled !== true) {
    return "scheduled_action requires background.enabled = true";
  }
  return background?.interval_secs === 0 ? "background.interval_secs must be > 0" : null;
}

/** As a tagged action, as a call of a tool, or by the fields that it has. */
function actionKind(action: Json): ScheduledActionKind | null {
  if (!isMap(action)) return null;
  const tagged = action["type"];
  if (tagged === "sandbox_exec" || tagged === "write_file") return tagged;
  const use = action["tool_use"];
  if (isMap(use)) return toolKind(use["name"], use["arguments"] ?? null);
  return fieldsKind(action, ["command", "script"]);
}

function toolKind(name: Json | undefined, given: Json): ScheduledActionKind | null {
  if (!isMap(given)) return null;
  const kind = fieldsKind(given, ["command", "cmd", "script"]);
  if (name === undefined || name === null) return kind;
  const names =
    kind === "sandbox_exec" ? ["sandbox.exec", "sandbox_exec"] : ["memory.write", "memory_write"];
  return names.some((one) => one === name) ? kind : null;
}

function fieldsKind(
  fields: { readonly [name: string]: Json },
  commands: readonly string[],
): ScheduledActionKind | null {
  const isText = (name: string) => typeof fields[name] === "string";
  if (commands.some(isText)) return "sandbox_exec";
  return isText("path") && isText("content") ? "write_file" : null;
}
