/**
 * What the page of a run is given, as data: one head that says what it is of, columns of numbers over all deliveries, and the
 * rows of deliveries in pieces, each read on its first look. Strict JSON but for the columns; times are virtual milliseconds.
 */
import type { Mark, PhaseLooks, Picture, Row, SignLooks, Steps } from "../contract/picture.ts";
import type { Json } from "../machines/letter.ts";

/** A line of steps with each value in words: what formats them is no data. */
export interface ViewSteps extends Omit<Steps, "format" | "lines" | "bound"> {
  readonly bound: { readonly label: string; readonly value: number } | null;
  readonly lines: readonly {
    readonly label: string;
    readonly untilMs?: number;
    readonly steps: readonly (readonly [atMs: number, value: number, text: string])[];
  }[];
}

export type ViewLane = Row | ViewSteps;

/** The picture of one part. */
export interface ViewPicture {
  readonly part: string;
  readonly says: string;
  readonly phases: PhaseLooks;
  readonly signs: SignLooks;
  readonly lanes: readonly ViewLane[];
  readonly marks: readonly Mark[];
  readonly instants: NonNullable<Picture["instants"]> | null;
  readonly bands: NonNullable<Picture["bands"]>;
  readonly nested: NonNullable<Picture["nested"]>;
  readonly undrawn: readonly string[];
}

/** One step of a chain of causes, and where its delivery stands in the log, from 0. */
export interface ViewLink {
  readonly place: number;
  readonly says: string;
}

/** Links of a long chain that are told from where it began. */
export const ORIGIN_LINKS = 3;

/** A chain of causes as `why` tells it. */
export interface ViewChain {
  readonly question: string;
  readonly title: string;
  /** From effect to cause; of a long one those nearest to the effect, and the last few. */
  readonly links: readonly ViewLink[];
  readonly length: number;
  /** What of it went wrong first, and what was chosen before that; null where nobody looked, or the chain here does not hold it. */
  readonly first: ViewLink | null;
  readonly chosen: ViewLink | null;
  /** How many failures go back to the same, in words; empty where that is not known. */
  readonly failures: string;
}

/** The scenario beside its variants: a row each, the run as it was first. */
export interface ViewVariants {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly {
    readonly cells: readonly string[];
    /** The share of what was wanted that went wrong there; null where no part says it. */
    readonly wrong: number | null;
  }[];
}

/** What decided, as `blame` found it, in words; the largest effect first. */
export interface ViewBlame {
  readonly outcome: string;
  readonly head: string;
  readonly ranking: readonly ViewBlamed[];
  /** Causes that only work together, what is left without all of them, and shares, in Markdown. */
  readonly notes: readonly string[];
  /** How often it came about, gone on with from each moment; none where that was not asked. */
  readonly curve: readonly { readonly atMs: number; readonly hits: number; readonly n: number }[];
  readonly closing: string;
}

export interface ViewBlamed {
  readonly says: string;
  readonly first: string;
  readonly atMs: number;
  /** The delivery by which it came first; null of what is no delivery of this run. */
  readonly place: number | null;
  /** In how much of the outcome it has a part; empty of a value of the policy. */
  readonly behind: string;
  readonly still: string;
  readonly effect: string;
  /** The effect and its interval; null where none can be claimed. */
  readonly bar: readonly [effect: number, low: number, high: number] | null;
  /** Whether it is beyond chance. */
  readonly decides: boolean;
}

/** A state of a statechart, where it is drawn; its id is the way to it from the root, as in `acting.calling`. */
export interface ViewChartState {
  readonly id: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isEnd?: true;
}

/** A transition: out of which state, on what, under which guard, and whereto; null where it stays. */
export interface ViewWay {
  readonly from: string;
  readonly on: string;
  readonly guard: string | null;
  readonly to: string | null;
}

/** A statechart, laid out. Lines stand between states that are side by side, for all ways between them and what is in them. */
export interface ViewChart {
  readonly width: number;
  readonly height: number;
  readonly states: readonly ViewChartState[];
  readonly lines: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly (readonly [x: number, y: number])[];
  }[];
  readonly ways: readonly ViewWay[];
}

