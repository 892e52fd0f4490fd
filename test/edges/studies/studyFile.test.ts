import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parts } from "../../../src/builtIn/parts.ts";
import { scenarioParts } from "../../../src/builtIn/scenarioParts.ts";
import { BadInput } from "../../../src/edges/errors.ts";
import { loadStudy, packagedStudies, parseStudy } from "../../../src/edges/studies/studyFile.ts";
import { promisedBy } from "../../../src/run/check/promises.ts";
import { constraintText } from "../../../src/studies/sample/constraints.ts";
import { studyJsonSchema } from "../../../tools/studyJsonSchema.ts";
import { newFolder } from "../../folders.ts";

const lists = { parts, scenarioParts, promised: await promisedBy(parts) };

interface Fields {
  readonly scenario?: string;
  readonly factors?: string;
  readonly outcomes?: string;
  readonly more?: string;
  readonly design?: string;
}

const written = ({
  scenario = "lock-feedback",
  factors = "{ locks.constrained: [.45, .55] }",
  outcomes = "{ peak: { metric: load, reduce: max } }",
  design = "design: { kind: grid }",
  more = "",
}: Fields): string =>
  `why: w\nscenario: ${scenario}\nfactors: ${factors}\noutcomes: ${outcomes}\nreplicates: 3\n${design}\n${more}`;

const read = (fields: Fields = {}) => parseStudy(lists, written(fields), "mine.yaml");

