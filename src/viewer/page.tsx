/** The page of a run: the answers, the time line, and the panels at its cursor. */
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Answers } from "./answers.tsx";
import { clockText } from "./clockText.ts";
import { type Found, findTexts, foundAtOnce } from "./found.ts";
import type { PageLog } from "./pageLog.ts";
import { EventPanel, LettersPanel, ModelPanel, RawPanel, StatePanel, useRows } from "./panels.tsx";
import type { Rows } from "./rows.ts";
import { rowWords } from "./rowText.ts";
import { Timeline } from "./timeline.tsx";
import { FLAG } from "./viewData.ts";
import {
  addressOf,
  badView,
  moved,
  openingState,
  seen,
  type Tab,
  type ViewState,
  wholeView,
  zoomed,
} from "./viewState.ts";

const TABS: readonly (readonly [tab: Tab, name: string])[] = [
  ["letters", "Letters"],
  ["state", "State"],
  ["model", "Prompt and answer"],
  ["raw", "Raw"],
];

/** Virtual seconds in one of the wall. */
const SPEEDS = [1, 10, 60, 300, 1_800, 14_400];

export function Page({ log, rows }: { readonly log: PageLog; readonly rows: Rows }) {
  const [state, setState] = useState<ViewState>(() => openingState(log, location.hash));
  const { place, cursorMs, view, filter, tab } = state;
  const found = useFound(log, rows, state);
  const isFiltered = filter.actor !== null || filter.type !== null || filter.find !== "";
  const change = useCallback(
    (part: Partial<ViewState>) => setState((old) => ({ ...old, ...part })),
    [],
  );

  const jump = useCallback(
    (to: number) =>
      setState((old) => {
        const next = {
          ...old,
          place: to,
          cursorMs: log.atMs(to),
          view: seen(old.view, log.atMs(to), log),
        };
        // What was looked at before stays behind the Back button.
        if (to !== old.place) history.pushState(null, "", addressOf(log, next));
        return next;
      }),
    [log],
  );
  const scrub = useCallback(
    (ms: number) =>
      setState((old) => {
        const at = Math.min(Math.max(0, ms), log.head.endMs);
        return { ...old, cursorMs: at, place: toldAt(log, at), view: seen(old.view, at, log) };
      }),
    [log],
  );
  const step = (by: 1 | -1, fits: (at: number) => boolean): void => {
    const to = log.step(place, by, fits);
    change({ place: to, cursorMs: log.atMs(to), view: seen(view, log.atMs(to), log) });
  };
  const stepFound = (by: 1 | -1): void => step(by, (at) => found.fits[at] === 1);
  useAddress(log, state, setState);
  usePlaying(log, state, setState);

  const finder = useRef<HTMLInputElement>(null);
  const clear = (): void =>
    change({ filter: { ...filter, actor: null, type: null, find: "" }, isHelpOpen: false });
  const keys: { readonly [key: string]: (event: KeyboardEvent) => void } = {
    ArrowLeft: ({ shiftKey }) => (shiftKey ? step(-1, () => true) : stepFound(-1)),
    ArrowRight: ({ shiftKey }) => (shiftKey ? step(1, () => true) : stepFound(1)),
    f: () => step(1, (at) => log.has(at, FLAG.failure)),
    F: () => step(-1, (at) => log.has(at, FLAG.failure)),
    " ": () => change({ isPlaying: !state.isPlaying }),
    w: () => change({ view: zoomed(view, 0.7, cursorMs, log) }),
    s: () => change({ view: zoomed(view, 1.4, cursorMs, log) }),
    a: () => change({ view: moved(view, (view.fromMs - view.toMs) / 5, log) }),
    d: () => change({ view: moved(view, (view.toMs - view.fromMs) / 5, log) }),
    b: () => change({ view: badView(log) }),
    "0": () => change({ view: wholeView(log) }),
    Home: () => jump(0),
    End: () => jump(log.count - 1),
    "/": () => finder.current?.focus(),
    "?": () => change({ isHelpOpen: !state.isHelpOpen }),
    Escape: clear,
    ...Object.fromEntries(TABS.map(([one], at) => [String(at + 1), () => change({ tab: one })])),
  };
  const onKey = useRef(keys);
  onKey.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (isField && event.key !== "Escape") return;
      if (event.key === " " && target instanceof HTMLButtonElement) return;
      const does = onKey.current[event.key];
      if (does === undefined) return;
      event.preventDefault();
      if (isField) target.blur();
      does(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);

  const shownPlace = useSettled(place);
  const answers = useMemo(
    () => (
      <Answers log={log} place={shownPlace} onJump={jump} onTime={(ms) => jump(toldAt(log, ms))} />
    ),
    [log, shownPlace, jump],
  );
  useRows(rows, [place]);
  const says = rowWords(log, place, rows.now(place));
  const panel = { log, rows, place: shownPlace, onJump: jump };
  return (
    <>
      <header>
        <h1>{log.head.title}</h1>
        <span class="quiet">{log.head.facts}</span>
        <span class="grow" />
        <button type="button" onClick={() => change({ isHelpOpen: !state.isHelpOpen })}>
          Keys <kbd>?</kbd>
        </button>
      </header>
      {log.head.missing.map((text) => (
        <p class="note missing" key={text}>
          {text}
        </p>
      ))}
      <main>
        {answers}
        <Timeline
          {...{ log, view, cursorMs, place, says }}
          found={isFiltered ? found : null}
          onView={(next) => change({ view: next })}
          onTime={scrub}
          onJump={jump}
        />
        <div class="tools" role="toolbar" aria-label="Cursor and filter">
          <button type="button" aria-label="Delivery before" onClick={() => stepFound(-1)}>
            ‹ Before
          </button>
          <button
            type="button"
            aria-label={state.isPlaying ? "Stop" : "Play"}
            onClick={() => change({ isPlaying: !state.isPlaying })}
          >
            {state.isPlaying ? "Stop" : "▶ Play"}
          </button>
          <button type="button" aria-label="Delivery after" onClick={() => stepFound(1)}>
            After ›
          </button>
          <output class="clock">{clockText(cursorMs, true)}</output>
          <select
            aria-label="Speed"
            value={state.speed}
            onChange={(event) => change({ speed: Number(event.currentTarget.value) })}
          >
            {SPEEDS.map((one) => (
              <option key={one} value={one}>
                {one === 1 ? "as fast as it was" : `${one} ×`}
              </option>
            ))}
          </select>
          <button type="button" onClick={() => step(1, (at) => log.has(at, FLAG.failure))}>
            Next failure <kbd>F</kbd>
          </button>
          <span class="grow" />
          <Filters
            log={log}
            state={state}
            found={found}
            change={change}
            finder={finder}
            onStep={stepFound}
          />
        </div>
        <div class="panels">
          <EventPanel {...panel} />
          <section class="tabs">
            <div role="tablist">
              {TABS.map(([one, name]) => (
                <button
                  type="button"
                  role="tab"
                  key={one}
                  aria-selected={tab === one}
                  onClick={() => change({ tab: one })}
                >
                  {name}
                </button>
              ))}
            </div>
            <div class="body" role="tabpanel">
              {tab === "letters" && <LettersPanel {...panel} found={found} find={filter.find} />}
              {tab === "state" && (
                <StatePanel {...panel} actor={state.actor} onActor={(actor) => change({ actor })} />
              )}
              {tab === "model" && (
                <ModelPanel {...panel} actor={filter.actor ?? log.actorAt(shownPlace)} />
              )}
              {tab === "raw" && <RawPanel {...panel} />}
            </div>
          </section>
        </div>
      </main>
      <footer class="quiet">
        {log.head.product} · {log.head.bundle} · {log.count} deliveries · this page loads nothing
        and sends nothing
      </footer>
      {state.isHelpOpen && <HelpPanel onClose={() => change({ isHelpOpen: false })} />}
    </>
  );
}

