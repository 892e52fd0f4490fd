/**
 * What a picture of a run shows, as data: lanes on one axis of virtual time, and what goes through all of them.
 * `src/edges/report/picture.ts` draws it. Instants are virtual milliseconds since the run began.
 */

/** Blue and vermillion as Okabe and Ito chose them for colour-blind readers; all on white. */
export const ink = {
  text: "#1f2933",
  quiet: "#5a6370",
  line: "#d5d9de",
  axis: "#9aa3ad",
  good: "#0072b2",
  bad: "#d55e00",
  open: "#6b7280",
  band: "#7b5ea7",
  bandText: "#54387f",
  /** The band as it looks on white, for the legend. */
  bandTint: "#d8cfe5",
  green: "#009e73",
  orange: "#e69f00",
  pink: "#cc79a7",
  sky: "#9fd3f2",
  yellow: "#f0e442",
  wine: "#882255",
  grey: "#c9c9c9",
  darkGrey: "#8a8a8a",
  water: "#56b4e9",
} as const;

/**
 * How a stretch is drawn: a `bar`; a `block` above a row's line, a `stroke` below it that ends in a cross, and `open`
 * on the line itself; or a line through the middle, while something is `awaited`.
 */
export type SpanShape = "bar" | "block" | "stroke" | "open" | "awaited";
export type PointShape = "disc" | "ring" | "times" | "square" | "diamond" | "tick";

/** How a phase looks, wherever its name occurs in the picture. */
export interface PhaseLook {
  readonly shape: SpanShape;
  readonly colour: string;
  /** In the legend, in place of its name; null for nothing. */
  readonly says?: string | null;
}

/** How a kind of point looks. */
export interface SignLook {
  readonly shape: PointShape;
  readonly colour: string;
  /** Above or below the bar of its row, or just behind the instant; on the row when absent. */
  readonly at?: "over" | "under" | "behind";
  readonly says?: string | null;
}

export type PhaseLooks = { readonly [phase: string]: PhaseLook };
export type SignLooks = { readonly [kind: string]: SignLook };

/** A moment in words, an upright line in a picture, such as "operator archives the JSON". */
export interface Mark {
  readonly label: string;
  readonly atMs: number;
}

export interface Span {
  readonly phase: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** On hover, before its phase and times. */
  readonly says?: string;
  /** The question of `why` whose first cause is told on hover, such as `goal:cedar/7`. */
  readonly asks?: string;
  /** What it lies within, such as a call that made it, by the name of that one's row. */
  readonly within?: string;
  /** On a row of what it lies within: so many levels below the row's own; `label` names the row that it has itself. */
  readonly under?: { readonly label: string; readonly level: number };
}

export interface Point {
  readonly kind: string;
  readonly atMs: number;
  /** On hover. */
  readonly says?: string;
}

/** The life of one thing: what it was when, and what happened to it. */
export interface Row {
  readonly is: "row";
  readonly label: string;
  /** What came of it; at the right edge. */
  readonly outcome: string;
  readonly isStrong?: true;
  readonly spans: readonly Span[];
  readonly points: readonly Point[];
}

export interface Step {
  readonly atMs: number;
  readonly value: number;
}

interface Line {
  readonly label: string;
  readonly steps: readonly Step[];
  /** Where it ends before the run does. */
  readonly untilMs?: number;
  /** It is drawn thin, and the legend names it. */
  readonly colour?: string;
}

/** Step lines on one scale: a value holds from its instant until the next one. */
export interface Steps {
  readonly is: "steps";
  readonly name: string;
  /** What the lines are, in the order in which they are drawn; the last is the strongest. */
  readonly lines: readonly Line[];
  /** A cap, drawn when the scale reaches it. */
  readonly bound: { readonly label: string; readonly value: number } | null;
  readonly format: (value: number) => string;
  /** The end of the scale; the highest value when absent. */
  readonly most?: number;
  /** Thresholds, drawn across it; the legend names them. */
  readonly levels?: readonly { readonly name: string; readonly value: number }[];
  /** Along its upper edge, such as what a load locks. */
  readonly spans?: readonly Span[];
  /** It belongs to the row above, and has no head of its own. */
  readonly isUnder?: true;
}

export type Lane = Row | Steps;

export interface Picture {
  /** What it shows, for those who do not see it. */
  readonly says: string;
  /** The legend lists those that are shown, in this order. */
  readonly phases?: PhaseLooks;
  readonly signs?: SignLooks;
  readonly lanes: readonly Lane[];
  /** Upright lines with words. */
  readonly marks: readonly Mark[];
  /** Upright lines without words, such as nights. */
  readonly instants?: { readonly says: string; readonly at: readonly number[] };
  /** Tinted across all lanes, such as "ghost safe_file_executor". */
  readonly bands?: readonly {
    readonly label: string;
    readonly fromMs: number;
    readonly toMs: number;
  }[];
  /** By their seqs: deliveries that began and ended a stretch, and the one that began the stretch around it; and whether times alone say that. */
  readonly nested?: readonly (readonly [
    began: number,
    ended: number,
    within: number,
    isInferred: boolean,
  ])[];
  /** What there was no room for, in words. */
  readonly undrawn?: readonly string[];
  /** What is said where there is no lane. */
  readonly none?: string;
}
