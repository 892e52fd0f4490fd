/** Draws the time line: lanes on one axis, what goes through all of them, and apart from these the steps of the chosen chain. */
import type { PointShape, SpanShape } from "../contract/picture.ts";
import type { Axis, View } from "./axis.ts";
import { clockText, ticks } from "./clockText.ts";
import { type Lanes, type PlacedLane, size } from "./laneLayout.ts";
import { LEVEL } from "./spanText.ts";
import type { ViewPicture } from "./viewData.ts";

/** One step of the chosen chain: its number from where it began, when, and on whose row. */
export interface DrawnStep {
  readonly number: number;
  readonly atMs: number;
  readonly y: number;
  /** That it goes back to the next one was inferred. */
  readonly isInferred: boolean;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Px by which the lanes are scrolled. */
  readonly scrolled: number;
  readonly axis: Axis;
  readonly view: View;
  /** Where two runs part; null of one run, and of two that do not. */
  readonly partedMs: number | null;
  /** By lane, when something happened that the other run does not have. */
  readonly differs: ReadonlyMap<PlacedLane, readonly number[]>;
  readonly lanes: Lanes;
  readonly pictures: readonly ViewPicture[];
  readonly colours: Colours;
}

/** The colours of the page, as its theme has them. */
export interface Colours {
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly page: string;
  readonly chosen: string;
}

type Pen = CanvasRenderingContext2D;

const FONT = "12px system-ui, -apple-system, 'Segoe UI', Arial, sans-serif";
const SMALL = "11px system-ui, -apple-system, 'Segoe UI', Arial, sans-serif";

/** Px on either side of the axis, so that what is first and last is seen whole. */
const ROOM = 10;

/** Px from the left edge to where the axis begins. */
export const axisLeft = size.left + ROOM;
export const axisWidth = (width: number): number =>
  Math.max(1, width - axisLeft - size.right - ROOM);

export function scaleOf({ fromMs, toMs }: View, { to }: Axis, width: number) {
  const from = to(fromMs);
  const perUnit = axisWidth(width) / Math.max(1, to(toMs) - from);
  return (ms: number): number => axisLeft + (to(ms) - from) * perUnit;
}

/** The other way round. */
export function msAt({ fromMs, toMs }: View, { to, back }: Axis, width: number, x: number): number {
  const from = to(fromMs);
  return back(from + ((x - axisLeft) / axisWidth(width)) * (to(toMs) - from));
}

export function drawTimeline(pen: Pen, drawing: Drawing): void {
  const { width, height, view, axis, lanes, pictures, colours, scrolled } = drawing;
  const x = scaleOf(view, axis, width);
  pen.clearRect(0, 0, width, height);
  pen.save();
  clipTo(pen, size.left, 0, width - size.left - size.right, height);
  for (const { bands } of pictures) {
    for (const band of bands) drawBand(pen, x(band.fromMs), x(band.toMs), drawing);
  }
  drawAxis(pen, drawing, x);
  for (const gap of axis.gaps) drawGap(pen, x(gap.fromMs), x(gap.toMs), drawing);
  pen.restore();

  pen.save();
  clipTo(pen, 0, bodyTop, width, height - bodyTop);
  pen.translate(0, bodyTop - scrolled);
  for (const one of lanes.all) {
    if (one.top + one.height < scrolled || one.top > scrolled + height) continue;
    drawLane(pen, one, drawing, x);
  }
  pen.font = SMALL;
  pen.fillStyle = colours.quiet;
  pen.fillText(lanes.all.length === 0 ? "no lanes" : "others", 12, lanes.others + 4);
  pen.restore();

  pen.save();
  clipTo(pen, size.left, 0, width - size.left - size.right, height);
  drawMarks(pen, drawing, x);
  pen.restore();
  if (drawing.partedMs !== null) drawParting(pen, x(drawing.partedMs), drawing);
}

/** Px above the first lane. */
const bodyTop = size.axis + size.head;

