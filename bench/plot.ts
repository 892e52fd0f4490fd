/** The picture of the result: what an envelope costs, against the number of actors and against the run's length. */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { ink } from "../src/contract/picture.ts";
import { fonts } from "../src/edges/report/picture.ts";
import type { Result, Row } from "./result.ts";

interface Point {
  readonly x: number;
  readonly micros: number;
}

interface Line {
  readonly title: string;
  readonly colour: string;
  /** It is not ours. */
  readonly isPeer?: boolean;
  readonly points: readonly Point[];
}

/** Px. */
const HEIGHT = 380;
const WIDTH = 860;
const SPLIT = 560;
const TOP = 64;
const BOTTOM = 46;
const LEFT = 52;
const LABELS = 196;
const LABEL_HEIGHT = 14;
/** Microseconds. */
const TENS = [0.01, 0.1, 1, 10, 100, 1_000];

/** As Okabe and Ito chose it, beside those of the other pictures. */
const SKY = "#56b4e9";

const shown: readonly (Omit<Line, "points"> & { readonly variant: Row["variant"] })[] = [
  { variant: "xstateHeap", title: "XState's actors", colour: ink.quiet, isPeer: true },
  { variant: "simpy", title: "SimPy", colour: ink.quiet, isPeer: true },
  { variant: "statechartDisk", title: "statecharts, log on disk", colour: ink.bad },
  { variant: "statechartRecorded", title: "statecharts, digests", colour: ink.band },
  { variant: "statechart", title: "statecharts, bare", colour: ink.good },
  { variant: "service", title: "services, bare", colour: SKY },
  { variant: "heapLoop", title: "a heap and plain functions", colour: ink.text, isPeer: true },
];

export function plotOf(result: Result): string {
  const { cpu, node } = result.machine;
  const parts = [byActors(result), byLength(result)].map(
    (svg, index) => `<svg x="${index * SPLIT}" y="0" ${svg.slice("<svg ".length)}`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"` +
    ` font-family="${fonts.replaceAll('"', "'")}" aria-label="What one envelope costs, against actors and against the length of a run">` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>` +
    `<text x="16" y="26" font-size="15" font-weight="600" fill="${ink.text}">What one envelope costs, in microseconds of the processor</text>` +
    `<text x="16" y="45" font-size="11" fill="${ink.quiet}">${escaped(`${cpu}, Node ${node}`)}</text>` +
    `${parts.join("")}</svg>\n`
  );
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function byActors({ rows }: Result): string {
  const lines = shown.flatMap(({ variant, ...line }): Line[] => {
    const row = rows.find((one) => one.variant === variant);
    if (row === undefined) return [];
    const points = row.sizes.map(({ actors, envelopesPerSecond }) => ({
      x: actors,
      micros: 1_000_000 / envelopesPerSecond,
    }));
    return [{ ...line, points }];
  });
  const values = lines.flatMap(({ points }) => points.map(({ micros }) => micros));
  const domain: [number, number] = [Math.min(...values) / 1.3, Math.max(...values) * 1.3];
  const y = {
    type: "log",
    domain,
    label: null,
    ticks: TENS.filter((ten) => domain[0] <= ten && ten <= domain[1]),
    tickFormat: "~f",
  } as const;
  return drawn({
    ...{ className: "by-actors", width: SPLIT, marginRight: LABELS, y },
    x: { type: "log", axis: null },
    marks: [
      // With a format of its own a logarithmic axis would leave out what it thinks too much.
      Plot.axisX(
        rows[0]?.sizes.map(({ actors }) => actors),
        {
          ...{ label: "actors", labelAnchor: "center", labelArrow: "none" },
          text: (actors: number) => actors.toLocaleString("en"),
        },
      ),
      ...lineMarks(lines),
      ...labelMarks(lines, domain),
    ],
  });
}

function byLength({ length: { stretches, scenario } }: Result): string {
  const points = stretches.map(({ untilMs, each }) => ({ x: untilMs / 3_600_000, micros: each }));
  const most = Math.max(...points.map(({ micros }) => micros));
  return drawn({
    ...{ className: "by-length", width: WIDTH - SPLIT, marginRight: 16 },
    y: { domain: [0, most * 1.25], label: null, ticks: 5 },
    x: {
      ...{ domain: [0, points.at(-1)?.x ?? 1], labelAnchor: "center", labelArrow: "none" },
      label: `virtual hours of ${scenario}, bare`,
    },
    marks: lineMarks([{ title: scenario, colour: ink.good, points }]),
  });
}

const lineMarks = (lines: readonly Line[]): Plot.Markish[] =>
  lines.flatMap(({ points, colour, isPeer }) => [
    Plot.line(points, {
      ...{ x: "x", y: "micros", stroke: colour, strokeWidth: 1.8 },
      ...(isPeer && { strokeDasharray: "5,3" }),
    }),
    Plot.dot(points, { x: "x", y: "micros", fill: colour, r: 2.5 }),
  ]);

/** Each beside the end of its line, and none over another. */
function labelMarks(lines: readonly Line[], [least, most]: [number, number]): Plot.Markish[] {
  const bodyPx = HEIGHT - TOP - BOTTOM;
  const placed = lines
    .flatMap((line) => line.points.slice(-1).map((end) => ({ ...line, end })))
    .map((one) => {
      const share = Math.log(one.end.micros / least) / Math.log(most / least);
      return { ...one, wishedPx: bodyPx * (1 - share) };
    })
    .sort((a, b) => a.wishedPx - b.wishedPx);
  let freePx = 0;
  return placed.map(({ title, colour, end, wishedPx }) => {
    const px = Math.max(freePx, wishedPx);
    freePx = px + LABEL_HEIGHT;
    return Plot.text([end], {
      ...{ x: "x", y: "micros", text: () => title, fill: colour },
      ...{ textAnchor: "start", dx: 8, dy: px - wishedPx },
    });
  });
}

function drawn(options: Plot.PlotOptions): string {
  const { x, y, marks = [], ...rest } = options;
  const svg = Plot.plot({
    ...rest,
    document: parseHTML("<!doctype html><html><body></body></html>").document,
    style: { background: "none", color: ink.text, fontSize: "11px" },
    ...{ height: HEIGHT, marginTop: TOP, marginBottom: BOTTOM, marginLeft: LEFT },
    x: { line: true, ...x },
    y: { grid: true, ...y },
    marks,
  });
  return svg.outerHTML;
}
