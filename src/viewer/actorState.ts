/** What an actor knew at a moment: its changes since it was started, put together. Earlier states share what did not change. */
import type { Json } from "../machines/letter.ts";
import type { PageLog } from "./pageLog.ts";
import type { Rows } from "./rows.ts";
import type { ViewChange } from "./viewData.ts";

/** A value with one change; lists and objects on the way are made anew. */
function changed(value: Json | undefined, path: readonly string[], change: ViewChange): Json {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (change.appended !== undefined) {
      return `${typeof value === "string" ? value : ""}${change.appended}`;
    }
    return change.to ?? null;
  }
  const isGone = rest.length === 0 && change.removed === true;
  if (Array.isArray(value)) {
    const list: Json[] = [...(value as readonly Json[])];
    if (isGone) list.length = Math.min(list.length, Number(key));
    else list[Number(key)] = changed(list[Number(key)], rest, change);
    return list;
  }
  const kept = Object.entries(typeof value === "object" && value !== null ? value : {});
  const inner = kept.find(([name]) => name === key)?.[1];
  // Whatever a stranger's log names a key, such as `__proto__`, it is an entry like any other.
  const others = kept.filter(([name]) => name !== key);
  if (isGone) return Object.fromEntries(others);
  const entry: [string, Json] = [key, changed(inner, rest, change)];
  return Object.fromEntries(
    inner === undefined ? [...kept, entry] : kept.map((one) => (one[0] === key ? entry : one)),
  );
}

export const withChanges = (value: Json, changes: readonly ViewChange[]): Json =>
  changes.reduce<Json>((known, change) => changed(known, change.path, change), value);

export interface Known {
  readonly context: Json;
  /** Some of its changes are not in this page. */
  readonly isPartial: boolean;
  /** Nobody saw it start. */
  readonly isStarted: boolean;
}

/** Ours: beyond so many deliveries to one actor its state is not put together on a page. */
const FOLDED_MOST = 40_000;

/** Undefined where it takes too many deliveries, or is no longer wanted. */
export async function knownAt(
  log: PageLog,
  rows: Rows,
  actor: string,
  place: number,
  isWanted: () => boolean,
): Promise<Known | undefined> {
  const address = log.head.addresses.indexOf(actor);
  const start = log.head.starts.findLast(([one, at]) => one === address && at <= place)?.[1];
  const places: number[] = start === undefined ? [] : [start];
  for (let at = start ?? 0; at <= place; at++) {
    if (log.columns.to[at] === address && at !== start) places.push(at);
  }
  if (places.length > FOLDED_MOST) return undefined;
  let context: Json = {};
  let isPartial = false;
  const { pieceSize } = log.head;
  for (const at of places) {
    const number = Math.floor(at / pieceSize);
    const row =
      rows.now(at) === undefined ? (await rows.piece(number))?.[at % pieceSize] : rows.now(at);
    if (!isWanted()) return undefined;
    if (row == null || row.event === undefined) isPartial = true;
    context = withChanges(context, row?.changes ?? []);
  }
  return { context, isPartial, isStarted: start !== undefined };
}