function refusalFor(fields: Fields): BadInput {
  try {
    read(fields);
  } catch (thrown) {
    if (thrown instanceof BadInput) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
}

const refusedFor = (fields: Fields): string => refusalFor(fields).message;

test("[ST49] a list varies, a range varies, a single value stays", () => {
  const study = read({
    factors: `
  locks.constrained: [.75, .55]
  locks.dominant: { low: .6, high: 1.0, step: .05 }
  locks.enabled: true`,
    more: "set: { locks.crisis: .95 }",
  });

  expect(study.factors).toEqual([
    { kind: "list", name: "locks.constrained", values: [550_000, 750_000], isOrdered: true },
    {
      ...{ kind: "number", name: "locks.dominant", low: 600_000, high: 1_000_000 },
      ...{ step: 50_000, isLog: false },
    },
  ]);
  expect(study.set).toEqual({ "locks.enabled": true, "locks.crisis": 950_000 });
});

test("[ST230][ST231] a range has a distribution, and a list weights that follow its values", () => {
  const { factors } = read({
    factors: `
  locks.constrained: { values: [.75, .55], weights: [1, 3] }
  locks.dominant: { low: .6, high: 1.0, normal: { mean: .8, deviation: .05 } }
  planner.heartbeatMs: { low: 30s, high: 2m, triangular: 1m }`,
  });

  expect(factors).toMatchObject([
    { values: [550_000, 750_000], weights: [3, 1] },
    { shape: { kind: "normal", mean: 800_000, deviation: 50_000 } },
    { shape: { kind: "triangular", mode: 60_000 } },
  ]);
});

test.each([
  ["for each value, not all 0", "{ values: [.5, .6], weights: [1] }"],
  ["for each value, not all 0", "{ values: [.5, .6], weights: [1, 2, 3] }"],
  ["for each value, not all 0", "{ values: [.5, .6], weights: [0, 0] }"],
  ["at least one value", "{ values: [], weights: [] }"],
  ['the key "weight"', "{ values: [.5], weights: [1], weight: 1 }"],
  ["one of log, normal and triangular", "{ low: .5, high: .9, log: true, triangular: .6 }"],
  [
    "one of log, normal and triangular",
    "{ low: .5, high: .9, triangular: .6, normal: { mean: .6, deviation: .1 } }",
  ],
  ["a value from low to high", "{ low: .5, high: .9, triangular: .499999 }"],
  ["a value from low to high", "{ low: .5, high: .9, triangular: .900001 }"],
  ["a value from low to high", "{ low: .5, high: .9, normal: { mean: .4, deviation: .1 } }"],
  ["a map with mean and deviation", "{ low: .5, high: .9, normal: .6 }"],
  ["a value above 0", "{ low: .5, high: .9, normal: { mean: .6, deviation: 0.0 } }"],
  ["a share 0.0 … 1.0", "{ low: .5, high: .9, normal: { deviation: .1 } }"],
])("[ST232] refuses %s", (said, factor) => {
  expect(refusedFor({ factors: `{ locks.dominant: ${factor} }` })).toContain(said);
});

test.each(["triangular: .5", "triangular: .9", "normal: { mean: .9, deviation: .1 }"])(
  "[ST232] a mode or a mean may be an end of its range: %s",
  (shape) => {
    expect(
      read({ factors: `{ locks.dominant: { low: .5, high: .9, ${shape} } }` }).factors,
    ).toHaveLength(1);
  },
);

test("[ST49] values are read as `--set` reads them", () => {
  const { factors } = read({
    factors: `
  planner.heartbeatMs: { low: 30s, high: 2m, log: true }
  locks.shellBypass: [true, false]
  engine.builtins: ["fs_read,fs_write", [fs_list]]`,
  });

  expect(factors).toEqual([
    {
      ...{ kind: "number", name: "planner.heartbeatMs", low: 30_000, high: 120_000 },
      ...{ step: 1, isLog: true },
    },
    { kind: "list", name: "locks.shellBypass", values: [true, false], isOrdered: false },
    {
      ...{ kind: "list", name: "engine.builtins", isOrdered: false },
      values: [["fs_read", "fs_write"], ["fs_list"]],
    },
  ]);
});

test("[ST49] a list of variants is a factor, in which `itself` is the scenario", () => {
  const { factors, baseline } = read({ more: "variants: [itself, no-feedback]" });

  expect(factors[0]).toMatchObject({
    ...{ kind: "list", name: "variant", values: ["itself", "no-feedback"] },
  });
  expect(baseline).toMatchObject({ variant: "itself" });
});

test.each(["[0, 1]", "[.5, 1]", "[.5, 2]"])(
  "[ST49] beside a number with a point, or alone, a whole one is refused of a share: %s",
  (values) => {
    expect(refusedFor({ factors: `{ stressors.capabilityLock.growthPerDay: ${values} }` })).toMatch(
      /with a point, \d\.0|it is \d millionths/,
    );
  },
);

test("[ST49] a whole number up to 100 alone is refused of a share, and of no other leaf", () => {
  const share = (value: number) => `{ locks.constrained: [${value}, 200000] }`;

  expect(refusedFor({ factors: share(100) })).toContain("with a point, 100.0");
  expect(read({ factors: share(101) }).factors).toMatchObject([{ values: [101, 200_000] }]);
  expect(refusedFor({ factors: "{ locks.constrained: [.5, 101] }" })).toContain(
    "with a point, 101.0",
  );
  expect(read({ factors: "{ mind.rulesShown: [3, 4] }" }).factors).toMatchObject([
    { values: [3, 4] },
  ]);
  for (const range of ["low: .5, high: 999999", "low: 101, high: .5"]) {
    expect(refusedFor({ factors: `{ locks.constrained: { ${range} } }` })).toContain(
      "with a point, ",
    );
  }
});

test("[ST49] values lie within the leaf's bounds", () => {
  expect(refusedFor({ factors: "{ locks.constrained: [.5, 1.000001] }" })).toContain("0.0 … 1.0");
  expect(refusedFor({ factors: "{ locks.constrained: { low: .5, high: 1.000001 } }" })).toContain(
    "0.0 … 1.0",
  );
});

test("[ST49] a share may be written in whole units, and 0 stands beside a point", () => {
  const factors = "{ locks.constrained: [450000, 600000], locks.dominant: [0, .5, 1.0] }";

  expect(read({ factors }).factors).toMatchObject([
    { values: [450_000, 600_000] },
    { values: [0, 500_000, 1_000_000] },
  ]);
});

test("[ST50] the baseline is what the file says, and for the rest what the scenario has", () => {
  const factors = "{ locks.constrained: [.45, .6], planner.heartbeatMs: [30s, 60s] }";
  const of = (more: string) => read({ factors, more }).baseline;

  expect(of("")).toEqual({ "locks.constrained": 550_000, "planner.heartbeatMs": 90_000 });
  expect(of("baseline: { locks.constrained: .5 }")).toEqual({
    ...{ "locks.constrained": 500_000, "planner.heartbeatMs": 90_000 },
  });
});

test("[ST50] without a baseline a factor has what the variant that is played has", () => {
  const factors = "{ stressors.lockFeedback: [true, false] }";
  const of = (more: string) => read({ factors, more }).baseline["stressors.lockFeedback"];

  expect([of(""), of("variants: no-feedback")]).toEqual([true, false]);
});

test("[ST50] points are compared with it where the file has one", () => {
  expect(read().isCompared).toBe(false);
  expect(read({ more: "baseline: { locks.constrained: .5 }" }).isCompared).toBe(true);
  expect(read({ more: "baseline: {}" }).isCompared).toBe(true);
});

test("[ST51] constraints are sums in the leaves' own units, told as people write them", () => {
  const factors = "{ locks.constrained: {low: .1, high: .9}, locks.dominant: {low: .1, high: .9} }";
  const both = { "locks.constrained": 1, "locks.dominant": 1 };

  const { where } = read({
    factors,
    more: "where: [{sum: [locks.constrained, locks.dominant], is: .9}, {sum: {locks.dominant: 2}, least: .5, most: 1.0}]",
  });

  expect(where).toEqual([
    { weights: both, least: 900_000, most: 900_000, told: { least: "0.9", most: "0.9" } },
    {
      ...{ weights: { "locks.dominant": 2 }, least: 500_000, most: 1_000_000 },
      told: { least: "0.5", most: "1.0" },
    },
  ]);
  expect(where.map(constraintText)).toEqual([
    "locks.constrained + locks.dominant = 0.9",
    "0.5 ≤ 2 × locks.dominant ≤ 1.0",
  ]);
});

test.each([
  ["factors of one unit", "sum: [locks.constrained, planner.heartbeatMs], is: .9"],
  ["a value as the factors have them", "sum: [locks.constrained], most: .5000001"],
  ["with a point, 1.0", "sum: [locks.constrained], most: 1"],
  ["with a point, 900000.0", "sum: [locks.constrained], least: .5, most: 900000"],
  ["factor that is a number", "sum: [router.kind], most: .5"],
  ["is alone, or least, most or both", "sum: [locks.constrained], is: .5, most: .6"],
  ["is alone, or least, most or both", "sum: [locks.constrained]"],
])("[ST51] a constraint is refused that has not %s", (said, constraint) => {
  const factors =
    "{ locks.constrained: { low: .1, high: .9 }, planner.heartbeatMs: { low: 30s, high: 2m }, router.kind: [lexical, embedding] }";

  expect(refusedFor({ factors, more: `where: [{ ${constraint} }]` })).toContain(said);
});

const goalWith = (constraints: string) =>
  read({ design: "", more: `goal: { maximise: peak, constraints: ${constraints} }` });

test("[ST52] what is asked of a goal is watched", () => {
  expect(goalWith("[locked-never-runs]")).toMatchObject({
    design: null,
    goal: { objectives: [{ outcome: "peak", direction: "maximise" }], heldOut: 100 },
    watched: ["locked-never-runs"],
  });
  const outcomes = "{ peak: { metric: load, reduce: max }, kept: { promise: locked-never-runs } }";
  expect(read({ outcomes }).watched).toEqual(["locked-never-runs"]);
  const more = "goal: { maximise: peak, constraints: [locked-never-runs, path-out-stays-open] }";
  expect(read({ outcomes, more }).watched).toEqual(["locked-never-runs", "path-out-stays-open"]);
});

test("[ST52] a goal may ask for all that is promised, which the findings are not", () => {
  const { watched } = goalWith("promised");

  expect(watched).toContain("path-out-stays-open");
  expect(watched).not.toContain("U5-lock-feedback");
});

test("[ST52] a goal that says nothing of constraints keeps all that is promised, one that says none keeps nothing", () => {
  const goal = (more: string) => read({ design: "", more: `goal: { maximise: peak${more} }` }).goal;

  expect(goal("")?.constraints).toEqual(goal(", constraints: promised")?.constraints);
  expect(goal("")?.constraints.length).toBeGreaterThan(10);
  expect(goal(", constraints: none")?.constraints).toEqual([]);
  expect(goal(", constraints: []")?.constraints).toEqual([]);
  expect([goal("")?.censored, goal(", censored: bound")?.censored]).toEqual(["refuse", "bound"]);
});

test("[ST51] a bound that a constraint lacks is null, and is so after JSON", () => {
  const sum = "where: [{ sum: [locks.constrained], most: .5 }]";
  const { where } = read({ factors: "{ locks.constrained: { low: .1, high: .6 } }", more: sum });

  expect(where).toMatchObject([{ least: null, most: 500_000 }]);
  expect(where.map(constraintText)).toEqual(["locks.constrained ≤ 0.5"]);
  expect(JSON.parse(JSON.stringify(where))).toEqual(where);
  // A list of numbers is added as a range is.
  const least = read({
    factors: "{ locks.constrained: [.1, .6] }",
    more: "where: [{ sum: [locks.constrained], least: .5 }]",
  }).where;
  expect(least).toMatchObject([{ least: 500_000, most: null }]);
  expect(least.map(constraintText)).toEqual(["0.5 ≤ locks.constrained"]);
});

const frontier = (more: string) => `design: { kind: frontier, along: locks.constrained, ${more} }`;
const spiral = "{ peak: { metric: load, reduce: max }, spiral: { reduce: spiral } }";
const isSpiral = { outcomes: spiral, design: frontier("outcome: spiral") };

test("[ST57] a frontier is looked for along one factor, at one half and 65 values unless it says otherwise", () => {
  expect(read(isSpiral).design).toEqual({
    ...{ kind: "frontier", along: "locks.constrained", outcome: "spiral" },
    ...{ at: 0.5, levels: 65 },
  });
  const outcomes = "{ kept: { promise: locked-never-runs }, most: { is: 1 > 0 } }";
  for (const name of ["kept", "most"]) {
    const design = frontier(`outcome: ${name}, at: .25, levels: 9`);
    expect(read({ outcomes, design }).design).toMatchObject({ outcome: name, at: 0.25, levels: 9 });
  }
});

test.each<[string, Fields]>([
  ['Did you mean "spiral"?', { outcomes: spiral, design: frontier("outcome: spirall") }],
  ["an outcome that is 0 or 1", { outcomes: spiral, design: frontier("outcome: peak") }],
  ["a number from .01 to .99", { outcomes: spiral, design: frontier("outcome: spiral, at: 1") }],
  ["factor that varies", { ...isSpiral, factors: "{ locks.dominant: [.7, .8] }" }],
  ["numbers, two or more", { ...isSpiral, factors: "{ locks.constrained: [.7] }" }],
  [
    "numbers, two or more",
    {
      outcomes: spiral,
      design: "design: { kind: frontier, along: router.kind, outcome: spiral }",
      factors: "{ router.kind: [lexical, embedding] }",
    },
  ],
  [
    "a list: the frontier is looked for along locks.constrained alone",
    {
      ...isSpiral,
      factors: "{ locks.constrained: [.5, .6], locks.dominant: { low: .7, high: .8 } }",
    },
  ],
  ["no baseline beside a frontier", { ...isSpiral, more: "baseline: {}" }],
  ["no stop beside", { ...isSpiral, more: "stop: { outcome: spiral, halfWidth: .1 }" }],
  ["no where beside", { ...isSpiral, more: "where: [{ sum: [locks.constrained], most: .5 }]" }],
])("[ST57] refused of a frontier: %s", (said, fields) => {
  expect(refusedFor(fields)).toContain(said);
});

test("[ST57] independent seeds are refused beside a frontier", () => {
  const seeds = "replicates: { n: 3, seeds: independent }";
  const text = written(isSpiral).replace("replicates: 3", seeds);

  expect(() => parseStudy(lists, text, "mine.yaml")).toThrow("common, beside a frontier");
});

test("[ST43] a spiral that says nothing more is of the load and the share of done goals, within an hour", () => {
  expect(read({ outcomes: spiral }).outcomes[1]).toEqual({
    ...{ kind: "spiral", name: "spiral", actor: "world", rises: "load", rise: 0.2 },
    ...{ falls: "goals.doneShare", fall: 0.1, windowMs: 3_600_000, fromMs: 0, untilMs: null },
  });
  const rest = "rise: 3, fall: 2, window: 30m, from: 1m, until: 1h";
  const own = `{ it: { reduce: spiral, metric: calls.lost, falls: goals.completed, ${rest} } }`;
  expect(read({ outcomes: own }).outcomes).toEqual([
    {
      ...{ kind: "spiral", name: "it", actor: "world", rises: "calls.lost", rise: 3 },
      ...{ falls: "goals.completed", fall: 2, windowMs: 1_800_000 },
      ...{ fromMs: 60_000, untilMs: 3_600_000 },
    },
  ]);
});

test("[ST41] a threshold may be a leaf: the study knows what it is in each variant", () => {
  const outcomes = "{ it: { metric: load, reduce: timeAbove, above: locks.constrained } }";
  const study = read({ outcomes, factors: "{ locks.dominant: [.7, .8] }" });

  expect(study.outcomes[0]).toMatchObject({ above: { path: "locks.constrained", per: 1_000_000 } });
  expect(study.leaves["locks.constrained"]).toMatchObject({ itself: 550_000 });
});

test("[ST217] an outcome says what the runs of a point come to, in its own unit", () => {
  const across = (more: string, reduce = "timeToRecover") =>
    read({
      outcomes: `{ it: { metric: load, reduce: ${reduce}, above: .5, across: ${more} } }`,
    }).outcomes[0];

  expect(across("{ quantile: .95 }")).toMatchObject({ across: { kind: "quantile", share: 0.95 } });
  expect(across("{ worst: lowest }")).toMatchObject({ across: { kind: "worst", side: "lowest" } });
  for (const time of ["timeToRecover", "timeAbove"]) {
    expect(across("{ upTo: 30m }", time)).toMatchObject({
      across: { kind: "restricted", limit: 1_800_000 },
    });
  }
});

test.each([
  ["0 of them", "{}"],
  ["2 of them", "{ worst: lowest, quantile: .5 }"],
  ["a duration is of timeAbove and timeToRecover", "{ upTo: 30m }"],
  ["a duration is of timeAbove and timeToRecover", "{ upTo: 30m }", "count"],
  ["above 0", "{ upTo: 0 }"],
  ["a number from .001 to .999", "{ quantile: 1.0 }"],
])("[ST217] refuses %s", (said, across, reduce = "max") => {
  const outcomes = `{ peak: { metric: load, reduce: ${reduce}, across: ${across} } }`;

  expect(refusedFor({ outcomes })).toContain(said);
});

test("[ST218] no stop rule awaits the worst", () => {
  const outcomes = "{ peak: { metric: load, reduce: max, across: { worst: highest } } }";

  expect(refusedFor({ outcomes, more: "stop: { outcome: peak, halfWidth: .1 }" })).toContain(
    "an outcome with an interval",
  );
});

test.each([
  ["no outcome", "{ over: [locks.constrained] }"],
  ["two outcomes", "{ maximise: peak, minimise: peak, over: [locks.constrained] }"],
  ['Did you mean "peak"?', "{ maximise: peek, over: [locks.constrained] }"],
  ["all factors", "{ maximise: peak, over: [locks.constrained] }"],
  ["4 or more, beside robust", "{ maximise: peak, over: [locks.constrained] }"],
  ["factor that varies", "{ maximise: peak, over: [locks.crisis] }"],
])("[ST244] refuses beside robust %s", (said, robust) => {
  expect(refusedFor({ more: `robust: ${robust}` })).toContain(said);
});

test("[ST244] robust settings are of a grid, or of listed points, of four replicates", () => {
  const design = "design: { kind: oat }";
  const asked = (n: number, points: string, over = "locks.constrained") => {
    const text = written({
      factors: "{ locks.constrained: [.45, .6], locks.dominant: [.7, .8] }",
      design: `design: ${points}`,
      more: `robust: { maximise: peak, over: [${over}] }`,
    });
    const studied = text.replace("replicates: 3", `replicates: ${n}`);
    return parseStudy(lists, studied, "mine.yaml").robust;
  };
  const listed = "{ kind: points, points: [{ locks.constrained: .45, locks.dominant: .7 }] }";

  for (const points of ["{ kind: grid }", listed]) {
    expect(asked(4, points)).toMatchObject({ outcome: "peak", direction: "maximise" });
    expect(() => asked(3, points)).toThrow("4 or more, beside robust");
    const both = "locks.constrained, locks.dominant";
    expect(() => asked(4, points, both)).toThrow("all factors");
  }
  expect(
    refusedFor({ design, more: "robust: { maximise: peak, over: [locks.constrained] }" }),
  ).toContain("grid or points, beside robust");
});

test("[ST53] every fault is said at once: its place, what was found, what is allowed, and what was meant", () => {
  const message = refusedFor({
    factors:
      "{ locks.constrainedd: [.45], locks.dominant: { low: .9, high: .6 }, locks.crisis: [2.5] }",
  });
  const names = refusedFor({
    outcomes: "{ peak: { metric: goals.complete, reduce: max } }",
    more: "stop: { outcome: peek, halfWidth: .1 }",
  });

  const shape = refusedFor({
    factors: "{ locks.constrainedd: [.45] }",
    ...{ design: "design: { kind: grid, levels: 1 }", more: "replicate: 3" },
  });

  expect(shape).toContain("mine.yaml:6:31 design.levels");
  expect(shape).toContain('Did you mean "replicates"?');
  // Names and values are read of a file whose form is right.
  expect(shape).not.toContain("constrainedd");
  expect(message).toContain('mine.yaml:3:12 factors["locks.constrainedd"]');
  expect(message).toContain('Did you mean "locks.constrained"?');
  expect(message).toContain("a value above low");
  expect(message).toContain("a share 0.0 … 1.0");
  expect(names).toContain('Did you mean "goals.completed"?');
  expect(names).toContain('Did you mean "peak"?');
  expect(message.endsWith("Correct mine.yaml and run again.")).toBe(true);
});

test("[ST53] what is wrong in one field hides nothing of another; five are told in words, by their lines", () => {
  const refusal = refusalFor({
    factors: "{ locks.constrained: [.45, .55], locks.crisis: [2.5] }",
    outcomes: "{ peak: { metric: load, reduce: max, until: 91m }, b: { is: c } }",
    design: "design: { kind: frontier, along: locks.x, outcome: peek }",
    more: [
      ...["variants: [itself, unheard-of]", "set: { locks.constrained: .5 }", "until: 2h"],
      ...["where: [{ sum: [locks.constrained] }]", "baseline: { locks.y: 1 }", "enqueue: [{}]"],
      ...["goal: { maximise: pick, constraints: [all-is-well] }"],
      ...["stop: { outcome: pack, halfWidth: .1 }", "robust: { maximise: puck, over: [locks.z] }"],
    ].join("\n"),
  });
  const told = refusal.message.split("\n");

  expect([refusal, ...(refusal.more ?? [])].map(({ where }) => where.path)).toEqual([
    ...['factors["locks.crisis"][0]', "outcomes.peak.until", "outcomes.b.is", "replicates"],
    ...["design", "design.along", "design.outcome", "variants[1]", 'set["locks.constrained"]'],
    ...["until", "where", "where[0]", "baseline", 'baseline["locks.y"]', "enqueue[0]"],
    ...["goal.maximise", "goal.constraints[0]", "stop", "stop.outcome"],
    ...["robust.maximise", "robust.over[0]"],
  ]);
  expect(told.filter((line) => line.startsWith("mine.yaml:"))).toHaveLength(5);
  expect(told[5]).toBe("… and 16 more.");
});

test.each<[string, Fields]>([
  ["nothing that varies", { factors: "{ locks.dominant: .7 }" }],
  ["an empty list", { factors: "{ locks.dominant: [] }" }],
  ["found 0.7 again", { factors: "{ locks.dominant: [.70, 0.7] }" }],
  ["a range", { factors: "{ locks.enabled: { low: 0, high: 1 } }" }],
  ["nothing, but it is required", { factors: "{ locks.dominant: { low: .5 } }" }],
  [
    "above 0, where log is true",
    { factors: "{ locks.dominant: { low: .0, high: .5, log: true } }" },
  ],
  ["with a point, 1.0", { factors: "{ locks.dominant: [0, 1] }" }],
  ["with a point, 1.0", { factors: "{ locks.dominant: { low: 0, high: 1 } }" }],
  ["it is 1 millionths (0.000001)", { factors: "{ locks.dominant: [.5, 1] }" }],
  ["with a point, 2.0", { factors: "{ stressors.capabilityLock.growthPerDay: [.03, 2] }" }],
  ["a step that fits", { factors: "{ locks.dominant: { low: .5, high: .6, step: .2 } }" }],
  ['the key "lo"', { factors: "{ locks.dominant: { lo: .5, high: .6 } }" }],
  ["a design, or a goal", { design: "" }],
  ["an even number", { design: "design: { kind: morris, trajectories: 4, levels: 5 }" }],
  ["a power of two", { design: "design: { kind: saltelli, rows: 12 }" }],
  ["no value of locks.constrained", { design: "design: { kind: points, points: [{}] }" }],
  ["no one bound", { more: "where: [{ sum: [locks.constrained] }]" }],
  ["variant of the scenario", { more: "variants: [itself, unheard-of]" }],
  ["no threshold", { outcomes: "{ a: { metric: load, reduce: max, above: .5 } }" }],
  ["for timeAbove", { outcomes: "{ a: { metric: load, reduce: timeAbove } }" }],
  ["path of the policy", { outcomes: "{ a: { metric: load, reduce: count, above: locks.x } }" }],
  [
    "up to the end of the run, 1h30m",
    { outcomes: "{ a: { metric: load, reduce: max, until: 91m } }" },
  ],
  ["a time before", { outcomes: "{ a: { metric: load, reduce: max, from: 90m } }" }],
  ["a window of 1ms … 1h30m", { outcomes: "{ a: { reduce: spiral, window: 91m } }" }],
  ["actor of which load", { outcomes: "{ a: { metric: load, reduce: max, actor: nobody } }" }],
  ["no outcome", { outcomes: "{ a: { from: 1m } }" }],
  ["beside is", { outcomes: "{ a: { is: 1 + 1, metric: load } }" }],
  ["beside spiral", { outcomes: "{ a: { reduce: spiral, above: .5 } }" }],
  ["allowed: last | max", { outcomes: "{ a: { metric: load } }" }],
  ["allowed: a metric", { outcomes: "{ a: { reduce: max } }" }],
  ['mine.yaml:2:11 scenario: found no scenario "lock-feedbak"', { scenario: "lock-feedbak" }],
  ["this one is reserved", { outcomes: "{ toString: { metric: load, reduce: max } }" }],
  ["promise of a run", { outcomes: "{ a: { promise: all-is-well } }" }],
  ["one outcome, or up to 6 different", { more: "goal: { maximise: peak, minimise: peak }" }],
  ["a path that `factors` does not have", { more: "set: { locks.constrained: .5 }" }],
  ["the scenario's end", { more: "until: 2h" }],
])("[ST53] refused: %s", (said, fields) => {
  expect(refusedFor(fields)).toContain(said);
});

test.each([
  ["which means nothing here", "{ a: { is: sin(1) } }"],
  ["do not rest on this one", "{ a: { is: b + 1 }, b: { is: a } }"],
  ["the name of an outcome", "{ a: { is: unknown } }"],
  ["expressions have this one", "{ min: { metric: load, reduce: max } }"],
])("[ST44] an expression is refused when the file is read: %s", (said, outcomes) => {
  expect(refusedFor({ outcomes })).toContain(said);
});

test.each([
  ["each factor in one group", "{ one: [locks.constrained], other: [locks.constrained] }"],
  ["the name of a factor that varies", "{ one: [locks.crisis] }"],
  ["a name that no factor has", "{ variant: [locks.constrained] }"],
])("[ST262] groups are refused: %s", (said, groups) => {
  for (const kind of ["saltelli, rows: 8", "morris, trajectories: 2"]) {
    const design = `design: { kind: ${kind}, groups: ${groups} }`;

    expect(refusedFor({ design, more: "variants: [itself, no-feedback]" })).toContain(said);
  }
});

test("[ST154] a goal has up to six outcomes, great and small ones together", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  const outcomes = `{ ${names.map((name) => `${name}: { metric: load, reduce: max }`).join(", ")} }`;
  const asking = (small: string) => ({
    ...{ design: "", outcomes, more: `goal: { maximise: [a, b, c, d], minimise: ${small} }` },
  });

  expect(read(asking("[e, f]")).goal?.objectives).toHaveLength(6);
  expect(refusedFor(asking("[e, f, g]"))).toContain("7 outcomes");
});

