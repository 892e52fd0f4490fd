/** The time line: a strip of the whole run above the lanes of the chosen stretch. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Span } from "../contract/picture.ts";
import { type Axis, around, moved, type View, wholeView, zoomed } from "./axis.ts";
import { clockText } from "./clockText.ts";
import type { Found } from "./found.ts";
import { type Lanes, lanesOf, type PlacedLane, size } from "./laneLayout.ts";
import { isOf, type PageLog } from "./pageLog.ts";
import { hasUnder, LEVEL, spanText, UNDER } from "./spanText.ts";
import { stripBars } from "./stripBars.ts";
import {
  axisLeft,
  axisWidth,
  type Colours,
  type DrawnStep,
  drawChain,
  drawTimeline,
  msAt,
  scaleOf,
} from "./timelineDraw.ts";
import { FLAG } from "./viewData.ts";

/** Of two runs: its name, where they part, and whether it is the one whose panels stand below. */
export interface OneOfTwo {
  readonly name: string;
  readonly partedMs: number | null;
  readonly isChosen: boolean;
  /** The lower one bears the legend of both. */
  readonly isLast: boolean;
}

interface TimelineProps {
  readonly log: PageLog;
  /** Of all runs of the page: their strips count the same, on one scale. */
  readonly logs: readonly PageLog[];
  readonly axis: Axis;
  readonly oneOfTwo: OneOfTwo | null;
  readonly view: View;
  readonly cursorMs: number;
  readonly place: number;
  readonly says: string;
  readonly found: Found | null;
  readonly onView: (view: View) => void;
  readonly onTime: (ms: number) => void;
  readonly onJump: (place: number) => void;
}

/** Px of the lanes at once, of one run and of each of two; more of them are scrolled to. */
const LANES_MOST = [300, 190] as const;
const STRIP = 50;
/** Px of the times above it. */
const TIMES = 13;

