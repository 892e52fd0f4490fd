/** Reader of hollow-agentOS's own files: chains of steps, registries of goals and capabilities, broken tools, stressors. */
import type { Json } from "../../../../machines/letter.ts";
import { type LogPiece, type Place, unread } from "../../record.ts";
import type { Item } from "../input/items.ts";
import {
  type Fields,
  fieldOf,
  idIn,
  idOf,
  isEmpty,
  listIn,
  listOf,
  mapIn,
  mapsIn,
  restIn,
  textOf,
} from "./fields.ts";
import { called, noted, type OpenLog, offered as offeredTool, returned } from "./openLog.ts";
import { LogsById, type Reader, type ReaderOf } from "./reader.ts";
import { timeIn, timeOf } from "./time.ts";

type Kind = "step" | "goal" | "capability" | "broken" | "stressors" | "trace";

function kindOf(fields: Fields): Kind | null {
  const has = (...names: readonly string[]): boolean =>
    names.every((name) => Object.hasOwn(fields, name));
  if (has("capability_id", "execution_status") || has("capability_id", "execution_result"))
    return "step";
  if (has("goal_id", "objective", "status")) return "goal";
  if (has("capability_id", "description")) return "capability";
  if (has("broken") && (has("cross_cycle_failures") || has("broken_tools"))) return "broken";
  if (has("broken_tools") && listOf(fields["broken_tools"]) !== null) return "broken";
  const stressors = [...mapsIn(fields["active"]), ...mapsIn(fields["resolved"])];
  if (has("active", "resolved") && stressors.some(({ severity }) => severity !== undefined))
    return "stressors";
  return mapsIn(fields["goals"]).some(
    ({ goal_id, steps }) => goal_id !== undefined && listOf(steps) !== null,
  )
    ? "trace"
    : null;
}

export const isHollow = (value: Json): boolean => kindOf(mapIn(value)) !== null;

/** `memory/goals/analyst/registry.jsonl` is the analyst's. */
const FOLDER = /(?:^|[/\\])([^/\\]+)[/\\][^/\\]+$/;
/** Folders that hold no agent's files. */
const SHARED = /^(goals|capabilities|memory|identity|autonomy|synthesis|\.)$/;

export class HollowReader implements Reader {
  readonly #folder: string | null;
  readonly #logs: LogsById;

  constructor(of: ReaderOf) {
    const folder = FOLDER.exec(of.file)?.[1] ?? null;
    this.#folder = folder === null || SHARED.test(folder) ? null : folder;
    this.#logs = new LogsById(of);
  }

  take({ place, value }: Item): readonly LogPiece[] {
    const fields = mapIn(value);
    const kind = kindOf(fields);
    if (kind === null) return [unread(place, "a record of no kind that hollow-agentOS keeps here")];
    if (kind === "trace") return this.#trace(place, fields);
    const agent = textOf(fields["agent_id"]) ?? this.#folder;
    const log = this.#logs.of(null);
    if (kind === "step") step(log, place, fields, agent ?? "agent");
    else if (kind === "goal") goal(log, place, fields, agent);
    else if (kind === "capability") offered(log, place, fields);
    else {
      const what = kind === "broken" ? "broken_tools" : "stressors";
      log.give(noted({ place, atMs: timeIn(fields) }, what, fields, agent));
    }
    return log.taken();
  }

  end = (): readonly LogPiece[] => this.#logs.end();

  /** Goals with their steps as rows: capability, success, change of progress, progress, time. */
  #trace(place: Place, fields: Fields): readonly LogPiece[] {
    const pieces = listIn(fields["goals"]).flatMap((value) => {
      const { steps, ...rest } = mapIn(value);
      const agent = textOf(rest["agent"]) ?? "agent";
      const id = idOf(rest["goal_id"]);
      const log = this.#logs.of(id);
      log.give(noted({ place }, "goal", rest, agent));
      for (const [index, row] of listIn(steps).entries())
        traceStep(log, { place, agent, goal: id, index }, row);
      return log.taken();
    });
    const { goals: _, ...others } = fields;
    if (isEmpty(others)) return pieces;
    const log = this.#logs.of(null);
    log.give(noted({ place }, "log", others));
    return [...pieces, ...log.taken()];
  }
}