type DrawingOfChain = Omit<Drawing, "partedMs" | "differs" | "lanes" | "pictures">;

/** Numbered as the list beside it; arrows lead from cause to effect. */
export function drawChain(pen: Pen, steps: readonly DrawnStep[], drawing: DrawingOfChain): void {
  const { width, height, view, axis, scrolled, colours } = drawing;
  const x = scaleOf(view, axis, width);
  pen.clearRect(0, 0, width, height);
  pen.save();
  clipTo(pen, size.left, 0, width - size.left - size.right, height);
  pen.translate(0, bodyTop - scrolled);
  pen.strokeStyle = colours.chosen;
  pen.lineWidth = 1.5;
  steps.forEach((one, at) => {
    const cause = steps[at + 1];
    if (cause === undefined) return;
    pen.setLineDash(one.isInferred ? [4, 3] : []);
    pen.beginPath();
    pen.moveTo(x(cause.atMs), cause.y);
    const middle = (x(cause.atMs) + x(one.atMs)) / 2;
    pen.bezierCurveTo(middle, cause.y - 14, middle, one.y - 14, x(one.atMs), one.y);
    pen.stroke();
  });
  pen.font = "600 10px system-ui, Arial, sans-serif";
  pen.textAlign = "center";
  for (const { label, at, y, half } of badgesOf(pen, steps, x, width - size.right)) {
    pen.beginPath();
    pen.roundRect(at - half, y - 8, 2 * half, 16, 8);
    pen.fillStyle = colours.chosen;
    pen.fill();
    pen.fillStyle = colours.page;
    pen.fillText(label, at, y + 3.5);
  }
  pen.textAlign = "start";
  pen.restore();
}

/** Where two runs part: a line through all lanes, with a flag. */
function drawParting(pen: Pen, at: number, { width, height, colours }: Drawing): void {
  if (at < size.left || at > width - size.right) return;
  pen.strokeStyle = differing;
  pen.lineWidth = 3;
  line(pen, at, size.axis, at, height);
  pen.font = SMALL;
  const length = pen.measureText(PARTED).width + 10;
  const left = at + length > width - size.right ? at - length : at;
  pen.fillStyle = differing;
  pen.fillRect(left, size.axis, length, 16);
  pen.fillStyle = "#000";
  pen.fillText(PARTED, left + 5, size.axis + 12);
  pen.strokeStyle = colours.text;
}

const PARTED = "first difference";

function clipTo(pen: Pen, left: number, top: number, width: number, height: number): void {
  pen.beginPath();
  pen.rect(left, top, width, height);
  pen.clip();
}

