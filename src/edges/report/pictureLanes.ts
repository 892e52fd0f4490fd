/** The lanes of a picture: rows with the lives of things, and panels of step lines. */
import * as Plot from "@observablehq/plot";
import {
  ink,
  type Lane,
  type Picture,
  type Point,
  type PointShape,
  type Row,
  type SignLook,
  type Span,
  type SpanShape,
  type Step,
  type Steps,
} from "../../contract/picture.ts";
import { groupedBy } from "../../machines/grouped.ts";
import { LEVEL, spanText } from "../../viewer/spanText.ts";
import { type Frame, margin, toOuter, within, words } from "./pictureFrame.ts";
import { clean, dayHourMinute, textWidth } from "./pictureLayout.ts";

/** What the lanes of one picture share out among them, so that it stays under 2 MB. */
const most = { spans: 3_000, points: 6_000, steps: 24_000, levels: 8 };
/** Stretches of a run in which goals of a crowded row are counted. */
export const BARS = 160;
/** A cap this many times above all values is told, not drawn. */
const BOUND_FAR = 3;

/** Px below a row's upper edge. */
export const bar = { height: 36, from: 22, to: 30 };
const split = { height: 64, line: 36, offset: 7, ticks: 56 };
/** Px below the upper edge of a panel of step lines. */
const panel = { height: 104, zero: 92, one: 34 };
const panelUnder = { height: 84, zero: 74, one: 16 };

const haloed = { stroke: "white", strokeWidth: 4 } as const;

/** Where a lane stands: px below the upper edge of the lanes. */
export interface Place {
  readonly top: number;
  readonly frame: Frame;
  /** How many lanes share the picture. */
  readonly count: number;
  readonly picture: Picture;
  /** Of a question of `why`. */
  readonly causeOf: CauseOf;
}

/** What is told on hover as the cause; undefined where there is none. */
export type CauseOf = (question: string) => string | undefined;

/** What one lane draws. */
export function laneMarks(lane: Lane, place: Place, isCounted: boolean): Plot.Markish[] {
  return lane.is === "row"
    ? rowMarks(lane, place, isCounted, heightOf(lane, place.picture) === split.height)
    : stepsMarks(lane, place);
}

const isSplit = (shape: SpanShape | undefined): boolean =>
  shape === "block" || shape === "stroke" || shape === "open";

/** A row is split into above and below its line where any of the picture's looks is drawn so. */
export function heightOf(lane: Row | Steps, { phases = {} }: Picture): number {
  if (lane.is === "steps") return lane.isUnder ? panelUnder.height : panel.height;
  const canSplit = Object.values(phases).some(({ shape }) => isSplit(shape));
  return canSplit && !lane.spans.some(({ phase }) => !isSplit(phases[phase]?.shape))
    ? split.height
    : bar.height;
}

/** Whether a row's stretches above and below its line are too many to be drawn one by one. */
export const isCrowded = (lane: Row | Steps, { phases = {} }: Picture, count: number): boolean =>
  lane.is === "row" &&
  lane.spans.length > most.spans / count &&
  lane.spans.some(({ phase }) => isSplit(phases[phase]?.shape));

function rowMarks(row: Row, place: Place, isCounted: boolean, isSplitRow: boolean): Plot.Markish[] {
  const { top, frame } = place;
  const outcome = clean(row.outcome, 100);
  const room = frame.right - frame.left - textWidth(outcome, 11) - 24;
  const strong = row.isStrong ? { fontSize: 14, fontWeight: 600 } : {};
  const quiet = { ...haloed, fill: ink.quiet, textAnchor: "end" } as const;
  return [
    Plot.ruleY([top], { stroke: ink.line, insetLeft: toOuter }),
    words(fitting(row.label, room), { x: margin.outer, y: top + 11 }, { ...haloed, ...strong }),
    words(outcome, { x: frame.right, y: top + 11 }, quiet),
    isSplitRow
      ? [
          Plot.ruleY([top + split.line], { stroke: ink.axis }),
          isCounted ? countedMarks(row.spans, place) : splitMarks(row.spans, place),
        ]
      : barMarks(row.spans, place),
    pointMarks(row.points, place, isSplitRow),
    hitsOf(isCounted ? [] : row.spans, row.points, place, isSplitRow),
  ];
}

function hitsOf(
  spans: readonly Span[],
  points: readonly Point[],
  place: Place,
  isSplitRow = false,
): Plot.Markish {
  const { top, frame, count } = place;
  const [above, below] = isSplitRow
    ? [split.line - 2 * split.offset, split.ticks]
    : [bar.from, bar.to];
  const stretches = spans.slice(0, Math.ceil(most.spans / count)).map((span) => hitOf(span, place));
  const moments = points
    .slice(0, Math.ceil(most.points / count))
    .flatMap(({ says, atMs }) => (says === undefined ? [] : momentHit(atMs, says, frame)));
  return hitMarks([...stretches, ...moments], top + above - 2, top + below + 2, frame);
}