const READ = [
  "step_id",
  "agent_id",
  "goal_id",
  "execution_id",
  "capability_id",
  "reasoning_text",
  "execution_result",
  "execution_status",
  "timestamp",
  "params",
  "step_status",
];

/** A step of an agent's chain: it says which capability it called and what came back; the arguments are not kept there. */
function step(log: OpenLog, place: Place, fields: Fields, agent: string): void {
  const id = idOf(fields["step_id"]);
  const at = { place, atMs: timeIn(fields), id, parent: idOf(fields["goal_id"]) };
  const tool = textOf(fields["capability_id"]);
  if (tool === null) {
    log.unread(place, "a step without a capability");
    return;
  }
  const reason = textOf(fields["reasoning_text"]);
  if (reason !== null) log.give(noted(at, "thought", reason, agent));
  const call = idIn(fields, "execution_id", "step_id");
  log.give(called(at, { agent, tool, call, args: fieldOf(fields, ["params"]) }));
  const result = fields["execution_result"] ?? null;
  const { ok: said, error: told } = mapIn(result);
  const status = textOf(fields["execution_status"]) ?? textOf(fields["step_status"]);
  const ok = typeof said === "boolean" ? said : okOf(status);
  log.give(returned(at, { tool, call, result, ok, error: textOf(told) }));
  const rest = restIn(fields, (name) => READ.includes(name));
  if (!isEmpty(rest)) log.give(noted(at, "step", rest, agent));
}

function okOf(status: string | null): boolean | null {
  if (status === null) return null;
  if (/^(success|completed?|ok|done)$/i.test(status)) return true;
  return /fail|error/i.test(status) ? false : null;
}

function goal(log: OpenLog, place: Place, fields: Fields, agent: string | null): void {
  const id = idOf(fields["goal_id"]);
  const atMs = timeOf(fieldOf(fields, ["created_at"]));
  log.give(noted({ place, atMs, id }, "goal", fields, agent));
  const endMs = timeOf(fieldOf(fields, ["completed_at"]));
  const what = `goal.${textOf(fields["status"]) ?? "ended"}`;
  if (endMs !== null) log.give(noted({ place, atMs: endMs, id }, what, { goal_id: id }, agent));
}

function offered(log: OpenLog, place: Place, fields: Fields): void {
  const { capability_id: id, description } = fields;
  const tool = textOf(fields["name"]) ?? textOf(id);
  const schema = fieldOf(fields, ["input_schema"]);
  if (tool === null) log.unread(place, "a capability without a name");
  else
    log.give(
      offeredTool({ place, id: idOf(id) }, { tool, description: textOf(description), schema }),
    );
}

interface RowOf {
  readonly place: Place;
  readonly agent: string;
  readonly goal: string | null;
  readonly index: number;
}

function traceStep(log: OpenLog, { place, agent, goal: parent, index }: RowOf, row: Json): void {
  const [tool, success, delta, progress, time] = listOf(row) ?? [];
  const name = textOf(tool);
  if (name === null) {
    log.unread(place, `step ${index} of the goal ${parent}, which names no capability`);
    return;
  }
  const at = { place, atMs: timeOf(time), step: index, parent };
  const call = `${parent}-${index}`;
  const ok =
    success === 1 || success === true ? true : success === 0 || success === false ? false : null;
  const data = { delta: delta ?? null, progress: progress ?? null };
  log.give(called(at, { agent, tool: name, call }), returned(at, { tool: name, call, ok }));
  log.give(noted(at, "progress", data, agent));
}
