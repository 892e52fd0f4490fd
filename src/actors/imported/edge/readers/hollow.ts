/** Reader of hollow-agentOS's own files: chains of steps, registries of goals and capabilities, broken tools, stressors. */
import type { Json } from "../../../../machines/letter.ts";
import type { LogPiece, Place } from "../../record.ts";
import type { Item } from "../input/items.ts";
import { type Fields, fieldOf, idOf, isEmpty, listOf, mapOf, textOf } from "./fields.ts";
import { nameById } from "./logNames.ts";
import { bare, OpenLog } from "./openLog.ts";
import type { Reader, ReaderOf } from "./reader.ts";
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
  if (
    has("active", "resolved") &&
    [fields["active"], fields["resolved"]].some(
      (list) => listOf(list)?.some((one) => mapOf(one)?.["severity"] !== undefined) === true,
    )
  )
    return "stressors";
  const goals = listOf(fields["goals"]);
  return goals?.some(
    (goal) => mapOf(goal)?.["goal_id"] !== undefined && listOf(mapOf(goal)?.["steps"]) !== null,
  ) === true
    ? "trace"
    : null;
}

export const isHollow = (value: Json): boolean => {
  const fields = mapOf(value);
  return fields !== null && kindOf(fields) !== null;
};

/** `memory/goals/analyst/registry.jsonl` is the analyst's. */
const FOLDER = /(?:^|[/\\])([^/\\]+)[/\\][^/\\]+$/;
/** Folders that hold no agent's files. */
const SHARED = /^(goals|capabilities|memory|identity|autonomy|synthesis|\.)$/;

export class HollowReader implements Reader {
  readonly #of: ReaderOf;
  readonly #folder: string | null;
  readonly #logs = new Map<string, OpenLog>();

  constructor(of: ReaderOf) {
    this.#of = of;
    const folder = FOLDER.exec(of.file)?.[1] ?? null;
    this.#folder = folder === null || SHARED.test(folder) ? null : folder;
  }

  take({ place, value }: Item): readonly LogPiece[] {
    const fields = mapOf(value);
    const kind = fields === null ? null : kindOf(fields);
    if (fields === null || kind === null) {
      return [
        {
          kind: "unread",
          unread: { place, reason: "a record of no kind that hollow-agentOS keeps here" },
        },
      ];
    }
    if (kind === "trace") return this.#trace(place, fields);
    const agent = textOf(fields["agent_id"]) ?? this.#folder;
    const log = this.#logOf("");
    if (kind === "step") step(log, place, fields, agent ?? "agent");
    else if (kind === "goal") goal(log, place, fields, agent);
    else if (kind === "capability") offered(log, place, fields);
    else
      note(log, place, {
        who: agent,
        what: kind === "broken" ? "broken_tools" : "stressors",
        data: fields,
        atMs: timeIn(fields),
      });
    return log.taken();
  }

  end(): readonly LogPiece[] {
    return [...this.#logs.values()].flatMap((log) => {
      log.close();
      return log.taken();
    });
  }

  #logOf(id: string): OpenLog {
    const known = this.#logs.get(id);
    if (known !== undefined) return known;
    const { stem } = this.#of;
    const log = new OpenLog({ ...this.#of, name: id === "" ? stem : nameById(stem, id) });
    this.#logs.set(id, log);
    return log;
  }

  /** Goals with their steps as rows: capability, success, change of progress, progress, time. */
  #trace(place: Place, fields: Fields): readonly LogPiece[] {
    const pieces: LogPiece[] = [];
    for (const value of listOf(fields["goals"]) ?? []) {
      const own = mapOf(value) ?? {};
      const agent = textOf(own["agent"]) ?? "agent";
      const id = idOf(own["goal_id"]);
      const log = this.#logOf(id ?? "");
      const { steps, ...rest } = own;
      note(log, place, { who: agent, what: "goal", data: rest, atMs: null });
      for (const [index, row] of (listOf(steps) ?? []).entries())
        traceStep(log, { place, agent, goal: id, index }, row);
      pieces.push(...log.taken());
    }
    const { goals: _, ...others } = fields;
    if (isEmpty(others)) return pieces;
    const log = this.#logOf("");
    note(log, place, { who: null, what: "log", data: others, atMs: null });
    return [...pieces, ...log.taken()];
  }
}

