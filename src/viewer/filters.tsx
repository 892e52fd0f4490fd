/** The filter above the panels: by actor, type and text, and how many deliveries fit it. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { clockText } from "./clockText.ts";
import { type Found, findTexts, foundAtOnce, searchedFor } from "./found.ts";
import type { PageLog } from "./pageLog.ts";
import type { Rows } from "./rows.ts";
import type { ViewState } from "./viewState.ts";

interface FiltersProps {
  readonly log: PageLog;
  readonly state: ViewState;
  readonly found: Found;
  readonly change: (part: Partial<ViewState>) => void;
  readonly finder: { readonly current: HTMLInputElement | null };
  readonly onStep: (by: 1 | -1) => void;
}

export function Filters({ log, state, found, change, finder, onStep }: FiltersProps) {
  const { filter } = state;
  const { actor } = filter;
  const names = useMemo(() => optionsOf(addressesOf(log), actor, laneNames(log)), [log, actor]);
  const types = useMemo(() => optionsOf(log.head.types, null), [log]);
  const { fromMs, toMs } = searchedFor(filter.find);
  const set = (part: Partial<ViewState["filter"]>): void =>
    change({ filter: { ...filter, ...part } });
  return (
    <search class="filters">
      <select
        aria-label="Actor"
        value={filter.actor ?? ""}
        onChange={(event) => set({ actor: event.currentTarget.value || null })}
      >
        <option value="">all actors</option>
        {names}
      </select>
      <select
        aria-label="Type"
        value={filter.type ?? ""}
        onChange={(event) => set({ type: event.currentTarget.value || null })}
      >
        <option value="">all types</option>
        {types}
      </select>
      <input
        ref={finder as { current: HTMLInputElement | null }}
        type="search"
        aria-label="Find a text"
        placeholder="find a text  /"
        title="Such as: handover from:0:30:00 to:0:50:00"
        value={filter.find}
        onInput={(event) => set({ find: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
        }}
      />
      <label>
        <input
          type="checkbox"
          checked={filter.withPlumbing}
          onChange={(event) => set({ withPlumbing: event.currentTarget.checked })}
        />{" "}
        also plumbing
      </label>
      <output class="hits">
        {found.count} {found.count === 1 ? "hit" : "hits"}
        {found.done < 1 ? `, ${Math.round(found.done * 100)} % read` : ""}
        {found.unread > 0 ? `, ${found.unread} not in this page` : ""}
        {fromMs > 0 ? ` from ${clockText(fromMs)}` : ""}
        {toMs < Number.POSITIVE_INFINITY ? ` to ${clockText(toMs)}` : ""}
      </output>
    </search>
  );
}

/** Ours: names to choose from; a browser takes seconds for a hundred thousand. */
const NAMES_MOST = 2_000;

/** In their order, but for those that come first. Whatever was chosen is among them, and those that are left out are counted. */
export function optionsOf(
  names: readonly string[],
  chosen: string | null,
  first: readonly string[] = [],
) {
  const sorted = names.slice(0, NAMES_MOST).sort();
  const shown = new Set([...first, ...sorted, ...(chosen === null ? [] : [chosen])]);
  const more = names.length - sorted.length;
  return [
    ...[...shown].map((one) => (
      <option key={one} value={one}>
        {one}
      </option>
    )),
    more > 0 && <option disabled>{more} more: find them by name</option>,
  ];
}

/** Names that lanes bear. */
const laneNames = (log: PageLog): readonly string[] =>
  log.head.pictures
    .flatMap(({ lanes }) => lanes.flatMap((lane) => (lane.is === "row" ? [lane.label] : [])))
    .slice(0, 40);

/** Of those that are many of a kind, their lanes alone. */
const addressesOf = ({ head }: PageLog): readonly string[] =>
  head.addresses.filter((one) => one.split("/").length < 3);

export function useFound(log: PageLog, rows: Rows, { filter }: ViewState): Found {
  const { actor, type, find, withPlumbing } = filter;
  const { text, fromMs, toMs } = searchedFor(find);
  const atOnce = useMemo(
    () => foundAtOnce(log, { actor, type, find, withPlumbing }),
    [log, actor, type, fromMs, toMs, withPlumbing],
  );
  const [texts, setTexts] = useState<{
    readonly of: object;
    readonly text: string;
    readonly found: Found;
  } | null>(null);
  useEffect(() => {
    if (text === "") return undefined;
    let isWanted = true;
    const begin = setTimeout(() => {
      void findTexts(
        log,
        rows,
        atOnce,
        text,
        (found) => setTexts({ of: atOnce, text, found }),
        () => isWanted,
      );
    }, 150);
    return () => {
      isWanted = false;
      clearTimeout(begin);
    };
  }, [log, rows, atOnce, text]);
  if (text === "") return atOnce;
  return texts?.of === atOnce && texts.text === text
    ? texts.found
    : { ...NONE, fits: new Uint8Array(0) };
}

const NONE = { count: 0, done: 0, unread: 0 };