function line(pen: Pen, x1: number, y1: number, x2: number, y2: number): void {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

function drawAxis(pen: Pen, { width, height, view, colours }: Drawing, x: (ms: number) => number) {
  pen.font = SMALL;
  pen.lineWidth = 1;
  let last = Number.NEGATIVE_INFINITY;
  for (const ms of ticks(view.fromMs, view.toMs, (width - size.left) / 90)) {
    const at = Math.round(x(ms)) + 0.5;
    // Where idle time is squeezed, they would cover one another.
    if (at - last < 60) continue;
    last = at;
    pen.strokeStyle = colours.line;
    line(pen, at, size.axis - 6, at, height);
    pen.fillStyle = colours.quiet;
    // What stands at the edge is read whole, too.
    pen.textAlign = at < size.left + 30 ? "start" : at > width - 45 ? "end" : "center";
    pen.fillText(clockText(ms, view.toMs - view.fromMs < 20_000), at, 12);
  }
  pen.textAlign = "start";
}

/** Idle time that is squeezed, hatched. */
function drawGap(pen: Pen, from: number, to: number, { height, width, colours }: Drawing): void {
  if (to < size.left || from > width) return;
  pen.save();
  clipTo(pen, from, size.axis, to - from, height);
  pen.strokeStyle = colours.line;
  pen.lineWidth = 1;
  for (let at = from - height; at < to; at += 7) line(pen, at, height, at + height, 0);
  pen.restore();
}

/** What the other run does not have, as stretches behind a lane. */
const differing = "#e6a700";

function drawDiffering(
  pen: Pen,
  times: readonly number[],
  { top, height }: PlacedLane,
  { width }: Drawing,
  x: (ms: number) => number,
): void {
  pen.fillStyle = differing;
  pen.globalAlpha = 0.22;
  let [from, to] = [Number.NaN, Number.NaN];
  const fill = (): void => {
    if (to > size.left && from < width) pen.fillRect(from - 2, top + 1, to - from + 4, height - 1);
  };
  for (const ms of times) {
    const at = x(ms);
    if (at - to < 7) to = at;
    else {
      fill();
      [from, to] = [at, at];
    }
  }
  fill();
  pen.globalAlpha = 1;
}

function drawBand(pen: Pen, from: number, to: number, { height, colours }: Drawing): void {
  pen.fillStyle = "#7b5ea7";
  pen.globalAlpha = 0.16;
  pen.fillRect(from, size.axis, Math.max(2, to - from), height);
  pen.globalAlpha = 1;
  pen.strokeStyle = colours.quiet;
  pen.lineWidth = 1;
}

/** Names of bands and marks in the head, as far as they have room; the upright lines through all lanes. */
function drawMarks(
  pen: Pen,
  { pictures, height, colours, width, partedMs }: Drawing,
  x: (ms: number) => number,
) {
  pen.font = SMALL;
  const y = size.axis + 13;
  const flag = partedMs === null ? Number.NaN : x(partedMs);
  const taken: [number, number][] = [[flag, flag + pen.measureText(PARTED).width + 10]];
  const write = (text: string, at: number, colour: string): void => {
    const length = pen.measureText(text).width;
    const start = Math.max(at + 4, size.left + 4);
    if (start + length > width - size.right) return;
    if (taken.some(([from, to]) => start < to + 8 && start + length > from - 8)) return;
    taken.push([start, start + length]);
    pen.fillStyle = colours.page;
    pen.globalAlpha = 0.8;
    pen.fillRect(start - 2, y - 11, length + 4, 15);
    pen.globalAlpha = 1;
    pen.fillStyle = colour;
    pen.fillText(text, start, y);
  };
  for (const { bands, marks, instants } of pictures) {
    for (const { label, fromMs, toMs } of bands) {
      if (x(toMs) > size.left) write(label, x(fromMs), colours.text);
    }
    pen.strokeStyle = colours.text;
    pen.lineWidth = 1;
    pen.globalAlpha = 0.55;
    pen.setLineDash([4, 3]);
    for (const { atMs } of marks) line(pen, x(atMs), size.axis, x(atMs), height);
    pen.setLineDash([]);
    pen.globalAlpha = 0.2;
    for (const ms of instants?.at ?? []) line(pen, x(ms), size.axis, x(ms), height);
    pen.globalAlpha = 1;
    for (const { label, atMs } of marks) {
      const at = x(atMs);
      if (at >= size.left) write(label, at, colours.text);
    }
  }
}

function drawLane(pen: Pen, one: PlacedLane, drawing: Drawing, x: (ms: number) => number): void {
  const { lane, top, height } = one;
  const { width, colours } = drawing;
  pen.strokeStyle = colours.line;
  pen.lineWidth = 1;
  if (lane.is === "row")
    line(pen, 8, Math.round(top) + 0.5, width - size.right, Math.round(top) + 0.5);
  pen.save();
  clipTo(pen, 0, top, size.left - 8, height);
  const label = lane.is === "row" ? lane.label : lane.name;
  pen.font = lane.is === "row" && lane.isStrong ? `600 ${FONT}` : SMALL;
  pen.fillStyle = lane.is === "row" ? colours.text : colours.quiet;
  pen.fillText(label, lane.is === "row" ? 12 : 24, top + 15);
  if (lane.is === "row" && lane.outcome !== "" && height > 30) {
    pen.font = "10px system-ui, Arial, sans-serif";
    pen.fillStyle = colours.quiet;
    const parts = lane.outcome.split(/ {2}· {2}/);
    const most = size.left - 22;
    const fits = (count: number) =>
      pen.measureText(parts.slice(0, count).join(" · ")).width <= most;
    const first = parts.findLastIndex((_, at) => at === 0 || fits(at + 1)) + 1;
    pen.fillText(parts.slice(0, first).join(" · "), 12, top + 27, most);
    pen.fillText(parts.slice(first).join(" · "), 12, top + 38, most);
  }
  pen.restore();
  pen.save();
  clipTo(pen, size.left, top, width - size.left - size.right, height);
  const differs = drawing.differs.get(one);
  if (differs !== undefined) drawDiffering(pen, differs, one, drawing, x);
  if (lane.is === "row") drawRow(pen, one, drawing, x);
  else drawStepLines(pen, one, drawing, x);
  pen.restore();
}

function drawRow(pen: Pen, one: PlacedLane, drawing: Drawing, x: (ms: number) => number): void {
  const { lane, picture, top, height, isSplit } = one;
  if (lane.is !== "row") return;
  const { width, colours } = drawing;
  const middle = top + height / 2;
  pen.strokeStyle = colours.line;
  line(pen, size.left, middle, width - size.right, middle);
  for (const { phase, fromMs, toMs, under } of lane.spans) {
    const [from, to] = [x(fromMs), x(toMs)];
    if (to < size.left - 8 || from > width) continue;
    const look = picture.phases[phase];
    drawSpan(pen, look?.shape ?? "bar", look?.colour ?? colours.quiet, {
      ...{ from, to, isSplit },
      middle: middle + LEVEL * (under?.level ?? 0),
    });
  }
  for (const { kind, atMs } of lane.points) {
    const at = x(atMs);
    if (at < size.left - 8 || at > width) continue;
    const look = picture.signs[kind];
    const y = isSplit
      ? top + height - 5
      : look?.at === "over"
        ? top + 7
        : look?.at === "under"
          ? top + height - 6
          : middle;
    drawPoint(pen, look?.shape ?? "disc", look?.colour ?? colours.quiet, at, y);
  }
}

interface SpanPlace {
  readonly from: number;
  readonly to: number;
  readonly middle: number;
  readonly isSplit: boolean;
}

function drawSpan(
  pen: Pen,
  shape: SpanShape,
  colour: string,
  { from, to, middle }: SpanPlace,
): void {
  const wide = Math.max(2, to - from - 1);
  pen.fillStyle = colour;
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  if (shape === "bar") pen.fillRect(from, middle - 6, wide, 12);
  else if (shape === "block") pen.fillRect(from, middle - 13, wide, 10);
  else if (shape === "awaited" || shape === "open") line(pen, from, middle, to, middle);
  else {
    line(pen, from, middle + 6, to - 2, middle + 6);
    drawPoint(pen, "times", colour, to, middle + 6);
  }
}

function drawPoint(pen: Pen, shape: PointShape, colour: string, at: number, y: number): void {
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = 2;
  if (shape === "times") {
    line(pen, at - 4, y - 4, at + 4, y + 4);
    line(pen, at - 4, y + 4, at + 4, y - 4);
  } else if (shape === "tick") {
    pen.lineWidth = 1;
    line(pen, at, y - 4, at, y + 4);
  } else if (shape === "square") pen.fillRect(at - 3, y - 3, 6, 6);
  else {
    pen.beginPath();
    if (shape === "diamond") {
      pen.moveTo(at, y - 5);
      pen.lineTo(at + 5, y);
      pen.lineTo(at, y + 5);
      pen.lineTo(at - 5, y);
      pen.closePath();
    } else pen.arc(at, y, 3, 0, 2 * Math.PI);
    if (shape === "ring") pen.stroke();
    else pen.fill();
  }
}

function drawStepLines(
  pen: Pen,
  one: PlacedLane,
  drawing: Drawing,
  x: (ms: number) => number,
): void {
  const { lane, top, height } = one;
  if (lane.is !== "steps") return;
  const { width, colours, view } = drawing;
  const values = lane.lines.flatMap(({ steps }) => steps.map(([, value]) => value));
  const most = Math.max(lane.most ?? 0, lane.most === undefined ? Math.max(0, ...values) : 0) || 1;
  const y = (value: number): number =>
    top + height - 4 - (Math.min(value, most) / most) * (height - 8);
  pen.lineWidth = 1;
  pen.setLineDash([2, 3]);
  pen.strokeStyle = colours.line;
  for (const level of lane.levels ?? [])
    line(pen, size.left, y(level.value), width, y(level.value));
  pen.setLineDash([]);
  for (const { phase, fromMs, toMs } of lane.spans ?? []) {
    pen.fillStyle = one.picture.phases[phase]?.colour ?? colours.quiet;
    pen.fillRect(x(fromMs), top, Math.max(1, x(toMs) - x(fromMs)), 3);
  }
  for (const { steps, untilMs } of lane.lines) {
    pen.beginPath();
    pen.strokeStyle = colours.text;
    let last = y(0);
    pen.moveTo(size.left, last);
    for (const [ms, value] of steps) {
      pen.lineTo(x(ms), last);
      last = y(value);
      pen.lineTo(x(ms), last);
    }
    pen.lineTo(x(untilMs ?? Math.max(view.toMs, steps.at(-1)?.[0] ?? 0)), last);
    pen.stroke();
  }
}

interface Badge {
  readonly y: number;
  readonly at: number;
  readonly numbers: readonly number[];
  readonly label: string;
  /** Px on either side of its middle. */
  readonly half: number;
}

/** Those of one row that would cover one another are one, with all their numbers. */
function badgesOf(
  pen: Pen,
  steps: readonly DrawnStep[],
  x: (ms: number) => number,
  right: number,
): readonly Badge[] {
  const badgeOf = (y: number, middle: number, numbers: readonly number[]): Badge => {
    const label = numbersText(numbers);
    const half = Math.max(8, pen.measureText(label).width / 2 + 5);
    // At an edge it stays whole; out of sight it stays there.
    const isSeen = middle >= size.left && middle <= right;
    const at = isSeen ? Math.max(size.left + half, Math.min(middle, right - half)) : middle;
    return { y, at, numbers, label, half };
  };
  return [...new Set(steps.map((one) => one.y))].flatMap((y) => {
    const badges: Badge[] = [];
    const row = steps.filter((one) => one.y === y);
    // From where it began on, so that only the last one can be covered.
    for (const { number, atMs } of row.toReversed()) {
      let next = badgeOf(y, x(atMs), [number]);
      for (let last = badges.at(-1); last !== undefined; last = badges.at(-1)) {
        if (next.at - next.half > last.at + last.half) break;
        badges.pop();
        next = badgeOf(y, last.at, [...last.numbers, ...next.numbers]);
      }
      badges.push(next);
    }
    return badges;
  });
}

/** Stretches of growing numbers at most this many; of more, the first and the last number. */
const STRETCHES_MOST = 4;

/** `1, 5–8`: in growing order. */
function numbersText(numbers: readonly number[]): string {
  const stretches: [number, number][] = [];
  for (const one of numbers) {
    const last = stretches.at(-1);
    if (last !== undefined && one === last[1] + 1) last[1] = one;
    else stretches.push([one, one]);
  }
  if (stretches.length > STRETCHES_MOST) return `${numbers[0]} … ${numbers.at(-1)}`;
  return stretches.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(", ");
}
