/** A world of a log: what people said comes at its time, and each agent does then what it did, call by call. Pure. */
import { recordedCall } from "../../contract/recordedCall.ts";
import { isVirtualPath, NO_FOLDERS } from "../../machines/folders.ts";
import { groupedBy } from "../../machines/grouped.ts";
import type { Json } from "../../machines/letter.ts";
import { FOLDER_PATTERN } from "../../machines/policyLeaf.ts";
import { sortedJson } from "../../machines/sortedJson.ts";
import { KEPT, pace, worldBounds } from "./worldBounds.ts";
import type { CallItem, ItemsOfLog, WorldItem } from "./worldItems.ts";
import { WorldNames } from "./worldNames.ts";
import { faultVariants, policyOf, variantsOf } from "./worldPolicy.ts";
import type { Recording, Recordings } from "./worldRecordings.ts";
import { type CallOfWorld, outcomeSource, toolsOf } from "./worldTables.ts";
import { type Act, type HeardEvent, type Turn, type Turns, turnsOf } from "./worldTurns.ts";
import { Cutter, durationOf } from "./worldValues.ts";
import { type Way, waysOf } from "./worldWays.ts";
import { pathUse } from "./writtenPaths.ts";

type Fields = { readonly [name: string]: Json };

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
  /** Their names. */
  readonly recordings: readonly string[];
  /** Recordings that went another way than most after the same answers. */
  readonly aside: number;
  /** Places at which as many went another way as the one that is played. */
  readonly tied: number;
}

/**
 * From the most that is kept to the least: the caller takes the first that fits. Of several recordings the first gives what is one.
 * `held` is another one, whose tools answer as they did for it.
 */
export function* worldsOf(
  recordings: Recordings,
  takenTools: readonly string[],
  held?: Recording,
): Generator<World> {
  for (const { chars, calls } of KEPT) {
    yield worldOf(recordings, { chars, calls, takenTools, held });
  }
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
  recordings: Recordings,
  {
    chars,
    calls: most,
    takenTools,
    held,
  }: {
    chars: number;
    calls: number;
    takenTools: readonly string[];
    held: Recording | undefined;
  },
): World {
  const [{ log, items }] = recordings;
  const isOne = recordings.length === 1 && held === undefined;
  const cutter = new Cutter(chars);
  const turnsOfAll = recordings.map((one) => turnsOf(one.items, most, cutter.text));
  const [turns = turnsOf(items, most, cutter.text)] = turnsOfAll;
  const agents = WorldNames.ofAgents();
  const tools = WorldNames.ofTools(takenTools);
  for (const agent of turnsOfAll.flatMap((one) => one.agents)) agents.of(agent);
  const heldTurns = held === undefined ? [] : turnsOf(held.items, most, cutter.text).turns;
  const ownTurns = turnsOfAll.flatMap((one) => one.turns);
  const acts = [...ownTurns, ...heldTurns].flatMap((turn) => turn.acts);
  const argsOf = new Map<CallItem, Fields>();
  for (const act of acts) {
    if (act.kind === "call") {
      argsOf.set(act.item, cutter.arguments(act.item.args, act.item.raw));
    }
  }
  const calls = [...argsOf].map(([item, args]) => ({
    ...{ item, args, outcome: outcomeSource(item.outcome, cutter) },
  }));
  const offered = new Map(recordings.flatMap((one) => [...one.items.offered]));
  const table = toolsOf(
    isOne ? calls : answersOf(calls, recordings, cutter, held),
    offered,
    tools,
    cutter,
  );
  const digests = new Map(calls.map((call) => [call.item, digestOf(call, tools)]));
  const { ways, aside, tied } = isOne
    ? { ways: turns.turns.map(alone), aside: 0, tied: 0 }
    : waysOf(
        turnsOfAll.map((one) => one.turns),
        (item) => digests.get(item) ?? "",
      );
  const steps = (turn: Turn): Json =>
    turn.acts.map((act) =>
      act.kind === "call"
        ? { tool: tools.of(act.item.tool), args: argsOf.get(act.item) ?? {} }
        : { tool: "message_send", args: { to: agents.of(act.to), text: act.text } },
    );
  const times = timesOf(turnsOfAll, log.clock === "log", isOne ? 0 : ways.length);
  const outcomes = [...argsOf.keys()].map(({ outcome }) => outcome);
  const errors = outcomes.filter((one) => (one?.error ?? null) !== null).length;
  const empty = outcomes.filter((one) => one?.isEmpty).length;
  const withoutResult = outcomes.filter((one) => one === null).length;
  const counts = { acts: acts.length, errors, empty: empty + withoutResult };
  const longestMs = Math.max(0, ...outcomes.map((one) => one?.latencyMs ?? 0));
  const { files, folders, elsewhere } = filesOf(items.items, cutter);
  const branches = ways.some(({ came }) => came !== null);
  const heardIds = new Map(turns.events.map((event) => [event, event.id]));
  const source: Fields = {
    why: (isOne
      ? `What the log ${log.name} holds, as a world that can be changed and played again. Its plan is played blindly: what follows an answer that differs from the log's is unknown.`
      : `What ${recordings.length} recordings of one task hold, as a world that can be changed and played again. An agent goes on as those recordings did in which all was the same before; what follows an answer that none of them has is unknown.`
    ).slice(0, 9_000),
    source: `imported: ${log.format}, ${recordings.map((one) => one.log.file).join(", ")}`.slice(
      0,
      9_000,
    ),
    startsAt: log.startsAt,
    seed: 1,
    runsFor: durationOf(times.endMs),
    agents: [...new Set(turnsOfAll.flatMap((one) => one.agents))].map((one) => agents.of(one)),
    policy: policyOf(Math.min(longestMs, worldBounds.latencyMs), folders, branches),
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
      ...(calls.length > 0 && {
        recorded: recordedIn(
          turnsOfAll.map((one) => callsIn(one)),
          agents,
          digests,
        ),
      }),
      goals: ways.map((way) => goalOf(way, agents, steps(way))),
    },
    expect: isOne ? asInLog(counts) : [NOBODY_LEFT],
    ...(isOne ? variantsOf(counts) : faultVariants(recordings, tools)),
  };
  const uncalled = [...items.offered.keys()].filter((name) => tools.known(name) === undefined);
  const notes = {
    ...{ turns, cuts: cutter.cuts, keptChars: chars, uncalled, withoutResult, empty, errors },
    ...{
      shortened: times.shortened,
      elsewhere,
      recordings: recordings.map((one) => one.log.name),
      aside,
      tied,
    },
  };
  return { source, notes, log: items, agents, tools };
}