interface Note {
  readonly who: string | null;
  readonly what: string;
  readonly data: Json;
  readonly atMs: number | null;
}

const note = (log: OpenLog, place: Place, { who, what, data, atMs }: Note): void =>
  log.give({ ...bare(place), atMs, kind: "noted", who, what, data });

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
  const atMs = timeIn(fields);
  const id = idOf(fields["step_id"]);
  const base = { ...bare(place), atMs, id, parent: idOf(fields["goal_id"]) };
  const tool = textOf(fields["capability_id"]);
  if (tool === null) {
    log.unread(place, "a step without a capability");
    return;
  }
  const reason = textOf(fields["reasoning_text"]);
  if (reason !== null)
    log.give({ ...base, kind: "noted", who: agent, what: "thought", data: reason });
  const call = idOf(fieldOf(fields, ["execution_id", "step_id"]));
  log.give({
    ...base,
    kind: "called",
    agent,
    tool,
    call,
    args: fieldOf(fields, ["params"]),
    raw: null,
  });
  const result = fields["execution_result"] ?? null;
  const status = textOf(fields["execution_status"]) ?? textOf(fields["step_status"]);
  const said = mapOf(result)?.["ok"];
  const ok =
    typeof said === "boolean"
      ? said
      : status === null
        ? null
        : /^(success|completed?|ok|done)$/i.test(status)
          ? true
          : /fail|error/i.test(status)
            ? false
            : null;
  const error = textOf(mapOf(result)?.["error"]);
  log.give({ ...base, kind: "returned", tool, call, result, ok, error, latencyMs: null });
  const rest = Object.entries(fields).filter(
    ([name, value]) => !READ.includes(name) && !isEmpty(value),
  );
  if (rest.length > 0)
    log.give({ ...base, kind: "noted", who: agent, what: "step", data: Object.fromEntries(rest) });
}

function goal(log: OpenLog, place: Place, fields: Fields, agent: string | null): void {
  const id = idOf(fields["goal_id"]);
  const given = (what: string, atMs: number | null, data: Json): void =>
    log.give({ ...bare(place), atMs, id, kind: "noted", who: agent, what, data });
  given("goal", timeOf(fieldOf(fields, ["created_at"])), fields);
  const ended = timeOf(fieldOf(fields, ["completed_at"]));
  if (ended !== null) given(`goal.${textOf(fields["status"]) ?? "ended"}`, ended, { goal_id: id });
}

function offered(log: OpenLog, place: Place, fields: Fields): void {
  const tool = textOf(fields["name"]) ?? textOf(fields["capability_id"]);
  if (tool === null) log.unread(place, "a capability without a name");
  else
    log.give({
      ...bare(place),
      id: idOf(fields["capability_id"]),
      kind: "offered",
      tool,
      description: textOf(fields["description"]),
      schema: fieldOf(fields, ["input_schema"]),
    });
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
  const base = { ...bare(place), atMs: timeOf(time), step: index, parent };
  const call = `${parent}-${index}`;
  log.give({ ...base, kind: "called", agent, tool: name, call, args: null, raw: null });
  const ok =
    success === 1 || success === true ? true : success === 0 || success === false ? false : null;
  log.give({
    ...base,
    kind: "returned",
    tool: name,
    call,
    result: null,
    ok,
    error: null,
    latencyMs: null,
  });
  log.give({
    ...base,
    kind: "noted",
    who: agent,
    what: "progress",
    data: { delta: delta ?? null, progress: progress ?? null },
  });
}
