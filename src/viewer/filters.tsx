/** The filter above the panels: by actor, type and text, and how many deliveries fit it. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Found, findTexts, foundAtOnce } from "./found.ts";
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
  const names = useMemo(() => namesOf(log).map(optionOf), [log]);
  const types = useMemo(() => [...log.head.types].sort().map(optionOf), [log]);
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
      </output>
    </search>
  );
}

const optionOf = (one: string) => (
  <option key={one} value={one}>
    {one}
  </option>
);

/** Names that lanes bear, then addresses; of those that are many of a kind, the name alone. */
function namesOf(log: PageLog): readonly string[] {
  const lanes = log.head.pictures.flatMap(({ lanes: all }) =>
    all.flatMap((lane) => (lane.is === "row" ? [lane.label] : [])),
  );
  const addresses = log.head.addresses.filter((one) => one.split("/").length < 3);
  return [...new Set([...lanes.slice(0, 40), ...addresses.toSorted()])];
}

export function useFound(log: PageLog, rows: Rows, { filter }: ViewState): Found {
  const { actor, type, find, withPlumbing } = filter;
  const atOnce = useMemo(
    () => foundAtOnce(log, { actor, type, find: "", withPlumbing }),
    [log, actor, type, withPlumbing],
  );
  const [texts, setTexts] = useState<{
    readonly of: object;
    readonly find: string;
    readonly found: Found;
  } | null>(null);
  useEffect(() => {
    if (find === "") return undefined;
    let isWanted = true;
    const begin = setTimeout(() => {
      void findTexts(
        log,
        rows,
        atOnce,
        find,
        (found) => setTexts({ of: atOnce, find, found }),
        () => isWanted,
      );
    }, 150);
    return () => {
      isWanted = false;
      clearTimeout(begin);
    };
  }, [log, rows, atOnce, find]);
  if (find === "") return atOnce;
  return texts?.of === atOnce && texts.find === find
    ? texts.found
    : { ...NONE, fits: new Uint8Array(0) };
}

const NONE = { count: 0, done: 0, unread: 0 };