/** Ms: between two looks of the panels, while the cursor runs through the log. */
const PANELS_MS = 90;

/** The value, at once where it changes now and then; where it changes in every frame, ever so often and in the end. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    const left = last.current + PANELS_MS - performance.now();
    const settle = (): void => {
      last.current = performance.now();
      setSettled(value);
    };
    if (left <= 0) {
      settle();
      return undefined;
    }
    const later = setTimeout(settle, left);
    return () => clearTimeout(later);
  }, [value]);
  return settled;
}

/** The last delivery up to a moment that can be told. */
function toldAt(log: PageLog, ms: number): number {
  const last = log.placeAt(ms);
  const isTold = (at: number): boolean => log.has(at, FLAG.told);
  return isTold(last) ? last : log.step(last, -1, isTold);
}

interface FiltersProps {
  readonly log: PageLog;
  readonly state: ViewState;
  readonly found: Found;
  readonly change: (part: Partial<ViewState>) => void;
  readonly finder: { readonly current: HTMLInputElement | null };
  readonly onStep: (by: 1 | -1) => void;
}

function Filters({ log, state, found, change, finder, onStep }: FiltersProps) {
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

function useFound(log: PageLog, rows: Rows, { filter }: ViewState): Found {
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

/** What stands in the address follows the cursor; Back and a link lead back to theirs. */
function useAddress(
  log: PageLog,
  state: ViewState,
  setState: (change: (old: ViewState) => ViewState) => void,
): void {
  const { place, cursorMs, filter } = state;
  useEffect(() => {
    const written = setTimeout(() => history.replaceState(null, "", addressOf(log, state)), 120);
    return () => clearTimeout(written);
  }, [log, place, cursorMs, filter]);
  useEffect(() => {
    const follow = (): void =>
      setState((old) => {
        const { place: to, cursorMs: ms, filter: given } = openingState(log, location.hash);
        return {
          ...old,
          place: to,
          cursorMs: ms,
          filter: { ...old.filter, ...given },
          view: seen(old.view, ms, log),
        };
      });
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("hashchange", follow);
    };
  }, [log, setState]);
}

/** Moves the cursor while it plays; at the end it stops. */
function usePlaying(
  log: PageLog,
  { isPlaying, speed }: ViewState,
  setState: (change: (old: ViewState) => ViewState) => void,
): void {
  useEffect(() => {
    if (!isPlaying) return undefined;
    let frame = 0;
    let last = performance.now();
    const tick = (now: number): void => {
      const by = (now - last) * speed;
      last = now;
      setState((old) => {
        const ms = Math.min(log.head.endMs, old.cursorMs + by);
        return {
          ...old,
          cursorMs: ms,
          place: toldAt(log, ms),
          view: seen(old.view, ms, log),
          isPlaying: ms < log.head.endMs,
        };
      });
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [log, isPlaying, speed, setState]);
}

/** Every key, on `?`. */
const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["← →", "the delivery before or after that is told and fits the filter"],
  ["Shift ← →", "any delivery before or after"],
  ["F, Shift F", "the next failure, the one before"],
  ["Space", "play, or stop"],
  ["W S, A D", "zoom in and out, move left and right; also the wheel, and Shift with it"],
  ["B, 0", "the bad stretch, the whole run"],
  ["Home End", "the first and the last delivery"],
  ["/", "find a text; Enter goes to the next hit, Shift Enter to the one before"],
  ["1 2 3 4", "letters, state, model, raw"],
  ["Esc", "close this, or clear the filter"],
  ["Back", "the moment you looked at before"],
];

function HelpPanel({ onClose }: { readonly onClose: () => void }) {
  return (
    <dialog class="help" open aria-label="Keys">
      <h2>Keys</h2>
      <table>
        <tbody>
          {KEYS.map(([keys, does]) => (
            <tr key={keys}>
              <th scope="row">{keys}</th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        A click on the time line moves the cursor; on a goal, a call or a line of text it goes to
        that delivery and shows its causes. The address of this page holds what you see: copy it,
        and it opens the same instant.
      </p>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  );
}
