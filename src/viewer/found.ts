/** Which deliveries fit the filters. Names, types and times stand in the columns; texts are looked through piece by piece. */
import { clockMs } from "./clockText.ts";
import { isOf, type PageLog } from "./pageLog.ts";
import type { Rows } from "./rows.ts";
import { searchedText } from "./rowText.ts";
import { FLAG } from "./viewData.ts";

export interface Filter {
  readonly actor: string | null;
  readonly type: string | null;
  /** A text; `from:0:30:00` and `to:0:50:00` in it are no part of what is looked for. */
  readonly find: string;
  /** Also what is not told in words. */
  readonly withPlumbing: boolean;
}

/** By place; and how many. */
export interface Found {
  readonly fits: Uint8Array;
  readonly count: number;
  /** Share of the log that was looked through. */
  readonly done: number;
  /** Deliveries whose texts the page leaves out. */
  readonly unread: number;
}

/** What stands in the search box. Moments of whole seconds mean all of their second. */
export function searchedFor(find: string) {
  let [fromMs, toMs] = [0, Number.POSITIVE_INFINITY];
  const text = find.replace(/(?<!\S)(from|to):(\S+)/g, (all, name, time) => {
    const ms = clockMs(time);
    if (ms === undefined) return all;
    if (name === "from") fromMs = ms;
    else toMs = ms % 1_000 === 0 ? ms + 999 : ms;
    return "";
  });
  return { text: text.trim(), fromMs, toMs };
}

/** What columns say. */
export function foundAtOnce(log: PageLog, { actor, type, find, withPlumbing }: Filter): Found {
  const { fromMs, toMs } = searchedFor(find);
  const { addresses, types } = log.head;
  const isActor = addresses.map((one) => actor === null || isOf(one, actor));
  const isType = types.map((one) => type === null || one === type);
  const { from, to, type: typeOf, flags, atMs } = log.columns;
  const fits = new Uint8Array(log.count);
  let count = 0;
  for (let place = 0; place < log.count; place++) {
    const isFit =
      isType[typeOf[place] ?? 0] &&
      (atMs[place] ?? 0) >= fromMs &&
      (atMs[place] ?? 0) <= toMs &&
      (isActor[from[place] ?? 0] || isActor[to[place] ?? 0]) &&
      (withPlumbing || ((flags[place] ?? 0) & FLAG.told) !== 0);
    if (!isFit) continue;
    fits[place] = 1;
    count += 1;
  }
  return { fits, count, done: 1, unread: 0 };
}

/** Of these, those whose texts hold what is looked for; tells of its progress, and ends when `isWanted` says no. */
export async function findTexts(
  log: PageLog,
  rows: Rows,
  { fits }: Found,
  find: string,
  onFound: (found: Found) => void,
  isWanted: () => boolean,
): Promise<void> {
  const wanted = find.toLowerCase();
  const held = new Uint8Array(log.count);
  const { pieceSize } = log.head;
  const pieces = Math.ceil(log.count / pieceSize);
  let [count, unread] = [0, 0];
  for (let number = 0; number < pieces; number++) {
    const from = number * pieceSize;
    const to = Math.min(log.count, from + pieceSize);
    const isRead = fits.subarray(from, to).includes(1);
    const piece = isRead ? await rows.piece(number) : undefined;
    if (!isWanted()) return;
    if (isRead && piece === undefined) unread += to - from;
    for (let place = from; place < to; place++) {
      const row = piece?.[place - from];
      if (fits[place] === 0 || row === undefined) continue;
      if (!searchedText(log, place, row).includes(wanted)) continue;
      held[place] = 1;
      count += 1;
    }
    if (number % 16 === 15 || number === pieces - 1) {
      onFound({ fits: held.slice(), count, done: (number + 1) / pieces, unread });
    }
  }
}
