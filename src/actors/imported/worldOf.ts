/** A world of a log: what people said comes at its time, and each agent does then what it did, call by call. Pure. */
import { recordedCall } from "../../contract/recordedCall.ts";
import { isVirtualPath, NO_FOLDERS } from "../../machines/folders.ts";
import { groupedBy } from "../../machines/grouped.ts";
import type { Json } from "../../machines/letter.ts";
import { FOLDER_PATTERN } from "../../machines/policyLeaf.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { KEPT, pace, worldBounds } from "./worldBounds.ts";
import { type CallItem, type ItemsOfLog, itemsOf, type WorldItem } from "./worldItems.ts";
import { WorldNames } from "./worldNames.ts";
import { policyOf, variantsOf } from "./worldPolicy.ts";
import { type CallOfWorld, outcomeSource, toolsOf } from "./worldTables.ts";
import { type Act, type HeardEvent, type Turn, type Turns, turnsOf } from "./worldTurns.ts";
import { Cutter, durationOf } from "./worldValues.ts";
import { pathUse } from "./writtenPaths.ts";

type Fields = { readonly [name: string]: Json };

export interface LogOfWorld {
  readonly name: string;
  readonly format: string;
  readonly file: string;
  readonly startsAt: string;
  readonly clock: "log" | "steps";
  readonly deliveries: Iterable<Delivery>;
}

/** A scenario's fields, and what is to be said of them. */
export interface World {
  readonly source: Fields;
  readonly notes: WorldNotes;
  readonly log: ItemsOfLog;
  readonly agents: WorldNames;
  readonly tools: WorldNames;
}

export interface WorldNotes {
  readonly turns: Turns;
  /** Texts that were cut. */
  readonly cuts: number;
  readonly keptChars: number;
  /** Tools that were offered and never called. */
  readonly uncalled: readonly string[];
  readonly withoutResult: number;
  readonly empty: number;
  readonly errors: number;
  readonly shortened: number;
  /** Files that the log shows and the world cannot have. */
  readonly elsewhere: number;
}

/** From the most that is kept to the least: the caller takes the first that fits. */
export function* worldsOf(log: LogOfWorld, takenTools: readonly string[]): Generator<World> {
  const items = itemsOf(log.deliveries, log.clock === "log");
  for (const { chars, calls } of KEPT) yield worldOf(log, items, { chars, calls, takenTools });
}

// Files that a log shows to have been there: what calls read before any call wrote it.

interface FilesOfLog {
  /** Texts by absolute path, there from the start. */
  readonly files: { readonly [path: string]: string };
  /** Folders beyond /agentOS in which they lie. */
  readonly folders: readonly string[];
  /** Files that the world does not have: those of relative paths, where no file can lie, and beyond the bound. */
  readonly elsewhere: number;
}

function filesOf(items: readonly WorldItem[], cutter: Cutter): FilesOfLog {
  const known = new Set<string>();
  const files: { [path: string]: string } = {};
  const folders = new Set<string>();
  let elsewhere = 0;
  for (const item of items) {
    const use = item.kind === "call" ? pathUse(item.tool, item.args) : undefined;
    if (use === undefined || item.kind !== "call") continue;
    const [path = "", ...more] = use.paths;
    // Of several paths it is not known which of them the result is of.
    if (use.does === "writes" || more.length > 0) {
      for (const one of use.paths) known.add(one);
      continue;
    }
    const { result = null, error = null } = item.outcome ?? {};
    if (known.has(path) || error !== null || typeof result !== "string" || result === "") continue;
    known.add(path);
    const folder = folderOf(path);
    const names = Object.keys(files);
    if (folder === undefined || names.length >= worldBounds.files || isWithin(path, names)) {
      elsewhere += 1;
      continue;
    }
    if (folder !== null) folders.add(folder);
    files[path] = cutter.text(result);
  }
  return { files, folders: [...folders].sort(), elsewhere };
}