/** Virtual ms, and what a pointer there is told. */
interface Hit {
  readonly from: number;
  readonly to: number;
  readonly says: string;
}

/** Px: the least that a pointer can hit. */
const HIT = 8;
/** Ours: texts of one area. */
const TEXTS_MOST = 6;

/** Areas that nobody sees; what begins within so few px shares one. */
export function hitMarks(hits: readonly Hit[], y1: number, y2: number, frame: Frame): Plot.Markish {
  const least = HIT * frame.msInPx;
  const areas: { from: number; to: number; texts: string[] }[] = [];
  for (const { from, to, says } of hits.toSorted((a, b) => a.from - b.from)) {
    const last = areas.at(-1);
    if (last !== undefined && from < last.from + least) {
      last.to = Math.max(last.to, to);
      last.texts.push(says);
    } else areas.push({ from, to: Math.max(to, from + least), texts: [says] });
  }
  return Plot.rect(areas, {
    x1: ({ from }) => Math.max(0, Math.min(from, frame.endMs - least)),
    x2: ({ to }) => Math.min(to, frame.endMs),
    ...{ y1, y2, fill: "transparent" },
    title: ({ texts }) =>
      [...texts.slice(0, TEXTS_MOST), ...(texts.length > TEXTS_MOST ? ["…"] : [])].join("\n"),
  });
}

/** Of a moment, as wide as can be hit. */
export function momentHit(ms: number, says: string, { endMs, msInPx }: Frame): Hit {
  const at = within(ms, endMs);
  const half = (HIT / 2) * msInPx;
  return { from: at - half, to: at + half, says: `${dayHourMinute(at)} ${clean(says, 160)}` };
}

function hitOf(span: Span, { frame: { endMs }, causeOf }: Place): Hit {
  const [from, to] = [within(span.fromMs, endMs), within(span.toMs, endMs)];
  const cause = span.asks === undefined ? undefined : causeOf(span.asks);
  const because = cause === undefined ? "" : ` — because: ${clean(cause, 160)}`;
  return { from, to: Math.max(from, to), says: `${spanWords(span, from, to)}${because}` };
}

/** As much of a text as fits into `px` pixels. */
function fitting(text: string, px: number): string {
  let charactersMax = 160;
  let cut = clean(text, charactersMax);
  while (charactersMax > 4 && textWidth(cut, 11) > px) {
    charactersMax -= 2;
    cut = clean(text, charactersMax);
  }
  return cut;
}

const spanWords = (span: Span, from: number, to: number): string =>
  `${spanText(span, (text) => clean(text, 120))}, ${dayHourMinute(from)} to ${dayHourMinute(to)}`;

/** Those of one look are drawn together, so that the picture stays small. */
function barMarks(spans: readonly Span[], { top, frame, picture, count }: Place): Plot.Markish[] {
  const { endMs, msInPx } = frame;
  const { phases = {} } = picture;
  // A stretch shorter than three pixels is drawn three wide, and the next one after it.
  const least = 3 * msInPx;
  let drawnTo = 0;
  const drawn = spans.slice(0, Math.ceil(most.spans / count)).map((span) => {
    const [from, to] = [within(span.fromMs, endMs), within(span.toMs, endMs)];
    const isWaiting = phases[span.phase]?.shape === "awaited";
    const begin = isWaiting ? from : Math.min(Math.max(from, drawnTo), endMs - least);
    const end = isWaiting ? Math.max(from, to) : Math.max(to, begin + least);
    if (!isWaiting) drawnTo = end;
    return { phase: span.phase, from: begin, to: end, level: span.under?.level ?? 0 };
  });
  return [...groupedBy(drawn, ({ phase }) => phase)].map(([phase, those]) => {
    const look = phases[phase];
    const sides = { x1: "from", x2: "to" };
    return look?.shape === "awaited"
      ? Plot.ruleY(those, {
          ...sides,
          y: ({ level }) => top + (bar.from + bar.to) / 2 + LEVEL * level,
          stroke: look.colour,
          strokeWidth: 1.4,
        })
      : Plot.rect(those, {
          ...sides,
          y1: top + bar.from,
          y2: top + bar.to,
          fill: look?.colour ?? ink.open,
        });
  });
}

