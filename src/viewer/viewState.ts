/** What a person looks at: one cursor for every panel, and what of it stands in the address. */
import { type Axis, evenAxis, seen, type View, wholeView } from "./axis.ts";
import type { Filter } from "./found.ts";
import { type Address, addressText, readAddress } from "./pageAddress.ts";
import { isOf, type PageLog } from "./pageLog.ts";
import type { Rows } from "./rows.ts";
import { FLAG } from "./viewData.ts";

export const TABS = ["letters", "state", "model", "raw", "both"] as const;
export type Tab = (typeof TABS)[number];

/** A run that the page shows: one, or two side by side. */
export interface Run {
  readonly log: PageLog;
  readonly rows: Rows;
}

export interface ViewState {
  /** Whose panels stand below: the number of the run. */
  readonly run: number;
  /** The delivery at the cursor, of that run. */
  readonly place: number;
  /** Where the cursor stands, which may be between two deliveries. */
  readonly cursorMs: number;
  readonly view: View;
  /** Where it opened: of this the address says nothing. */
  readonly opening: Pick<ViewState, "view" | "tab">;
  readonly filter: Filter;
  readonly tab: Tab;
  readonly isPlaying: boolean;
  /** Playing goes through the stretch in view over and over. */
  readonly isLooping: boolean;
  readonly isSqueezed: boolean;
  /** Virtual seconds in one of the wall. */
  readonly speed: number;
  readonly isHelpOpen: boolean;
  /** Whoever's state is shown; null for the receiver at the cursor. */
  readonly actor: string | null;
  /** The variant beside the run, where the page holds several. */
  readonly with: string | null;
}

/** The hour in which it went wrong takes two thirds of the width; the whole run where nothing did. */
export function badView(log: PageLog, axis: Axis): View {
  const whole = wholeView(axis);
  const bands = log.head.pictures.flatMap((picture) => picture.bands);
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, 0];
  for (let place = 0; place < log.count; place++) {
    if (!log.has(place, FLAG.failure)) continue;
    fromMs = Math.min(fromMs, log.atMs(place));
    toMs = Math.max(toMs, log.atMs(place));
  }
  for (const band of bands) {
    fromMs = Math.min(fromMs, band.fromMs);
    toMs = Math.max(toMs, band.toMs);
  }
  if (fromMs > toMs) return whole;
  const room = Math.max(1_000, (toMs - fromMs) / 4);
  return { fromMs: Math.max(0, fromMs - room), toMs: Math.min(whole.toMs, toMs + room) };
}

/** The last moment of all runs. */
export const endOf = (runs: readonly Run[]): number =>
  Math.max(...runs.map(({ log }) => log.head.endMs));

/** Where a page opens: as its address says, else where two runs part, else at the first link of the first chain. */
export function openingState(runs: readonly Run[], hash: string, partedMs?: number): ViewState {
  const address = readAddress(hash);
  const run = address.run !== undefined && address.run < runs.length ? address.run : 0;
  const { log } = runs[run] as Run; // There is one at least.
  const axis = evenAxis(endOf(runs));
  const wentWrong = log.head.chains[0]?.links[0]?.place ?? 0;
  const first = log.head.isFollowed
    ? log.toldAt(log.head.endMs)
    : partedMs === undefined
      ? wentWrong
      : tellingPlace(log, { atMs: partedMs });
  const named = address.seq === undefined ? undefined : log.placeOfSeq(address.seq);
  const place = named ?? (address.atMs === undefined ? first : tellingPlace(log, address));
  const { fromMs, toMs } = address;
  const isGiven = fromMs !== undefined && toMs !== undefined && fromMs < toMs;
  const opening: ViewState["opening"] =
    runs.length > 1
      ? { view: wholeView(axis), tab: "both" }
      : { view: badView(log, axis), tab: "letters" };
  return {
    ...{ run, place, opening },
    cursorMs: log.atMs(place),
    view: seen(isGiven ? { fromMs, toMs } : opening.view, log.atMs(place), axis),
    filter: {
      actor: address.actor ?? null,
      type: address.type ?? null,
      find: address.find ?? "",
      withPlumbing: false,
    },
    tab: TABS.find((one) => one === address.tab) ?? opening.tab,
    isSqueezed: address.isSqueezed ?? false,
    ...{ isPlaying: false, isLooping: false, speed: 60, isHelpOpen: false },
    ...{ actor: address.who ?? null, with: address.with ?? null },
  };
}

/** What can be told at or before it, of the actor; a time in whole seconds means all of its second. */
function tellingPlace(log: PageLog, { atMs = 0, actor }: Address): number {
  const last = log.placeAt(atMs % 1_000 === 0 ? atMs + 999 : atMs);
  const fits = (place: number): boolean =>
    log.has(place, FLAG.told) &&
    (actor === undefined || isOf(log.to(place), actor) || isOf(log.from(place), actor));
  return fits(last) ? last : log.step(last, -1, fits);
}

export const addressOf = (log: PageLog, state: ViewState): string => {
  const {
    filter,
    cursorMs,
    place,
    run,
    view,
    opening,
    tab,
    actor: who,
    isSqueezed,
    with: beside,
  } = state;
  const { fromMs, toMs } = view;
  const { actor, type, find } = filter;
  return addressText({
    atMs: cursorMs,
    ...(cursorMs === log.atMs(place) && { seq: log.seq(place) }),
    ...(actor !== null && { actor }),
    ...(type !== null && { type }),
    ...(find !== "" && { find }),
    ...(run > 0 && { run }),
    ...(tab !== opening.tab && { tab }),
    ...((fromMs !== opening.view.fromMs || toMs !== opening.view.toMs) && {
      fromMs: Math.floor(fromMs),
      toMs: Math.ceil(toMs),
    }),
    ...(who !== null && { who }),
    ...(isSqueezed && { isSqueezed }),
    ...(beside !== null && { with: beside }),
  });
};