/** Elsewhere below /agentOS the world's own actors write. */
const WORKSPACE = "/agentOS/workspace/";

/** The folder beyond /agentOS in which the path can lie, its first one; none for the workspace; undefined where none can. */
function folderOf(path: string): string | null | undefined {
  if (path.startsWith(WORKSPACE)) return isVirtualPath(path, NO_FOLDERS) ? null : undefined;
  const [folder = ""] = /^\/[^/]+(?=\/)/.exec(path) ?? [];
  const isOne = FOLDER_PATTERN.test(folder);
  return isOne && isVirtualPath(path, { readable: [], writable: [folder] }) ? folder : undefined;
}

/** No file lies where another one has a folder. */
const isWithin = (path: string, others: readonly string[]): boolean =>
  others.some((one) => one.startsWith(`${path}/`) || path.startsWith(`${one}/`));

function worldOf(
  log: LogOfWorld,
  items: ItemsOfLog,
  {
    chars,
    calls: most,
    takenTools,
  }: { chars: number; calls: number; takenTools: readonly string[] },
): World {
  const cutter = new Cutter(chars);
  const turns = turnsOf(items, most, cutter.text);
  const agents = WorldNames.ofAgents();
  const tools = WorldNames.ofTools(takenTools);
  for (const agent of turns.agents) agents.of(agent);
  const acts = turns.turns.flatMap((turn) => turn.acts);
  const argsOf = new Map<CallItem, Fields>();
  for (const act of acts) {
    if (act.kind === "call") {
      argsOf.set(act.item, cutter.arguments(act.item.args, act.item.raw));
    }
  }
  const calls = [...argsOf].map(([item, args]) => ({
    ...{ item, args, outcome: outcomeSource(item.outcome, cutter) },
  }));
  const table = toolsOf(calls, items.offered, tools, cutter);
  const steps = (turn: Turn): Json =>
    turn.acts.map((act) =>
      act.kind === "call"
        ? { tool: tools.of(act.item.tool), args: argsOf.get(act.item) ?? {} }
        : { tool: "message_send", args: { to: agents.of(act.to), text: act.text } },
    );
  const times = timesOf(turns, log.clock === "log");
  const outcomes = [...argsOf.keys()].map(({ outcome }) => outcome);
  const errors = outcomes.filter((one) => (one?.error ?? null) !== null).length;
  const empty = outcomes.filter((one) => one?.isEmpty).length;
  const withoutResult = outcomes.filter((one) => one === null).length;
  const counts = { acts: acts.length, errors, empty: empty + withoutResult };
  const longestMs = Math.max(0, ...outcomes.map((one) => one?.latencyMs ?? 0));
  const { files, folders, elsewhere } = filesOf(items.items, cutter);
  const heardIds = new Map(turns.events.map((event) => [event, event.id]));
  const source: Fields = {
    why: `What the log ${log.name} holds, as a world that can be changed and played again. Its plan is played blindly: what follows an answer that differs from the log's is unknown.`.slice(
      0,
      9_000,
    ),
    source: `imported: ${log.format}, ${log.file}`.slice(0, 9_000),
    startsAt: log.startsAt,
    seed: 1,
    runsFor: durationOf(times.endMs),
    agents: turns.agents.map((agent) => agents.of(agent)),
    policy: policyOf(Math.min(longestMs, worldBounds.latencyMs), folders),
    ...(turns.events.length > 0 && {
      events: turns.events.map((event) => ({
        id: heardIds.get(event) ?? "",
        at: durationOf(times.of.get(event) ?? 0),
        does: "host.message",
        agent: agents.of(event.agent),
        text: event.text,
      })),
    }),
    ...(table.length > 0 && { tools: table.map((one) => one.source) }),
    ...(Object.keys(files).length > 0 && { files }),
    model: {
      inTurn: true,
      ...(calls.length > 0 && { recorded: recordedIn(calls, agents, tools) }),
      goals: turns.turns.map((turn) => goalOf(turn, agents, steps(turn))),
    },
    expect: [
      {
        name: "as many calls as in the log",
        metric: "calls.finished",
        op: "=",
        value: counts.acts,
      },
      { name: "as many of them failed", metric: "calls.failed", op: "=", value: counts.errors },
    ],
    ...variantsOf(counts),
  };
  const uncalled = [...items.offered.keys()].filter((name) => tools.known(name) === undefined);
  const notes = {
    ...{ turns, cuts: cutter.cuts, keptChars: chars, uncalled, withoutResult, empty, errors },
    ...{ shortened: times.shortened, elsewhere },
  };
  return { source, notes, log: items, agents, tools };
}

