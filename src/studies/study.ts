/** What a study is: factors that vary, a design of points, replicates, and what is asked of the runs. Plain data. */
import type { Overrides, PolicyValue } from "../contract/policyTree.ts";
import type { Outcome } from "./outcomes/outcome.ts";
import type { Seeds } from "./seeds.ts";

/** A study as its file says it, decoded and checked: nothing of it needs the file any more. */
export interface Study {
  readonly name: string;
  readonly why: string;
  /** Its text, whole: a job carries it, never a path. */
  readonly scenario: { readonly name: string; readonly text: string; readonly isTrial?: true };
  /** Where it varies: all of them, the one above first; each with the text of its file. */
  readonly scenarios?: { readonly [name: string]: string };
  /** Of how many recordings they were made; absent where of none. */
  readonly recordings?: number;
  /** Fixes the points that are drawn, and the seeds of the replicates. */
  readonly seed: number;
  /** Ends each run earlier than the scenario does. */
  readonly untilMs: number | null;
  /** Bounds of a run in place of the scenario's own. */
  readonly limits: { readonly [limit: string]: number };
  /** Of all runs, where `variant` is no factor. */
  readonly variant: string | null;
  /** Overrides that stay, in units of the leaves; a factor's value wins. */
  readonly set: Overrides;
  /** In the order of the file; `scenario` and `variant`, where they are some, come first. */
  readonly factors: readonly Factor[];
  readonly where: readonly Constraint[];
  /** Null where the points are left to a search. */
  readonly design: Design | null;
  readonly replicates: Replicates;
  readonly stop: StopRule | null;
  /** In the order of the file; an expression may use any other. */
  readonly outcomes: readonly Outcome[];
  /** A value of every factor: what the file says, else what a run without the factor has. */
  readonly baseline: Setting;
  /** Whether the file asks for differences from the baseline. */
  readonly isCompared: boolean;
  readonly goal: Goal | null;
  /** Where a sweep is asked for settings that do well whatever comes. */
  readonly robust?: Robust;
  /** Points that a search tries first. */
  readonly enqueue: readonly Setting[];
  /** Promises that are watched in every run, by id. */
  readonly watched: readonly string[];
  /** Leaves that outcomes compare with, as a run without factors has them: by path, then by `worldName`. */
  readonly leaves: { readonly [path: string]: { readonly [world: string]: number } };
  readonly units: StudyUnits;
}

/** Of what the numbers of a study are; what has no unit, such as a switch or an expression, is absent. */
export interface StudyUnits {
  /** By path of the policy tree: `millionths`, `ms`, `cycles`. */
  readonly leaves: { readonly [path: string]: string };
  /** By outcome: `ms`, `share`, `goals`. */
  readonly outcomes: { readonly [outcome: string]: string };
}

/** How the scenario itself is called among its variants. */
export const ITSELF = "itself";
/** The factor that varies the variant. */
export const VARIANT = "variant";
/** The factor that varies the scenario. */
export const SCENARIO = "scenario";
/** No leaves of the policy. */
export const isOfWorld = (factor: FactorName): boolean => factor === VARIANT || factor === SCENARIO;

/** Of a run: its variant, behind its scenario where that varies. */
export const worldName = ({ scenario, variant }: Pick<RunOf, "scenario" | "variant">): string =>
  [...(scenario === undefined ? [] : [scenario]), variant ?? ITSELF].join(", ");

/** A value of every factor, in units of the leaves. */
export interface Setting {
  readonly [factor: FactorName]: PolicyValue;
}

/** Alike for equal settings. */
export const settingText = ({ factors }: Pick<Study, "factors">, setting: Setting): string =>
  JSON.stringify(factors.map(({ name }) => setting[name]));

export type Design =
  /** Every combination: lists as they are, numbers at `levels` values from low to high. */
  | { readonly kind: "grid"; readonly levels: number }
  /** The baseline, and each value of each factor with all others as in the baseline. */
  | { readonly kind: "oat"; readonly levels: number }
  | { readonly kind: "random"; readonly points: number }
  | { readonly kind: "lhs"; readonly points: number }
  | { readonly kind: "sobol"; readonly points: number; readonly isScrambled: boolean }
  | ({ readonly kind: "morris"; readonly trajectories: number; readonly levels: number } & Grouped)
  /** N(2D + 2) points, N = `rows` a power of two, D groups. */
  | ({ readonly kind: "saltelli"; readonly rows: number } & Grouped)
  | { readonly kind: "points"; readonly points: readonly Setting[] }
  | FrontierDesign;

/** Factors that move together, by the group's name; each factor by itself where absent. */
interface Grouped {
  readonly groups?: { readonly [group: string]: readonly FactorName[] };
}

/** Whose points are known before the first run. */
export type DrawnDesign = Exclude<Design, FrontierDesign>;