const asInLog = ({ acts, errors }: { readonly acts: number; readonly errors: number }): Json => [
  { name: "as many calls as in the log", metric: "calls.finished", op: "=", value: acts },
  { name: "as many of them failed", metric: "calls.failed", op: "=", value: errors },
];

const NOBODY_LEFT = {
  ...{ name: "all went as in some recording", metric: "recording.left", op: "=", value: 0 },
};

const alone = (turn: Turn): Way => ({ ...turn, opens: true, after: null, came: null });

function digestOf({ item, args, outcome }: CallOfWorld, tools: WorldNames): string {
  const { returns: result = null, error = null } = outcome;
  const tool = tools.of(item.tool);
  return recordedCall({ tool, args, result, error: error === null ? null : `${error}` });
}

const callsIn = ({ turns }: Turns): readonly CallItem[] =>
  turns.flatMap(({ acts }) => acts.flatMap((act) => (act.kind === "call" ? [act.item] : [])));

/** By agent, what its calls were and came to: whether a played run is still a recorded one. */
function recordedIn(
  recordings: readonly (readonly CallItem[])[],
  agents: WorldNames,
  digests: ReadonlyMap<CallItem, string>,
): { readonly [agent: string]: Json } {
  const known = [...new Set(recordings.flat().map(({ agent }) => agent))];
  return Object.fromEntries(
    known.map((agent) => {
      const all = recordings.map((calls) =>
        calls.flatMap((item) => (item.agent === agent ? (digests.get(item) ?? []) : [])).join(" "),
      );
      return [agents.of(agent), all.length === 1 ? (all[0] ?? "") : all];
    }),
  );
}

/** What tools really answered: to each arguments, as `held` says or else the recording that asked with them most often. */
function answersOf(
  calls: readonly CallOfWorld[],
  recordings: readonly Recording[],
  cutter: Cutter,
  held: Recording | undefined,
): readonly CallOfWorld[] {
  const of = new Map(calls.map((call) => [call.item, call]));
  const most = new Map<string, readonly CallOfWorld[]>();
  const asHeld = new Set<string>();
  for (const recording of held === undefined ? recordings : [held, ...recordings]) {
    const { items, stood } = recording;
    const own = items.items.flatMap((item) => {
      const call = item.kind === "call" ? of.get(item) : undefined;
      if (call === undefined) return [];
      const really = stood.get(call.item);
      return really === undefined ? [call] : [{ ...call, outcome: outcomeSource(really, cutter) }];
    });
    for (const [key, row] of groupedBy(own, ({ item, args }) => sortedJson([item.tool, args]))) {
      if (row.length > (most.get(key)?.length ?? 0) && !asHeld.has(key)) most.set(key, row);
      if (recording === held) asHeld.add(key);
    }
  }
  return [...most.values()].flat();
}

function goalOf(
  { id, agent, trigger: waits, acts, opens, after, came }: Way,
  agents: WorldNames,
  steps: Json,
): Fields {
  const [first] = acts;
  const trigger = opens ? waits : null;
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
    ...(after !== null && { after }),
    ...(came !== null && { came }),
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

/** Of several recordings the latest times, with room for their ways. */
function timesOf(all: readonly Turns[], hasTimes: boolean, ways: number): Times {
  const [first, ...others] = all.map((turns) => timesIn(turns, hasTimes));
  const roomMs = ways * pace.aroundTurnMs;
  const of = new Map(
    [...(first?.of ?? [])].map(([event, atMs], nth) => {
      const own = others.map((one) => [...one.of.values()][nth] ?? 0);
      return [event, Math.max(atMs, ...own) + (nth === 0 ? 0 : roomMs)] as const;
    }),
  );
  const endMs = Math.max(...[first, ...others].map((one) => one?.endMs ?? 0)) + roomMs;
  return { of, endMs, shortened: first?.shortened ?? 0 };
}

/** When people speak: at their times in the log, but not before what was said earlier has been dealt with. */
function timesIn({ order }: Turns, hasTimes: boolean): Times {
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
