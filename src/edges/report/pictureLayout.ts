/**
 * Where the words of a run's picture stand: estimated widths, rows in which labels do not overlap,
 * ticks of virtual time. Plain numbers; `picture.ts` draws.
 */

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Distances between ticks that read well on a clock. */
const tickStepsMs = [
  ...[1, 5, 10, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 7, 14, 30, 90, 365].map((days) => days * dayMs),
];
/** Least distance of two ticks, px. */
const tickGapPx = 64;
/** Air between two labels in a row, px. */
const gapPx = 12;

/** A label to place: the instant or stretch it names, px. */
export interface Label {
  readonly text: string;
  readonly at: number;
}

/** A text with its extent, px, and its row: 0 nearest to what it names, -1 if there was no room. */
export interface Placed extends Label {
  readonly from: number;
  readonly to: number;
  readonly row: number;
}

/** Where labels may stand, px, and how many rows of them. */
export interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly rowsMax: number;
}

/**
 * Labels of upright lines, each in a row where it meets neither a label nor a line. A label starts
 * at its line, or ends there if the right edge or the line of another such label is in its way. A
 * line reaches up to its own row only, so each side is placed from its far end towards the middle.
 */
export function placeLabels(labels: readonly Label[], bounds: Bounds): Placed[] {
  const sized = labels
    .map((label) => ({ ...label, width: textWidth(label.text, 11) + gapPx }))
    .sort((a, b) => b.at - a.at);
  const starting: typeof sized = [];
  const ending: typeof sized = [];
  for (const label of sized) {
    const right = Math.min(bounds.right, ending[0]?.at ?? bounds.right);
    const startsWell = label.at + label.width <= right || label.at - label.width < bounds.left;
    if (startsWell) starting.push(label);
    else ending.unshift(label);
  }

  const placed: Placed[] = [];
  const place = (label: Label, from: number, to: number): void => {
    const row = rowCount(placed.filter((other) => other.from <= to && from <= other.to));
    placed.push({ text: label.text, at: label.at, from, to, row: row < bounds.rowsMax ? row : -1 });
  };
  for (const label of starting) place(label, label.at, label.at + label.width);
  for (const label of ending) place(label, label.at - label.width, label.at);
  return placed;
}

/** Names of stretches (px), each centred in its stretch, or beginning with it if too long; `at` its middle. */
export function placeStretches<T extends Label & { readonly end: number }>(
  stretches: readonly T[],
  bounds: Bounds,
): (T & Placed)[] {
  const placed: (T & Placed)[] = [];
  for (const stretch of stretches) {
    const { at: begin, end } = stretch;
    const width = textWidth(stretch.text, 11);
    const fits = width + gapPx < end - begin;
    const left = fits ? (begin + end - width) / 2 : Math.min(begin + 4, bounds.right - width);
    const from = Math.min(begin, left);
    const to = Math.max(end, left + width) + gapPx;
    const near = placed.filter((other) => other.from < to && from < other.to);
    let row = 0;
    while (near.some((other) => other.row === row)) row += 1;
    placed.push({
      ...stretch,
      at: left + width / 2,
      from,
      to,
      row: row < bounds.rowsMax ? row : -1,
    });
  }
  return placed;
}

/** Texts one after another, each with `indent` px of room before it, in as many rows as needed. */
export function flow<T extends { readonly text: string }>(
  items: readonly T[],
  bounds: Bounds,
  indent: number,
): (T & Placed)[] {
  let from = bounds.left;
  let row = 0;
  return items.map((item) => {
    const width = indent + textWidth(item.text, 11);
    if (from > bounds.left && from + width > bounds.right) {
      from = bounds.left;
      row += 1;
    }
    const placed = { ...item, at: from + indent, from, to: from + width, row };
    from = placed.to + gapPx;
    return placed;
  });
}

export function rowCount(placed: readonly Placed[]): number {
  return placed.reduce((count, { row }) => Math.max(count, row + 1), 0);
}

interface Ticks {
  /** Virtual ms. */
  readonly at: readonly number[];
  readonly unit: string;
  readonly format: (ms: number) => string;
}

/** Instants for the time axis of a run of `endMs`, with `msInPx` virtual ms in a pixel. */
export function timeTicks(endMs: number, msInPx: number): Ticks {
  const stepMs = tickStepsMs.find((step) => step / msInPx >= tickGapPx) ?? endMs / 4;
  const count = Math.floor(endMs / stepMs) + 1;
  const at = Array.from({ length: count }, (_, index) => index * stepMs);
  if (stepMs >= dayMs) return { at, unit: "days", format: (ms) => String(Math.round(ms / dayMs)) };
  if (stepMs >= minuteMs) return { at, unit: "h:mm", format: hourMinute };
  return { at, unit: "h:mm:ss", format: hourMinuteSecond };
}

/** Virtual time as h:mm; the minutes that have passed. */
export function hourMinute(ms: number): string {
  return `${Math.floor(ms / hourMs)}:${twoDigits(Math.floor(ms / minuteMs) % 60)}`;
}

/** Virtual time as h:mm, from a hundred hours on as `4d 4:00`. */
export function dayHourMinute(ms: number): string {
  if (ms < 100 * hourMs) return hourMinute(ms);
  return `${Math.floor(ms / dayMs)}d ${hourMinute(ms % dayMs)}`;
}

function hourMinuteSecond(ms: number): string {
  return `${hourMinute(ms)}:${twoDigits(Math.floor(ms / secondMs) % 60)}`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, "0");
}

/** Sets that no Unicode version changes, so that every Node draws the same. */
const directionOrNoCharacter = /[\p{Bidi_Control}\p{Noncharacter_Code_Point}\uFEFF]/gu;

/** One line of at most `charactersMax` characters, legal in XML and without direction controls. */
export function clean(text: string, charactersMax: number): string {
  // Long texts are cut before they are split; eight units hold any character with its accents.
  const unitsMax = 8 * charactersMax;
  const line = text
    .slice(0, unitsMax)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Z}]+/gu, " ")
    .replace(directionOrNoCharacter, "")
    .trim();
  const characters = [...line];
  if (characters.length <= charactersMax && text.length <= unitsMax) return line;
  return `${characters
    .slice(0, charactersMax - 1)
    .join("")
    .trimEnd()}…`;
}

/** Estimated px in a sans-serif font, on the wide side. */
export function textWidth(text: string, fontPx: number): number {
  let ems = 0;
  for (const character of text) ems += characterEms(character);
  return ems * fontPx;
}

function characterEms(character: string): number {
  if (/[ijlftr.,;:'|!()[\] /]/.test(character)) return 0.38;
  if (/[A-Zmw_%&@]/.test(character)) return 0.75;
  // East Asian scripts and pictographs fill a square.
  return (character.codePointAt(0) ?? 0) < 0x1100 ? 0.58 : 1;
}