export function Timeline(props: TimelineProps) {
  const { log, axis, view, cursorMs, place, oneOfTwo, onView, onTime, onJump } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const chain = useRef<HTMLCanvasElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const [scrolled, setScrolled] = useState(0);
  const [hover, setHover] = useState<{
    readonly x: number;
    readonly y: number;
    readonly says: string;
  } | null>(null);
  const lanes = useMemo(() => lanesOf(log.head), [log]);
  const colours = useColours();
  // It never changes, and a frame has no time to look whether it did.
  const isOfTwo = oneOfTwo !== null;
  const hasLegend = oneOfTwo?.isLast ?? true;
  const still = useMemo(
    () => [
      hasLegend && <Legend key="legend" logs={props.logs} isOfTwo={isOfTwo} />,
      <LaneTable key="table" log={log} />,
    ],
    [log, props.logs, hasLegend, isOfTwo],
  );
  const headed = size.axis + size.head;
  const most = LANES_MOST[oneOfTwo === null ? 0 : 1];
  const shown = Math.min(most, lanes.height) + headed;
  const differs = useMemo(
    () => (isOfTwo ? differingIn(log, lanes) : new Map<PlacedLane, readonly number[]>()),
    [log, lanes, isOfTwo],
  );
  const partedMs = oneOfTwo?.partedMs ?? null;
  const isShown = oneOfTwo?.isChosen ?? true;
  const steps = useMemo((): readonly DrawnStep[] => {
    const { places, more } = log.chain(place);
    return [place, ...places].map((at, step) => ({
      number: places.length + 1 + more - step,
      atMs: log.atMs(at),
      y: lanes.middleOf(log.to(at)) ?? lanes.middleOf(log.from(at)) ?? lanes.others,
      isInferred: log.has(at, FLAG.inferred),
    }));
  }, [log, place, lanes]);
  const drawing = { width, height: shown, scrolled, axis, view, colours };
  useEffect(() => {
    const pen = penOf(canvas.current, width, shown);
    if (pen === null) return;
    const { pictures } = log.head;
    drawTimeline(pen, { ...drawing, lanes, pictures, differs, partedMs });
  }, [width, shown, scrolled, axis, view, lanes, colours, log, differs]);
  // Lanes stay as they are while the cursor moves over them.
  useEffect(() => {
    const pen = penOf(chain.current, width, shown);
    if (pen !== null) drawChain(pen, isShown ? steps : [], drawing);
  }, [width, shown, scrolled, axis, view, steps, colours, isShown]);

  const xIn = (of: View): number => scaleOf(of, axis, width)(cursorMs);

  const placeOf = (event: MouseEvent): { readonly x: number; readonly y: number } => {
    const box = canvas.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };
  /** Whatever is drawn below the pointer, with the instant at which it ended. */
  const hit = ({ x, y }: { readonly x: number; readonly y: number }) => {
    const at = y - headed + scrolled;
    const one = lanes.all.find(({ top, height }) => at >= top && at < top + height);
    if (one === undefined || x < size.left) return undefined;
    const toX = scaleOf(view, axis, width);
    const { lane } = one;
    if (lane.is === "steps") {
      const ms = msAt(view, axis, width, x);
      const last = lane.lines.at(-1)?.steps.findLast(([from]) => from <= ms);
      const spans = lane.spans?.filter(({ fromMs, toMs }) => fromMs <= ms && ms <= toMs) ?? [];
      const says = spans.map(({ phase, says: what }) => `, ${what ?? ""} ${phase}`).join("");
      return { says: `${lane.name} ${last?.[2] ?? ""}${says}`, atMs: ms, actor: null };
    }
    const point = lane.points.find(
      ({ atMs }) => Math.abs(toX(atMs) - x) < 4 && at > one.top + one.height * 0.7,
    );
    const down = (at - one.top - one.height / 2) / LEVEL;
    const far = (of: Span): number => Math.abs((of.under?.level ?? 0) - down);
    const spans = lane.spans
      .filter(({ fromMs, toMs }) => toX(fromMs) - 3 <= x && x <= toX(toMs) + 5)
      .sort((a, b) => far(a) - far(b));
    const span = spans.find(({ toMs }) => Math.abs(toX(toMs) - x) < 6) ?? spans[0];
    if (point !== undefined || span === undefined) {
      const near = point ?? lane.points.find(({ atMs }) => Math.abs(toX(atMs) - x) < 4);
      if (near === undefined) return undefined;
      const look = one.picture.signs[near.kind]?.says ?? near.kind;
      return {
        says: `${near.says ?? look} ${clockText(near.atMs, true)}`,
        atMs: near.atMs,
        actor: lane.label,
      };
    }
    return {
      says: `${lane.label}: ${spanText(span)}, ${clockText(span.fromMs)} to ${clockText(span.toMs)}`,
      atMs: span.toMs,
      actor: span.under?.label ?? lane.label,
    };
  };
  const isDown = useRef(false);
  const onDown = (event: PointerEvent): void => {
    isDown.current = true;
    canvas.current?.setPointerCapture(event.pointerId);
    const point = placeOf(event);
    const one = hit(point);
    if (one?.actor != null) onJump(log.tellingAt(one.atMs, one.actor));
    else if (point.x >= size.left) onTime(msAt(view, axis, width, point.x));
  };
  const onMove = (event: PointerEvent): void => {
    const point = placeOf(event);
    if (isDown.current && event.buttons === 1) {
      if (Math.abs(event.movementX) > 0)
        onTime(msAt(view, axis, width, Math.max(size.left, point.x)));
      return;
    }
    const one = hit(point);
    setHover(one === undefined ? null : { ...point, says: one.says });
  };
  const onWheel = (event: WheelEvent): void => {
    const { x } = placeOf(event);
    if (event.ctrlKey || !event.shiftKey) {
      if (lanes.height > most && !event.ctrlKey && !event.altKey) return;
      event.preventDefault();
      onView(zoomed(view, event.deltaY > 0 ? 1.25 : 0.8, msAt(view, axis, width, x), axis));
    } else {
      event.preventDefault();
      onView(moved(view, (event.deltaX || event.deltaY) / width, axis));
    }
  };
  return (
    <section
      class={`timeline ${oneOfTwo?.isChosen ? "chosen" : ""}`}
      aria-label={oneOfTwo === null ? "Time line" : `Time line of ${oneOfTwo.name}`}
    >
      {oneOfTwo !== null && <h2>{oneOfTwo.name}</h2>}
      <div class="drawn">
        <Strip {...props} width={width} colours={colours} />
        <div
          class="lanes"
          ref={scroller}
          style={{ height: `${shown}px` }}
          onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
        >
          <canvas
            ref={canvas}
            role="slider"
            tabIndex={0}
            aria-label="Moment of the run"
            aria-valuemin={0}
            aria-valuemax={Math.round(log.head.endMs / 1000)}
            aria-valuenow={Math.round(cursorMs / 1000)}
            aria-valuetext={`${clockText(cursorMs)} ${props.says}`}
            style={{ width: `${width}px`, height: `${shown}px` }}
            onPointerDown={onDown}
            onPointerMove={onMove}
            onPointerUp={() => {
              isDown.current = false;
            }}
            onPointerLeave={() => setHover(null)}
            onWheel={onWheel}
          />
          <canvas
            ref={chain}
            class="over"
            style={{ width: `${width}px`, height: `${shown}px`, marginTop: `${-shown}px` }}
          />
          <div style={{ height: `${lanes.height + headed - shown}px` }} />
        </div>
        <Cursor x={xIn(view)} width={width} top={STRIP} height={shown} />
        <Cursor x={xIn(wholeView(axis))} width={width} top={0} height={STRIP} />
        {hover !== null && (
          <div
            class="hover"
            style={{
              left: `${Math.min(hover.x + 12, width - 320)}px`,
              top: `${hover.y + STRIP + 18}px`,
            }}
          >
            {hover.says}
          </div>
        )}
      </div>
      {still}
    </section>
  );
}