test("[ST54] a study holds its scenario's text, and is plain data", () => {
  const study = read();

  expect(study.scenario).toMatchObject({
    name: "lock-feedback",
    text: expect.stringContaining("agents: [vault]"),
  });
  expect(JSON.parse(JSON.stringify(study))).toEqual(study);
});

test("[ST54] a path of a scenario leads from the study's own folder", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "own.yaml"), read().scenario.text);
  for (const scenario of ["./own.yaml", "own.yaml", join(folder, "own.yaml")]) {
    writeFileSync(join(folder, "mine.yaml"), written({ scenario }));

    expect(loadStudy(lists, join(folder, "mine.yaml")).study.scenario.name).toBe("own");
  }
});

test("[ST55] every shipped study is read, and its schema is current: node tools/studySchema.ts", () => {
  const names = readdirSync(packagedStudies).filter((file) => file.endsWith(".yaml"));

  expect(names.map((file) => loadStudy(lists, file.replace(".yaml", "")).study.name)).toEqual(
    names.map((file) => file.replace(".yaml", "")),
  );
  expect(JSON.parse(readFileSync(`${packagedStudies}study.schema.json`, "utf8"))).toEqual(
    JSON.parse(JSON.stringify(studyJsonSchema(lists))),
  );
});

test("[ST55] the schema knows paths, metrics and promises wherever a study names them, so that an editor finds a slip", () => {
  const slip = { additionalProperties: false };
  const one = { $ref: "#/$defs/Policy/properties/locks.constrained" };
  const forms = [one, { type: "array", items: one }, {}, { $ref: "#/$defs/Range" }];

  expect(studyJsonSchema(lists)).toMatchObject({
    properties: {
      baseline: { $ref: "#/$defs/Setting" },
      enqueue: { items: { $ref: "#/$defs/Setting" } },
    },
    anyOf: [{ required: ["design"] }, { required: ["goal"] }],
    $defs: {
      Setting: { ...slip, properties: { variant: {}, "locks.constrained": {} } },
      Factors: { ...slip, properties: { "locks.constrained": { anyOf: forms } } },
      Constraint: { properties: { sum: { anyOf: [{ items: { $ref: "#/$defs/Summed" } }, {}] } } },
      Summed: { enum: expect.arrayContaining(["locks.constrained"]) },
      Outcome: { properties: { metric: { $ref: "#/$defs/Metric" } } },
      Metric: { enum: expect.arrayContaining(["load", "goals.completed"]) },
      Promise: { enum: expect.arrayContaining(["locked-never-runs"]) },
    },
  });
});
