/** What a person looks at: one cursor for every panel, and what of it stands in the address. */
import type { Filter } from "./found.ts";
import { type Address, addressText, readAddress } from "./pageAddress.ts";
import { isOf, type PageLog } from "./pageLog.ts";
import type { View } from "./timelineDraw.ts";
import { FLAG } from "./viewData.ts";

export type Tab = "letters" | "state" | "model" | "raw";

export interface ViewState {
  /** The delivery at the cursor. */
  readonly place: number;
  /** Where the cursor stands, which may be between two deliveries. */
  readonly cursorMs: number;
  readonly view: View;
  readonly filter: Filter;
  readonly tab: Tab;
  readonly isPlaying: boolean;
  /** Virtual seconds in one of the wall. */
  readonly speed: number;
  readonly isHelpOpen: boolean;
  /** Whoever's state is shown; null for the receiver at the cursor. */
  readonly actor: string | null;
}

/** The whole run, with a little room. */
export const wholeView = (log: PageLog): View => ({ fromMs: 0, toMs: Math.max(1, log.head.endMs) });

/** The hour in which it went wrong takes two thirds of the width; the whole run where nothing did. */
export function badView(log: PageLog): View {
  const whole = wholeView(log);
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

/** Where a page opens: as its address says, else at the first link of the first chain. */
export function openingState(log: PageLog, hash: string): ViewState {
  const address = readAddress(hash);
  const first = log.head.chains[0]?.links[0]?.place ?? 0;
  const named = address.seq === undefined ? undefined : log.placeOfSeq(address.seq);
  const place = named ?? (address.atMs === undefined ? first : tellingPlace(log, address));
  const view =
    address.fromMs !== undefined && address.toMs !== undefined && address.fromMs < address.toMs
      ? { fromMs: address.fromMs, toMs: address.toMs }
      : badView(log);
  return {
    place,
    cursorMs: log.atMs(place),
    view: seen(view, log.atMs(place), log),
    filter: {
      actor: address.actor ?? null,
      type: address.type ?? null,
      find: address.find ?? "",
      withPlumbing: false,
    },
    tab: "letters",
    ...{ isPlaying: false, speed: 60, isHelpOpen: false, actor: null },
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
  const { actor, type, find } = state.filter;
  return addressText({
    atMs: state.cursorMs,
    ...(state.cursorMs === log.atMs(state.place) && { seq: log.seq(state.place) }),
    ...(actor !== null && { actor }),
    ...(type !== null && { type }),
    ...(find !== "" && { find }),
  });
};

/** The view, moved so that a moment is in it. */
export function seen(view: View, ms: number, log: PageLog): View {
  if (ms >= view.fromMs && ms <= view.toMs) return view;
  const length = view.toMs - view.fromMs;
  const fromMs = Math.min(Math.max(0, ms - length / 2), Math.max(0, log.head.endMs - length));
  return { fromMs, toMs: fromMs + length };
}

/** Closer by a factor below 1, around a moment that stays where it is. */
export function zoomed(
  { fromMs, toMs }: View,
  factor: number,
  aroundMs: number,
  log: PageLog,
): View {
  const most = Math.max(1, log.head.endMs);
  const length = Math.min(most, Math.max(10, (toMs - fromMs) * factor));
  const share = (aroundMs - fromMs) / Math.max(1, toMs - fromMs);
  const start = Math.min(Math.max(0, aroundMs - share * length), most - length);
  return { fromMs: start, toMs: start + length };
}

export function moved({ fromMs, toMs }: View, byMs: number, log: PageLog): View {
  const length = toMs - fromMs;
  const start = Math.min(Math.max(0, fromMs + byMs), Math.max(0, log.head.endMs - length));
  return { fromMs: start, toMs: start + length };
}
