/** The page of a run, or of two: the answers, the time line, and the panels at its cursor. */
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Answers, BesideAnswers } from "./answers.tsx";
import {
  type Axis,
  evenAxis,
  idleIn,
  moved,
  seen,
  squeezedAxis,
  type View,
  wholeView,
  zoomed,
} from "./axis.ts";
import { BothPanel } from "./bothPanel.tsx";
import { clockText } from "./clockText.ts";
import type { Asks } from "./decided.tsx";
import { Filters, useFound } from "./filters.tsx";
import { searchedFor } from "./found.ts";
import type { PageLog } from "./pageLog.ts";
import { EventPanel, LettersPanel, ModelPanel, RawPanel, StatePanel, useRows } from "./panels.tsx";
import { rowWords } from "./rowText.ts";
import { Timeline } from "./timeline.tsx";
import type { Plays } from "./variants.tsx";
import { FLAG, type ViewBeside } from "./viewData.ts";
import {
  addressOf,
  badView,
  endOf,
  openingState,
  type Run,
  TABS,
  type Tab,
  type ViewState,
} from "./viewState.ts";

const TAB_NAMES: { readonly [tab in Tab]: string } = {
  letters: "Letters",
  state: "State",
  model: "Prompt and answer",
  raw: "Raw",
  both: "Both runs",
};

/** Virtual seconds in one of the wall. */
const SPEEDS = [1, 10, 60, 300, 1_800, 14_400];

interface PageProps {
  readonly runs: readonly Run[];
  readonly beside: ViewBeside | null;
  /** Whether it still goes and is followed; in words where it cannot be any longer. */
  readonly live: "" | "still" | { readonly fault: string };
  /** The variants of one run. */
  readonly plays: Plays | null;
  /** Where a click asks what decided. */
  readonly asks: Asks | null;
  /** From a run beside its variant to the run alone. */
  readonly onAlone: (() => void) | null;
}