/** By the machines of the run; `missing` says why there are none. */
export interface ViewCharts {
  readonly missing: string;
  readonly charts: { readonly [machine: string]: ViewChart };
  /** What guards said in turn, by the place of the delivery; null where it cannot be had. None at all of a very long log. */
  readonly guards: { readonly [place: string]: readonly ViewGuard[] | null } | null;
}

/** What a guard said. */
export type ViewGuard = readonly [guard: string, held: boolean];

/** Two runs side by side, in words; this run is `a`. Each row says what it is of, and its value on either side. */
export interface ViewBeside {
  /** What tells the two apart. */
  readonly names: readonly [a: string, b: string];
  readonly settings: readonly BesideRow[];
  readonly figures: readonly BesideRow[];
  /** Null where both went the same way. */
  readonly first: {
    readonly atMs: number;
    /** Null on the side that had ended. */
    readonly sides: readonly [a: ViewLink | null, b: ViewLink | null];
    readonly origins: readonly string[];
  } | null;
}

/** Of a figure also what it is, in a sentence. */
export type BesideRow = readonly [name: string, a: string, b: string, says?: string];

/** What counts, by its name and in words, such as agents and what became of their goals. */
export interface ViewHead {
  readonly format: 1;
  readonly product: string;
  readonly title: string;
  /** Where the bundle lies, as commands name it. */
  readonly bundle: string;
  /** ISO instant of virtual time 0; null where the log has no times. */
  readonly startsAt: string | null;
  readonly endMs: number;
  readonly outcome: string;
  readonly isImported: boolean;
  /** What a reader should know before all else. */
  readonly notes: readonly string[];
  /** What happened, a sentence each or more. */
  readonly summary: readonly string[];
  readonly facts: string;
  /** What became of the expectations of its scenario; empty without any. */
  readonly checked: string;
  readonly chains: readonly ViewChain[];
  readonly variants: ViewVariants | null;
  readonly blame: ViewBlame | null;
  /** The command that asks what decided, and keeps it for this page; null where it cannot be asked. */
  readonly asksBlame: string | null;
  /** Of a log that was imported: where to look first, the likeliest before the others, and what was found in it. */
  readonly suspects: readonly ViewPlace[];
  readonly found: readonly ViewPlace[];
  /** What people said was the mistake. */
  readonly marked: readonly ViewPlace[];
  readonly pictures: readonly ViewPicture[];
  /** By their numbers in the columns. */
  readonly addresses: readonly string[];
  readonly types: readonly string[];
  /** Who was started where: the number of its address, the place, and its machine. */
  readonly starts: readonly (readonly [address: number, place: number, machine: string])[];
  /** Deliveries, and how many of them a piece holds. */
  readonly count: number;
  readonly pieceSize: number;
  /** Entries of `because` in the columns. */
  readonly becauseCount: number;
  /** Whether `next` of the columns is known: the chains of all deliveries. */
  readonly hasChains: boolean;
  /** What this page leaves out, a sentence each. */
  readonly missing: readonly string[];
  /** The run still goes, or may: the page asks for what is new. */
  readonly isFollowed?: true;
}

/** A delivery at which a reader may look, and why. */
export interface ViewPlace {
  readonly place: number;
  readonly says: string;
}

/** A variant of the scenario of a run, by the name that a table of variants gives it. */
export interface ViewVariant {
  readonly name: string;
  /** What it sets out to show. */
  readonly why: string;
  /** What it changes, in words; empty of the scenario as it was. */
  readonly change: string;
  /** Whether one could do the same to a real system: nothing that happened, or was chosen, is left out of the world. */
  readonly isSetting: boolean;
  /** It was played, or this page holds it: it opens at once. */
  readonly isThere: boolean;
  /** Both runs side by side, where this page holds it. */
  readonly beside: ViewBeside | null;
}

/** The variants of a run: what of them a click opens beside it. */
export interface ViewPlays {
  readonly title: string;
  readonly all: readonly ViewVariant[];
  /** Why the others cannot be played from here; empty where they can. */
  readonly refusal: string;
}

/** What a page is of: one run, or two beside one another. Variants that it holds are its further runs, in turn. */
export interface ViewPage {
  readonly runs: readonly ViewHead[];
  readonly beside: ViewBeside | null;
  readonly plays: ViewPlays | null;
  /** Where a click asks what decided; null on a page that is not served, and where it cannot be asked. */
  readonly asks: ViewAsks | null;
  /** Of a run beside its variant, on a page that is served: the page of the run by itself. */
  readonly alone: string | null;
}