type CursorProps = Readonly<Record<"x" | "width" | "top" | "height", number>>;

/** A line that is moved and never drawn again. */
const Cursor = ({ x, width, top, height }: CursorProps) => (
  <i
    class="cursor"
    hidden={x < size.left || x > width - size.right}
    style={{ top: `${top}px`, height: `${height}px`, transform: `translateX(${x}px)` }}
  />
);

/** When the actor of each lane sent or got what the other run does not have. */
function differingIn(log: PageLog, { all }: Lanes): ReadonlyMap<PlacedLane, readonly number[]> {
  const rows = all.filter(({ lane }) => lane.is === "row");
  const laneOf = log.head.addresses.map((address) =>
    rows.find(({ lane }) => lane.is === "row" && isOf(address, lane.label)),
  );
  const times = new Map<PlacedLane, number[]>();
  const add = (lane: PlacedLane | undefined, ms: number): void => {
    if (lane === undefined) return;
    const those = times.get(lane);
    if (those === undefined) times.set(lane, [ms]);
    else if (those.at(-1) !== ms) those.push(ms);
  };
  for (let place = 0; place < log.count; place++) {
    if (!log.has(place, FLAG.differs)) continue;
    add(laneOf[log.columns.to[place] ?? 0], log.atMs(place));
    add(laneOf[log.columns.from[place] ?? 0], log.atMs(place));
  }
  return times;
}