export function Page({ runs, beside, live, plays, asks, onAlone }: PageProps) {
  const partedMs = beside?.first?.atMs;
  const [state, setState] = useState<ViewState>(() => openingState(runs, location.hash, partedMs));
  const { place, cursorMs, view, filter, tab } = state;
  const run = runs[state.run] as Run; // One of those that the state was made of.
  const { log, rows } = run;
  const endMs = endOf(runs);
  const logs = useMemo(() => runs.map((one) => one.log), [runs]);
  const gaps = useMemo(() => idleIn(logs, endMs), [logs, endMs]);
  const axis = useMemo(
    () => (state.isSqueezed ? squeezedAxis(gaps, endMs) : evenAxis(endMs)),
    [gaps, endMs, state.isSqueezed],
  );
  const found = useFound(log, rows, state);
  const isFiltered = filter.actor !== null || filter.type !== null || filter.find !== "";
  const change = useCallback(
    (part: Partial<ViewState>) => setState((old) => ({ ...old, ...part })),
    [],
  );

  const jumpIn = useCallback(
    (number: number, to: number) =>
      setState((old) => {
        const { log: of } = runs[number] as Run; // Whoever jumps names one that is shown.
        const ms = of.atMs(to);
        const next = {
          ...{ ...old, run: number, place: to, cursorMs: ms },
          view: seen(old.view, ms, axis),
        };
        // What was looked at before stays behind the Back button.
        if (to !== old.place || number !== old.run) {
          history.pushState(null, "", addressOf(of, next));
        }
        return next;
      }),
    [runs, axis],
  );
  const jump = useCallback((to: number) => jumpIn(state.run, to), [jumpIn, state.run]);
  const scrubIn = useCallback(
    (number: number, ms: number) =>
      setState((old) => {
        const at = Math.min(Math.max(0, ms), axis.endMs);
        const { log: of } = runs[number] as Run; // As above.
        return {
          ...{ ...old, run: number, cursorMs: at, place: of.toldAt(at) },
          view: seen(old.view, at, axis),
        };
      }),
    [runs, axis],
  );
  const step = (by: 1 | -1, fits: (at: number) => boolean): void => {
    const to = log.step(place, by, fits);
    change({ place: to, cursorMs: log.atMs(to), view: seen(view, log.atMs(to), axis) });
  };
  const stepFound = (by: 1 | -1): void => step(by, (at) => found.fits[at] === 1);
  const choose = (number: number): void => {
    if (number < runs.length) scrubIn(number, cursorMs);
  };
  useAddress(runs, log, axis, state, setState);
  usePlaying(log, axis, state, setState);
  useGrowing(log, endMs, setState);

  const finder = useRef<HTMLInputElement>(null);
  const clear = (): void =>
    change({ filter: { ...filter, actor: null, type: null, find: "" }, isHelpOpen: false });
  const squeeze = (): void => change({ isSqueezed: !state.isSqueezed && gaps.length > 0 });
  const loop = (): void => change({ isLooping: !state.isLooping });
  const tabs = TABS.filter((one) => one !== "both" || runs.length > 1);
  const keys: { readonly [key: string]: (event: KeyboardEvent) => void } = {
    ArrowLeft: ({ shiftKey }) => (shiftKey ? step(-1, () => true) : stepFound(-1)),
    ArrowRight: ({ shiftKey }) => (shiftKey ? step(1, () => true) : stepFound(1)),
    f: () => step(1, (at) => log.has(at, FLAG.failure)),
    F: () => step(-1, (at) => log.has(at, FLAG.failure)),
    " ": () => change({ isPlaying: !state.isPlaying }),
    l: loop,
    i: squeeze,
    w: () => change({ view: zoomed(view, 0.7, cursorMs, axis) }),
    s: () => change({ view: zoomed(view, 1.4, cursorMs, axis) }),
    a: () => change({ view: moved(view, -0.2, axis) }),
    d: () => change({ view: moved(view, 0.2, axis) }),
    b: () => change({ view: badView(log, axis) }),
    "0": () => change({ view: wholeView(axis) }),
    x: () => choose(runs.length - 1 - state.run),
    g: () => partedMs !== undefined && scrubIn(state.run, partedMs),
    Home: () => jump(0),
    End: () => jump(log.count - 1),
    "/": () => finder.current?.focus(),
    t: () => change({ filter: { ...filter, find: within(filter.find, view) } }),
    "?": () => change({ isHelpOpen: !state.isHelpOpen }),
    Escape: clear,
    ...Object.fromEntries(tabs.map((one, at) => [String(at + 1), () => change({ tab: one })])),
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

  // A jump ends at a delivery; who scrubs or plays is between two of them.
  const { value: shownPlace, isMoving } = useSettled(place, cursorMs !== log.atMs(place));
  const answers = useMemo(() => {
    const onTime = (ms: number): void => jump(log.toldAt(ms));
    const props = { log, place: shownPlace, onJump: jump, onTime };
    return beside === null ? (
      <Answers {...{ ...props, plays, asks }} />
    ) : (
      <BesideAnswers {...{ ...props, runs, beside }} onSide={jumpIn} />
    );
  }, [runs, log, beside, shownPlace, jump, jumpIn, plays, asks]);
  useRows(rows, [shownPlace]);
  const says = rowWords(log, shownPlace, rows.lately(shownPlace));
  const panels = useMemo(() => {
    const panel = { log, rows, place: shownPlace, isMoving, onJump: jump };
    return (
      <div class="panels">
        <EventPanel {...panel} />
        <section class="tabs">
          <div role="tablist">
            {tabs.map((one) => (
              <button
                type="button"
                role="tab"
                key={one}
                aria-selected={tab === one}
                onClick={() => change({ tab: one })}
              >
                {TAB_NAMES[one]}
              </button>
            ))}
          </div>
          <div class="body" role="tabpanel">
            {tab === "letters" && (
              <LettersPanel {...panel} found={found} find={searchedFor(filter.find).text} />
            )}
            {tab === "state" && (
              <StatePanel {...panel} actor={state.actor} onActor={(actor) => change({ actor })} />
            )}
            {tab === "model" && (
              <ModelPanel {...panel} actor={filter.actor ?? log.actorAt(shownPlace)} />
            )}
            {tab === "raw" && <RawPanel {...panel} />}
            {tab === "both" && beside !== null && (
              <BothPanel
                {...{ runs, names: beside.names, onJump: jumpIn }}
                atMs={log.atMs(shownPlace)}
                chosen={{ run: state.run, place: shownPlace }}
              />
            )}
          </div>
        </section>
      </div>
    );
  }, [runs, run, shownPlace, isMoving, jump, jumpIn, tab, found, filter, state.actor, beside]);
  return (
    <>
      <header>
        <h1>{beside === null ? log.head.title : beside.names.join(" beside ")}</h1>
        {onAlone !== null && (
          <button type="button" onClick={onAlone}>
            ‹ The run alone
          </button>
        )}
        {live === "still" && <b class="live">● still going, unsealed</b>}
        <span class="quiet">{log.head.facts}</span>
        <span class="grow" />
        <button type="button" onClick={() => change({ isHelpOpen: !state.isHelpOpen })}>
          Keys <kbd>?</kbd>
        </button>
      </header>
      {[...log.head.missing, ...(typeof live === "object" ? [live.fault] : [])].map((text) => (
        <p class="note missing" key={text}>
          {text}
        </p>
      ))}
      <main>
        {answers}
        {runs.map((one, number) => (
          <Timeline
            key={number}
            {...{ log: one.log, logs, axis, view, cursorMs, says }}
            place={number === state.run ? place : one.log.toldAt(cursorMs)}
            found={isFiltered && number === state.run ? found : null}
            oneOfTwo={
              beside && {
                name: beside.names[number as 0 | 1],
                partedMs: partedMs ?? null,
                isChosen: number === state.run,
                isLast: number === runs.length - 1,
              }
            }
            onView={(next) => change({ view: next })}
            onTime={(ms) => scrubIn(number, ms)}
            onJump={(to) => jumpIn(number, to)}
          />
        ))}
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
          <button
            type="button"
            aria-pressed={state.isLooping}
            onClick={loop}
            title="Play the stretch in the frame over and over"
          >
            Loop <kbd>L</kbd>
          </button>
          {gaps.length > 0 && (
            <button
              type="button"
              aria-pressed={state.isSqueezed}
              onClick={squeeze}
              title="Draw stretches in which nothing happens narrow"
            >
              Squeeze idle time <kbd>I</kbd>
            </button>
          )}
          <button type="button" onClick={() => step(1, (at) => log.has(at, FLAG.failure))}>
            Next failure <kbd>F</kbd>
          </button>
          {beside?.names.map((name, number) => (
            <button
              type="button"
              key={number}
              aria-pressed={number === state.run}
              onClick={() => choose(number)}
            >
              {name}
            </button>
          ))}
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
        {panels}
      </main>
      <footer class="quiet">
        {log.head.product} · {log.head.bundle} · {log.count} deliveries ·{" "}
        {log.head.outcome === "interrupted" ? "unsealed: it has no end · " : ""}this page loads
        nothing and sends nothing
      </footer>
      {state.isHelpOpen && <HelpPanel onClose={() => change({ isHelpOpen: false })} />}
    </>
  );
}

/** What is looked for, within the stretch in the frame. */
const within = (find: string, { fromMs, toMs }: View): string =>
  [`from:${clockText(fromMs)} to:${clockText(toMs)}`, searchedFor(find).text].join(" ").trim();

/** Ms: between two looks of the panels, while the cursor runs through the log. */
const PANELS_MS = 90;

/** Ms after which a cursor that moved rests. */
const RESTS_MS = 200;

/** The value, at once while it does not move; where it changes in every frame, ever so often and in the end. */
function useSettled(value: number, isMoving: boolean) {
  const [settled, setSettled] = useState({ value, isMoving });
  const last = useRef(0);
  useEffect(() => {
    const settle = (): void => {
      last.current = performance.now();
      setSettled({ value, isMoving });
    };
    const left = isMoving ? last.current + PANELS_MS - performance.now() : 0;
    const soon = left > 0 ? setTimeout(settle, left) : undefined;
    if (soon === undefined) settle();
    const rest = setTimeout(() => setSettled({ value, isMoving: false }), RESTS_MS);
    return () => {
      clearTimeout(soon);
      clearTimeout(rest);
    };
  }, [value, isMoving]);
  return isMoving ? settled : { value, isMoving };
}

/** What stands in the address follows the cursor; Back and a link lead back to theirs. */
function useAddress(
  runs: readonly Run[],
  log: PageLog,
  axis: Axis,
  state: ViewState,
  setState: (change: (old: ViewState) => ViewState) => void,
): void {
  const { place, cursorMs, filter, view, tab, actor, isSqueezed, with: beside } = state;
  useEffect(() => {
    const written = setTimeout(() => history.replaceState(null, "", addressOf(log, state)), 120);
    return () => clearTimeout(written);
  }, [log, place, cursorMs, filter, view, tab, actor, isSqueezed, beside]);
  useEffect(() => {
    const follow = (): void =>
      setState((old) => {
        const { view, ...there } = openingState(runs, location.hash);
        const { speed, isLooping } = old;
        const isNamed = view.fromMs !== there.opening.view.fromMs;
        const shown = isNamed ? view : seen(old.view, there.cursorMs, axis);
        return { ...there, speed, isLooping, view: shown };
      });
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("hashchange", follow);
    };
  }, [runs, axis, setState]);
}

