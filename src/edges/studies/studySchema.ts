/** The YAML of a study as an Effect Schema. What one field demands of another is checked in studyOf.ts. */
import * as Schema from "effect/Schema";
import { REDUCTIONS } from "../../studies/outcomes/outcome.ts";
import { SPIRAL } from "../../studies/outcomes/spiral.ts";
import { RANGE_SEARCHES } from "../../studies/study.ts";
import { defaultLimits, type LimitName } from "../../substrate/limits.ts";
import { SEED_MAX } from "../../substrate/random.ts";
import {
  duration,
  listOf,
  mapOf,
  says,
  sentence,
  whole,
  words,
} from "../scenario/scenarioFields.ts";

/** Ours: each far above what a machine plays in a day. */
const POINTS_MAX = 1_000_000;
const REPLICATES_MAX = 100_000;
const LEVELS_MAX = 1_000;
const LIMIT_FACTOR_MAX = 10;
const ITEMS_MAX = 500;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,59}$/u;
/** Ours: of more goals nearly every point is on the front. */
export const GOALS_MOST = 6;

/** Ours, where the study says nothing. */
export const DEFAULTS = {
  levels: 5,
  /** Six halvings of the axis, and its other end. */
  frontierLevels: 65,
  frontierAt: 0.5,
  morrisLevels: 4,
  /** A stop rule never ends a point before. */
  batch: 30,
  heldOut: 100,
  trials: 200,
} as const;

/** `absent` is what stands where the study says nothing. */
const optional = <S extends Schema.Top>(schema: S, says: string, absent?: string | number) => {
  const description = absent === undefined ? says : `${says} ${absent} if absent.`;
  return Schema.optionalKey(schema).annotateKey({ description });
};

const oneOf = <const Words extends readonly string[]>(...given: Words) =>
  Schema.Literals(given).annotate({ expected: given.map((one) => `"${one}"`).join(" | ") });

// What has an identifier and is a map or a text is spelt out in tools/studyJsonSchema.ts, for editors.
const anyValues = Schema.Record(Schema.String, Schema.Unknown);
const values = anyValues.annotate({
  identifier: "Setting",
  expected: "a map from paths of the policy, or variant, to values",
});
const policy = anyValues.annotate({ identifier: "Policy", expected: "a map from paths to values" });
const factors = anyValues.annotate({
  identifier: "Factors",
  expected: "a map from paths to values",
});

const designOf = <const Kind extends string, const Fields extends Schema.Struct.Fields>(
  kind: Kind,
  description: string,
  fields: Fields,
) => Schema.Struct({ kind: says(Schema.Literal(kind), description), ...fields });

const levels = optional(whole(2, LEVELS_MAX), "Values of each range.", DEFAULTS.levels);
const points = says(whole(1, POINTS_MAX), "How many points are drawn.");

const probability = Schema.Finite.check(
  Schema.isBetween({ minimum: 0.01, maximum: 0.99 }, { expected: "a number from .01 to .99" }),
).annotate({ expected: "a number from .01 to .99" });

const groups = optional(
  mapOf(NAME, "names of letters, digits and _", listOf(words(200), 1, ITEMS_MAX)),
  "Factors that move together, by the group's name; a factor in none moves by itself.",
);

const design = Schema.Union([
  designOf("grid", "Every combination of values.", { levels }),
  designOf("oat", "The baseline, then one factor at a time.", { levels }),
  designOf("random", "Points drawn independently.", { points }),
  designOf("lhs", "A Latin hypercube: each stratum of each factor once.", { points }),
  designOf("sobol", "Sobol's sequence.", {
    points,
    scrambled: optional(Schema.Boolean, "Whether it is scrambled.", "true"),
  }),
  designOf("morris", "Trajectories that move one factor at a time, for `sense`.", {
    trajectories: says(whole(2, POINTS_MAX), "How many of them."),
    levels: optional(whole(2, LEVELS_MAX), "Even.", DEFAULTS.morrisLevels),
    groups,
  }),
  designOf("saltelli", "Saltelli's design of N(2D + 2) points, for `sense`.", {
    rows: says(whole(1, POINTS_MAX), "N, a power of two."),
    groups,
  }),
  designOf(
    "frontier",
    "Where along one factor an outcome has a probability, for each combination.",
    {
      along: says(words(200), "The factor along which it is looked for; the others are lists."),
      outcome: says(words(60), "A spiral, a promise, or an expression that is 0 or 1."),
      at: optional(probability, "The probability.", DEFAULTS.frontierAt),
      levels: optional(
        whole(2, LEVELS_MAX),
        "Values of a range that may be looked at.",
        DEFAULTS.frontierLevels,
      ),
    },
  ),
  designOf("points", "The points that are listed.", {
    points: says(listOf(values, 1, ITEMS_MAX), "A value of every factor each."),
  }),
]).annotate({ identifier: "Design", expected: "a map with kind" });

