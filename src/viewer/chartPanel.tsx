/** The statechart of an actor: its state lit, the way it took last, and what its guards said. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Json } from "../machines/letter.ts";
import type { Rows } from "./rows.ts";
import type { ViewChart, ViewCharts, ViewGuard, ViewRow } from "./viewData.ts";

interface ChartPanelProps {
  readonly rows: Rows;
  readonly machine: string | undefined;
  /** The last delivery to the actor, and what the log says of it. */
  readonly place: number;
  readonly row: ViewRow | null | undefined;
}

export function ChartPanel({ rows, machine, place, row }: ChartPanelProps) {
  const [charts, setCharts] = useState<ViewCharts | null | undefined>();
  useEffect(() => {
    let isWanted = true;
    rows.charts().then(
      (found) => isWanted && setCharts(found ?? null),
      () => isWanted && setCharts(null),
    );
    return () => {
      isWanted = false;
    };
  }, [rows]);
  if (charts === undefined) return <p>Drawing the statechart …</p>;
  if (charts === null) return <p class="quiet">This page leaves statecharts out.</p>;
  if (charts.missing !== "") return <p class="quiet">No statechart is drawn. {charts.missing}</p>;
  const chart = machine === undefined ? undefined : charts.charts[machine];
  if (machine === undefined || chart === undefined) {
    return (
      <p class="quiet">
        {machine ?? "It"} has no statechart: it is a service, which answers each letter by itself.
      </p>
    );
  }
  if (row == null) return null;
  const [before, after] = [pathOf(row.before), pathOf(row.after)];
  const guards = charts.guards === null ? null : charts.guards[String(place)];
  return (
    <>
      <Chart {...{ chart, machine, before, after }} />
      <Guards guards={guards} />
      <Ways {...{ chart, after }} />
    </>
  );
}

/** `{acting: "calling"}` as `acting.calling`. */
export function pathOf(value: Json): string {
  if (typeof value !== "object" || value === null) return String(value);
  const [first] = Object.entries(value);
  return first === undefined ? "" : `${first[0]}.${pathOf(first[1] as Json)}`;
}

const isWithin = (id: string, outer: string): boolean => id === outer || id.startsWith(`${outer}.`);

interface Drawn {
  readonly chart: ViewChart;
  readonly machine: string;
  readonly before: string;
  readonly after: string;
}

/** Px by which a chart is drawn smaller than it is laid out, at most: its names can still be read. */
const SMALLEST = 0.8;

function Chart({ chart, machine, before, after }: Drawn) {
  const { width, height, states, lines } = chart;
  const box = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const fit = Math.min(1, Math.max(SMALLEST, (current.clientWidth - 4) / width));
    setScale(fit);
    const lit = states.findLast(({ id }) => isWithin(after, id));
    if (lit === undefined) return;
    current.scrollLeft = (lit.x + lit.width / 2) * fit - current.clientWidth / 2;
  }, [width, states, after]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by key too.
    <div class="chart" ref={box} tabIndex={0}>
      <svg width={width * scale} height={height * scale} viewBox={`0 0 ${width} ${height}`}>
        <title>{`${machine} is ${after}`}</title>
        <defs>
          {["tip", "tip-taken"].map((id) => (
            <marker
              key={id}
              {...{ id, class: id, viewBox: "0 0 8 8", refX: 7, refY: 4, orient: "auto" }}
              {...{ markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse" }}
            >
              <path d="M0 0 8 4 0 8z" />
            </marker>
          ))}
        </defs>
        {states.map(({ id, name, x, y, width: wide, height: high, isEnd }) => (
          <g key={id} class={stateClass(id, after, before)}>
            <rect {...{ x, y, width: wide, height: high, rx: 6 }} />
            {isEnd && <rect x={x + 3} y={y + 3} width={wide - 6} height={high - 6} rx={4} />}
            <text x={x + wide / 2} y={y + 17}>
              {name}
            </text>
          </g>
        ))}
        {lines.map(({ from, to, points }) => {
          const isTaken = before !== after && isWithin(before, from) && isWithin(after, to);
          return (
            <path
              key={`${from} ${to}`}
              class={isTaken ? "taken" : ""}
              d={curve(points)}
              marker-end={`url(#${isTaken ? "tip-taken" : "tip"})`}
            />
          );
        })}
      </svg>
    </div>
  );
}

const stateClass = (id: string, after: string, before: string): string =>
  isWithin(after, id) ? "on" : isWithin(before, id) ? "was" : "";

/** Rounded through the points of a line. */
function curve(points: ViewChart["lines"][number]["points"]): string {
  const [first = [0, 0], ...rest] = points;
  const last = rest.at(-1) ?? first;
  const bends = rest.slice(0, -1).map(([x, y], at) => {
    const [nextX, nextY] = rest[at + 1] ?? last;
    return `Q${x} ${y} ${(x + nextX) / 2} ${(y + nextY) / 2}`;
  });
  return `M${first[0]} ${first[1]}${bends.join("")}L${last[0]} ${last[1]}`;
}

function Guards({ guards }: { readonly guards: readonly ViewGuard[] | null | undefined }) {
  if (guards === undefined) return <p class="quiet">This delivery asked no guard.</p>;
  if (guards === null) {
    return <p class="quiet">What guards said cannot be had from this log.</p>;
  }
  return (
    <p>
      Guards said:{" "}
      {guards.map(([guard, held], at) => (
        // One may be asked twice.
        <span key={at} class={`guard ${held ? "held" : ""}`}>
          {guard} {held ? "✓ yes" : "✕ no"}
        </span>
      ))}
    </p>
  );
}

/** Where it can go from its state. */
function Ways({ chart, after }: Pick<Drawn, "chart" | "after">) {
  const ways = chart.ways.filter(({ from }) => from === "" || isWithin(after, from));
  if (ways.length === 0) return <p class="quiet">Nothing leads on from here.</p>;
  return (
    <details>
      <summary>Ways on from here ({ways.length})</summary>
      <ul class="changes">
        {ways.map(({ on, guard, to }, at) => (
          // Two ways may be alike but for what they do.
          <li key={at}>
            {on || "at once"}
            {guard === null ? "" : ` if ${guard}`} → <b>{to ?? "stays"}</b>
          </li>
        ))}
      </ul>
    </details>
  );
}