/** A block above the line, or a stroke below it that ends in a cross; what is open on the line. */
function splitMarks(
  spans: readonly Span[],
  { top, frame, picture: { phases = {} } }: Place,
): Plot.Markish[] {
  const { endMs, msInPx } = frame;
  const line = top + split.line;
  const drawn = spans.map((span) => {
    const from = within(span.fromMs, endMs);
    const to = Math.max(from, within(span.toMs, endMs));
    // A pixel of air parts neighbours; what is shorter is drawn one pixel wide.
    const drawnTo = Math.min(endMs, Math.max(from + msInPx, to - msInPx));
    return { phase: span.phase, from, to, drawnTo };
  });
  return [...groupedBy(drawn, ({ phase }) => phase)].map(([phase, those]) => {
    const { shape, colour } = phases[phase] ?? { shape: "open", colour: ink.open };
    const stretch = { x1: "from", x2: "drawnTo" };
    const end = { x: "to", strokeWidth: 1.5, stroke: colour };
    const below = line + split.offset;
    if (shape === "block") {
      return Plot.rect(those, {
        ...stretch,
        y1: line - 2 * split.offset + 2,
        y2: line - 2,
        fill: colour,
      });
    }
    if (shape === "stroke") {
      return [
        Plot.ruleY(those, { ...stretch, y: below, stroke: colour, strokeWidth: 1.5 }),
        Plot.dot(those, { ...end, y: below, symbol: "times", r: 2.6 }),
      ];
    }
    return [
      Plot.ruleY(those, { ...stretch, y: line, stroke: colour, strokeWidth: 3 }),
      Plot.dot(those, { ...end, y: line, r: 3.5, fill: "white" }),
    ];
  });
}

/** Counts by the time that stretches ended: blocks upwards, strokes downwards, on one scale. */
function countedMarks(
  spans: readonly Span[],
  { top, frame: { endMs }, picture: { phases = {} } }: Place,
): Plot.Markish[] {
  const sides = { block: new Map<number, number>(), stroke: new Map<number, number>() };
  const colours = { block: ink.good as string, stroke: ink.bad as string };
  for (const { phase, toMs } of spans) {
    const look = phases[phase];
    if (look?.shape !== "block" && look?.shape !== "stroke") continue;
    const nth = Math.min(BARS - 1, Math.floor((within(toMs, endMs) / endMs) * BARS));
    sides[look.shape].set(nth, (sides[look.shape].get(nth) ?? 0) + 1);
    colours[look.shape] = look.colour;
  }
  const highest = Math.max(1, ...sides.block.values(), ...sides.stroke.values());
  const line = top + split.line;
  return (["block", "stroke"] as const).map((shape) => {
    const side = shape === "block" ? -1 : 1;
    return Plot.rect([...sides[shape]], {
      x1: ([nth]) => (nth * endMs) / BARS,
      x2: ([nth]) => ((nth + 0.85) * endMs) / BARS,
      y1: line + side,
      y2: ([, count]) => line + side * (2 + (13 * count) / highest),
      fill: colours[shape],
    });
  });
}

const dots: {
  readonly [shape in Exclude<PointShape, "tick">]: (colour: string) => Plot.DotOptions;
} = {
  disc: (colour) => ({ r: 2.6, fill: colour, stroke: colour }),
  ring: (colour) => ({ r: 3.5, fill: "white", stroke: colour, strokeWidth: 1.6 }),
  times: (colour) => ({ r: 3.5, symbol: "times", stroke: colour, strokeWidth: 1.8 }),
  square: (colour) => ({ r: 2.6, symbol: "square", stroke: colour, fill: "white" }),
  diamond: (colour) => ({
    r: 3,
    symbol: "diamond",
    stroke: colour,
    fill: "white",
    strokeWidth: 1.2,
  }),
};

const UNKNOWN: SignLook = { shape: "disc", colour: ink.text };

/** Those of one kind in one pixel share a sign. */
function pointMarks(
  points: readonly Point[],
  { top, frame, picture: { signs: looks = {} }, count }: Place,
  isSplitRow: boolean,
): Plot.Markish[] {
  const { endMs, msInPx } = frame;
  const stepMs = Math.max(msInPx, (endMs * count) / most.points);
  return [...groupedBy(points, ({ kind }) => kind)].map(([kind, those]) => {
    const { shape, colour, at } = looks[kind] ?? UNKNOWN;
    const steps = new Map(those.map((one) => [Math.floor(within(one.atMs, endMs) / stepMs), one]));
    const drawn = [...steps].map(([step, { atMs }]) => ({
      x: Math.min(endMs, stepMs > msInPx ? step * stepMs : within(atMs, endMs)),
    }));
    const middle = isSplitRow ? split.line : (bar.from + bar.to) / 2;
    const y = top + (at === "over" ? bar.from - 2 : at === "under" ? bar.to + 2.5 : middle);
    if (shape === "tick") {
      const from = top + (isSplitRow ? split.ticks : middle);
      return Plot.ruleX(drawn, { x: "x", y1: from - 4, y2: from + 4, stroke: colour });
    }
    return Plot.dot(drawn, {
      x: "x",
      y,
      dx: at === "behind" ? 8 : 0,
      ...dots[shape](colour),
      // Beside a bar there is little room.
      ...(at === "over" || at === "under" ? { r: 1.8 } : {}),
    });
  });
}