/** By agent, what its calls were and came to: whether a played run is still the recorded one. */
function recordedIn(
  calls: readonly CallOfWorld[],
  agents: WorldNames,
  tools: WorldNames,
): { readonly [agent: string]: string } {
  const all = calls.map(({ item, args, outcome }) => {
    const { returns: result = null, error = null } = outcome;
    const tool = tools.of(item.tool);
    const digest = recordedCall({ tool, args, result, error: error === null ? null : `${error}` });
    return { agent: agents.of(item.agent), digest };
  });
  return Object.fromEntries(
    [...groupedBy(all, ({ agent }) => agent)].map(([agent, own]) => [
      agent,
      own.map(({ digest }) => digest).join(" "),
    ]),
  );
}

function goalOf({ id, agent, trigger, acts }: Turn, agents: WorldNames, steps: Json): Fields {
  const [first] = acts;
  const place = first === undefined ? "" : ` (from record #${first.item.seq} of the log)`;
  const what =
    trigger === null ? "Go on" : trigger.kind === "heard" ? "Do what was asked" : "Answer";
  return {
    slug: id,
    agents: [agents.of(agent)],
    weight: 1,
    ...(trigger?.kind === "heard" && { heard: trigger.text }),
    ...(trigger?.kind === "message" && { message: trigger.text }),
    ...(trigger !== null && trigger.nth > 1 && { nth: trigger.nth }),
    text: `${what}: ${id}${place}`,
    artifact: `/agentOS/workspace/{agent}/${id}.md`,
    plans: [{ id: "as-recorded", weight: 1, steps }],
  };
}

interface Times {
  readonly of: ReadonlyMap<HeardEvent, number>;
  readonly endMs: number;
  /** Pauses that were made shorter than they were. */
  readonly shortened: number;
}

/** When people speak: at their times in the log, but not before what was said earlier has been dealt with. */
function timesOf({ order }: Turns, hasTimes: boolean): Times {
  const of = new Map<HeardEvent, number>();
  const isTurn = (one: HeardEvent | Turn): one is Turn => "acts" in one;
  const heard = order.filter((one) => !isTurn(one)) as readonly HeardEvent[];
  const isLong = (heard.at(-1)?.item.atMs ?? 0) > worldBounds.longMs;
  let [freeMs, shortened, atMs] = [0, 0, 0];
  let before = 0;
  for (const one of order) {
    if (isTurn(one)) {
      freeMs = Math.max(freeMs, atMs) + turnMs(one.acts);
      continue;
    }
    const pauseMs = hasTimes ? one.item.atMs - before : 0;
    before = one.item.atMs;
    const isCut = isLong && pauseMs > worldBounds.pauseMs;
    if (isCut) shortened += 1;
    atMs = Math.max(freeMs, atMs + (isCut ? worldBounds.pauseMs : pauseMs));
    of.set(one, atMs);
  }
  return { of, endMs: Math.max(freeMs, atMs) + 2 * pace.aroundTurnMs, shortened };
}

const turnMs = (acts: readonly Act[]): number =>
  acts.reduce<number>(
    (sum, act) =>
      sum +
      pace.aroundCallMs +
      (act.kind === "call" ? Math.min(act.item.outcome?.latencyMs ?? 0, worldBounds.latencyMs) : 0),
    pace.aroundTurnMs,
  );