const replicates = Schema.Union([
  whole(1, REPLICATES_MAX),
  Schema.Struct({
    n: says(whole(1, REPLICATES_MAX), "Runs of each point; the most where a stop rule ends them."),
    seeds: optional(
      oneOf("common", "independent"),
      "Whether replicate r has one seed at every point, which pairs differences.",
      "common",
    ),
    batch: optional(
      whole(1, REPLICATES_MAX),
      "After how many replicates a stop rule decides.",
      DEFAULTS.batch,
    ),
  }).annotate({ expected: "a map with n" }),
]).annotate({ expected: "a whole number, or a map with n" });

const number = Schema.Finite.annotate({ expected: "a number" });
const positive = Schema.Finite.check(
  Schema.isGreaterThan(0, { expected: "a number above 0" }),
).annotate({ expected: "a number above 0" });
const metric = words(100).annotate({ identifier: "Metric" });
const promise = words(200).annotate({ identifier: "Promise" });

/** A value in the outcome's unit: a number, or a time as 1h30m. */
const ownUnit = Schema.Union([Schema.Finite, duration]).annotate({
  expected: "a number, or a duration as 1h30m",
});
const quantileShare = Schema.Finite.check(
  Schema.isBetween({ minimum: 0.001, maximum: 0.999 }, { expected: "a number from .001 to .999" }),
).annotate({ expected: "a number from .001 to .999" });

const across = Schema.Struct({
  quantile: optional(quantileShare, "The value that this share of the runs stays below."),
  worst: optional(oneOf("highest", "lowest"), "The highest or lowest that was seen."),
  upTo: optional(
    ownUnit,
    "Of times to an event: their mean, each of at most so much, by Kaplan and Meier.",
  ),
}).annotate({ identifier: "Across", expected: "a map with quantile, worst or upTo" });

const REDUCES = [...REDUCTIONS, "spiral"] as const;

/** Of one kind each; which fields go together is checked in studyOutcomes.ts. */
const outcome = Schema.Struct({
  metric: optional(metric, "What is measured; `ghostlight metrics` lists what can be."),
  reduce: optional(
    Schema.Literals(REDUCES).annotate({ expected: REDUCES.join(" | ") }),
    "How what it was over time becomes one number; spiral is 1 where one metric rises while another falls.",
  ),
  above: optional(
    Schema.Union([number, words(200)]).annotate({ expected: "a number, or a path of the policy" }),
    "The threshold, in the metric's unit, or the leaf whose value it is in each run.",
  ),
  falls: optional(metric, "Of a spiral: what falls.", SPIRAL.falls),
  rise: optional(positive, "Of a spiral: by how much at least.", SPIRAL.rise),
  fall: optional(positive, "Of a spiral: by how much at least.", SPIRAL.fall),
  window: optional(duration, "Of a spiral: within what time.", "1h"),
  actor: optional(words(100), "Whom it is measured on.", "The whole world"),
  from: optional(duration, "Counted from the start.", "The start"),
  until: optional(duration, "The end of the run if absent."),
  across: optional(across, "What the runs of a point come to.", "Their mean"),
  is: optional(words(500), "An expression over other outcomes, such as lost / calls."),
  promise: optional(
    promise,
    "1 where this promise of `ghostlight check` held, 0 where it was broken.",
  ),
}).annotate({
  identifier: "Outcome",
  expected: "a map with metric and reduce, with reduce: spiral, with is, or with promise",
});

const objective = Schema.Union([words(60), listOf(words(60), 1, GOALS_MOST)]).annotate({
  expected: "an outcome, or a list of them",
});

const goal = Schema.Struct({
  maximise: optional(objective, "The outcome that is to be great."),
  minimise: optional(objective, "The outcome that is to be small."),
  constraints: optional(
    Schema.Union([Schema.Literals(["promised", "none"]), listOf(promise, 0, ITEMS_MAX)]).annotate({
      expected: 'a list of promises, "promised" for all of them, or "none"',
    }),
    "Promises that must hold in every replicate of a point. promised if absent: all that a run can break, without the findings.",
  ),
  censored: optional(
    oneOf("refuse", "bound"),
    "What a trial is of whose goal some run gives only a bound, as where load never recovered: it fails, or the bound is taken as the value, and said.",
    "refuse",
  ),
  heldOut: optional(
    whole(2, REPLICATES_MAX),
    "Seeds on which the best point and the baseline are compared.",
    DEFAULTS.heldOut,
  ),
  trials: optional(whole(1, POINTS_MAX), "Points tried at most.", DEFAULTS.trials),
  search: optional(oneOf(...RANGE_SEARCHES), "How ranges are searched.", "cma-es"),
}).annotate({ identifier: "Goal", expected: "a map with maximise or minimise" });