// Step lines.

function stepsMarks(steps: Steps, place: Place): Plot.Markish[] {
  const { top, frame, count } = place;
  const { name, lines, bound, format, levels = [], spans = [], isUnder } = steps;
  const { zero, one } = isUnder ? panelUnder : panel;
  const values = lines.flatMap((line) => line.steps.map(({ value }) => value));
  const peak = values.reduce((high, value) => Math.max(high, within(value, Number.MAX_VALUE)), 0);
  const isNear = bound !== null && bound.value <= BOUND_FAR * peak;
  const highest = steps.most ?? (Math.max(peak, isNear ? bound.value : 0) || 1);
  const y = (value: number) => top + zero - ((zero - one) * within(value, highest)) / highest;
  const left = { ...haloed, textAnchor: "end", fill: ink.quiet } as const;
  const told = bound === null ? [] : [isNear ? bound.label : `${bound.label}, far above`];
  const over = { ...place, top: top + one - bar.to - 2 };
  const plain = lines.filter(({ colour }) => colour === undefined);
  const notes = [...plain.map(({ label }) => label), ...told].filter((note) => note !== "");
  const at = { x: margin.left - 8, y: top + (isUnder ? (zero + one) / 2 : 14) };
  return [
    isUnder
      ? words(name, at, left)
      : [
          Plot.ruleY([top], { stroke: ink.line, insetLeft: toOuter }),
          words(name, { ...at, x: margin.outer }, { ...haloed, fontWeight: 600 }),
          words(notes.join("  ·  "), { x: frame.right, y: top + 14 }, left),
        ],
    Plot.ruleY([top + zero], { stroke: ink.axis }),
    Plot.ruleY([top + one], { stroke: ink.line }),
    words("0", { x: margin.left - 8, y: top + zero }, left),
    words(format(highest), { x: margin.left - 8, y: top + one }, left),
    levels
      .slice(0, most.levels)
      .map((level) => [
        Plot.ruleY([y(level.value)], { stroke: ink.axis, strokeDasharray: "1,4" }),
        words(
          format(level.value),
          { x: frame.width - margin.right + 6, y: y(level.value) },
          { fontSize: 10, fill: ink.quiet },
        ),
      ]),
    isNear ? Plot.ruleY([y(bound.value)], { stroke: ink.bad, strokeDasharray: "5,3" }) : null,
    spans.length === 0 ? null : [barMarks(spans, over), hitsOf(spans, [], over)],
    lines.map(({ steps: all, untilMs, colour }, index) => {
      const known = all.filter(
        ({ atMs, value }) => atMs >= 0 && atMs <= frame.endMs && Number.isFinite(value),
      );
      const drawn = thinned(known, Math.floor(most.steps / count), frame.endMs);
      const last = drawn.at(-1);
      if (last === undefined) return null;
      const isLast = index === lines.length - 1;
      return Plot.lineY([...drawn, { ...last, atMs: untilMs ?? frame.endMs }], {
        x: "atMs",
        y: ({ value }: Step) => y(value),
        curve: "step-after",
        stroke: colour ?? (isLast ? ink.text : ink.axis),
        strokeWidth: colour !== undefined ? 1 : isLast ? 1.6 : 2.4,
      });
    }),
  ];
}

/** At most `stepsMax` steps: of too many, the peak and the last in each stretch of time. */
function thinned(steps: readonly Step[], stepsMax: number, endMs: number): readonly Step[] {
  if (steps.length <= Math.min(stepsMax, 4_000)) return steps;
  const stretches = Math.max(1, Math.floor(Math.min(stepsMax, 4_000) / 2) - 1);
  const kept = new Map<number, readonly Step[]>();
  for (const step of steps) {
    const stretch = Math.floor((step.atMs / endMs) * stretches);
    const peak = kept.get(stretch)?.[0];
    kept.set(stretch, peak !== undefined && peak.value > step.value ? [peak, step] : [step]);
  }
  return [...kept.values()].flat();
}