export interface ViewAsks {
  /** Whether the bundle can be written. */
  readonly canKeep: boolean;
}

/** What the server says while it plays, a line each; the last one has a page, or a fault. */
export interface ViewPlaying {
  readonly virtualMs?: number;
  readonly says?: string;
  readonly page?: string;
  readonly fault?: string;
}

/** What is known of each delivery at once. `place` is its number from 0 in the order of the log. */
export interface Columns {
  readonly atMs: Float64Array;
  readonly seq: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly type: Int32Array;
  /** The place of the delivery that caused it; -1 of none. */
  readonly cause: Int32Array;
  /** The place that its chain of causes goes on to; -1 at its end. */
  readonly next: Int32Array;
  /** Where its stored facts begin in `because`; one more entry than there are deliveries. */
  readonly becauseStart: Int32Array;
  readonly because: Int32Array;
  readonly flags: Uint8Array;
}

/** Bits of `flags`. */
export const FLAG = {
  /** It can be told in words. */
  told: 1,
  /** It went wrong in itself. */
  wrong: 2,
  /** What was wanted did not come about. */
  failure: 4,
  /** A question to a model. */
  asked: 8,
  /** It reached nobody, or nobody cared. */
  unheard: 16,
  /** Of two runs side by side: the other one has no such delivery at this time. */
  differs: 32,
  /** What its chain goes on to was inferred, and is stated nowhere. */
  inferred: 64,
} as const;

const WORDS = ["seq", "from", "to", "type", "cause", "next", "becauseStart"] as const;

/** The bytes of all columns, one after the other. */
export function packColumns(columns: Columns): Uint8Array {
  const all = [columns.atMs, ...WORDS.map((name) => columns[name]), columns.because, columns.flags];
  const bytes = new Uint8Array(all.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of all) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

export function unpackColumns(
  bytes: ArrayBuffer,
  { count, becauseCount }: Pick<ViewHead, "count" | "becauseCount">,
): Columns {
  // A server that is asked in between may have opened a longer one.
  if (bytes.byteLength !== 37 * count + 4 * becauseCount + 4) {
    throw new Error("its columns are not those of its head");
  }
  let at = 8 * count;
  const words = (length: number): Int32Array => {
    const column = new Int32Array(bytes, at, length);
    at += 4 * length;
    return column;
  };
  const atMs = new Float64Array(bytes, 0, count);
  const [seq, from, to, type, cause, next] = [0, 1, 2, 3, 4, 5].map(() => words(count));
  const becauseStart = words(count + 1);
  const because = words(becauseCount);
  const flags = new Uint8Array(bytes, at, count);
  return {
    ...{ atMs, becauseStart, because, flags },
    ...({ seq, from, to, type, cause, next } as Record<
      "seq" | "from" | "to" | "type" | "cause" | "next",
      Int32Array
    >),
  };
}

/** A question to a model, and what came of it. */
export interface ViewCall {
  readonly purpose: string;
  readonly nth: number;
  readonly model: string | null;
  readonly came: string;
  /** Why it could not be used, or failed. */
  readonly why: string | null;
  readonly latencyMs: number | null;
  readonly promptTokens: number | null;
  readonly answerTokens: number | null;
  /** Null when this version words it differently; absent where texts were left out. */
  readonly prompt?: string | null;
  readonly answer?: string | null;
  readonly answerPlace: number | null;
}

/** A change of what an actor knows: where, and the new value as JSON; null of what is gone. */
export interface ViewChange {
  readonly path: readonly string[];
  readonly to?: Json;
  readonly removed?: true;
  readonly appended?: string;
}

/** All that the log says of a delivery besides the columns. */
export interface ViewRow {
  /** In words; absent of plumbing. */
  readonly says?: string;
  readonly fate: string;
  /** What it carries besides its type; absent where it was left out. */
  readonly event?: Json;
  /** The state of its receiver, before and behind it. */
  readonly before: Json;
  readonly after: Json;
  readonly changes?: readonly ViewChange[];
  /** On an answer, the place of its question. */
  readonly re?: number;
  readonly call?: ViewCall;
}