/** For each combination of the other factors: where along one of them an outcome has a given probability. */
export interface FrontierDesign {
  readonly kind: "frontier";
  readonly along: FactorName;
  /** 0 or 1 in each run. */
  readonly outcome: string;
  readonly at: number;
  /** Values of `along` that a bisection may look at. */
  readonly levels: number;
}

export interface Replicates {
  /** Of each point; the most where a stop rule ends them. */
  readonly count: number;
  /** `common`: replicate r has one seed at every point. */
  readonly seeds: Seeds;
  /** A stop rule decides after so many. */
  readonly batch: number;
  /** Of a trial: the names of its tasks, which replicates go through in turn. */
  readonly tasks?: readonly string[];
}

export interface StopRule {
  readonly outcome: string;
  readonly halfWidth: number;
}

export interface Robust {
  readonly outcome: string;
  readonly direction: "maximise" | "minimise";
  /** Factors that one does not choose. */
  readonly over: readonly FactorName[];
  /** What satisfies, in the outcome's unit. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

export const RANGE_SEARCHES = ["cma-es", "gp-ei", "tpe"] as const;
export type RangeSearch = (typeof RANGE_SEARCHES)[number];

export interface Goal {
  /** One; more where a front is asked for. */
  readonly objectives: readonly {
    readonly outcome: string;
    readonly direction: "maximise" | "minimise";
  }[];
  /** Promises that must hold in all replicates of a point, by id. */
  readonly constraints: readonly string[];
  /** Whether a value of which only a bound is known counts as that bound, or fails its trial. */
  readonly censored: "refuse" | "bound";
  /** Replicates, on seeds of their own, of the best point and of the baseline. */
  readonly heldOut: number;
  /** Points that the search may try. */
  readonly trials: number;
  /** How ranges are searched; by CMA-ES if absent. */
  readonly search?: RangeSearch;
}

/** A path of the policy tree, `variant`, or `scenario`. */
export type FactorName = string;

/** Numbers between two bounds, both included, in the units of the leaf (millionths, milliseconds, pieces). */
export interface NumberFactor {
  readonly kind: "number";
  readonly name: FactorName;
  readonly low: number;
  readonly high: number;
  /** Evenly spread in its logarithm; `low` is above zero then. */
  readonly isLog: boolean;
  /** Values are `low`, `low + step`, …; at least 1, as leaves are whole numbers. */
  readonly step: number;
  /** Where drawn values are not all as likely. */
  readonly shape?: Shape;
}

/** Of drawn numbers, all within `low` and `high`; in units of the leaf. */
export type Shape =
  | { readonly kind: "normal"; readonly mean: number; readonly deviation: number }
  | { readonly kind: "triangular"; readonly mode: number };

/** One of a few values; where `isOrdered`, they are numbers from small to large. */
export interface ListFactor {
  readonly kind: "list";
  readonly name: FactorName;
  readonly values: readonly PolicyValue[];
  readonly isOrdered: boolean;
  /** How likely each value is drawn, beside the others; all alike where absent. */
  readonly weights?: readonly number[];
}

export type Factor = NumberFactor | ListFactor;

/** `sum of weight × factor` lies between `least` and `most`, both included; null has no bound. In units of the leaves. */
export interface Constraint {
  readonly weights: { readonly [factor: FactorName]: number };
  readonly least: number | null;
  readonly most: number | null;
  /** Both bounds as people write them, such as `0.9`; where absent they are told in units of the leaves. */
  readonly told?: { readonly least: string; readonly most: string };
}

/** One setting of all factors. `variant` stands beside the policy where it varies. */
export interface Point {
  readonly index: number;
  readonly values: Setting;
}

/** What one run is made of, all of it in its key. */
export interface RunOf {
  readonly point: number;
  /** From 0; replicate r has one seed at every point, unless seeds are independent. */
  readonly replicate: number;
  readonly seed: number;
  /** Where the study varies it. */
  readonly scenario?: string;
  readonly variant: string | null;
  /** Overrides by path, in units of the leaves. */
  readonly set: Overrides;
}

/** A value from a moment on, until the next. Never empty, oldest first. */
export type Steps = readonly (readonly [atMs: number, value: number])[];

/** What is kept of a run: all that outcomes of any later study may ask of it. */
export interface RunFacts {
  /** `ended`, `limit:…`, `bug`, `miss`. */
  readonly outcome: string;
  readonly virtualMs: number;
  /** The last value of each metric that is not 0, by metric, then by actor (`world` for the whole). */
  readonly finals: { readonly [metric: string]: { readonly [actor: string]: number } };
  /** Of each metric that changed, by `metric` of the world or `metric|actor`. */
  readonly series: { readonly [name: string]: Steps };
  /** Series that were too long to be kept, and how many steps they have. */
  readonly tooLong: { readonly [name: string]: number };
  /** Why nobody knows what it comes to, in words. */
  readonly unknown?: string;
  /** Promises that were watched, and what was said where one was broken; null where it held. */
  readonly promises: { readonly [property: string]: string | null };
}