/** What is drawn, in words. */
function Legend({ logs, isOfTwo }: Pick<TimelineProps, "logs"> & { isOfTwo: boolean }) {
  const pictures = logs.flatMap(({ head }) => head.pictures);
  const looks = pictures.flatMap(({ lanes, phases, signs }) => {
    const there = new Set(
      lanes.flatMap((lane) => [
        ...(lane.spans ?? []).map((one) => one.phase),
        ...(lane.is === "row" ? lane.points : []).map((one) => one.kind),
      ]),
    );
    return Object.entries({ ...phases, ...signs }).flatMap(([name, { colour, shape, says }]) =>
      there.has(name) && says !== null ? [{ name: says ?? name, colour, shape }] : [],
    );
  });
  const unique = [...new Map(looks.map((one) => [`${one.name} ${one.colour}`, one])).values()];
  const undrawn = [...new Set(pictures.flatMap((picture) => picture.undrawn))];
  return (
    <p class="legend">
      {unique.map(({ name, colour, shape }) => (
        <span key={`${name} ${colour}`}>
          <b class={`sign ${shape}`} style={{ color: colour }} aria-hidden="true" /> {name}
        </span>
      ))}
      {isOfTwo && (
        <span>
          <b class="sign differs" aria-hidden="true" /> what the other run does not have
        </span>
      )}
      {hasUnder(pictures.flatMap(({ lanes }) => lanes)) && <span>{UNDER}</span>}
      <span>
        <b class="number">1</b> <b class="number">2</b> … the chain of causes of what is chosen,
        from where it began
        {logs.some(({ head }) => head.isImported)
          ? "; dashed where it is inferred, not stated"
          : ""}
      </span>
      {undrawn.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </p>
  );
}

/** The lanes as a table, for those who do not see them. */
function LaneTable({ log }: { log: PageLog }) {
  return (
    <div class="unseen">
      {log.head.pictures.map(({ part, says, lanes }) => (
        <table key={part}>
          <caption>{says}</caption>
          <thead>
            <tr>
              <th>Row</th>
              <th>What came of it</th>
              <th>Stretches</th>
            </tr>
          </thead>
          <tbody>
            {lanes.flatMap((lane, at) => {
              if (lane.is !== "row") return [];
              const counts = new Map<string, number>();
              for (const { says: _, ...span } of lane.spans) {
                const name = spanText(span);
                counts.set(name, (counts.get(name) ?? 0) + 1);
              }
              for (const { kind } of lane.points) counts.set(kind, (counts.get(kind) ?? 0) + 1);
              return [
                <tr key={`${lane.label} ${at}`}>
                  <td>{lane.label}</td>
                  <td>{lane.outcome}</td>
                  <td>{[...counts].map(([name, count]) => `${count} × ${name}`).join(", ")}</td>
                </tr>,
              ];
            })}
          </tbody>
        </table>
      ))}
    </div>
  );
}

interface StripProps extends TimelineProps {
  readonly width: number;
  readonly colours: Colours;
}

/** Failures over the whole run, what was found, and the stretch that stands below. */
function Strip({ log, logs, axis, view, found, onView, width, colours }: StripProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const bars = useMemo(
    () => stripBars(log, logs, axis, axisWidth(width)),
    [log, logs, axis, width],
  );
  const whole = wholeView(axis);
  useEffect(() => {
    const pen = penOf(canvas.current, width, STRIP);
    if (pen === null) return;
    const x = scaleOf(whole, axis, width);
    pen.clearRect(0, 0, width, STRIP);
    pen.fillStyle = colours.quiet;
    pen.font = "11px system-ui, Arial, sans-serif";
    pen.fillText(bars.says, 12, 18);
    pen.fillText("of the whole run; below:", 12, 31);
    pen.fillText("the stretch in the frame", 12, 43);
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      const at = axis.back(axis.to(axis.endMs) * part);
      pen.textAlign = part === 0 ? "left" : part === 1 ? "right" : "center";
      pen.fillText(clockText(at), x(at), 10);
    }
    pen.textAlign = "left";
    bars.counts.forEach((count, at) => {
      if (count === 0) return;
      const high = Math.max(3, (count / bars.most) * (STRIP - TIMES - 4));
      pen.fillStyle = bars.isWrong ? "#d55e00" : colours.quiet;
      pen.fillRect(axisLeft + at * bars.wide, STRIP - 4 - high, Math.max(1, bars.wide - 1), high);
    });
    if (found !== null) {
      pen.fillStyle = colours.chosen;
      let last = -1;
      for (let place = 0; place < log.count; place++) {
        if (found.fits[place] === 0) continue;
        const at = Math.round(x(log.atMs(place)));
        if (at !== last) pen.fillRect(at, TIMES, 1, 8);
        last = at;
      }
    }
    pen.strokeStyle = colours.text;
    pen.lineWidth = 1.5;
    const [from, to] = [x(view.fromMs), x(view.toMs)];
    pen.strokeRect(from, TIMES, Math.max(3, to - from), STRIP - TIMES - 1);
  }, [log, axis, view, found, width, colours, bars]);
  const start = useRef(0);
  const ms = (event: PointerEvent): number => {
    const box = canvas.current?.getBoundingClientRect();
    const at = msAt(whole, axis, width, event.clientX - (box?.left ?? 0));
    return Math.min(Math.max(0, at), axis.endMs);
  };
  const least = Math.max(10, axis.endMs / 500);
  const select = (event: PointerEvent): void => {
    const [a, b] = [start.current, ms(event)];
    if (Math.abs(a - b) >= least) onView({ fromMs: Math.min(a, b), toMs: Math.max(a, b) });
  };
  return (
    <canvas
      ref={canvas}
      class="strip"
      role="img"
      aria-label={`${bars.says} over the whole run; drag to choose a stretch`}
      style={{ width: `${width}px`, height: `${STRIP}px` }}
      onPointerDown={(event) => {
        start.current = ms(event);
        canvas.current?.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => event.buttons === 1 && select(event)}
      onPointerUp={(event) => {
        if (Math.abs(start.current - ms(event)) < least) onView(around(view, ms(event), axis));
      }}
      onDblClick={() => onView(whole)}
    />
  );
}

/** Sharp on every screen. */
function penOf(canvas: HTMLCanvasElement | null, width: number, height: number) {
  const pen = canvas?.getContext("2d") ?? null;
  if (canvas === null || pen === null) return null;
  const ratio = devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

function useWidth(of: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = of;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    setWidth(current.clientWidth);
    return () => observer.disconnect();
  }, [of]);
  return width;
}

function useColours(): Colours {
  const read = (): Colours => {
    const style = getComputedStyle(document.documentElement);
    const [text = "", quiet = "", line = "", page = "", chosen = ""] = [
      ...["--text", "--quiet", "--line", "--page", "--chosen"],
    ].map((name) => style.getPropertyValue(name).trim());
    return { text, quiet, line, page, chosen };
  };
  const [colours, setColours] = useState(read);
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const onChange = (): void => setColours(read());
    dark.addEventListener("change", onChange);
    return () => dark.removeEventListener("change", onChange);
  }, []);
  return colours;
}