/** Moves the cursor while it plays: to the end, or through the stretch in view again and again. */
function usePlaying(
  log: PageLog,
  axis: Axis,
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
        // Idle time that is squeezed passes as quickly as it is drawn.
        const on = axis.back(axis.to(old.cursorMs) + by);
        const { fromMs, toMs } = old.view;
        const isRound = old.isLooping && (on >= toMs || on < fromMs);
        const ms = isRound ? fromMs : Math.min(axis.endMs, on);
        return {
          ...{ ...old, cursorMs: ms, place: log.toldAt(ms) },
          view: seen(old.view, ms, axis),
          isPlaying: old.isLooping || ms < axis.endMs,
        };
      });
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [log, axis, isPlaying, speed, setState]);
}

/** A run that grew takes along whoever looked at its end, and leaves alone whoever looks at its past. */
function useGrowing(
  log: PageLog,
  endMs: number,
  setState: (change: (old: ViewState) => ViewState) => void,
): void {
  const was = useRef({ log, endMs });
  useEffect(() => {
    const { log: shorter, endMs: before } = was.current;
    was.current = { log, endMs };
    if (before >= endMs) return;
    setState((old) => {
      const { view, place, cursorMs } = old;
      const isAtEnd = cursorMs >= before || place >= shorter.toldAt(before);
      const grown = view.toMs >= before ? { fromMs: view.fromMs, toMs: endMs } : view;
      if (!isAtEnd) return { ...old, view: grown };
      const last = log.toldAt(endMs);
      return { ...old, place: last, cursorMs: log.atMs(last), view: grown };
    });
  }, [log, endMs, setState]);
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
  ["T", "look within the frame alone: from:0:30:00 to:0:50:00 before what is looked for"],
  ["1 2 3 4", "letters, state, model, raw; of two runs also 5, both side by side"],
  ["L, I", "loop the stretch in the frame; squeeze idle time"],
  ["X, G", "of two runs: the other one; where they part"],
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