const robust = Schema.Struct({
  maximise: optional(words(60), "The outcome that is to be great."),
  minimise: optional(words(60), "The outcome that is to be small."),
  over: says(listOf(words(200), 1, ITEMS_MAX), "Factors that nobody chooses, as variant."),
  atLeast: optional(number, "What mean satisfies, in the outcome's unit."),
  atMost: optional(number, "What mean satisfies, in the outcome's unit."),
}).annotate({ identifier: "Robust", expected: "a map with maximise or minimise, and over" });

const constraint = Schema.Struct({
  sum: says(
    Schema.Union([
      listOf(words(200).annotate({ identifier: "Summed" }), 1, ITEMS_MAX),
      Schema.Record(Schema.String, number).annotate({
        identifier: "Weights",
        expected: "a map from factors to numbers",
      }),
    ]).annotate({ expected: "a list of factors, or a map from factors to what each counts" }),
    "Which factors are added.",
  ),
  is: optional(Schema.Unknown, "What the sum must be, written as the factors are."),
  least: optional(Schema.Unknown, "What the sum must be at least."),
  most: optional(Schema.Unknown, "What the sum must be at most."),
}).annotate({ identifier: "Constraint", expected: "a map with sum, and is, least or most" });

const limit = (name: LimitName) =>
  optional(
    whole(1, defaultLimits[name] * LIMIT_FACTOR_MAX),
    "A run that reaches it ends with its name.",
    defaultLimits[name],
  );

const variant = words(60);
const scenario = words(1_000);

export const studySource = Schema.Struct({
  why: says(sentence, "What is asked, in words."),
  scenario: says(
    Schema.Union([scenario, listOf(scenario, 2, ITEMS_MAX)]).annotate({
      expected: "a scenario, or a list of scenarios",
    }),
    "The name of a scenario, or the path of its file from here; a list varies.",
  ),
  variants: optional(
    Schema.Union([variant, listOf(variant, 1, ITEMS_MAX)]).annotate({
      expected: "a variant, or a list of variants",
    }),
    "One variant of the scenario for all runs, or a list that varies; `itself` is the scenario.",
  ),
  seed: optional(whole(0, SEED_MAX), "Fixes points and replicates.", 1),
  until: optional(duration, "Ends each run earlier than the scenario does."),
  limits: optional(
    Schema.Struct({
      envelopes: limit("envelopes"),
      queueLength: limit("queueLength"),
      lettersPerDelivery: limit("lettersPerDelivery"),
      deliveriesPerInstant: limit("deliveriesPerInstant"),
      payloadChars: limit("payloadChars"),
    }).annotate({ expected: "a map of limits" }),
    "Bounds of a run in place of the scenario's.",
  ),
  set: optional(policy, "Policy of all runs."),
  factors: says(
    factors,
    "By path of the policy: a list varies, and so does a map with low and high; a single value stays.",
  ),
  where: optional(listOf(constraint, 1, ITEMS_MAX), "Sums that every point must keep."),
  design: optional(design, "Which points are played; left to the search of `tune` if absent."),
  replicates: says(replicates, "How often each point is played."),
  stop: optional(
    Schema.Struct({
      outcome: says(words(60), "Whose difference from the baseline is awaited."),
      halfWidth: says(positive, "How narrow half of its interval must be."),
    }).annotate({ expected: "a map with outcome and halfWidth" }),
    "Ends the replicates of a point once enough is known.",
  ),
  outcomes: says(
    mapOf(NAME, "names of letters, digits and _", outcome),
    "What is asked of each run, by name.",
  ),
  baseline: optional(values, "What points are compared with; what it leaves out is as shipped."),
  goal: optional(goal, "What `tune` looks for."),
  robust: optional(robust, "Which settings `sweep` is to find that do well whatever comes."),
  enqueue: optional(listOf(values, 1, ITEMS_MAX), "Points that a search tries first."),
}).annotate({ expected: "a map with why, scenario, factors, replicates and outcomes" });

export type StudySource = typeof studySource.Type;
export type OutcomeSource = typeof outcome.Type;
export type DesignSource = typeof design.Type;
export type ConstraintSource = typeof constraint.Type;
